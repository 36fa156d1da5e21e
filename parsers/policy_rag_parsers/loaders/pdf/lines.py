"""Words of a page to lines, from top to bottom."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

from policy_rag_parsers.loaders.pdf.superscripts import baseline, is_raised
from policy_rag_parsers.loaders.pdf.words import PdfWord
from policy_rag_parsers.loaders.superscripts import with_superscripts

_Thing = TypeVar("_Thing")
_Value = TypeVar("_Value", int, float)

_LEFT: Final = attrgetter("x0")
_HEIGHT: Final = attrgetter("bottom", "x0")
_BESIDE_MARK: Final = 0.08  # font sizes of blank, at least, lie between words of two sizes
_SMALL_CAPITALS: Final = (0.6, 0.9)  # times the size of a capital are those for its small letters
_SAME_LINE: Final = 0.2  # font sizes, at most, do their baselines differ, which are estimated
_ALIKE: Final = 2.1  # times as large as another is a word, at most, that is on one line with it whatever its height


class TextLine(NamedTuple):
    """Words side by side, from left to right.

    `size`, `colour` and `tag` are those of most of its characters; `bold` and `italic` those of all its words, signs
    and figures aside.
    """

    words: tuple[PdfWord, ...]
    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool
    italic: bool = False
    colour: int = 0
    tag: int = 0


def parted(things: Sequence[_Thing], apart: Callable[[_Thing, _Thing], bool]) -> list[list[_Thing]]:
    """Things in order, cut between each two neighbours that are apart.

    >>> parted([1, 2, 5, 6], lambda one, two: two - one > 1)
    [[1, 2], [5, 6]]
    """
    parts = [[thing] for thing in things[:1]]
    for one, two in pairwise(things):
        if apart(one, two):
            parts.append([])
        parts[-1].append(two)
    return parts


def make_line(words: Iterable[PdfWord]) -> TextLine:
    """A line of words, which are put in order from left to right."""
    ordered = sorted(words, key=_LEFT)
    texts, x0, x1, top, bottom, sizes, bolds, italics, colours, tags, gaps = zip(*ordered, strict=True)
    if len(set(zip(sizes, bolds, italics, colours, tags, gaps, strict=True))) == 1:
        text, first = _set_alike(texts, x0, x1, gaps[0] * sizes[0]), ordered[0]
        edges = x0[0], max(x1), min(top), max(bottom)
        return TextLine(tuple(ordered), text, *edges, first.size, first.bold, first.italic, first.colour, first.tag)
    # The bullet or number that hangs before a heading may be light.
    lettered = [word for word in ordered if word.text.isalpha() or any(map(str.isalpha, word.text))] or ordered
    alike = len(lettered) == len(ordered)
    size, colour, tag = sizes[0], colours[0], tags[0]
    if sizes.count(size) < len(sizes):
        size = max(sizes) if _in_small_capitals(ordered) else _most((word.size, word) for word in ordered)
    if not alike or colours.count(colour) < len(colours) or tags.count(tag) < len(tags):
        colour, tag = _most((word.colour, word) for word in lettered), _most((word.tag, word) for word in lettered)
    return TextLine(
        words=tuple(ordered),
        text=_joined(ordered, size),
        x0=x0[0],
        x1=max(x1),
        top=min(top),
        bottom=max(bottom),
        size=size,
        bold=all(bolds) if alike else all(word.bold for word in lettered),
        italic=all(italics) if alike else all(word.italic for word in lettered),
        colour=colour,
        tag=tag,
    )


def _in_small_capitals(words: Sequence[PdfWord]) -> bool:
    """Whether words begin with larger capitals, to which the rest of them is set smaller."""
    largest = max(word.size for word in words)
    if not all(word.text[0].isupper() for word in words if word.size == largest and word.text[0].isalpha()):
        return False
    return any(
        before.size == largest
        and before.text.isupper()
        and _SMALL_CAPITALS[0] * largest < after.size < _SMALL_CAPITALS[1] * largest
        and after.x0 - before.x1 < _BESIDE_MARK * largest
        and abs(baseline(before.bottom, largest) - baseline(after.bottom, after.size)) < _SAME_LINE * largest
        for before, after in pairwise(words)
        if after.text[0].isalpha()
    )


def _set_alike(texts: Sequence[str], x0: Sequence[float], x1: Sequence[float], least: float) -> str:
    """The text of words of one style, with a blank at each gap wider than `least`."""
    if len(texts) == 1:
        return texts[0]
    pairs = zip(texts[1:], x0[1:], x1[:-1], strict=True)
    return texts[0] + "".join([f" {text}" if start - end > least else text for text, start, end in pairs])


def _most(values: Iterable[tuple[_Value, PdfWord]]) -> _Value:
    """The value of most characters; of two the greater."""
    counts: dict[_Value, int] = {}
    for value, word in values:
        counts[value] = counts.get(value, 0) + len(word.text)
    return max(counts, key=lambda value: (counts[value], value))


def _joined(words: Sequence[PdfWord], size: float) -> str:
    blanks = [*map(_blank, words, words[1:]), ""]
    if any(word.size < size for word in words):
        return _with_raised(words, blanks, size)
    return "".join([word.text + blank for word, blank in zip(words, blanks, strict=True)])


def _blank(before: PdfWord, after: PdfWord) -> str:
    # Files that place each character by itself give pieces of words: no gap, no blank. Nor has the mark of a note one.
    gap = after.x0 - before.x1
    if before.size == after.size:
        return " " if gap > min(before.gap, after.gap) * after.size else ""
    return " " if gap > _BESIDE_MARK * max(after.size, before.size) else ""


def _with_raised(words: Sequence[PdfWord], blanks: Sequence[str], size: float) -> str:
    usual = max(word.bottom for word in words if word.size == size)
    pieces: list[str] = []
    marks: set[int] = set()
    for word, blank in zip(words, blanks, strict=True):
        if is_raised(word.bottom, word.size, usual, size):
            marks.add(len(pieces))
        pieces += [word.text, blank] if blank else [word.text]
    return "".join(with_superscripts(pieces, marks, " "))


def gather_lines(words: Iterable[PdfWord]) -> list[TextLine]:
    """Words to lines from top to bottom. A raised or lowered note mark stays on the line that it overlaps."""
    return list(_gathered(tuple(words)))


@lru_cache(maxsize=4)  # a page is looked at for tables, and then for columns
def _gathered(words: tuple[PdfWord, ...]) -> tuple[TextLine, ...]:
    rows: list[list[PdfWord]] = []
    last = PdfWord("", 0.0, 0.0, 0.0, -1.0, 0.0, bold=False)  # the first word of the last row
    for word in sorted(words, key=_HEIGHT):
        if word.bottom == last.bottom and word.top == last.top and word.size <= last.size:
            rows[-1].append(word)
            continue
        for row in rows[:-4:-1]:
            if _same_line(row[0], word):
                break
        else:
            rows.append([word])
            last = word
            continue
        if word.size > row[0].size:
            row.insert(0, word)
        else:
            row.append(word)
        last = rows[-1][0]
    return tuple(sorted(map(make_line, rows), key=_HEIGHT))


def _same_line(other: PdfWord, word: PdfWord) -> bool:
    """Whether a word stands on the line of another, the largest of that line."""
    if other.bottom == word.bottom and other.top == word.top:
        return True
    if not other.size <= _ALIKE * word.size <= _ALIKE**2 * other.size:
        apart = baseline(other.bottom, other.size) - baseline(word.bottom, word.size)
        return abs(apart) < 0.5 * min(other.size, word.size)
    overlap = min(other.bottom, word.bottom) - max(other.top, word.top)
    return overlap > 0.55 * min(other.bottom - other.top, word.bottom - word.top)
