"""Whole lines in bold that serve as headings where an author used no heading style.

A bold line that begins with a number ("1.2 Scope", "Part 3", "Article IV") is marked in any document: on the level of
the first real heading whose number is as deep, else below the real headings and as deep as its number. Bold lines
without a number are marked only where a document has no other mark of a heading at all.
"""

import re
from typing import Final

from policy_rag_parsers.loaders.text_builder import TextBuilder

MAX_LENGTH: Final = 160

_NUMBER: Final = re.compile(
    r"(?:(?P<digits>(?:[A-Z]\.?)?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)*)[.):]?|(?P<roman>[IVXLC]{1,6}|[A-Z])[.)])(?=\s+\S|\Z)"
    r"|(?P<word>(?:part|chapter|section|article|schedule|appendix|annex|rule|§)\s*[\dA-Z]+\b)",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.;,!?:]\Z")


def number_depth(line: str) -> int:
    """How deep the number at the head of a line is: 1 for "3.", "IV." and "Part 2", 2 for "3.1"; 0 without one.

    >>> [number_depth(line) for line in ("3. Scope", "3.1 Scope", "Annex B", "Scope")]
    [1, 2, 1, 0]
    """
    match = _NUMBER.match(line)
    if match is None:
        return 0
    return match.group("digits").count(".") + 1 if match.group("digits") else 1


class BoldLines:
    """Collects the whole bold lines of a document, then marks those that serve as headings."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []

    def add(self, start: int, text: str) -> None:
        """Note a block in bold; one of more than one line, or a long one, is no heading."""
        if "\n" not in text and len(text) <= MAX_LENGTH:
            self._lines.append((start, text))

    def mark(self, out: TextBuilder) -> None:
        """Mark headings among the lines in `out`, to which they were added before."""
        levels = dict(out.heading_levels)
        base = max(levels.values(), default=0)
        known = {number_depth(text): level for text, level in reversed(levels.items())}
        numbered = [(start, text, number_depth(text)) for start, text in self._lines]
        any_numbered = any(depth for _, _, depth in numbered)
        for start, text, depth in numbered:
            if depth:
                out.mark_heading(start, text, known.get(depth, base + depth))
            elif not base and not any_numbered and not _SENTENCE_END.search(text):
                out.mark_heading(start, text, 1)
