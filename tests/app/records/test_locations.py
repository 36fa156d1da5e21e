"""The place of a hit and of a citation, written one way, each step of its path with its own number."""

import datetime as dt
import json
from functools import partial

import pytest
from drawn_pdf import column, pdf

from policy_rag.cli import run
from policy_rag.index.store.document_rows import path_numbers
from policy_rag.records.answer import Citation
from policy_rag.records.locations import numbered, place

DAY = dt.date(2025, 4, 1)
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

### A6 Lions

Lions are kept for two years.
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
        ({}, "Pay > 2 Bonus > 2.1 (hr/a.md, version 2.0)"),
        ({"version": None, "page": 4}, "Pay > 2 Bonus > 2.1, page 4 (hr/a.md)"),
        ({"path": ("Pay",), "path_numbers": (None,), "line": 7}, "Pay, line 7 (hr/a.md, version 2.0)"),
        ({"path_numbers": (), "version": None}, "Pay > Bonus > 2.1 (hr/a.md)"),
        ({"effective_from": DAY}, "Pay > 2 Bonus > 2.1 (hr/a.md, version 2.0, in force from 2025-04-01)"),
        (
            {"version": None, "effective_from": DAY, "effective_to": DAY.replace(year=2026)},
            "Pay > 2 Bonus > 2.1 (hr/a.md, in force 2025-04-01 to 2026-04-01)",
        ),
        ({"version": None, "effective_to": DAY}, "Pay > 2 Bonus > 2.1 (hr/a.md, in force to 2025-04-01)"),
    ],
)
def test_a_place_in_a_line(changes, expected):
    assert place(cited(**changes)) == expected


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
        (
            "How many quotations are obtained above 5,000 euros?",
            "Buying > 2 Quotations and tenders > 2.1, line 7 (buying.md)",
        ),
        ("What is a quotation that a supplier offers in writing?", "Buying > Glossary, line 13 (buying.md)"),
        ("How long are zebras kept?", "Buying > 2 Quotations and tenders > 2.3 Zebras, line 19 (buying.md)"),
    ],
)
def test_search_ask_and_show_write_it_the_same_way_and_show_takes_it_back(index, capsys, question, expected):
    run(["search", question, "--index", index, "--top-k", "1"])
    hit = capsys.readouterr().out.splitlines()[1].removeprefix("1. ").rpartition("  (")[0]
    run(["ask", question, "--index", index, "--llm", "extractive"])
    citation = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  [1] "))
    assert citation == f"  [1] {expected}"
    assert hit.partition(", line")[0] == expected.partition(", line")[0], "a hit names the line of its section"
    run(["search", question, "--index", index, "--top-k", "1", "--json"])
    found = json.loads(capsys.readouterr().out)["hits"][0]
    assert "path_numbers" not in found
    run(["show", found["doc_id"], "--section", found["section_id"], "--index", index])
    assert capsys.readouterr().out.splitlines()[0] == hit
    for printed in (citation, citation.partition(" (")[0].removeprefix("  [1] ")):
        assert run(["show", printed, "--index", index]) == 0
        assert capsys.readouterr().out.splitlines()[0] == expected
    assert run(["show", printed.partition(", line")[0], "--index", index]) == 0
    assert capsys.readouterr().out.splitlines()[0] == hit


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["Buying", "2.2"], "2.2 A tender is held above 50,000 euros."),
        (["buying", "line", "13"], "A quotation is a price that a supplier offers in writing."),
        (["buying.md", "line 12"], "A quotation is a price that a supplier offers in writing."),
        (["Buying", "glossary"], "A quotation is a price that a supplier offers in writing."),
        (["Buying", "2.3 Zebras"], "Zebras are kept for nine years."),
        (["Buying", "Schedule 1: Periods"], "Schedule 1: Periods"),
        (["Buying", "A6"], "Lions are kept for two years."),
        (["Buying 2.3"], "Zebras are kept for nine years."),
        (["buying.md, line 12"], "A quotation is a price that a supplier offers in writing."),
        (["Buying > Glossary, line 23"], "Lions are kept for two years."),  # the line is in another section
        (["Buying > Schedule 9, line 19"], "Zebras are kept for nine years."),
    ],
)
def test_show_takes_what_a_citation_prints(index, capsys, arguments, shown):
    assert run(["show", *arguments, "--alone", "--json", "--index", index]) == 0
    assert json.loads(capsys.readouterr().out)["text"].strip().endswith(shown)


