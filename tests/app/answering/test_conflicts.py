"""Contradictions between documents: what is found, what is not, and who may see it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made_hits import made_hit
from made_policies import made_policy

from policy_rag import PolicyAssistant
from policy_rag.answering.conflicts import find_conflicts
from policy_rag.cli import run
from policy_rag.models.factory import load_embedder
from policy_rag.models.reader import Reader
from policy_rag.records.choices import Backend
from policy_rag.records.conflict import Conflict, ConflictKind
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

LEAVE = made_policy(
    "Leave Policy",
    ("Carrying over", "Employees may carry over up to five days of annual leave into the next year."),
    ("Records", "Sickness notes are kept for at least three years."),
    ("Visitors", "Visitors wear a badge."),
)
ADDENDUM = made_policy(
    "Leave Addendum",
    ("Carrying over", "Employees may carry over up to eight days of annual leave into the next year."),
    ("Records", "Sickness notes are kept for at most six years."),
    ("Phones", "Private phones may be used for company e-mail."),
)
SECURITY = made_policy(
    "Security Policy",
    ("Phones", "Private phones must not be used for company e-mail."),
    ("Doors", "Doors are closed within 5 minutes. Doors of the archive are closed within 5 minutes."),
)
BOARD = made_policy(
    "Board Rules",
    ("Carrying over", "Employees may carry over up to nine days of annual leave into the next year."),
    head="access: [board]",
)
GERMAN = {
    "urlaub.md": "# Urlaub\n\n## 1. Antrag\n\nDer Urlaub ist vier Wochen vor seinem Beginn schriftlich zu beantragen.\n",
    "zusatz.md": "# Zusatz\n\n## 1. Antrag\n\nDer Urlaub ist sechs Wochen vor seinem Beginn schriftlich zu beantragen.\n",
}


@pytest.fixture(scope="module")
def index(index_of: Callable[[dict[str, str]], Path]) -> Path:
    return index_of({"leave.md": LEAVE, "addendum.md": ADDENDUM, "security.md": SECURITY, "board.md": BOARD, **GERMAN})


def test_figures_and_modals_that_contradict_are_found_with_both_places(index: Path) -> None:
    with PolicyAssistant.open(index) as assistant:
        found = assistant.conflicts(where=["file=leave.md,addendum.md,security.md"])
    said = {one.reason: {(citation.file, citation.number) for citation in one.citations} for one in found}
    assert said == {
        "eight against five (days)": {("leave.md", "1"), ("addendum.md", "1")},
        "permitted against not permitted": {("addendum.md", "3"), ("security.md", "1")},
    }
    assert {one.kind for one in found} == {ConflictKind.FIGURE, ConflictKind.MODALITY}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_in_a_language_that_the_reader_does_not_know_words_and_vectors_decide(index: Path) -> None:
    with PolicyAssistant.open(index) as assistant:
        (found,) = assistant.conflicts(where=["file=urlaub.md,zusatz.md"])
    assert found.reason == "vier against sechs (Wochen)"


def test_what_a_caller_may_not_read_is_in_no_conflict(index: Path) -> None:
    with PolicyAssistant.open(index) as assistant:
        plain = assistant.conflicts()
        board = assistant.conflicts(groups=["board"])
    assert not any("nine" in one.reason for one in plain)
    assert sum("nine" in one.reason for one in board) == 2  # against five, and against eight


def test_an_answer_tells_what_another_policy_says_against_it(index: Path) -> None:
    with PolicyAssistant.open(index, llm="extractive", threshold=0.01) as assistant:
        answer = assistant.ask("How many days of annual leave may employees carry over?")
    first, second = answer.citations[0], answer.citations[-1]
    assert {first.file, second.file} == {"leave.md", "addendum.md"}
    assert "Another policy says otherwise (" in answer.answer
    assert f"annual leave into the next year. [{second.n}]" in answer.answer.splitlines()[-1]


def test_what_is_quoted_already_is_told_once_as_what_speaks_against_the_answer(index: Path) -> None:
    with PolicyAssistant.open(index, llm="extractive", threshold=0.01) as assistant:
        answer = assistant.ask("May private phones be used for company e-mail?").answer
    assert [answer.count(f"Private phones {verb} be used for company e-mail.") for verb in ("may", "must not")] == [
        1,
        1,
    ]
    assert "Another policy says otherwise (" in answer


def test_what_only_stands_around_a_quotation_contradicts_nothing(index_of: Callable[[dict[str, str]], Path]) -> None:
    files = {
        "terms.md": "# Terms\n\nThe week of the depot has 38 hours. Parking for the depot is in yard 2.\n",
        "rules.md": "# Rules\n\nThe week of the depot has 36 hours.\n",
    }
    with PolicyAssistant.open(index_of(files), llm="extractive", threshold=0.01) as assistant:
        asked, beside = (assistant.ask(q).answer for q in ("How many hours has the week?", "Where is parking?"))
    assert "says otherwise" in asked
    assert "otherwise" not in beside


def test_the_command_prints_both_places_and_json_a_line_each(index: Path, capfd: pytest.CaptureFixture[str]) -> None:
    where = ["--index", str(index), "--where", "file=leave.md,addendum.md"]
    assert run(["conflicts", *where]) == 0
    printed = capfd.readouterr().out
    assert "figure: eight against five (days)" in printed
    assert "1 conflict: read both places, a difference may be meant" in printed
    assert run(["conflicts", *where, "--json"]) == 0
    (line,) = capfd.readouterr().out.splitlines()
    row = json.loads(line)
    assert list(row) == ["kind", "reason", "score", "citations"]
    assert [one["n"] for one in row["citations"]] == [1, 2]


LINK = "[House Rules](/site-policy/general-house-rules/house-rules-for-all-guests)"
ROWS = [json.loads(line) for line in (Path(__file__).parent / "contradictions.jsonl").read_text("utf-8").splitlines()]


def conflicts_of(*texts: str) -> tuple[Conflict, ...]:
    hits = [with_parsed_blocks([made_hit(text, file=f"{n}.md")]) for n, text in enumerate(texts)]
    return find_conflicts(hits, load_embedder(backend=Backend.ONNX).embed, Reader.load())


def test_most_contradictions_in_other_words_are_found_and_most_differences_that_are_meant_are_not() -> None:
    told = [bool(conflicts_of(row["first"], row["second"])) for row in ROWS]
    found = [one for one, row in zip(told, ROWS, strict=True) if row["contradict"]]
    false = [one for one, row in zip(told, ROWS, strict=True) if not row["contradict"]]
    assert (len(found), len(false)) == (22, 16)
    assert sum(found) >= 16
    assert sum(false) <= 1


def test_what_both_documents_say_side_by_side_is_no_conflict_between_them() -> None:
    old = (
        "Employees receive 8 weeks of full maternity pay.\n\nEmployees receive 18 weeks of half maternity pay.\n\n"
        "The manager may postpone parental leave.\n\nThe manager may not postpone parental leave after the birth.\n"
    )
    assert [one.reason for one in conflicts_of(old, old.replace("8 weeks of full", "12 weeks of full"))] == [
        "8 against 12 (weeks)"
    ]


@pytest.mark.parametrize(
    ("first", "second", "kind", "reason"),
    [
        ("Passwords have at least 12 characters.", "A password must have at least 14 characters.",
         ConflictKind.FIGURE, "12 against 14 (characters)"),
        ("Gifts to customers must not exceed £75.", "7.2 Gifts to customers may not exceed £40.",
         ConflictKind.FIGURE, "75 against 40 (£)"),
        ("4.1 Visitors must wear a badge.", "2.1.3 Visitors need not wear a badge.",
         ConflictKind.MODALITY, "required against not required"),
        ("A note is needed from the third day of sickness.", "From the fifth day of sickness a note is needed.",
         ConflictKind.FIGURE, "third against fifth (day)"),
        ("Copies of the mail are kept for 30 days.", "Copies of the mail are kept for 6 weeks.",
         ConflictKind.FIGURE, "30 days against 6 weeks"),
        ("Access from abroad is approved by the head of IT.", "Access from abroad is approved by the privacy officer.",
         ConflictKind.PERSON, "the head of IT against the privacy officer"),
        ("The backups of the mail are tested every month.", "The backups of the mail are tested quarterly.",
         ConflictKind.FIGURE, "every month against quarterly"),
        ("The board decides on new sites.", "New sites are decided on by the works council.",
         ConflictKind.PERSON, "The board against the works council"),
        ("Überstunden genehmigt die Führungskraft.", "Überstunden genehmigt die Personalabteilung.",
         ConflictKind.PERSON, "die Führungskraft against die Personalabteilung"),
        ("Den Antrag auf Urlaub genehmigt die Führungskraft binnen fünf Tagen.",
         "Den Antrag auf Urlaub genehmigt die Personalabteilung binnen fünf Tagen.",
         ConflictKind.PERSON, "die Führungskraft against die Personalabteilung"),
        ("Die Kernzeit dauert von 9:00 Uhr bis 15:00 Uhr.", "Die Kernzeit dauert von 10:00 Uhr bis 15:00 Uhr.",
         ConflictKind.FIGURE, "9:00 against 10:00 (Uhr)"),
        ("Käufe werden vom Einkauf genehmigt.", "Käufe werden von der IT-Leitung genehmigt.",
         ConflictKind.PERSON, "Einkauf against der IT-Leitung"),
    ],
)  # fmt: skip
def test_figures_by_what_they_count_other_units_and_other_persons_contradict(
    first: str, second: str, kind: ConflictKind, reason: str
) -> None:
    (found,) = conflicts_of(first, second)
    assert (found.kind, found.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Copies of the mail are kept for 14 days.", "Copies of the mail are kept for two weeks."),
        ("Incidents are told to the desk within 24 hours.", "Incidents are told to the desk within one day."),
        ("Copies of the mail are kept for 1 month.", "Copies of the mail are kept for 30 days."),
        ("The backups of the mail are tested every six months.", "The backups of the mail are tested twice a year."),
        ("Leave is approved by the line manager.", "Leave is approved by the supervisor."),
        ("Leave is approved by the line manager.", "Leave is approved by the line manager or the deputy."),
        ("Trips in Europe are approved by the board.", "Trips in Asia are approved by the council."),
        ("Die Führungskraft genehmigt die Reisen.", "Die Führungskraft genehmigt die Überstunden."),
        ("Requests are signed by hand.", "Requests are signed by the applicant."),
        ("Staff get a rest of ten minutes for every four hours.", "Staff get a rest of ten minutes after six hours."),
        # where a link leads makes no statements alike
        (
            f"Such conduct may also break other rules in our {LINK}.",
            f"Guests will not under any circumstances break our {LINK}.",
        ),
    ],
)
def test_the_same_time_and_the_same_person_do_not(first: str, second: str) -> None:
    assert conflicts_of(first, second) == ()
