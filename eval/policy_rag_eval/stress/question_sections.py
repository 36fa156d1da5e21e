"""What stress tests are built from: of each question the sections that hold its gold, and the best that do not."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from policy_rag.answering.confidence.model import EVIDENCE
from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Dataset, GoldPassage, Question
from policy_rag_eval.measures.gold_matching import GoldPlaces, shared
from policy_rag_eval.stress.records import Given, Outcome, Trial, renumbered

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

DEPTH = 40
"""Hits of a question's search that are looked at: 20 decide, and 16 and more of them hold no gold."""

_WIDE = 1000
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Prepared:
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
        self,
        sections: Sequence[Hit],
        judge: Callable[[Given], tuple[Outcome, bool | None]],
        *,
        evidence: Sequence[Hit] | None = None,
    ) -> Trial:
        """The question with these sections, in this order; decided by `evidence()` unless another is given."""
        decides = self.evidence() if evidence is None else renumbered(evidence)
        return Trial(self.question, renumbered(sections), decides, judge, self.matter)

    @property
    def distractors(self) -> tuple[Hit, ...]:
        """The hits that share no character with a gold place, best first."""
        return tuple(hit for hit in self.hits if not any(shared(one, hit) for one in self.passages))

    @property
    def holding(self) -> tuple[Hit, ...]:
        """The gold sections, and every other hit that shares a character with a gold place."""
        return (*self.gold, *(hit for hit in self.hits if any(shared(one, hit) for one in self.passages)))

    def holder(self, passage: GoldPassage) -> Hit | None:
        """The gold section that holds most of a place."""
        best = max(self.gold, key=lambda hit: shared(passage, hit), default=None)
        return best if best is not None and shared(passage, best) else None

    def evidence(self, *, without: Sequence[Hit] = ()) -> tuple[Hit, ...]:
        """What decides whether there is an answer: the search's first hits, as many as `ask` looks at.

        The gold sections are always among them, at their own place or last; those of `without` never are.
        """
        away = {place_of(hit) for hit in without}
        gold = [hit for hit in self.gold if place_of(hit) not in away]
        rest = [hit for hit in self.hits if place_of(hit) not in away]
        golden = {place_of(hit) for hit in gold}
        found = [hit for hit in rest if place_of(hit) in golden]
        others = [hit for hit in rest if place_of(hit) not in golden][: max(0, EVIDENCE - len(gold))]
        order = {place_of(hit): rank for rank, hit in enumerate(rest)}
        listed = sorted([*found, *others], key=lambda hit: order[place_of(hit)])
        missed = [hit for hit in gold if place_of(hit) not in order]
        return renumbered([*listed, *missed])


@dataclass(frozen=True, slots=True)
class Material:
    """All questions of a data set with their sections, and the gold places by which answers are judged."""

    questions: tuple[Prepared, ...]
    places: GoldPlaces

    @property
    def answerable(self) -> tuple[Prepared, ...]:
        """Those with a gold section in the index."""
        return tuple(one for one in self.questions if one.gold)

    @property
    def unanswerable(self) -> tuple[Prepared, ...]:
        """Those that the documents do not answer."""
        return tuple(one for one in self.questions if not one.question.answerable)

    def held(self, given: Given, passages: Sequence[GoldPassage]) -> frozenset[str]:
        """The gold ids among those of `passages` of which the citations hold at least half the characters."""
        labels = set(self.places.labels(given.citations))
        return frozenset(labels & {one.gold_id for one in passages})

    def any_gold(self, given: Given, passages: Sequence[GoldPassage]) -> tuple[Outcome, None]:
        """`GOLD` where at least one of the places is held."""
        outcome = plain_outcome(given)
        if outcome is not None:
            return outcome, None
        return (Outcome.GOLD if self.held(given, passages) else Outcome.OTHER), None


def plain_outcome(given: Given) -> Outcome | None:
    """Failed or refused, or None where there is an answer to judge."""
    if given.failure:
        return Outcome.FAILED
    return None if given.citations else Outcome.REFUSED


def prepare(assistant: "PolicyAssistant", dataset: Dataset, questions: Sequence[Question]) -> Material:
    """Searches all questions as the settings say, and finds their gold sections wherever they rank.

    Args:
        assistant: over the data set's documents.
        dataset: as `Dataset.for_corpus` gives it for files.
        questions: those that are asked, of the data set.

    Raises:
        IndexingError: the index is empty or damaged.
    """
    passages: dict[str, list[GoldPassage]] = {}
    for passage in dataset.passages:
        if passage.placed:
            passages.setdefault(passage.gold_id, []).append(passage)
    made: list[Prepared] = []
    for first in range(0, len(questions), _BATCH):
        part = questions[first : first + _BATCH]
        results = assistant.search_many([question.request() for question in part], top_k=DEPTH)
        for question, result in zip(part, results, strict=True):
            wanted = dataset.qrels.get(question.question_id, {}) if question.answerable else {}
            gold = tuple(one for gold_id in wanted for one in passages.get(gold_id, ()))
            sections = _gold_sections(assistant, question, gold, result.hits)
            made.append(Prepared(question, result.hits, sections, gold, result.matter))
    return Material(tuple(made), GoldPlaces(dataset.passages))


def _gold_sections(
    assistant: "PolicyAssistant", question: Question, passages: Sequence[GoldPassage], hits: Sequence[Hit]
) -> tuple[Hit, ...]:
    """The section that holds most of each place; those that the search missed are looked up, in the whole index."""
    whole: Sequence[Hit] | None = None
    chosen: dict[tuple[str, int, int], Hit] = {}
    for passage in passages:
        length = (passage.end or 0) - (passage.start or 0)
        best = max(hits, key=lambda hit: shared(passage, hit), default=None)
        if best is None or 2 * shared(passage, best) < length:
            if whole is None:
                whole = _everything(assistant, question, passages)
            best = max(whole, key=lambda hit: shared(passage, hit), default=None)
        if best is not None and shared(passage, best):
            chosen.setdefault(place_of(best), best)
    return tuple(sorted(chosen.values(), key=place_of))


def _everything(assistant: "PolicyAssistant", question: Question, passages: Sequence[GoldPassage]) -> tuple[Hit, ...]:
    request = question.request()
    doc_ids = ",".join(dict.fromkeys(one.doc_id or one.file or "" for one in passages))
    narrow = replace(request, where=(*request.where, f"doc_id={doc_ids}"))
    (found,) = assistant.search_many([narrow], search="or", reranker="none", candidates=_WIDE, top_k=_WIDE)
    return found.hits


def place_of(hit: Hit) -> tuple[str, int, int]:
    """What tells sections apart."""
    return hit.file, hit.start, hit.end


def shuffled(hits: Sequence[Hit], seed: int, *names: object) -> tuple[Hit, ...]:
    """Hits, their ranks as they were, in an order that seed and names fix."""
    order = list(hits)
    random.Random(":".join([str(seed), *map(str, names)])).shuffle(order)
    return tuple(order)


def reached(levels: Sequence[int], available: Sequence[int]) -> tuple[int, ...]:
    """The levels that at least half of the questions can have: a small set of documents has few sections.

    >>> reached((1, 2, 4, 8), [2, 4, 9])
    (1, 2, 4)
    """
    return tuple(
        level for level in levels if available and 2 * sum(one >= level for one in available) >= len(available)
    )


def left_out(reasons: Mapping[str, int]) -> tuple[str, ...]:
    """Notes on questions that a test had to leave out: reason to how many; none where there are none."""
    return tuple(
        f"{count} question{'' if count == 1 else 's'} left out: {reason}" for reason, count in reasons.items() if count
    )
