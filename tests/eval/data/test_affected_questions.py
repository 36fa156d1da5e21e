"""Which questions a new version of a document affects."""

from pathlib import Path

from policy_rag.index.maintenance.version_diff import ChangeKind, compare
from policy_rag_eval.data.affected_questions import Effect, affected_questions
from policy_rag_eval.data.dataset import Dataset, Document, GoldPassage, Question
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.sections import parse_sections

HOTELS = "A hotel may cost 120 euros a night at most, breakfast and taxes included."
TRAINS = "Trains are booked in second class through the travel desk, two days before."
MEALS = "The daily allowance for meals is 14 euros for an absence of more than eight hours."


def text_of(*clauses):
    return "".join(f"## {number} {title}\n{body}\n" for number, title, body in clauses)


OLD = text_of((1, "Hotels", HOTELS), (2, "Trains", TRAINS), (3, "Meals", MEALS), (4, "Gifts", "None are taken at all."))
NEW = text_of((1, "Hotels", HOTELS.replace("120", "140")), (2, "Meals", MEALS), (3, "Gifts", "None are taken at all."))


def gold(name, words, file="old.md"):
    start = OLD.index(words)
    return GoldPassage(name, words, file=file, start=start, end=start + len(words))


def found(passages, qrels):
    old, new = (parse_sections(SourceText(text, FileFormat.MARKDOWN), title="T") for text in (OLD, NEW))
    questions = tuple(Question(name, f"Question {name}?") for name in qrels)
    data = Dataset("d", Path(), (Document("old", "old.md", "Travel"),), questions, tuple(passages), qrels, "digest")
    return affected_questions(data, "old.md", compare(old, OLD, new, NEW))


def affected(passages, qrels):
    return [
        (one.question_id, one.effect, one.old.number, one.new.number if one.new else None)
        for one in found(passages, qrels)
    ]


def test_changed_and_removed_words_touch_the_answer_a_new_number_only_the_place():
    passages = [gold("h", "120 euros"), gold("t", "second class"), gold("m", "14 euros")]
    assert affected(passages, {"q1": {"h": 1}, "q2": {"t": 1}, "q3": {"m": 1}}) == [
        ("q1", Effect.ANSWER, "1", "1"),
        ("q2", Effect.ANSWER, "2", None),
        ("q3", Effect.PLACE, "3", "2"),
    ]


def test_grades_of_zero_other_files_and_labels_without_a_place_count_for_nothing():
    passages = [gold("h", "120 euros"), gold("x", "120 euros", file="else.md"), GoldPassage("n", "120 euros")]
    assert affected(passages, {"q1": {"h": 0}, "q2": {"x": 1}, "q3": {"n": 1}, "q4": {"unknown": 1}}) == []


def test_a_question_is_told_once_a_clause_and_a_passage_over_two_clauses_counts_for_both():
    both = GoldPassage("b", "", file="old.md", start=OLD.index("breakfast"), end=OLD.index("second"))
    passages = [gold("h", "120 euros"), gold("h", "hotel"), both]
    assert affected(passages, {"q1": {"h": 2, "b": 1}}) == [
        ("q1", Effect.ANSWER, "1", "1"),
        ("q1", Effect.ANSWER, "2", None),
    ]


def test_the_kinds_are_those_of_the_clause():
    (one,) = found([gold("m", "14 euros")], {"q": {"m": 1}})
    assert one.kinds == (ChangeKind.RENUMBERED,)
    assert one.gold_id == "m"
