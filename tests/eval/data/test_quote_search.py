"""Quotes are found where they stand, verbatim or nearly, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.data.quote_search import find_quote

TEXT = (
    "4.2 Kept back.\n\nClaims are\nsubmitted “in  Fjord” **within** 30 days \u2013 or not\u00ad at all. 4.2 Kept back."
)


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("within** 30 days", "within** 30 days"),
        ("claims are submitted", "Claims are\nsubmitted"),
        ('submitted "in Fjord" within 30 days', "submitted “in  Fjord” **within** 30 days"),
        ('"Claims are submitted..."', "Claims are\nsubmitted"),
        ("30 days - or not at all.", "30 days \u2013 or not\u00ad at all."),
        ("  Kept back. ", "Kept back."),
        ("Claims are paid", None),
        ("within 31 days", None),
        ("", None),
        (" ... ", None),
    ],
)
def test_a_quote_is_found_up_to_blanks_case_and_marks(said: str, stands: str | None) -> None:
    span = find_quote(TEXT, 0, len(TEXT), said)
    assert (TEXT[slice(*span)] if span else None) == stands


def test_only_the_range_is_looked_through_and_the_first_place_counts() -> None:
    assert find_quote(TEXT, 0, len(TEXT), "4.2 Kept back.") == (0, 14)
    assert find_quote(TEXT, 10, len(TEXT), "4.2 Kept back.") == (len(TEXT) - 14, len(TEXT))
    assert find_quote(TEXT, 0, 12, "Claims") is None


@given(st.text(alphabet="ab C.\n*“\"'\u00a0\u200b", max_size=40), st.data())
def test_any_piece_of_a_text_is_found_in_it_however_its_blanks_are_written(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    piece = text[start:end]
    span = find_quote(text, 0, len(text), " ".join(piece.split()).upper())
    if not any(char.isalnum() for char in piece):
        assert span is None
        return
    assert span is not None
    letters = [char.lower() for char in piece if char.isalnum()]
    assert [char.lower() for char in text[slice(*span)] if char.isalnum()] == letters
