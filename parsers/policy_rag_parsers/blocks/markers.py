"""Which item of a list stands under which line: "(ii)" under "(b) at least:" under "4.2 Leave is asked for:".

Few loaders keep a list's indentation, so the markers decide: one that goes on with one that is open is beside it, any
other begins a list inside. Indentation tells "1." inside "1." from "1." beside it, and which of two lists goes on.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_parsers.structure.numbering import Component, is_first, roman_value, step

_PART = re.compile(r"\d+[a-f](?![^\W\d_])|[^\W\d_º]+|\d+")
_WORD = re.compile(r"[^\W\d]+\.? ?(?=\d{1,3}[a-f]?:)")  # of "Abs. 2:"
_FIRST = frozenset(("i", "I"))
_FURTHER_IN = 2  # columns
_MOST_LEFT_OUT = 3  # repealed items are missing from a list


@dataclass(frozen=True, slots=True)
class Marker:
    """What an item begins with: as printed, without blanks, and the columns before it."""

    text: str
    indent: int = 0

    @property
    def shape(self) -> str:
        """The marker with letters and digits alike: "(x)" for "(ii)" and "(b)", "1.1" for "4.2"."""
        return _PART.sub(lambda part: "1" if part[0][0].isdigit() else "x", self.text).rstrip(".")

    @property
    def parts(self) -> list[str]:
        """Its numbers and letters, outermost first; none of a bullet."""
        return marker_parts(self.text)


def marker_parts(marker: str) -> list[str]:
    """The numbers and letters of a marker as printed, outermost first; none of a bullet.

    >>> marker_parts("4.2(b)"), marker_parts("Abs. 2:"), marker_parts("-")
    (['4', '2', 'b'], ['2'], [])
    """
    return _PART.findall(_WORD.sub("", marker))


def depth_of(opened: Sequence[Marker | None], marker: Marker, following: Marker | None) -> int:
    """How many of the open lines enclose an item.

    Args:
        opened: the markers of the lines that are open, outermost first; None for one without.
        marker: the item's.
        following: that of the item behind it, which tells "(i)" behind "(h)" from "(i)" that begins a list.

    >>> [depth_of([None, Marker("(b)")], Marker(one), None) for one in ("(c)", "(i)", "-")]
    [1, 2, 2]
    """
    marked = [(depth, one) for depth, one in enumerate(opened) if one is not None]
    going_on = [(one.indent == marker.indent, depth) for depth, one in marked if _goes_on(one, marker, following)]
    if going_on:
        return max(going_on)[1]
    for is_beside in (_goes_on_in_another_form, _is_written_again, _alike):
        beside = [depth for depth, one in marked if is_beside(one, marker)]
        if beside:
            return beside[-1]
    if marker.parts:  # what is indented by hand tells nothing of numbered items
        return len(opened)
    return next((depth for depth, one in marked if one.indent > marker.indent), len(opened))


def _goes_on(before: Marker, marker: Marker, following: Marker | None) -> bool:
    """Whether a marker is the next of the list in which `before` stands."""
    if before.shape != marker.shape:
        return False
    one, two = before.parts, marker.parts
    if len(one) != 1 or len(two) != 1:
        return before.indent == marker.indent if not two else True
    gap = step(Component("", one[0]), Component("", two[0]))
    if gap is None or not 1 <= gap <= _MOST_LEFT_OUT:
        return False
    begins = two[0] in _FIRST and following is not None and following.parts[:1] in (["ii"], ["II"])
    return not (begins and roman_value(one[0]) is None)


def _goes_on_in_another_form(before: Marker, marker: Marker) -> bool:
    """Whether a figure is the next one though its brackets differ, as in "1. open", "2) sign"."""
    one, two = before.parts, marker.parts
    figures = len(one) == len(two) == 1 and one[0].isdecimal() and two[0].isdecimal()
    return figures and int(two[0]) == int(one[0]) + 1


def _is_written_again(before: Marker, marker: Marker) -> bool:
    """Whether the same mark stands again: Markdown counts by itself, "a." is written for each item, "i." inside."""
    return before == marker and bool(marker.parts)


def _alike(before: Marker, marker: Marker) -> bool:
    """Whether a marker is of the same kind as `before`, and so begins no list inside it."""
    if before.shape != marker.shape:
        return False
    if not marker.parts:
        return before.indent >= marker.indent
    one, two = before.parts[0], marker.parts[0]
    if len(marker.parts) == 1 and is_first(Component("", two)) and marker.indent >= before.indent + _FURTHER_IN:
        return False
    if two in _FIRST and (len(one) == 1 and one not in _FIRST):
        return False
    return one[0].isdigit() == two[0].isdigit() and one.isupper() == two.isupper()
