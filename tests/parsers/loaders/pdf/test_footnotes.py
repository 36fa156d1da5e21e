"""PDF: notes at the foot of a page stand behind the paragraph that has their mark; more of them are in `pages.yaml`."""

import pytest
from drawn_pdf import FULL, drawn, read

from policy_rag_parsers.loaders.pdf.footnotes import has_mark


@pytest.mark.parametrize("rule", ["rules 40 140 | 420", ""])
def test_a_sentence_runs_over_the_page_past_the_notes(rule: str) -> None:
    first = f"""
        100 | 40 Absent for more than 11^1^ days.
        130 | 40 Those who are absent for more than 12^2^ days and whose manager is / FULL
        {rule}
        432@8 | 40 ^1^ Working days.
        442@8 | 40 ^2^ Of the calendar, as the council
        452@8 | 40 has decided.
    """
    source = read(drawn(first), drawn("100 | 40 as all others do."))
    assert source.text == (
        "Absent for more than 11[1] days.\n\n[1] Working days.\n\n"
        f"Those who are absent for more than 12[2] days and whose manager is {FULL} as all others do.\n\n"
        "[2] Of the calendar, as the council has decided.\n"
    )
    assert source.text[source.pages[1].start :].startswith("as all others")


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("50[1, 2] euros", "1", True),
        ("50[1,2] euros", "2", True),
        ("Free**", "**", True),
        ("Free**", "*", False),
        ("[12]", "2", False),
    ],
)
def test_marks(text: str, label: str, expected: bool) -> None:
    assert has_mark(text, label) == expected
