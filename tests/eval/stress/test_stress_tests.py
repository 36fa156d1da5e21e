"""What each stress test gives, and what it makes of an answer; sections and outcomes by hand."""

from collections.abc import Sequence
from typing import Any

from made_hits import made_hit

from policy_rag.answering.confidence.model import EVIDENCE
from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import GoldPassage, Question
from policy_rag_eval.stress.counterfactual import counterfactual
from policy_rag_eval.stress.question_sections import QuestionSections
from policy_rag_eval.stress.stress_tests import context_size, integration, noise, position, rejection
from policy_rag_eval.stress.trials import StressAnswer, StressCondition, StressOutcome

SENTENCE = "Employees have 30 days of leave."
LENGTH = len(SENTENCE)


def gold(file: str, gold_id: str = "") -> GoldPassage:
    return GoldPassage(gold_id or file, SENTENCE, doc_id=file, file=file, start=0, end=LENGTH)


def others(count: int) -> list[Hit]:
    return [made_hit("Nothing about it.", file=f"other{n}.md") for n in range(count)]


def prepared(name: str = "q", *, files: Sequence[str] = ("gold.md",), at: int = 0, count: int = 20) -> QuestionSections:
    """A question whose gold sections stand in the search's hits from place `at`."""
    golden = [made_hit(SENTENCE, file=file) for file in files]
    hits = others(count)
    hits[at:at] = golden
    ranked = tuple(made_hit(hit.text, file=hit.file, rank=rank) for rank, hit in enumerate(hits, 1))
    own = tuple(hit for hit in ranked if hit.file in files)
    return QuestionSections(Question(name, "How many days?"), ranked, own, tuple(gold(file) for file in files))


def cites(*places: tuple[str, int, int], text: str = "Thirty days.") -> StressAnswer:
    made = [
        Citation(n, "x" * (end - start), file, None, file, "s", (), start, end, None)
        for n, (file, start, end) in enumerate(places, 1)
    ]
    return StressAnswer(text, tuple(made))


def files(condition: StressCondition, trial: int = 0) -> list[str]:
    return [hit.file for hit in condition.trials[trial].sections]


def outcome(condition: StressCondition, given: StressAnswer) -> Any:
    return condition.trials[0].judge(given)[0]


# --- what decides -------------------------------------------------------------------------------------------------


def test_evidence_is_what_ask_looks_at_with_the_gold_in_it() -> None:
    found = prepared(at=30, count=35)
    missed = QuestionSections(found.question, found.distractors, found.gold, found.passages)
    for evidence in (found.evidence(), missed.evidence()):  # found far behind, and not at all
        assert [hit.rank for hit in evidence] == list(range(1, EVIDENCE + 1))
        assert evidence[-1].file == "gold.md"
    assert [hit.file for hit in found.evidence(without=found.gold)] == [f"other{n}.md" for n in range(EVIDENCE)]


def test_a_section_with_any_of_the_gold_is_no_distractor() -> None:
    touching = made_hit(SENTENCE[-4:], file="gold.md", start=LENGTH - 4)
    found = prepared()
    wider = QuestionSections(found.question, (touching, *found.hits), found.gold, found.passages)
    assert touching not in wider.distractors
    assert touching in wider.holding
    assert touching.file not in {hit.file for hit in wider.evidence(without=wider.holding)}


def test_levels_that_few_questions_reach_are_dropped() -> None:
    rows, _ = noise([prepared("a", count=4), prepared("b", count=2), prepared("c", count=1), prepared("d", count=1)], 0)
    assert [row.levels["distractors"] for row in rows] == [0, 1, 2]
    assert [row.name for row in rows] == ["0 distractors", "1 distractor", "2 distractors"]
    assert noise([], 0) == ((), ())


# --- noise --------------------------------------------------------------------------------------------------------


