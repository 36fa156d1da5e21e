"""Words of a page to lines, from top to bottom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar

from policy_rag_parsers.loaders.pdf.superscripts import baseline, is_raised
from policy_rag_parsers.loaders.pdf.words import Word
from policy_rag_parsers.loaders.superscripts import with_superscripts

_Value = TypeVar("_Value", int, float)

_BESIDE_MARK: Final = 0.08  # font sizes of blank, at least, lie between words of two sizes
_ALIKE: Final = 2.1  # times as large as another is a word, at most, that is on one line with it whatever its height


@dataclass(frozen=True, slots=True)
class Line:
    """Words side by side, from left to right.

    `size`, `colour` and `tag` are those of most of its characters; `bold` and `italic` those of all its words, signs
    and figures aside.
    """

    words: tuple[Word, ...]
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


def make_line(words: Sequence[Word]) -> Line:
    """A line of words, which are put in order from left to right."""
    ordered = sorted(words, key=lambda word: word.x0)
    # The bullet or number that hangs before a heading may be light.
    lettered = [word for word in ordered if any(map(str.isalpha, word.text))] or ordered
    first = lettered[0]
    if all((word.size, word.colour, word.tag) == (first.size, first.colour, first.tag) for word in ordered):
        size, colour, tag = first.size, first.colour, first.tag
    else:
        size = _most((word.size, word) for word in ordered)
        colour, tag = _most((word.colour, word) for word in lettered), _most((word.tag, word) for word in lettered)
    return Line(
        words=tuple(ordered),
        text=_joined(ordered, size),
        x0=ordered[0].x0,
        x1=max([word.x1 for word in ordered]),
        top=min([word.top for word in ordered]),
        bottom=max([word.bottom for word in ordered]),
        size=size,
        bold=all(word.bold for word in lettered),
        italic=all(word.italic for word in lettered),
        colour=colour,
        tag=tag,
    )


def _most(values: Iterable[tuple[_Value, Word]]) -> _Value:
    """The value of most characters; of two the greater."""
    counts: dict[_Value, int] = {}
    for value, word in values:
        counts[value] = counts.get(value, 0) + len(word.text)
    return max(counts, key=lambda value: (counts[value], value))


def _joined(words: Sequence[Word], size: float) -> str:
    blanks = [*(_blank(before, after) for before, after in pairwise(words)), ""]
    if any(word.size < size for word in words):
        return _with_raised(words, blanks, size)
    return "".join([word.text + blank for word, blank in zip(words, blanks, strict=True)])


def _blank(before: Word, after: Word) -> str:
    # Files that place each character by itself give pieces of words: no gap, no blank. Nor has the mark of a note one.
    least = min(before.gap, after.gap) if before.size == after.size else _BESIDE_MARK
    return " " if after.x0 - before.x1 > least * max(after.size, before.size) else ""


def _with_raised(words: Sequence[Word], blanks: Sequence[str], size: float) -> str:
    usual = max(word.bottom for word in words if word.size == size)
    pieces: list[str] = []
    marks: set[int] = set()
    for word, blank in zip(words, blanks, strict=True):
        if is_raised(word.bottom, word.size, usual, size):
            marks.add(len(pieces))
        pieces += [word.text, blank] if blank else [word.text]
    return "".join(with_superscripts(pieces, marks, " "))


def gather_lines(words: Iterable[Word]) -> list[Line]:
    """Words to lines from top to bottom. A raised or lowered note mark stays on the line that it overlaps."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.bottom, word.x0)):
        for row in rows[:-4:-1]:
            if _same_line(row, word):
                break
        else:
            rows.append([word])
            continue
        if word.size > row[0].size:
            row.insert(0, word)
        else:
            row.append(word)
    return sorted((make_line(row) for row in rows), key=lambda line: (line.bottom, line.x0))


def _same_line(row: list[Word], word: Word) -> bool:
    other = row[0]  # the largest
    if not other.size <= _ALIKE * word.size <= _ALIKE**2 * other.size:
        apart = baseline(other.bottom, other.size) - baseline(word.bottom, word.size)
        return abs(apart) < 0.5 * min(other.size, word.size)
    overlap = min(other.bottom, word.bottom) - max(other.top, word.top)
    return overlap > 0.55 * min(other.bottom - other.top, word.bottom - word.top)
