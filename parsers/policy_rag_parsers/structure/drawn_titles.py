"""Titles of plain text that are drawn: underlined, or at the margin over text that is indented."""

import re
from collections.abc import Iterator

from policy_rag_parsers.structure.excluded_regions import Regions
from policy_rag_parsers.structure.line_features import LONG_LINE, clean_title, is_title
from policy_rag_parsers.structure.numbering import read_marker

_UNDERLINE = re.compile(r"\n(?P<line>(?P<sign>[=~*#^-])(?P=sign){2,})[ \t]*(?=\n|\Z)")
_UNDERLINED = range(2, 121)  # characters
_FLUSH = re.compile(r"(?:(?<=\n)|\A)[^\W_][^\n]{1,118}(?=\n|\Z)")
_INDENTED = re.compile(r"(?: {2}|\t)\s*\S")
_GAP = re.compile(r"\S(?: {3,}|\t)\S")
_FEWEST = 2  # so many make a habit
_SHARE = 0.65  # of the lines of such a text are indented
_SHORTEST_LINE = 0.6  # of the length of the title above it


def drawn_titles(text: str, begin: int, excluded: Regions) -> list[tuple[int, int, int, int]]:
    """Return the titles of a plain text that are drawn, in order: (start, end, end of their underline, level).

    The signs of underlines rank as they come; titles at the margin stand above all. One alone is none.

    Args:
        text: the document.
        begin: where its body begins.
        excluded: where no headings are.
    """
    underlined = [found for found in _underlined(text, begin) if found[0] not in excluded]
    if len(underlined) >= _FEWEST:
        signs = list(dict.fromkeys(sign for *_, sign in underlined))
        return [(start, end, last, signs.index(sign) + 1) for start, end, last, sign in underlined]
    lines = text.count("\n", begin) - text.count("\n\n", begin)
    if text.count("\n  ", begin) + text.count("\n\t", begin) < _SHARE * lines:
        return []
    flush = [(start, end, end, 1) for start, end in _flush(text, begin) if start not in excluded]
    return flush if len(flush) >= _FEWEST else []


def _underlined(text: str, begin: int) -> Iterator[tuple[int, int, int, str]]:
    for match in _UNDERLINE.finditer(text, begin):
        start = max(begin, text.rfind("\n", begin, match.start()) + 1)
        line = text[start : match.start()]
        title = line.rstrip()
        fits = len(line) in _UNDERLINED and not line[0].isspace()
        drawn = fits and len(match["line"]) >= _SHORTEST_LINE * len(title)
        if drawn and _stands_alone(text, start) and _reads_as_title(title):
            yield start, start + len(title), match.end(), match["sign"]


def _flush(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """Yield the lines at the margin that read as titles and stand over indented text."""
    for match in _FLUSH.finditer(text, begin):
        title = match.group().rstrip()
        below = text[match.end() : match.end() + LONG_LINE].lstrip("\n")
        if _INDENTED.match(below) and _stands_alone(text, match.start()) and _reads_as_title(title):
            yield match.start(), match.start() + len(title)


def _stands_alone(text: str, start: int) -> bool:
    """Whether a blank line, or the text's edge, stands above a line."""
    return not text[max(0, start - LONG_LINE) : start].removesuffix("\n").rpartition("\n")[2].strip()


def _reads_as_title(title: str) -> bool:
    marker = read_marker(title)
    words = title[marker.rest :] if marker else title
    return _GAP.search(words) is None and is_title(clean_title(words)) and words.rstrip()[-1] not in ".,;:"
