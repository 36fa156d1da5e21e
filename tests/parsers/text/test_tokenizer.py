"""Words of a text."""

import pytest

from policy_rag_parsers.text.tokenizer import words


@pytest.mark.parametrize("mark", ["\u00ad", "\u061c", "\u200b", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff"])
def test_a_mark_without_width_parts_no_word(mark: str) -> None:
    assert words(f"wi{mark}thin") == ["within"]
