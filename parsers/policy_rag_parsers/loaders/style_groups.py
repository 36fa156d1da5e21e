"""Lines that stand out and serve as headings where an author used no heading styles: judged look by look.

A look (size, bold, underlined) that stands out from that of the text is one of headings where most of its lines read as
titles, not as stressed sentences, and where they are larger than the text or most of them stand over some, or over a
picture. Of lines of the text's size, those that recur are labels. Where the format marks headings itself, no more than
a few of them leave room for others, on levels below. In bold, a line with a number is marked as well where such lines
outnumber the marked headings or go on with their numbers. Where nothing else marks headings, short lines that a colon
closes are judged so.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from policy_rag_parsers.loaders.bold_headings import MAX_LENGTH, number_depth
from policy_rag_parsers.loaders.text_builder import TextBuilder

_FEW: Final = 3  # so many marked headings leave room for others
_LONGEST_ON_COVER: Final = 60  # characters of a line of a title page
_FEWEST: Final = 2  # lines of a look
_MOST_WORDS: Final = 14  # of a title
_MOST_LABEL_WORDS: Final = 6  # of one that only a colon shows
_MOST_OF_A_TITLE: Final = 3  # a line that recurs more often is a label
_ADDRESS: Final = re.compile(r"://|www\.|\w@\w")
_SENTENCE_END: Final = re.compile(r"[.;,!]\Z")


class LineLook(NamedTuple):
    """How a whole line looks: its size in half points, 0 where that is not known. They compare by prominence."""

    size: int = 0
    bold: bool = False
    underlined: bool = False

    def stands_out(self, body: "LineLook") -> bool:
        """Whether it stands out from the text."""
        if self.size < body.size:
            return False
        return self.size > body.size or self.bold > body.bold or self.underlined > body.underlined


BOLD: Final = LineLook(bold=True)


class _Line(NamedTuple):
    start: int
    text: str
    look: LineLook
    is_item: bool


class StyleGroups:
    """Collects the lines of a document with their looks, then marks those that serve as headings."""

    def __init__(self, body: LineLook | None = None) -> None:
        """Begin a document; `body` is how its text looks, found by what most of it looks like where it is None."""
        self._body = body
        self._lines: list[_Line] = []
        self._pictures: list[int] = []

    def add(self, start: int, text: str, look: LineLook, *, is_item: bool = False) -> None:
        """Note a block; items of lists are headings by a number in bold only."""
        self._lines.append(_Line(start, text, look, is_item))

    def add_picture(self, at: int) -> None:
        """Note that a picture without text stands behind so many characters."""
        self._pictures.append(at)

    def mark(self, out: TextBuilder) -> None:
        """Mark headings among the lines in `out`, to which they were added before."""
        marked = out.heading_levels
        base = max((level for _, level in marked), default=0)
        known = {number_depth(text): level for text, level in reversed(marked)}
        body = self._body if self._body is not None else self._commonest()
        lines = [line for line in self._lines if line.look.stands_out(body)]
        numbers = {line.start: number_depth(line.text) for line in lines if line.look.bold and _is_short(line.text)}
        outnumber = sum(map(bool, numbers.values())) >= len(marked)
        filled = self._filled(lines, out.length)
        groups = {look: (group, _titles(group, body)) for look, group in _groups(lines)}
        looks = [look for look, (group, titles) in groups.items() if _are_headings(group, titles, filled, body)]
        levels = {look: base + rank for rank, look in enumerate(sorted(looks, reverse=True), 1)}
        titled = {line.start for look in looks for line in groups[look][1]}
        if len(marked) > _FEW:
            levels = {}
        elif not (marked or levels or (outnumber and any(numbers.values()))):
            self._mark_closed(out, body)
        begins = next((line.start for line in self._lines if len(line.text) > _LONGEST_ON_COVER or line.is_item), 0)
        for line in lines:
            depth = numbers.get(line.start, 0)
            if depth:
                if depth in known or outnumber:
                    out.mark_heading(line.start, line.text, known.get(depth, base + depth))
            elif line.start < begins and line.start not in filled:
                continue  # a title page
            elif line.look in levels and line.start in titled:
                out.mark_heading(line.start, line.text, levels[line.look])

    def _mark_closed(self, out: TextBuilder, body: LineLook) -> None:
        """Mark short lines of the text that a colon closes, unless they lead into lists: "Duties:" over a paragraph."""
        closed = [
            one
            for one, two in pairwise(self._lines)
            if not (one.is_item or two.is_item)
            and one.text.endswith(":")
            and len(one.text.split()) <= _MOST_LABEL_WORDS
        ]
        titles = [line for line in closed if _is_title(line.text) and line.look == body]
        over = self._filled(titles, out.length)
        if len(titles) > _FEWEST and len({line.text.casefold() for line in titles}) == len(titles) == len(over):
            for line in titles:
                out.mark_heading(line.start, line.text, 1)

    def _commonest(self) -> LineLook:
        """How most characters look."""
        counts: Counter[LineLook] = Counter()
        for line in self._lines:
            counts[line.look] += len(line.text)
        return counts.most_common(1)[0][0] if counts else LineLook()

    def _filled(self, lines: Sequence[_Line], end: int) -> set[int]:
        """Where those lines begin that stand over text or a picture; `end` is that of the document."""
        starts = [line.start for line in lines]
        filled = {one.start for one, two in pairwise(lines) if two.start - _end(one) > len("\n\n")}
        filled |= {line.start for line in lines[-1:] if end > _end(line)}
        return filled | {starts[at] for at in (bisect_left(starts, one) - 1 for one in self._pictures) if at >= 0}


def _groups(lines: Sequence[_Line]) -> Iterable[tuple[LineLook, list[_Line]]]:
    """The lines of each look, but for items of lists."""
    groups: dict[LineLook, list[_Line]] = {}
    for line in lines:
        if not line.is_item:
            groups.setdefault(line.look, []).append(line)
    return groups.items()


def _end(line: _Line) -> int:
    return line.start + len(line.text)


def _is_short(text: str) -> bool:
    return "\n" not in text and len(text) <= MAX_LENGTH


def _is_title(text: str) -> bool:
    fits = _is_short(text) and len(text.split()) <= _MOST_WORDS
    return fits and _SENTENCE_END.search(text) is None and _ADDRESS.search(text) is None


def _titles(group: Sequence[_Line], body: LineLook) -> list[_Line]:
    """The lines of a look that read as titles; of the size of the text those that recur are labels: "Rationale"."""
    titles = [line for line in group if _is_title(line.text)]
    if group[0].look.size > body.size:
        return titles
    counts = Counter(line.text.casefold() for line in titles)
    return [line for line in titles if counts[line.text.casefold()] <= _MOST_OF_A_TITLE]


def _are_headings(group: Sequence[_Line], titles: Sequence[_Line], filled: Collection[int], body: LineLook) -> bool:
    """Whether the lines of a look are headings; `filled` is where those begin that stand over text."""
    if len(group) < _FEWEST or not titles or 2 * sum(_is_title(line.text) for line in group) < len(group):
        return False
    over = sum(line.start in filled for line in titles)
    return group[0].look.size > body.size or 2 * over >= len(titles)  # larger lines may stand over each other
