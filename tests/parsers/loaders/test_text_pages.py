"""Plain text with form feeds: pages are joined, and what repeats at their edges is left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.loaders.text import load_text
from policy_rag_parsers.loaders.text_pages import join_pages
from policy_rag_parsers.records import FileFormat, PageMark

PAGES = (
    "Travel Rules            March 2026\n\n\n1. Hotels\n\n   Hotels are paid for, unless the director has\n\n\n"
    "Smith          Internal          [Page {}]\n"
)


def text_of(*pages: str) -> str:
    return load_text("\f".join(pages).encode(), FileFormat.TEXT).text


def test_a_sentence_runs_on_over_the_pages() -> None:
    second = "\nTravel Rules    HR-12    Issue 3\n\n   ruled otherwise.\n\n2. Meals\n\n   None.\n\nSmith  Internal  [Page 2]\n"
    third = "\nTravel Rules    HR-12    Issue 3\n\n3. End\n\nSmith  Internal  [Page 3]\n\f"
    source = load_text("\f".join([PAGES.format(1), second, third]).encode(), FileFormat.TEXT)
    first = "Travel Rules            March 2026\n\n\n1. Hotels\n\n   Hotels are paid for, unless the director has\n"
    rest = "   ruled otherwise.\n\n2. Meals\n\n   None.\n\n"
    assert source.text == f"{first}{rest}3. End\n"
    assert source.pages == (PageMark(0, 1), PageMark(len(first), 2), PageMark(len(first + rest), 3))
    assert source.margins == ("Travel Rules", "HR-12", "Issue 3", "Smith", "Internal")


@pytest.mark.parametrize(
    ("before", "after", "gap"),
    [
        ("The rule ends.", "another begins", "\n\n"),
        ("The rule goes", "on here.", "\n"),
        ("The rule goes", "(a) on here.", "\n\n"),
        ("A line that is much longer.\n\nA title", "The rule.", "\n\n"),
        ("The longest line of all the lines, by the", "Director", "\n"),
    ],
)
def test_what_stands_between_two_pages(before: str, after: str, gap: str) -> None:
    assert text_of(f"{before}\n", f"{after}\n") == f"{before}{gap}{after}\n"


def test_units_that_begin_each_page_and_lines_within_pages_are_kept() -> None:
    pages = [f"Article {n}\n\nAll pay.\n\nNone is free.\n\nText {n}.\n\nAll pay.\n\n- {n} -\n" for n in (1, 2, 3)]
    text = text_of(*pages)
    assert [f"Article {n}\n" in text for n in (1, 2, 3)] == [True] * 3
    assert text.count("None is free.") == 3
    assert "- 2 -" not in text
    assert text_of(*(f"{name}\n\nPaid.\n" for name in ("Gifts", "Gifts", "Pay", "Trips", "Cars"))).count("Gifts") == 2


def test_empty_pages_are_counted_and_markdown_is_left_alone() -> None:
    source = load_text(b"One.\n\f\n\f\nThree.\n", FileFormat.TEXT)
    assert source.text == "One.\n\nThree.\n"
    assert [(mark.start, mark.number) for mark in source.pages] == [(0, 1), (4, 2), (6, 3)]
    assert load_text(b"One.\n\fTwo.\n", FileFormat.MARKDOWN).text == "One.\n\fTwo.\n"
    assert load_text(b"One.\nTwo.\n\f\n", FileFormat.TEXT).text == "One.\nTwo.\n\f\n"


def test_front_matter_is_kept() -> None:
    source = load_text(b"---\ntitle: Rules\n---\nOne.\n\fTwo.\n", FileFormat.TEXT)
    assert source.text == "---\ntitle: Rules\n---\nOne.\n\nTwo.\n"
    assert source.body_start == len("---\ntitle: Rules\n---\n")


@given(st.lists(st.text(st.sampled_from("ab1. \n"), max_size=20), min_size=2, max_size=5))
def test_nothing_is_added_and_pages_are_in_order(pages: list[str]) -> None:
    text, marks, margins = join_pages("\f".join(pages), 0)
    kept = "".join(text.split())
    whole = "".join("".join(pages).split())
    assert len(kept) <= len(whole)
    assert margins or len(kept) == len(whole) or any(char.isdigit() for char in whole)
    starts = [mark.start for mark in marks]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
