"""Questions that a calibration misjudges: answered without an answer in the documents, or refused with one there."""

from collections.abc import Sequence

from policy_rag_eval.calibration.fit import Calibrated
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.reports.decision import FAILURES, Failure, cut
from policy_rag_eval.reports.failures import LabelTexts

_EVEN = 0.5


def misjudged(dataset: Dataset, corpus: Corpus, questions: Sequence[Question], made: Calibrated) -> list[Failure]:
    """The worst of both kinds in turn: those answered with most confidence, those refused with least.

    Questions are those that were calibrated on, in order; without a threshold an even chance parts them.
    """
    found = made.found
    threshold = _EVEN if made.chosen is None else made.chosen.threshold
    places = [i for i, one in enumerate(found.answerable) if bool(one) != bool(found.confidences[i] >= threshold)]
    # In each kind by how far the confidence is from what is the case, then by turns.
    worst = sorted(places, key=lambda i: abs(float(found.answerable[i]) - float(found.confidences[i])), reverse=True)
    turns = {i: sum(found.answerable[j] == found.answerable[i] for j in worst[:n]) for n, i in enumerate(worst)}
    texts = LabelTexts(dataset, corpus)
    return [
        _failure(dataset, questions[i], float(found.confidences[i]), made, i, texts)
        for i in sorted(worst, key=lambda i: turns[i])[:FAILURES]
    ]


def _failure(
    dataset: Dataset, question: Question, confidence: float, made: Calibrated, place: int, texts: LabelTexts
) -> Failure:
    hit = made.first[place] if made.first else None
    right = ("nothing was found", "")
    if hit is not None:
        right = f"found first: {hit.file}, {hit.start:,} to {hit.end:,}", cut(hit.text)
    if not question.answerable:
        left, told = ("gold: none", "the policies do not answer it"), "answered"
    else:
        where, text = texts.of(next(iter(dataset.qrels[question.question_id])))
        left, told = (f"gold: {where}", text), "refused"
    return Failure(question.question_id, question.text, f"{told}, confidence {confidence:.2f}", left, right)
