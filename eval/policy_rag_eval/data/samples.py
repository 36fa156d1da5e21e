"""A fixed sample of a data set's questions: the same ones every time, whatever else is run."""

import hashlib

from policy_rag_eval.data.dataset import Dataset, Question


def sample_of(dataset: Dataset, questions: int) -> Dataset:
    """The data set with so many of its questions, in their order, and a digest of its own.

    Which ones hangs on their ids alone: a larger sample holds the smaller one, and questions that are added to the data
    set later move few of them. Each kind of question, and those without an answer, have their share.

    0 questions, or more than there are, take all.
    """
    if not 0 < questions < len(dataset.questions):
        return dataset
    kinds: dict[tuple[str | None, bool], list[Question]] = {}
    for question in dataset.questions:
        kinds.setdefault((question.kind, question.answerable), []).append(question)
    # Of each kind the i-th comes after (i + 1/2) / n of it, so that any beginning holds all kinds in their shares.
    placed = [
        ((place + 0.5) / len(members), _drawn(question), question.question_id)
        for members in kinds.values()
        for place, question in enumerate(sorted(members, key=_drawn))
    ]
    kept = {question_id for _, _, question_id in sorted(placed)[:questions]}
    chosen = tuple(question for question in dataset.questions if question.question_id in kept)
    return dataset.part(chosen, hashlib.sha256(f"{dataset.digest} {sorted(kept)}".encode()).hexdigest())


def _drawn(question: Question) -> str:
    return hashlib.sha256(question.question_id.encode()).hexdigest()
