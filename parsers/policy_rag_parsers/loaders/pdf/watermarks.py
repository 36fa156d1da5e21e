"""Large words that lie over or under the text of a PDF: watermarks and stamps."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from policy_rag_parsers.loaders.pdf.superscripts import baseline
from policy_rag_parsers.loaders.pdf.words import PdfWord

_LARGER: Final = 1.5  # times the size of the text, at least
_CAPITAL: Final = 0.7  # of its size is a capital high


def without_overlays(pages: Sequence[Sequence[PdfWord]]) -> list[tuple[PdfWord, ...]]:
    """The words of each page without those that are much larger than its text and lie on it.

    Text never lies on text, so one word in the middle of another one is enough; all of its size beside it go
    with it, and so do the same words in the same size on pages on which they lie on nothing.
    """
    large = [_large_rows(words) for words in pages]
    stamps = set().union(*(_stamps(words, rows) for words, rows in zip(pages, large, strict=True) if rows))
    if not stamps:
        return [tuple(words) for words in pages]
    kept = []
    for words, rows in zip(pages, large, strict=True):
        left_out = {id(word) for row in rows if _stamp(row) in stamps for word in row}
        kept.append(tuple(word for word in words if id(word) not in left_out))
    return kept


def _large_rows(words: Sequence[PdfWord]) -> list[list[PdfWord]]:
    """Words much larger than most of the page, those of one size and height together."""
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    if not sizes:
        return []
    least = _LARGER * sizes.most_common(1)[0][0]
    rows: dict[tuple[float, int], list[PdfWord]] = {}
    for word in words:
        if word.size >= least:
            rows.setdefault((word.size, round(word.bottom)), []).append(word)
    return list(rows.values())


def _stamp(row: Sequence[PdfWord]) -> tuple[str, float]:
    """What knows it on other pages: its size and first letters, for the edge of a page may cut the last ones."""
    return "".join(word.text for word in row)[:6], row[0].size


def _stamps(words: Sequence[PdfWord], rows: Sequence[Sequence[PdfWord]]) -> set[tuple[str, float]]:
    """The stamps among the large rows of a page: those with a smaller word in the ink of one of their words."""
    by_height = sorted(words, key=_middle)
    heights = [_middle(word) for word in by_height]
    found: set[tuple[str, float]] = set()
    for row in rows:
        for large in row:
            floor = baseline(large.bottom, large.size)
            level = slice(bisect_left(heights, floor - _CAPITAL * large.size), bisect_right(heights, floor))
            if any(_lies_on(large, word) for word in by_height[level]):
                found.add(_stamp(row))
                break
    return found


def _middle(word: PdfWord) -> float:
    return (word.top + word.bottom) / 2


def _lies_on(large: PdfWord, word: PdfWord) -> bool:
    """Whether the middle of a smaller word on the height of a large one lies in that."""
    return large.x0 <= (word.x0 + word.x1) / 2 <= large.x1 and word.size * _LARGER <= large.size
