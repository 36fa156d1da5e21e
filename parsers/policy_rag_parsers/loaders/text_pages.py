"""Plain text with page breaks (form feeds): read on over them, without what repeats at the edges of the pages."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from policy_rag_parsers.loaders.paragraph_continuation import carries_over
from policy_rag_parsers.loaders.running_headers import CERTAIN_PAGE_NUMBER, PAGE_NUMBER, running_keys
from policy_rag_parsers.records import PageMark

BREAK: Final = "\f"
_EDGE: Final = 3  # lines, at most, that repeat at the head of the pages, and as many at their foot


def join_pages(text: str, start: int) -> tuple[str, tuple[PageMark, ...], tuple[str, ...]]:
    """Read on over the page breaks of a text.

    A line at the edge of a page is left out where it stands, but for its figures, at that edge of half of the pages
    (of two at least), or says "Page 3". At a break no blank line is left where the sentence goes on, else one.

    Args:
        text: of a file.
        start: where its body begins; what is before is kept.

    Returns:
        The text, where its pages begin, and what the repeated lines say, each text once and without page numbers.
    """
    pages = [page.split("\n") for page in text[start:].rstrip(BREAK + "\n ").split(BREAK)]
    margins: dict[str, None] = {}
    for edge in (_first_inked, _last_inked):
        _strip_edges(pages, edge, margins)
    width = max((len(line.rstrip()) for page in pages for line in page), default=0)
    parts, length = [text[:start]], start
    marks: list[PageMark] = []
    before = ""
    for number, page in enumerate(pages, start=1):
        lines = _without_blank_edges(page)
        if lines:
            gap = _gap(before, lines[0], width) if before else ""
            written = "\n".join(lines)
            marks.append(PageMark(length + len(gap), number))
            parts += [gap, written]
            length += len(gap) + len(written)
            before = lines[-1]
        else:
            marks.append(PageMark(length, number))
    return "".join(parts) + "\n", tuple(marks), tuple(margins)


def _strip_edges(
    pages: Sequence[list[str]], edge: Callable[[Sequence[str]], int | None], margins: dict[str, None]
) -> None:
    """Take repeated lines out at one edge of the pages, from outside in, and note what they say."""
    for _ in range(_EDGE):
        places = [edge(page) for page in pages]
        keys = [
            running_keys(page[at], number) if at is not None else ()
            for number, (page, at) in enumerate(zip(pages, places, strict=True))
        ]
        counts = Counter(key for found in keys for key in found)
        for page, at, found in zip(pages, places, keys, strict=True):
            if at is None:
                continue
            text = page[at].strip()
            often = any(counts[key] >= 2 and counts[key] * 2 >= len(pages) for key in found)
            if often or CERTAIN_PAGE_NUMBER.fullmatch(text):
                page[at] = ""
                margins.update(dict.fromkeys(part for part in _parts(text) if not PAGE_NUMBER.fullmatch(part)))


def _parts(line: str) -> list[str]:
    """The texts of a line that wide blanks part."""
    return [part for part in line.replace("\t", "  ").split("  ") if part.strip()]


def _first_inked(page: Sequence[str]) -> int | None:
    return next((at for at, line in enumerate(page) if line.strip()), None)


def _last_inked(page: Sequence[str]) -> int | None:
    return next((at for at in range(len(page) - 1, -1, -1) if page[at].strip()), None)


def _without_blank_edges(page: Sequence[str]) -> Sequence[str]:
    first, last = _first_inked(page), _last_inked(page)
    return [] if first is None or last is None else page[first : last + 1]


def _gap(before: str, after: str, width: int) -> str:
    """A line end where the sentence goes on, else a blank line."""
    full = len(before.rstrip()) + 1 + len(after.split(maxsplit=1)[0]) > width
    return "\n" if carries_over(before.rstrip(), after.strip(), full=full) else "\n\n"
