"""A fixed sample: the same questions every time, every kind in its share, the smaller in the larger."""

from pathlib import Path

from policy_rag_eval.data.dataset import Dataset, Question
from policy_rag_eval.data.samples import sample_of


def made(count: int) -> Dataset:
    questions = tuple(
        Question(f"q{i}", f"{i}?", kind="rare" if i % 5 == 0 else "usual", answerable=i % 10 != 0) for i in range(count)
    )
    qrels = {question.question_id: {"a": 1} for question in questions if question.answerable}
    return Dataset("made", Path(), (), questions, (), qrels, "digest")


def test_each_kind_has_its_share_and_judgements_are_those_of_the_sample() -> None:
    found = sample_of(made(100), 20)
    assert len(found.questions) == 20
    assert [q.kind for q in found.questions].count("rare") == 4
    assert len(found.unanswerable) == 2
    assert set(found.qrels) == {q.question_id for q in found.questions if q.answerable}
    assert found.digest != "digest"


def test_it_is_the_same_every_time_and_a_larger_one_holds_it() -> None:
    small, large = sample_of(made(100), 20), sample_of(made(100), 40)
    assert small == sample_of(made(100), 20)
    assert {q.question_id for q in small.questions} < {q.question_id for q in large.questions}
    order = [q.question_id for q in made(100).questions]
    assert [q.question_id for q in small.questions] == sorted((q.question_id for q in small.questions), key=order.index)


def test_all_or_more_than_there_are_change_nothing() -> None:
    assert sample_of(made(10), 0) == made(10)
    assert sample_of(made(10), 10) == made(10)
    assert sample_of(made(10), 99) == made(10)
