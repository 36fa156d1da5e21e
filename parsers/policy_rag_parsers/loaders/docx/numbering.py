"""Automatic numbering of a Word document: the "1.2", "(a)" or bullet that Word writes before a paragraph.

The file holds only which list and level a paragraph has; the numbers are counted here as ECMA-376 part 1, section 17.9
says: a level starts again after any level above it (or the one that `lvlRestart` names), lists over the same abstract
list go on counting together, and `startOverride` begins such a list anew when it is first used.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.loaders.docx.styles import Styles
from policy_rag_parsers.loaders.docx.xml import W, child, flag, integer, part_root, value
from policy_rag_parsers.loaders.list_numerals import BULLET, numeral

if TYPE_CHECKING:
    from docx.document import Document

_PLACE: Final = re.compile(r"%([1-9])")
_MAX_COUNT: Final = 1_000_000  # no list is longer; a start beyond it is nonsense


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level of a list is written and counted."""

    style: str
    text: str
    start: int
    restart: int | None
    suffix: str
    legal: bool
    paragraph_style: str


@dataclass(slots=True)
class _List:
    """A list (`w:num`): the abstract list that it counts in, its levels, and the starts that it overrides."""

    abstract: int
    levels: dict[int, _Level]
    overrides: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts the numbered paragraphs of one document, which must come in order."""

    def __init__(self, document: "Document", styles: Styles) -> None:
        self._styles = styles
        self._lists = _read_lists(_numbering_root(document), styles)
        self._counts: dict[int, dict[int, int]] = {}
        self._started: set[tuple[int, int]] = set()

    def marker(self, paragraph: etree._Element) -> str:
        """Count a paragraph and give what Word writes before its text, with a blank after it; "" without a number."""
        place = self._place(paragraph)
        if place is None:
            return ""
        number, depth = place
        found = self._lists[number]
        level = found.levels.get(depth)
        if level is None:
            return ""
        counts = self._counts.setdefault(found.abstract, {})
        self._count(number, found, depth, counts)
        text = BULLET if level.style == "bullet" else self._written(found, level, counts)
        if not text.strip():
            return ""
        return text.strip() + ("" if level.suffix == "nothing" else " ")

    def is_list(self, paragraph: etree._Element) -> bool:
        """Whether a paragraph belongs to a list, with or without a visible number."""
        return self._place(paragraph) is not None

    def _place(self, paragraph: etree._Element) -> tuple[int, int] | None:
        """The list and the level of a paragraph, by its own properties before those of its style."""
        own = child(paragraph, "pPr", "numPr")
        of_style = self._styles.numbering(paragraph)
        number = integer(child(own, "numId"), -1)
        depth = integer(child(own, "ilvl"), -1)
        if number < 0 and of_style is not None:
            number = integer(child(of_style[0], "numId"), -1)
        if number not in self._lists or number == 0:
            return None
        if depth < 0:
            depth = self._depth_of_style(number, of_style)
        return number, depth

    def _depth_of_style(self, number: int, of_style: tuple[etree._Element, str] | None) -> int:
        if of_style is None:
            return 0
        for depth, level in self._lists[number].levels.items():
            if level.paragraph_style == of_style[1]:
                return depth
        return integer(child(of_style[0], "ilvl"), 0)

    def _count(self, number: int, found: _List, depth: int, counts: dict[int, int]) -> None:
        level = found.levels[depth]
        if (number, depth) not in self._started:
            self._started.add((number, depth))
            if depth in found.overrides:
                counts.pop(depth, None)
        start = found.overrides.get(depth, level.start)
        counts[depth] = counts[depth] + 1 if depth in counts else start
        for above in range(depth):
            # A level that was passed over counts as begun.
            if above in found.levels:
                counts.setdefault(above, found.overrides.get(above, found.levels[above].start))
        for below, other in found.levels.items():
            restart = below if other.restart is None else other.restart
            if below > depth and depth < restart:
                counts.pop(below, None)

    @staticmethod
    def _written(found: _List, level: _Level, counts: dict[int, int]) -> str:
        def place(match: re.Match[str]) -> str:
            depth = int(match.group(1)) - 1
            other = found.levels.get(depth)
            if other is None or other.style == "none":
                return ""
            style = "decimal" if level.legal else other.style
            return numeral(counts.get(depth, other.start), style, doubled=True)

        return "" if level.style == "none" and "%" in level.text else _PLACE.sub(place, level.text)


def _numbering_root(document: "Document") -> etree._Element | None:
    for relation in document.part.rels.values():
        if relation.reltype.endswith("/numbering") and not relation.is_external:
            return part_root(relation.target_part)
    return None


def _read_lists(root: etree._Element | None, styles: Styles) -> dict[int, _List]:
    if root is None:
        return {}
    abstracts = {int(node.get(W + "abstractNumId", "-1")): node for node in root.iter(W + "abstractNum")}
    numbers = {int(node.get(W + "numId", "-1")): node for node in root.iter(W + "num")}
    lists: dict[int, _List] = {}
    for number, node in numbers.items():
        abstract = integer(child(node, "abstractNumId"), -1)
        linked = value(child(abstracts.get(abstract), "numStyleLink"), "")
        if linked:
            target = numbers.get(styles.numbering_of(linked))
            abstract = integer(child(target, "abstractNumId"), abstract)
        if abstract in abstracts:
            lists[number] = _read_list(abstract, abstracts[abstract], node)
    return lists


def _read_list(abstract: int, node: etree._Element, number: etree._Element) -> _List:
    levels = {int(level.get(W + "ilvl", "0")): _read_level(level) for level in node.iterchildren(W + "lvl")}
    found = _List(abstract, levels)
    for override in number.iterchildren(W + "lvlOverride"):
        depth = int(override.get(W + "ilvl", "0"))
        level = child(override, "lvl")
        if level is not None:
            levels[depth] = _read_level(level)
        start = integer(child(override, "startOverride"), -1)
        if 0 <= start < _MAX_COUNT:
            found.overrides[depth] = start
    return found


def _read_level(level: etree._Element) -> _Level:
    start = integer(child(level, "start"), 0)
    restart = child(level, "lvlRestart")
    return _Level(
        style=value(child(level, "numFmt"), "decimal"),
        text=value(child(level, "lvlText"), ""),
        start=start if 0 <= start < _MAX_COUNT else 0,
        restart=None if restart is None else integer(restart, 0),
        suffix=value(child(level, "suff"), "tab"),
        legal=flag(child(level, "isLgl")),
        paragraph_style=value(child(level, "pStyle"), ""),
    )
