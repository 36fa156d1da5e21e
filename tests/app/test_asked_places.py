"""Clauses that a question asks for, in the documents of an index."""

import datetime as dt
from pathlib import Path

import pytest

from policy_rag.index.intake import Intake
from policy_rag.records import SearchRequest
from policy_rag.retrieval.options import SearchOptions
from policy_rag.retrieval.search import Searcher

TODAY = dt.date(2026, 9, 1)
RECORDS = """# Records Policy

## 4 Retention

4.1 Records are kept for seven years.

4.2 Then the owner must

(a) destroy the records; or
(b) ask for longer.

## 5 Disposal

Paper is shredded.
"""
PANNEN = """# Pannen-Richtlinie

## § 3 Meldung

(1) Sofort.

(2) Binnen 72 Stunden, es sei denn,

1. dass kein Risiko besteht, oder
2. dass die Daten verschlüsselt waren.
"""


@pytest.fixture
def places(index, manifest, embedder, tmp_path: Path):
    """Files become an index; gives the clauses that a question finds, as (document, section, text)."""
    folder = tmp_path / "policies"
    folder.mkdir()

    def found(question, **files):
        for name, text in files.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
        intake = Intake(index, manifest, embedder, access=(), judge=None, route=None, replies=tmp_path / "replies")
        intake.files([folder], prune=False, doc_ids=None)
        (result,) = Searcher(index, embedder).search_many(
            [SearchRequest(question)], SearchOptions(top_k=9), today=TODAY
        )
        return [
            (hit.doc_id, hit.section_id, hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start].strip())
            for hit in result.hits
            if "clause" in hit.found_by
        ]

    return found


def test_an_item_of_a_paragraph_is_found(places):
    found = places("Was sagt § 3 Abs. 2 Nr. 1 der Pannen-Richtlinie?", pannen=PANNEN, records=RECORDS)
    assert found == [("pannen.md", "§ 3", "1. dass kein Risiko besteht, oder")]


def test_a_paragraph_may_be_a_section_or_an_item(places):
    assert places("What does section 4 paragraph 1 say?", records=RECORDS) == [
        ("records.md", "4.1", "4.1 Records are kept for seven years.")
    ]
    assert places("What does paragraph (b) of section 4.2 say?") == [("records.md", "4.2", "(b) ask for longer.")]


def test_what_a_document_lacks_gives_the_unit_that_it_has(places):
    ((_, section, text),) = places("What does 4.2(z) of the records policy say?", records=RECORDS)
    assert section == "4.2"
    assert text.startswith("4.2 Then the owner must")


def test_a_bare_heading_gives_what_is_under_it(places):
    found = places("What does section 4 of the records policy say?", records=RECORDS)
    assert [section for _, section, _ in found] == ["4.1", "4.2"]


def test_a_range_gives_each_of_its_sections(places):
    found = places("What do sections 4 to 6 of the records policy say?", records=RECORDS)
    assert [section for _, section, _ in found] == ["4.1", "4.2", "5"]


def test_a_number_on_the_way_to_something_else_asks_for_no_clause(places):
    assert places("Who has to shred paper invoices to comply with section 4.2?", records=RECORDS) == []


ANNEXED = """# Fee Rules

## 1 Scope

See the schedules.

## Schedule 1

One euro.

## Schedule 2

Two euros.

## Anlage 1: Kontakte

Frau Kröger.
"""


def test_a_schedule_is_found_by_its_number_and_an_annex_by_its_title(places):
    assert places("What is in Schedule 2 of the fee rules?", fees=ANNEXED, records=RECORDS) == [
        ("fees.md", "Schedule 2", "## Schedule 2\n\nTwo euros.")
    ]
    ((_, _, text),) = places("Was steht in Anlage 1?")
    assert text.endswith("Frau Kröger.")
