"""The place of a hit and of a citation, written one way, each step of its path with its own number."""

import json

import pytest

from policy_rag.cli import run
from policy_rag.index.store.tables import path_numbers
from policy_rag.records.answer import Citation
from policy_rag.records.locations import numbered, place

TEXT = """# Buying

Nothing is bought without need.

## 2 Quotations and tenders

2.1 Three quotations are obtained above 5,000 euros.

2.2 A tender is held above 50,000 euros.

## Glossary

A quotation is a price that a supplier offers in writing.

## Schedule 1: Periods

### 2.3 Zebras

Zebras are kept for nine years.
"""


def cited(**changes):
    given = {
        "n": 1,
        "quote": "x",
        "doc_id": "a.md",
        "version": "2.0",
        "file": "hr/a.md",
        "section_id": "2.1",
        "path": ("Pay", "Bonus", "2.1"),
        "start": 3,
        "end": 9,
        "page": None,
        "path_numbers": (None, "2", "2.1"),
    }
    return Citation(**{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "hr/a.md v2.0: 2 Bonus > 2.1"),
        ({"version": None, "page": 4}, "hr/a.md: 2 Bonus > 2.1, page 4"),
        ({"path": ("Pay",), "path_numbers": (None,)}, "hr/a.md v2.0: Pay"),
        ({"path": ("Pay", "Abroad"), "path_numbers": (None, None), "section_id": "abroad"}, "hr/a.md v2.0: Abroad"),
        ({"path_numbers": ()}, "hr/a.md v2.0: Bonus > 2.1"),
    ],
)
def test_a_place_in_a_line(changes, expected):
    assert place(cited(**changes)) == expected


def test_a_place_with_its_characters():
    assert place(cited(), (3, 9)) == "hr/a.md v2.0: 2 Bonus > 2.1 (3:9)"
    assert place(cited(page=4), (3, 9)) == "hr/a.md v2.0: 2 Bonus > 2.1 (3:9, page 4)"


def test_each_step_has_its_own_number_and_no_other():
    sections = {"s": ("Schedule 1", None), "x": (None, "s"), "2.3": ("2.3", "x"), "preamble": (None, None)}
    assert path_numbers("2.3", 4, sections.__getitem__) == (None, "Schedule 1", None, "2.3")
    assert path_numbers("preamble", 1, sections.__getitem__) == (None,)
    steps = numbered(("Doc", "Periods", "Animals", "Zebras"), (None, "Schedule 1", None, "2.3"))
    assert list(steps) == ["Doc", "Schedule 1 Periods", "Animals", "2.3 Zebras"]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    (folder / "buying.md").write_text(TEXT)
    assert run(["ingest", str(folder / "buying.md"), "--index", str(folder / "index")]) == 0
    return str(folder / "index")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many quotations are obtained above 5,000 euros?", "buying.md: 2 Quotations and tenders > 2.1"),
        ("What is a quotation that a supplier offers in writing?", "buying.md: Glossary"),
        ("How long are zebras kept?", "2.3 Zebras"),
    ],
)
def test_search_ask_and_show_write_it_the_same_way(index, capsys, question, expected):
    run(["search", question, "--index", index, "--top-k", "1"])
    hit = capsys.readouterr().out.splitlines()[1].removeprefix("1. ").rpartition("  (")[0]
    assert hit.endswith(expected)
    run(["ask", question, "--index", index, "--llm", "extractive"])
    citation = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  [1] "))
    assert citation.removeprefix("  [1] ").rpartition(" (")[0] == hit
    run(["search", question, "--index", index, "--top-k", "1", "--json"])
    found = json.loads(capsys.readouterr().out)["hits"][0]
    assert "path_numbers" not in found
    run(["show", found["doc_id"], "--section", found["section_id"], "--index", index])
    assert capsys.readouterr().out.splitlines()[0].rpartition(" (")[0] == hit
