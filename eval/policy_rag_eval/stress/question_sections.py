"""What stress tests are built from: of each question the sections that hold its gold, and the best that do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from policy_rag.answering.confidence.model import EVIDENCE
from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Dataset, GoldPassage, Question
from policy_rag_eval.measures.gold_matching import GoldPlaces, shared
from policy_rag_eval.measures.gold_sections import gold_passages, gold_sections
from policy_rag_eval.stress.trials import Judge, StressAnswer, StressOutcome, Trial, renumbered

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

DEPTH = 40
"""Hits of a question's search that are looked at: 20 decide, and 16 and more of them hold no gold."""

_BATCH = 64


@dataclass(frozen=True, slots=True)
class QuestionSections:
    """A question with its sections.

    Attributes:
        question: as the data set has it.
        hits: of the search as it is set, best first, `DEPTH` at most.
        gold: the section that holds most of each gold place, in file order, each once.
        passages: the gold places, in the order of the data set; empty for an unanswerable question.
        matter: the question without the words that the search read as filters; blank stands for the question.
    """

    question: Question
    hits: tuple[Hit, ...]
    gold: tuple[Hit, ...]
    passages: tuple[GoldPassage, ...]
    matter: str = ""

    def trial(
        self, sections: Sequence[Hit], judge: Judge | None = None, *, evidence: Sequence[Hit] | None = None
    ) -> Trial:
        """The question with these sections, in this order; by default judged by any gold, decided by `evidence()`."""
        decides = self.evidence() if evidence is None else renumbered(evidence)
        return Trial(self.question, renumbered(sections), decides, judge or self.any_gold, self.matter)

    @property
    def distractors(self) -> tuple[Hit, ...]:
        """The hits that share no character with a gold place, best first."""
        return tuple(hit for hit in self.hits if not self._touches_gold(hit))

    @property
    def holding(self) -> tuple[Hit, ...]:
        """The gold sections, and every other hit that shares a character with a gold place."""
        return (*self.gold, *(hit for hit in self.hits if self._touches_gold(hit)))

    def _touches_gold(self, hit: Hit) -> bool:
        return any(shared(passage, hit) for passage in self.passages)

    def holder(self, passage: GoldPassage) -> Hit | None:
        """The gold section that holds most of a place."""
        best = max(self.gold, key=lambda hit: shared(passage, hit), default=None)
        return best if best is not None and shared(passage, best) else None

    def evidence(self, *, without: Sequence[Hit] = ()) -> tuple[Hit, ...]:
        """What decides whether there is an answer: the search's first hits, as many as `ask` looks at.

        The gold sections are always among them, at their own place or last; those of `without` never are.
        """
        away = {place_of(hit) for hit in without}
        gold = {place_of(hit): hit for hit in self.gold if place_of(hit) not in away}
        listed: list[Hit] = []
        room = max(0, EVIDENCE - len(gold))
        for hit in self.hits:
            place = place_of(hit)
            if gold.pop(place, None) is not None:
                listed.append(hit)
            elif place not in away and room:
                listed.append(hit)
                room -= 1
        return renumbered([*listed, *gold.values()])

    def cited_gold(self, answer: StressAnswer, passages: Sequence[GoldPassage]) -> bool:
        """Whether the citations hold at least half the characters of one of these places."""
        labels = {passage.gold_id for passage in passages}
        return bool(labels & set(GoldPlaces(passages).labels(answer.citations)))

    def any_gold(self, answer: StressAnswer) -> tuple[StressOutcome, None]:
        """`GOLD` where at least one of the places is cited."""
        outcome = no_answer(answer)
        if outcome is not None:
            return outcome, None
        return (StressOutcome.GOLD if self.cited_gold(answer, self.passages) else StressOutcome.OTHER), None


def no_answer(answer: StressAnswer) -> StressOutcome | None:
    """Failed or refused, or None where there is an answer to judge."""
    if answer.failure:
        return StressOutcome.FAILED
    return None if answer.citations else StressOutcome.REFUSED


def place_of(hit: Hit) -> tuple[str, int, int]:
    """What tells sections apart."""
    return hit.file, hit.start, hit.end


def prepare(
    assistant: "PolicyAssistant", dataset: Dataset, questions: Sequence[Question]
) -> tuple[QuestionSections, ...]:
    """Searches all questions as the settings say, and finds their gold sections wherever they rank.

    Raises:
        IndexingError: the index is empty or damaged.
    """
    made: list[QuestionSections] = []
    for first in range(0, len(questions), _BATCH):
        part = questions[first : first + _BATCH]
        results = assistant.search_many([question.request() for question in part], top_k=DEPTH)
        for question, result in zip(part, results, strict=True):
            passages = gold_passages(dataset, question)
            found = {place_of(hit): hit for hit in result.hits}
            gold = tuple(found.get(place_of(hit), hit) for hit in gold_sections(assistant, question, passages))
            made.append(QuestionSections(question, result.hits, gold, passages, result.matter))
    return tuple(made)
