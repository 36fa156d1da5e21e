"""Numbers of plain text that stand on lines of their own above their titles, as text copied from a PDF has them."""

import re
from collections.abc import Iterator

from policy_rag_parsers.structure.line_features import LONG_LINE, clean_title, is_row, is_title
from policy_rag_parsers.structure.numbering import Component, is_next, read_marker

_ABOVE = re.compile(
    r"(?:(?<=\n)|\A)[ \t]*(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?[ \t]*\n[ \t]*(?P<title>[^\W\d_][^\n]*)(?=\n|\Z)"
)
_SAYS = re.compile(r"[.!?;:](?:\s|\Z)")
_ENDS = frozenset('.!?;:)"”')
_FEWEST = 3
_SHARE = 0.6  # of them have text under them, in which something is said


def numbers_above(text: str, begin: int) -> dict[int, tuple[str, int]]:
    """Where such numbers stand: the start of the line of each, with its title and where that ends.

    They run on from 1 without a gap, no two chapters have one title, and most have text under them. Else they are the
    numbers of pages over what each page begins with, or cells of a table.

    Args:
        text: the document.
        begin: where its body begins.
    """
    run: list[re.Match[str]] = []
    current: tuple[Component, ...] = ()
    for match in _titled(text, begin):
        marker = read_marker(match["number"])
        if marker and marker.parts != current and is_next(current, marker.parts):
            run.append(match)
            current = marker.parts
    chapters = [match["title"].strip().casefold() for match in run if "." not in match["number"]]
    if len(run) < _FEWEST or len(set(chapters)) < len(chapters):
        return {}
    ends = [*(match.start() for match in run[1:]), len(text)]
    said = sum(_SAYS.search(text, match.end(), end) is not None for match, end in zip(run, ends, strict=True))
    if said < _SHARE * len(run):
        return {}
    return {match.start("number"): (clean_title(match["title"]), match.end()) for match in run}


def _titled(text: str, begin: int) -> Iterator[re.Match[str]]:
    """The numbers above a line that reads as a title, behind a blank line, the end of a sentence or a title."""
    end = -1
    for match in _ABOVE.finditer(text, begin):
        before = text[max(begin, match.start() - LONG_LINE) : match.start()]
        above = before.removesuffix("\n").rpartition("\n")[2].strip()
        title = match["title"].strip()
        first = match.start() == begin + len(before) and "\n" not in before.strip()  # behind the document's title
        set_off = first or not above or above[-1] in _ENDS or match.start() == end + 1
        if set_off and is_title(title) and title[-1] not in ".,;:" and not is_row(title):
            yield match
            end = match.end()
