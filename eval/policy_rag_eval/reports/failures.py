"""Questions that a configuration fails on, with the gold and what it found first, to be read side by side."""

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.quote_locations import Locator
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.reports.decision import FAILURES, Failure, cut
from policy_rag_eval.sweep.evaluation import Evaluation


def failures(dataset: Dataset, corpus: Corpus, evaluation: Evaluation, measure: Measure) -> tuple[Failure, ...]:
    """The questions with the lowest figures, below 1, each about another document as far as there are."""
    figures = dict(zip(evaluation.scores.questions, evaluation.scores.values[measure], strict=True))
    below = sorted((one for one in figures if figures[one] < 1), key=lambda one: figures[one])
    texts = LabelTexts(dataset, corpus)
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
    for question in (*first, *others)[:FAILURES]:
        found = evaluation.rankings.get(question, ())
        missed = [label for label in dataset.qrels[question] if label not in found[:1]]
        label = next(iter(missed or dataset.qrels[question]))
        where, text = texts.of(label)
        hit = ("nothing was found", "")
        if found:
            place, words = texts.of(found[0])
            hit = f"found first: {place}", words
        told = f"{measure} {figures[question]:.2f}"
        made.append(Failure(question, asked[question], told, (f"gold: {where}", text), hit))
    return tuple(made)


class LabelTexts:
    """What stands at a label."""

    def __init__(self, dataset: Dataset, corpus: Corpus) -> None:
        self._gold = QuestionGold(dataset, corpus)
        self._passages: dict[str, list[str]] = {}
        for passage in dataset.passages:
            self._passages.setdefault(passage.gold_id, []).append(passage.text)
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
        return where, cut(text)
