"""Lines that stand out, look by look: headings, labels, stressed sentences, title pages."""

from typing import Any

import pytest
from shown_source import headings
from word_files import read

from policy_rag_parsers.loaders.style_groups import LineLook, StyleGroups
from policy_rag_parsers.loaders.text_builder import TextBuilder
from policy_rag_parsers.records import FileFormat

BODY = "Staff book their trips through the portal, and ask their manager before they do."
LARGE, SMALL = LineLook(32, bold=True), LineLook(24, bold=True)
PLAIN = LineLook(24)


def marked(*lines: tuple[str, LineLook], styled: int = 0) -> list[str]:
    """What is marked as a heading, after `styled` headings that the format marks."""
    out, groups = TextBuilder(), StyleGroups()
    for number in range(styled):
        out.heading(f"Styled {number}", 1)
        groups.add(out.block(BODY), BODY, PLAIN)
    for text, look in lines:
        groups.add(out.block(text), text, look)
    groups.mark(out)
    return headings(out.build(FileFormat.DOCX, title=None))[styled:]


def over_text(*titles: str, look: LineLook = SMALL) -> list[tuple[str, LineLook]]:
    return [line for title in titles for line in ((title, look), (BODY, PLAIN))]


@pytest.mark.parametrize("look", [SMALL, LineLook(28), LineLook(24, underlined=True)], ids=["bold", "large", "line"])
def test_a_look_that_stands_out_marks_headings(look: LineLook) -> None:
    assert marked(*over_text("Scope", "Booking", "Claims:", look=look)) == ["1 Scope", "1 Booking", "1 Claims:"]


def test_the_more_prominent_look_is_above_the_other() -> None:
    lines = [("Part one", LARGE), *over_text("Scope", "Booking"), ("Part two", LARGE), *over_text("Claims")]
    assert marked(*lines) == ["1 Part one", "2 Scope", "2 Booking", "1 Part two", "2 Claims"]


def test_labels_and_stressed_sentences_are_no_headings() -> None:
    assert marked(*over_text("Reason", "Effect", "Reason", "Effect", "Reason", "Effect", "Reason", "Effect")) == []
    assert marked(*over_text("Ask first.", "Nobody travels without a number.", "Note")) == []
    assert marked(("One", SMALL), ("Two", SMALL), ("Three", SMALL), *over_text("Four")) == []


def test_of_a_title_page_only_what_stands_over_text_may_be_a_heading() -> None:
    cover = [("Security Plan", LARGE), ("Prepared by", LARGE), ("Version 2", PLAIN)]
    assert marked(*cover, *over_text("Scope", "Claims", look=LARGE)) == ["1 Prepared by", "1 Scope", "1 Claims"]


def test_a_few_marked_headings_leave_room_for_others_below_them_and_many_do_not() -> None:
    assert marked(*over_text("Scope", "Claims"), styled=2) == ["2 Scope", "2 Claims"]
    assert marked(*over_text("Scope", "Claims"), styled=4) == []
    assert marked(*over_text("1. Stay calm", "2. Call"), styled=4) == []


def test_lines_that_a_colon_closes_mark_headings_only_where_nothing_else_does() -> None:
    lines = over_text("Scope:", "Duties:", "Law:", look=PLAIN)
    assert marked(*lines) == ["1 Scope:", "1 Duties:", "1 Law:"]
    assert marked(*lines, *over_text("Forms", "Dates")) == ["1 Forms", "1 Dates"]


def test_looks_are_read_from_runs_styles_and_the_defaults_of_a_document() -> None:
    def build(document: Any) -> None:
        for title in ("Scope", "Claims"):
            document.add_paragraph().add_run(title).underline = True
            document.add_paragraph(BODY)
        document.styles["Normal"].font.bold = True

    assert headings(read(build)) == ["1 Scope", "1 Claims"]


def test_a_style_that_is_based_on_the_title_is_not_the_title() -> None:
    def build(document: Any) -> None:
        document.styles.add_style("Remark", 1).base_style = document.styles["Title"]
        document.add_paragraph("For managers", style="Remark")
        document.add_heading("Scope", 1)

    assert headings(read(build)) == ["1 Scope"]
