"""PDF: headings over more than one line."""

from collections.abc import Sequence

import pytest
from drawn_pdf import PAGE, column, pdf, put
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.document import load_pdf

FULL = "This line is as long as all the full lines of this page are, it ends."
BOLD = "Helvetica-Bold"


def headings(lines: Sequence[str], *, centred: bool = False, leading: float = 15) -> list[str]:
    """The headings of a page with lines of 12 points in bold over text."""

    def page(canvas: Canvas) -> None:
        for at, line in enumerate(lines):
            x = (PAGE[0] - canvas.stringWidth(line, BOLD, 12)) / 2 if centred else 40
            put(canvas, x, 100 + at * leading, line, 12, BOLD)
        column(canvas, 40, 110 + len(lines) * leading, [FULL, FULL])

    source = load_pdf(pdf(page))
    return [source.text[mark.start : mark.end] for mark in source.headings]


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize(
    "lines",
    [
        ("§ 1", "Geltungsbereich"),
        ("§ 2 Genehmigung von Reisen durch die", "Geschäftsführung und die Reisestelle"),
        ("1.2 Responsibilities of line managers", "Travel office and Treasury", "for longer journeys"),
        ("Schedule of payments", "for employees in the first year"),
        ("SCHEDULE OF PAYMENTS", "FOR EMPLOYEES"),
        ("The rights and duties of the", "Officer"),
    ],
)
def test_one_heading_over_several_lines(lines: Sequence[str], centred: bool) -> None:
    assert headings(lines, centred=centred) == [" ".join(lines)]


@pytest.mark.parametrize(
    "lines",
    [("Travel Policy", "Version 2.1"), ("1. Scope", "1.1 Staff"), ("Acme Ltd", "§ 1 Scope"), ("Notes", "(a) Costs")],
)
def test_headings_under_each_other(lines: Sequence[str]) -> None:
    assert headings(lines) == list(lines)


def test_headings_set_apart_are_two() -> None:
    assert headings(("1. Scope", "Guests"), leading=24) == ["1. Scope", "Guests"]


def test_a_formula_is_no_heading() -> None:
    assert headings(["Pension = salary × years / 80"]) == []


@pytest.mark.parametrize(
    ("last", "first", "expected"),
    [
        ("3.2 Journeys that last longer", "than five days", ["3.2 Journeys that last longer than five days"]),
        ("3.2 Journeys", "3.3 Hotels", ["3.2 Journeys", "3.3 Hotels"]),
        ("Journeys", "Hotels", ["Journeys", "Hotels"]),
    ],
)
def test_a_heading_may_go_on_on_the_next_page(last: str, first: str, expected: list[str]) -> None:
    def one(canvas: Canvas) -> None:
        column(canvas, 40, 100, [FULL, FULL])
        put(canvas, 40, 400, last, 12, BOLD)

    def two(canvas: Canvas) -> None:
        put(canvas, 40, 100, first, 12, BOLD)
        column(canvas, 40, 120, [FULL, FULL])

    source = load_pdf(pdf(one, two))
    assert [source.text[mark.start : mark.end] for mark in source.headings] == expected
    assert source.text[source.pages[1].start :].startswith(first)