@pytest.mark.parametrize("arguments", [["Buyin"], ["Buying", "7"], ["Buying", "line 90"], ["Buying", "page 2"]])
def test_a_place_that_is_not_there_is_one_line_that_says_what_to_run(index, capsys, arguments):
    assert run(["show", *arguments, "--index", index]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "policy-rag" in said


def test_of_two_documents_of_one_title_the_one_in_force_is_meant(tmp_path, capsys):
    for year, rest in ((2022, "effective_to: 2023-12-31\n"), (2024, "")):
        text = f"---\ntitle: Pay\neffective_from: {year}-01-01\n{rest}---\n# Pay\n\nThe bonus of {year} is paid.\n"
        (tmp_path / f"pay-{year}.md").write_text(text)
    (tmp_path / "a.md").write_text("# Trips\n\nTrains.\n")
    (tmp_path / "b.md").write_text("# Trips\n\nCars.\n")
    index = ["--index", str(tmp_path / "index")]
    assert run(["ingest", str(tmp_path), *index]) == 0
    capsys.readouterr()
    assert run(["show", "Pay", *index]) == 0
    assert "bonus of 2024" in capsys.readouterr().out
    assert run(["show", "Pay, line 8 (pay-2022.md, in force 2022-01-01 to 2023-12-31)", *index]) == 0
    assert "bonus of 2022" in capsys.readouterr().out
    assert run(["show", "Trips", *index]) == 2
    assert "a.md, b.md" in capsys.readouterr().err


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """A file of three pages, of which one section fills the last two."""
    folder = tmp_path_factory.mktemp("printed")
    pages = (
        ("1 Scope", "This policy holds for everybody."),
        ("2 Equipment", "Each desk has two screens and one lamp.", "Chairs are replaced every nine years."),
        ("Lockers are opened by the porter alone.", "Keys are handed back on the last day of work."),
    )
    (folder / "desks.pdf").write_bytes(pdf(*(partial(column, x=40, y=60, lines=lines) for lines in pages)))
    assert run(["ingest", str(folder / "desks.pdf"), "--index", str(folder / "index")]) == 0
    return str(folder / "index")


@pytest.mark.parametrize(
    ("question", "page"),
    [("Who holds this policy for?", 1), ("How often are chairs replaced?", 2), ("Who opens the lockers?", 3)],
)
def test_a_citation_names_the_page_of_its_words_and_not_of_its_section(printed, capsys, question, page):
    run(["ask", question, "--index", printed, "--llm", "extractive", "--json"])
    cited = json.loads(capsys.readouterr().out)["citations"][0]
    assert cited["page"] == page
    assert "pages" not in cited


@pytest.mark.parametrize("page", [2, 3])
def test_a_section_that_is_named_with_its_page_is_shown_alone(printed, capsys, page):
    run(["show", f"desks > 2 Equipment, page {page} (desks.pdf)", "--alone", "--json", "--index", printed])
    text = " ".join(json.loads(capsys.readouterr().out)["text"].split())
    assert text.startswith("2 Equipment Each desk has")
    assert text.endswith("last day of work.")


def test_a_section_that_is_named_with_its_line_is_shown_from_the_paragraph_on(tmp_path, capsys):
    text = "# Buying\n\n## 1 Offers\n\nAsk first.\n\nThree offers are\nobtained. Ties are\ntold to the board.\n\n## 2 End\n\nNone.\n"
    (tmp_path / "buying.md").write_text(text)
    assert run(["ingest", str(tmp_path / "buying.md"), "--index", str(tmp_path / "index")]) == 0
    capsys.readouterr()
    run(["show", "Buying > 1 Offers, line 8 (buying.md)", "--alone", "--json", "--index", str(tmp_path / "index")])
    found = json.loads(capsys.readouterr().out)
    assert (found["line"], found["text"].strip()) == (7, "Three offers are\nobtained. Ties are\ntold to the board.")


def test_a_page_is_shown_whole_and_alone(printed, capsys):
    run(["show", "desks.pdf", "page 3", "--index", printed])
    first, *_, shown = capsys.readouterr().out.partition(">>> ")
    assert "page 3" in first.splitlines()[0]
    whole = "Lockers are opened by the porter alone. Keys are handed back on the last day of work."
    assert " ".join(shown.partition(" <<<")[0].split()) == whole
    assert run(["show", "desks.pdf", "page 4", "--index", printed]) == 2
    assert "has no page 4" in capsys.readouterr().err