def test_noise_adds_the_best_distractors_to_the_gold() -> None:
    rows, notes = noise([prepared("a", at=3), prepared("b")], seed=0)
    assert [row.levels["distractors"] for row in rows] == [0, 1, 2, 4, 8]
    assert files(rows[0]) == ["gold.md"]
    assert sorted(files(rows[2])) == ["gold.md", "other0.md", "other1.md"]
    assert [hit.rank for hit in rows[4].trials[0].sections] == list(range(1, 10))
    assert notes == ()
    # One with too few distractors is left out, and changes nothing for the others.
    again, notes = noise([prepared("a", at=3), prepared("b"), prepared("c", count=3)], seed=0)
    assert [trial.question.question_id for trial in again[0].trials] == ["a", "b"]
    assert notes == ("1 question left out: their search finds too few sections for 8",)
    other, _ = noise([prepared("a", at=3), prepared("b")], seed=1)
    assert files(rows[4]) == files(again[4])
    assert files(rows[4]) != files(other[4])


def test_half_of_the_gold_counts_as_cited() -> None:
    rows, _ = noise([prepared()], seed=0)
    assert outcome(rows[0], cites(("gold.md", 0, LENGTH // 2))) is StressOutcome.GOLD
    assert outcome(rows[0], cites(("gold.md", 0, LENGTH // 2 - 1))) is StressOutcome.OTHER
    assert outcome(rows[0], cites(("gold.md", 0, 8), ("gold.md", 8, 16))) is StressOutcome.GOLD
    assert outcome(rows[0], cites(("other0.md", 0, LENGTH))) is StressOutcome.OTHER
    assert outcome(rows[0], StressAnswer("", ())) is StressOutcome.REFUSED
    assert outcome(rows[0], StressAnswer("", (), failure="gone")) is StressOutcome.FAILED


# --- rejection ----------------------------------------------------------------------------------------------------


def test_rejection_gives_nothing_with_gold() -> None:
    never = QuestionSections(Question("n", "Is there a canteen?", answerable=False), tuple(others(9)), (), ())
    rows, _ = rejection([prepared(at=2), never], seed=0)
    assert [row.name for row in rows[:2]] == ["gold taken away, 1 given", "gold taken away, 2 given"]
    assert [row.levels["given"] for row in rows] == [1, 2, 4, 8] * 2
    assert files(rows[3]) == [f"other{n}.md" for n in range(8)]
    assert "gold.md" not in {hit.file for hit in rows[0].trials[0].evidence}
    assert [trial.question.question_id for trial in rows[4].trials] == ["n"]
    assert outcome(rows[4], cites(("other0.md", 0, 5))) is StressOutcome.OTHER


# --- integration --------------------------------------------------------------------------------------------------


def test_integration_asks_questions_with_two_sections() -> None:
    two, three = prepared("two", files=("a.md", "b.md")), prepared("3", files=("a.md", "b.md", "c"))
    rows, notes = integration([two, prepared("one"), three], seed=0)
    assert [row.name for row in rows] == ["both sections", "the first alone", "the second alone"]
    assert [sorted(files(row)) for row in rows] == [["a.md", "b.md"], ["a.md"], ["b.md"]]
    assert "b.md" not in {hit.file for hit in rows[1].trials[0].evidence}
    assert "b.md" in {hit.file for hit in rows[2].trials[0].evidence}
    assert [row.control for row in rows] == [False, True, True]
    controls, left_out = notes
    assert controls.startswith("the first alone and the second alone are controls: ")
    assert left_out == "1 question left out: their gold lies in more than two sections"
    assert integration([prepared("one")], seed=0) == ((), ())
    both = cites(("a.md", 0, LENGTH), ("b.md", 0, LENGTH))
    assert outcome(rows[0], both) is StressOutcome.GOLD
    assert outcome(rows[0], cites(("b.md", 0, LENGTH))) is StressOutcome.PART
    assert outcome(rows[0], cites(("other1.md", 0, LENGTH))) is StressOutcome.OTHER


# --- counterfactual -----------------------------------------------------------------------------------------------


def test_a_false_clause_stands_beside_the_true_one() -> None:
    rows, notes = counterfactual([prepared()], seed=0)
    assert notes == ()
    false = "superseded/gold.md"
    assert [files(row) for row in rows] == [["gold.md"], ["gold.md", false], [false, "gold.md"]]
    texts = {hit.file: hit.text for hit in rows[1].trials[0].sections}
    assert texts["gold.md"] == SENTENCE
    assert texts[false] in {SENTENCE.replace("30", "60"), SENTENCE.replace("30", "90")}
    assert false in {hit.file for hit in rows[1].trials[0].evidence}
    assert false not in {hit.file for hit in rows[0].trials[0].evidence}


def test_which_clause_is_cited_is_told_by_the_words_that_differ() -> None:
    (alone, row, _), _ = counterfactual([prepared()], seed=0)
    at = SENTENCE.index("30")
    true, false = ("gold.md", at, at + 2), ("superseded/gold.md", at, at + 2)
    beside = ("superseded/gold.md", at + 2, LENGTH)
    judge = row.trials[0].judge
    assert judge(cites(true)) == (StressOutcome.GOLD, False)
    assert judge(cites(false)) == (StressOutcome.PLANTED, False)
    assert judge(cites(true, beside)) == (StressOutcome.GOLD, False)
    assert judge(cites(beside)) == (StressOutcome.OTHER, False)
    assert judge(cites(true, false)) == (StressOutcome.BOTH, False)
    assert judge(StressAnswer("", ())) == (StressOutcome.REFUSED, False)
    assert alone.trials[0].judge(cites(true)) == (StressOutcome.GOLD, None)


def test_a_contradiction_is_noticed_in_the_answers_own_words() -> None:
    (_, row, _), _ = counterfactual([prepared()], seed=0)
    at = SENTENCE.index("30")
    places = (("gold.md", at, at + 2), ("superseded/gold.md", at, at + 2))
    judge = row.trials[0].judge
    assert judge(cites(*places, text="It is 30 days; a superseded edition said 60.")) == (StressOutcome.BOTH, True)
    quoted = tuple(
        Citation(n, "however", file, None, file, "s", (), start, end, None)
        for n, (file, start, end) in enumerate(places, 1)
    )
    assert judge(StressAnswer("however [1] however [2]", quoted)) == (StressOutcome.BOTH, False)


def test_questions_without_anything_to_change_are_left_out() -> None:
    plain = GoldPassage("g", "Leave.", doc_id="gold.md", file="gold.md", start=0, end=9)
    found = prepared()
    rows, notes = counterfactual([QuestionSections(found.question, found.hits, found.gold, (plain,))], seed=0)
    assert rows == ()
    assert notes == ("1 question left out: their gold has no amount, period or modal that a rule can change",)


# --- position and number ------------------------------------------------------------------------------------------


def test_the_gold_stands_where_the_condition_says() -> None:
    rows, notes = position([prepared("a", at=5), prepared("two", files=("a.md", "b.md"))], seed=0)
    places = {row.name: files(row).index("gold.md") for row in rows}
    assert places == {
        "first of 2": 0, "last of 2": 1,
        "first of 4": 0, "a third in of 4": 1, "two thirds in of 4": 2, "last of 4": 3,
        "first of 8": 0, "a third in of 8": 2, "two thirds in of 8": 5, "last of 8": 7,
        "first of 16": 0, "a third in of 16": 5, "two thirds in of 16": 10, "last of 16": 15,
    }  # fmt: skip
    assert [len(files(row)) for row in rows] == [2] * 2 + [4] * 4 + [8] * 4 + [16] * 4
    assert files(rows[3]) == ["other0.md", "gold.md", "other1.md", "other2.md"]
    assert notes == ("1 question left out: their gold lies in several sections",)


def test_the_number_of_sections_cuts_the_search() -> None:
    rows, _ = context_size([prepared("a", at=2), prepared("b", at=11)], seed=0)
    assert [row.levels["sections"] for row in rows] == [1, 2, 3, 5, 8, 12]
    assert files(rows[2]) == ["other0.md", "other1.md", "gold.md"]
    assert [row.reachable for row in rows] == [
        {"a": place < count, "b": place2 < count} for count in (1, 2, 3, 5, 8, 12) for place, place2 in [(2, 11)]
    ]
    assert len(rows[0].trials[0].evidence) == EVIDENCE
