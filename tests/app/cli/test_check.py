"""`policy-rag check` and `assistant.check`: anybody's statements held against an index."""

import json

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import UsageError
from policy_rag.records.statement import StatementVerdict

LEAVE = """# Leave Policy

## 1. Amount

Full-time employees have 30 days of paid annual leave in each calendar year.

## 2. Carry-over

Up to 5 unused days may be carried over to the next year.
"""
TRAVEL = "# Travel Policy\n\n## 1. Approval\n\nTrips abroad must be approved by the head of department.\n"
BOARD = "---\naccess: [board]\n---\n# Board Paper\n\n## 1. Merger\n\nThe merger with Zebra Holdings is in October.\n"
TRUE = "Full-time employees have 30 days of paid annual leave in each calendar year."
FALSE = "Full-time employees have 40 days of paid annual leave in each calendar year."


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"leave.md": LEAVE, "travel.md": TRAVEL, "board.md": BOARD})


@pytest.fixture
def assistant(index):
    with PolicyAssistant.open(index) as opened:
        yield opened


def test_what_a_policy_says_is_supported_and_cited(assistant):
    found = assistant.check(TRUE)
    assert (found.verdict, found.reason) == (StatementVerdict.SUPPORTED, "")
    (citation,) = found.citations
    assert (citation.n, citation.file, citation.quote) == (1, "leave.md", TRUE)
    assert LEAVE[citation.start : citation.end] == TRUE


def test_another_figure_is_unsupported_and_says_why(assistant):
    found = assistant.check(FALSE)
    assert found.verdict is StatementVerdict.UNSUPPORTED
    assert "40" in found.reason
    assert found.citations[0].file == "leave.md"


def test_the_sentence_that_fares_worst_decides(assistant):
    found = assistant.check(f"{TRUE} Trips abroad must not be approved by the head of department.")
    assert found.verdict is StatementVerdict.UNSUPPORTED
    assert [one.n for one in found.citations] == list(range(1, len(found.citations) + 1))
    assert {one.file for one in found.citations} == {"leave.md", "travel.md"}


def test_a_place_holds_a_statement_to_that_place(assistant):
    start = LEAVE.index("Up to 5")
    end = LEAVE.index("next year.") + len("next year.")
    carried = "Up to 5 unused days may be carried over to the next year."
    assert assistant.check(carried, file="leave.md", span=(start, end)).verdict is StatementVerdict.SUPPORTED
    assert assistant.check(TRUE, file="leave.md", span=(start, end)).verdict is not StatementVerdict.SUPPORTED
    assert assistant.check(TRUE, file="travel.md").verdict is StatementVerdict.UNSUPPORTED


def test_a_document_that_the_caller_may_not_read_bears_nothing(assistant):
    merger = "The merger with Zebra Holdings is in October."
    assert assistant.check(merger).verdict is StatementVerdict.UNSUPPORTED
    assert assistant.check(merger, groups=["board"]).verdict is StatementVerdict.SUPPORTED
    with pytest.raises(UsageError, match="no document"):
        assistant.check(merger, file="board.md")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statement": " "}, "empty"),
        ({"statement": TRUE, "span": (0, 5)}, "name the file"),
        ({"statement": TRUE, "file": "leave.md", "span": (0, 10**6)}, "is not in"),
        ({"statement": TRUE, "file": "nowhere.md"}, "no document"),
    ],
)
def test_bad_input_is_an_error(assistant, options, message):
    with pytest.raises(UsageError, match=message):
        assistant.check(**options)


def test_the_command_prints_a_line_a_statement(index, tmp_path, call):
    file = tmp_path / "draft.jsonl"
    rows = [{"statement": TRUE, "file": "leave.md"}, {"statement": FALSE}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + f"\n{TRUE}\n", encoding="utf-8")
    lines = [json.loads(line) for line in call("check", "--from", file, "--index", index, "--json").out.splitlines()]
    assert [line["verdict"] for line in lines] == ["supported", "unsupported", "supported"]
    assert set(lines[0]) == {"statement", "verdict", "score", "reason", "citations"}
    assert set(lines[0]["citations"][0]) >= {"n", "quote", "doc_id", "file", "section_id", "path", "start", "end"}


def test_people_read_the_verdict_its_reason_and_the_place(index, call):
    out = call("check", FALSE, "--index", index).out
    assert out.startswith(FALSE)
    assert "unsupported" in out
    assert "leave.md" in out


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("\n", "holds no statement"),
        ('{"text": "x"}\n', "is no statement"),
        ('{"statement": "x", "file": "leave.md", "start": "a", "end": 9}\n', "is no statement"),
        ("{\n", "is no statement"),
        ('{"statement": 5}\n', "is no statement"),
        ('{"statement": "x", "file": 7}\n', "is no statement"),
        ("[1]\n", "is no statement"),
    ],
)
def test_a_file_that_is_none_is_one_line(index, tmp_path, call, lines, message):
    file = tmp_path / "draft.jsonl"
    file.write_text(lines, encoding="utf-8")
    assert message in call("check", "--from", file, "--index", index, status=2).err
    call("check", "--index", index, status=2)
