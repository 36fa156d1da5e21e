"""Questions that a configuration fails on, with the gold and what it found first, to be read side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.quote_locations import Locator
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.sweep.evaluation import Evaluation

_CHARACTERS = 700


@dataclass(frozen=True, slots=True)
class FailedQuestion:
    """A question with the gold and the first hit; each has where it stands, and its text."""

    question: str
    figure: float
    gold: tuple[str, str]
    hit: tuple[str, str]


def failures(
    dataset: Dataset, corpus: Corpus, evaluation: Evaluation, measure: Measure, *, most: int = 3
) -> tuple[FailedQuestion, ...]:
    """The questions with the lowest figures, below 1, each about another document as far as there are.

    Args:
        dataset: as it was scored.
        corpus: what was searched.
        evaluation: with its rankings.
        measure: by which.
        most: how many.
    """
    figures = dict(zip(evaluation.scores.questions, evaluation.scores.values[measure], strict=True))
    below = sorted((one for one in figures if figures[one] < 1), key=lambda one: figures[one])
    passages: dict[str, list[str]] = {}
    for passage in dataset.passages:
        passages.setdefault(passage.gold_id, []).append(passage.text)
    texts = _Texts(dataset, corpus, passages)
    homes = {passage.gold_id: passage.file or passage.doc_id for passage in dataset.passages}
    asked = {question.question_id: question.text for question in dataset.questions}
    seen: set[object] = set()
    first: list[str] = []
    others: list[str] = []
    for question in below:
        home = next((homes.get(label) for label in dataset.qrels[question]), None)
        (others if home in seen else first).append(question)
        seen.add(home)
    made = []
    for question in (*first, *others)[:most]:
        found = evaluation.rankings.get(question, ())
        missed = [label for label in dataset.qrels[question] if label not in found[:1]]
        label = next(iter(missed or dataset.qrels[question]))
        hit = texts.of(found[0]) if found else ("nothing was found", "")
        made.append(FailedQuestion(asked[question], figures[question], texts.of(label), hit))
    return tuple(made)


class _Texts:
    """What stands at a label."""

    def __init__(self, dataset: Dataset, corpus: Corpus, passages: Mapping[str, list[str]]) -> None:
        self._gold = QuestionGold(dataset, corpus)
        self._passages = passages
        self._locator = Locator(dataset.documents_folder)

    def of(self, label: str) -> tuple[str, str]:
        """Where it stands, and its first words."""
        place = self._gold.place_of(label)
        text = "\n".join(filter(None, self._passages.get(label, ())))
        where = label
        if place is not None and "\0" not in place.file:
            where = f"{place.file}, {place.start:,} to {place.end:,}"
            try:
                text = text or self._locator.text(place.file)[place.start : place.end]
            except DatasetError:
                text = text or "(the file cannot be read any more)"
        return where, text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS].rstrip()} …"
