"""Which paragraphs of a PDF are headings, and how deep they are: by what the file says, else by style groups."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.bold_headings import number_depth
from policy_rag_parsers.loaders.pdf.styles import LineStyle, body_style, stands_out
from policy_rag_parsers.loaders.pdf.titles import is_title

_LONG: Final = 100  # characters, at least, of two lines or more are a piece of running text
_MOST_LINES: Final = 4  # of a title
_TITLES: Final = 0.6  # of what is set in a style of headings, at least, reads like a title
_LEADING: Final = 0.5  # of that, at least, leads to text
_FAINT: Final = 3  # paragraphs, at least, are set in a style that stands out by colour, slope or capitals alone,
_FAINT_SHARE: Final = 0.8  # and of these, at least, are titles, are set apart and lead to text
_MARKED: Final = 0.5  # of the titles in a style, at least, are marked in the file where the others are headings too
_MOST_MARKED: Final = 0.4  # of the characters, at most, are in headings: more are marked by mistake
_MANY: Final = 10  # headings, at least, has a file marked that marks all of them
_LARGE: Final = 1.15  # times the size of the text, at least, is what cannot be emphasis
_FEW: Final = 3  # titles that say the same are not yet labels
_LABELS: Final = 0.5  # of the titles of a group, at least, end with a colon, or say the same, where all are labels
_STACKED: Final = 3  # titles of one style under each other, without text, lead to nothing


Group = tuple[LineStyle, bool, bool]
"""What paragraphs have in common: their style, whether they are indented, and whether they stand out on their page."""


@dataclass(frozen=True, slots=True)
class PdfParagraph:
    """What decides whether a paragraph is a heading.

    Attributes:
        page: the number of its page.
        text: its words.
        style: how it is set.
        lines: how many lines it has; 0 for a table.
        contents: whether it is a table of contents.
        runs_in: whether the text under it begins on its line; such a title is lower than others of its style.
        mark: the level of the heading that the file's outline or tags say it is; 0 without.
        apart: whether more blank is above it than between lines.
        row: whether it has gaps as between the cells of a table.
        indented: whether it begins to the right of the text.
    """

    page: int
    text: str
    style: LineStyle
    lines: int
    mark: int = 0
    apart: bool = True
    row: bool = False
    indented: bool = False
    contents: bool = False
    runs_in: bool = False

    @property
    def is_running_text(self) -> bool:
        """Whether it is a piece of running text."""
        return self.lines > 1 and len(self.text) >= _LONG and not is_title(self.text)

    @property
    def is_label(self) -> bool:
        """Whether it has no number, and a colon at its end."""
        return self.text.endswith(":") and not number_depth(self.text)


def heading_levels(paragraphs: Sequence[PdfParagraph]) -> list[int]:
    """The level from 1 of each paragraph that is a heading, 0 for the others.

    What the file marks as a heading is one, unless it marks its text too. A style is one of headings where it stands
    out from the text of its page, where most of what is set in it reads like titles, and where most of that leads to
    text: signatures, names on a title page and emphasised words stand out too, and lead to nothing. In a style in which
    some titles are marked and most are not, the others are none.

    Levels are those of the marks; without them a larger size, then a bold weight, capitals and an underline are higher,
    and within a style the depth of the number decides.

    Args:
        paragraphs: of the whole document in reading order, tables among them.
    """
    marked = sum(len(one.text) for one in paragraphs if one.mark)
    if marked > _MOST_MARKED * sum(len(one.text) for one in paragraphs if one.lines):
        paragraphs = [replace(one, mark=0) for one in paragraphs]
    return _Decision(paragraphs).levels()


@dataclass
class _Decision:
    paragraphs: Sequence[PdfParagraph]

    def levels(self) -> list[int]:
        chosen = [at for at in range(len(self.paragraphs)) if self._is_heading(at)]
        found = [0] * len(self.paragraphs)
        stacked = Counter(
            (self.paragraphs[one].style, self.paragraphs[two].style) for one, two in pairwise(chosen) if two == one + 1
        )
        for at, level in zip(chosen, _levels([self.paragraphs[at] for at in chosen], stacked), strict=True):
            found[at] = level
        return found

    def _is_heading(self, at: int) -> bool:
        one = self.paragraphs[at]
        if not one.lines or (one.page in self._front and not one.mark):
            return False
        if one.mark:
            return True
        if at + 1 < len(self.paragraphs) and self.paragraphs[at + 1].contents:
            return False
        return (
            self._titles[at]
            and self._group(one) in self._groups
            and self._leads_somewhere(at)
            and at not in self._opening
        )

    @cached_property
    def _body(self) -> LineStyle:
        text = [(one.style, len(one.text)) for one in self.paragraphs if one.is_running_text]
        return body_style(text or [(one.style, len(one.text)) for one in self.paragraphs if one.lines])

    @cached_property
    def _by_page(self) -> Mapping[int, LineStyle]:
        """The style of the running text of each page that has some."""
        texts: dict[int, list[tuple[LineStyle, int]]] = defaultdict(list)
        for one in self.paragraphs:
            if one.is_running_text:
                texts[one.page].append((one.style, len(one.text)))
        return {page: body_style(styles) for page, styles in texts.items() if sum(n for _, n in styles) > 4 * _LONG}

    def _body_of(self, one: PdfParagraph) -> LineStyle:
        return self._by_page.get(one.page, self._body)

    @cached_property
    def _titles(self) -> list[bool]:
        """Whether each paragraph reads like a title, and not like a row."""
        return [
            0 < one.lines <= _MOST_LINES
            and not (one.row and not number_depth(one.text))
            and is_title(one.text, large=one.style.size > _LARGE * self._body_of(one).size)
            for one in self.paragraphs
        ]

    @cached_property
    def _marked(self) -> bool:
        """Whether the file marks its headings, and does so over more than one level: then it marks all of them."""
        levels = [one.mark for one in self.paragraphs if one.mark]
        return len(levels) >= _MANY and len(set(levels)) > 1

    @cached_property
    def _front(self) -> frozenset[int]:
        """The pages before the first one with running text: nothing on them is above what follows."""
        first = next((one.page for one in self.paragraphs if one.is_running_text), 0)
        return frozenset(range(1, first))

    @cached_property
    def _groups(self) -> frozenset[Group]:
        """The groups of headings."""
        groups: dict[Group, list[int]] = defaultdict(list)
        for at, one in enumerate(self.paragraphs):
            if one.lines and one.page not in self._front and (not one.row or number_depth(one.text)):
                groups[self._group(one)].append(at)
        found = {group for group, members in groups.items() if group[2] and self._is_of_headings(group, members)}
        colours = {style.colour for style, _, _ in found} - {self._body.colour}
        rest = ((group, members) for group, members in groups.items() if not group[2])
        return frozenset(found.union(group for group, members in rest if self._is_of_headings(group, members, colours)))

    def _group(self, one: PdfParagraph) -> Group:
        return one.style, one.indented, stands_out(one.style, self._body_of(one))

    def _is_of_headings(self, group: Group, members: Sequence[int], colours: Collection[int] = ()) -> bool:
        """Whether a group is one of headings; `colours` are those of the headings that stand out by more."""
        style, _, prominent = group
        titles = [at for at in members if self._titles[at]]
        if not titles:
            return False
        marked = sum(self.paragraphs[at].mark > 0 for at in titles)
        if marked or self._marked:
            return marked >= _MARKED * len(titles)
        texts = Counter(self.paragraphs[at].text.casefold() for at in titles)
        labels = sum(self.paragraphs[at].is_label for at in titles)
        if max(labels, texts.most_common(1)[0][1] if len(titles) > _FEW else 0) >= _LABELS * len(titles):
            return False
        leading = sum(self._leads(at) for at in titles)
        if prominent:
            return len(titles) >= _TITLES * len(members) and leading >= _LEADING * len(titles)
        body = self._body
        if style.size < body.size or not (style.italic > body.italic or style.capitals or style.colour != body.colour):
            return False
        apart = sum(self.paragraphs[at].apart for at in titles)
        least = _FAINT_SHARE * len(members)
        enough = len(members) >= _FAINT or style.colour in colours
        return enough and min(len(titles), leading, apart) >= least

    def _leads(self, at: int) -> bool:
        """Whether a title has text, a table or a lower title under it."""
        if at + 1 >= len(self.paragraphs):
            return False
        one, below = self.paragraphs[at], self.paragraphs[at + 1]
        if not below.lines:
            return True
        return below.style != one.style and below.style.size <= one.style.size

    def _leads_somewhere(self, at: int) -> bool:
        """Whether a title is no part of a stack of titles in its style."""
        one = self.paragraphs[at]
        if number_depth(one.text):
            return True
        first = last = at
        while first and self._alike(first - 1, one):
            first -= 1
        while last + 1 < len(self.paragraphs) and self._alike(last + 1, one):
            last += 1
        return last - first + 1 < _STACKED

    def _alike(self, at: int, one: PdfParagraph) -> bool:
        other = self.paragraphs[at]
        return other.page == one.page and other.style == one.style and self._titles[at] and not number_depth(other.text)

    @cached_property
    def _opening(self) -> frozenset[int]:
        """Among the titles that open the document, those that are neither the greatest nor lead to text.

        What else is set in their style is a heading, and they are too.
        """
        start = next((at for at, one in enumerate(self.paragraphs) if one.page not in self._front), 0)
        stack: list[int] = []
        for at in range(start, len(self.paragraphs)):
            if not self._titles[at] or not stands_out(self.paragraphs[at].style, self._body):
                break
            stack.append(at)
        if len(stack) < 2:
            return frozenset()
        elsewhere = {one.style for at, one in enumerate(self.paragraphs) if at > stack[-1] and self._titles[at]}
        greatest = min(stack, key=lambda at: _rank(self.paragraphs[at].style))
        return frozenset(
            at
            for at in stack[:-1]
            if at != greatest
            and self.paragraphs[at].style not in elsewhere
            and not number_depth(self.paragraphs[at].text)
        )


def _rank(style: LineStyle) -> tuple[float, bool, bool, bool, bool]:
    """What puts styles in order, the highest first."""
    return -style.size, not style.bold, not style.capitals, not style.underlined, style.italic


def _order(styles: Iterable[LineStyle], stacked: Mapping[tuple[LineStyle, LineStyle], int]) -> dict[LineStyle, int]:
    """The places of styles, the highest first: by rank, or of two of one size by which stands right over the other.

    Args:
        styles: those of headings.
        stacked: how often a heading of one style stands right over one of another.
    """
    ordered = sorted(set(styles), key=_rank)
    for _ in ordered:
        for at, (one, two) in enumerate(pairwise(ordered)):
            if one.size == two.size and stacked.get((two, one), 0) > stacked.get((one, two), 0):
                ordered[at : at + 2] = two, one
    return {style: at for at, style in enumerate(ordered)}


def _levels(headings: Sequence[PdfParagraph], stacked: Mapping[tuple[LineStyle, LineStyle], int]) -> list[int]:
    marks: dict[LineStyle, list[int]] = defaultdict(list)
    for one in headings:
        if one.mark:
            marks[one.style].append(one.mark)
    if not marks:
        order = _order((one.style for one in headings), stacked)
        return levels_by_style([(one.text, one.style, one.runs_in) for one in headings], order)
    usual = {style: max(set(found), key=found.count) for style, found in marks.items()}
    deepest = max(map(max, marks.values()))
    return [one.mark or _level_unmarked(one, usual, deepest) for one in headings]


def _level_unmarked(one: PdfParagraph, usual: Mapping[LineStyle, int], deepest: int) -> int:
    """The level of a heading that has no mark, where others have: that of its style.

    It is one lower where text begins beside it, and where others of its style have the deepest mark of all: outlines
    end at some level, and what is below it looks like what is on it.
    """
    level = usual.get(one.style)
    if level is None:
        return _level_beside(one.style, usual) + one.runs_in
    return level + (one.runs_in or level == deepest)


def _level_beside(style: LineStyle, usual: Mapping[LineStyle, int]) -> int:
    """The level of a style without marks: one below those that are higher; where none is, that of the highest."""
    higher = [level for other, level in usual.items() if _rank(other) < _rank(style)]
    return max(higher) + 1 if higher else min(usual.values())


def levels_by_style(headings: Sequence[tuple[str, LineStyle, bool]], order: Mapping[LineStyle, int]) -> list[int]:
    """Levels from 1 for headings in order of the document: their words, styles, and whether text begins beside them.

    `order` is that of their styles, the highest first.

    Within a style the depth of the number decides, and a heading without a number is as high as the highest of its
    style; but a first heading that alone of its style has no number is the title, above all others. The (style, depth)
    pairs that occur are then counted through, so levels have no gaps.
    """
    highest: dict[LineStyle, int] = {}
    for text, style, _ in headings:
        depth = number_depth(text)
        if depth:
            highest[style] = min(depth, highest.get(style, depth))
    pairs = [((order[style], inside), number_depth(text) or highest.get(style, 1)) for text, style, inside in headings]
    bare = [style for text, style, _ in headings if not number_depth(text)]
    if headings and not number_depth(headings[0][0]) and headings[0][1] in highest and bare.count(headings[0][1]) == 1:
        pairs[0] = (pairs[0][0], 0)
    rank = {pair: place for place, pair in enumerate(sorted(set(pairs)), start=1)}
    return [rank[pair] for pair in pairs]
