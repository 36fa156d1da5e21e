"""Parts of the questions, by hand."""

from dataclasses import replace
from pathlib import Path

from policy_rag_eval.data.dataset import Dataset, GoldPassage, Question
from policy_rag_eval.measures.measures import Measure, Scores
from policy_rag_eval.measures.slices import HITS, LONGEST, NO_KIND, slices_of
from policy_rag_eval.statistics.intervals import Interval

RECALL = Measure.parse("recall@10")
OVERALL = {RECALL: Interval(0.5, 0.123, 0.876), HITS: Interval(5.0, 5.0, 5.0)}


def data(questions: list[Question], gold: dict[str, dict[str, int]]) -> Dataset:
    passages = (GoldPassage("a", "x", doc_id="leave"), GoldPassage("b", "y", doc_id="travel"))
    return Dataset("made", Path(), (), tuple(questions), passages, gold, "")


def test_by_type_document_and_length() -> None:
    questions = [
        Question("q1", "How many days?", kind="number"),
        Question("q2", "one two three four five six seven eight nine", kind="number"),
        Question("q3", " ".join(["word"] * 16)),
    ]
    dataset = data(questions, {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"b": 1}})
    found = slices_of(dataset, Scores(("q1", "q2", "q3"), {RECALL: (1.0, 0.5, 0.0)}), OVERALL)
    told = [(part.by, part.value, part.questions, part.measures[RECALL].mean) for part in found]
    assert told == [
        ("type", NO_KIND, 1, 0.0),
        ("type", "number", 2, 0.75),
        ("document", "leave", 2, 0.75),
        ("document", "travel", 2, 0.25),  # the question with gold in both counts for each
        ("length", "up to 8 words", 1, 1.0),
        ("length", "9 to 15 words", 1, 0.5),
        ("length", LONGEST, 1, 0.0),
    ]
    assert all(p.measures[RECALL].low <= p.measures[RECALL].mean <= p.measures[RECALL].high for p in found)


def test_a_label_with_places_in_two_documents_counts_for_both() -> None:
    dataset = data([Question("q1", "One?"), Question("q2", "Two?")], {"q1": {"a": 1}, "q2": {"b": 1}})
    both = replace(dataset, passages=(*dataset.passages, GoldPassage("a", "x", doc_id="rules")))
    found = slices_of(both, Scores(("q1", "q2"), {RECALL: (1.0, 0.5)}), OVERALL)
    told = [(part.value, part.measures[RECALL].mean) for part in found if part.by == "document"]
    assert told == [("leave", 1.0), ("rules", 1.0), ("travel", 0.5)]


def test_what_does_not_divide_gives_no_slices() -> None:
    questions = [Question("q1", "One?"), Question("q2", "Two?")]
    dataset = data(questions, {"q1": {"a": 1}, "q2": {"a": 1}})
    assert slices_of(dataset, Scores(("q1", "q2"), {RECALL: (1.0, 0.5)}), OVERALL) == ()


def test_unanswerable_questions_have_hits_only() -> None:
    questions = [Question("q1", "One?"), Question("q2", "Two?", answerable=False)]
    found = slices_of(data(questions, {"q1": {"a": 1}}), Scores(("q1",), {RECALL: (1.0,), HITS: (5.0,)}), OVERALL, [3])
    assert [(part.by, part.value, part.questions) for part in found] == [
        ("answerable", "yes", 1),
        ("answerable", "no", 1),
    ]
    assert found[0].measures == OVERALL, "one figure has one interval, drawn once"
    assert (found[0].measures[HITS].low, found[1].measures[HITS].high) == (5.0, 3.0), "counts have no upper end"
    assert {measure: interval.mean for measure, interval in found[1].measures.items()} == {HITS: 3.0}


def test_a_part_has_the_ends_that_the_whole_has() -> None:
    questions = [Question("q1", "One?", kind="a"), Question("q2", "Two?", kind="b")]
    precision = Measure.parse("precision@5")
    scores = Scores(("q1", "q2"), {precision: (0.2, 0.0)})
    gold = {"q1": {"a": 1}, "q2": {"a": 1}}
    found = slices_of(data(questions, gold), scores, OVERALL, most={precision: 0.2})
    assert [part.measures[precision].high <= 0.2 for part in found] == [True, True]
