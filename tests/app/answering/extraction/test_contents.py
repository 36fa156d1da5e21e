"""A table of contents answers nothing; a list that only looks like one does."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_hits import made_hit

from policy_rag.answering.extraction.quotable_units import units
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_parsed_blocks


def a_hit(text: str, title: str = "Home Working", titles: Sequence[str] = ()) -> Hit:
    return made_hit(text, number=None, title=title, path=("People", *titles, title))


def quotes(text: str, *titles: str) -> list[str]:
    return [text[unit.start : unit.end] for unit in units(*with_parsed_blocks([a_hit(text, titles=titles)]))]


@pytest.mark.parametrize(
    "entries",
    [
        "1. PURPOSE ............................ 2\n2. Definitions . . . . . . 3\nSchedule 1 …… 14",
        "CONTENTS\n1. Purpose\n2. Who may work at home\nAnnex A",
        "**Table of contents**\n\n- Purpose\n- Screens",
        "# Inhalt\n\n| Zweck | 2 |\n| Geltung | 3 |",
        "- [Who may work at home](#who)\n  - [Screens](#screens-2)",
    ],
)
def test_entries_are_known_by_their_form_or_their_heading(entries: str) -> None:
    assert quotes(f"{entries}\n\nCosts are paid.") == ["Costs are paid."]


def test_a_list_of_the_documents_titles_is_one_though_some_are_not_known() -> None:
    listed = "• Who may work at home\n• Equipment\n• Screens\n• Abroad\n• Forms"
    assert quotes(f"{listed}\n\nCosts are paid.", "abroad", "who may work at home") == ["Costs are paid."]
    assert quotes("1. Abroad\n2. Screens", "abroad") == []
    assert quotes("Equipment and costs of it all\n\nCosts are paid.", "equipment and costs of it all") == [
        "Costs are paid."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Paid are:\n- hotels;\n- meals.",
        "Paid are\n- hotels\n- meals",
        "## What is not paid\n- hotels\n- meals",
        "- hotels;\n- meals.",
    ],
)
def test_what_a_line_leads_into_or_closes_is_a_rule_whatever_the_titles(text: str) -> None:
    assert quotes(text, "hotels", "meals")


@pytest.mark.parametrize(
    "text", ["Contents insurance is paid.", "- See [the form](form.md)", "Costs are paid, see [Costs](#costs)."]
)
def test_what_only_looks_like_an_entry(text: str) -> None:
    assert quotes(text, "costs") == [text]


def test_titles_are_those_of_the_same_document() -> None:
    entries = a_hit("- Equipment\n- Screens", "About")
    hits = [entries, a_hit("A desk is paid.", "Equipment"), a_hit("One is paid.", "Screens")]
    assert units(with_parsed_blocks(hits)[0]) == []
    others = [replace(hit, doc_id="e") for hit in hits[1:]]
    assert len(units(with_parsed_blocks([entries, *others])[0])) == 2


@given(
    titles=st.lists(st.from_regex(r"[A-Z][a-z]{3,9} of [a-z]{3,9}", fullmatch=True), min_size=2, max_size=6, unique=True),
    mark=st.sampled_from(["- ", "• ", "1. ", "(a) ", "2.1 "]),
    page=st.sampled_from(["", " ......... 7", "\t12"]),
)  # fmt: skip
def test_no_entry_is_ever_quoted(titles: list[str], mark: str, page: str) -> None:
    listed = "\n".join(f"{mark}{title}{page}" for title in titles)
    assert quotes(f"{listed}\n\nCosts are paid.", *map(str.casefold, titles)) == ["Costs are paid."]
