"""Items of lists inside a section by their labels: (a), (i), 1. They are no sections, and are found by reference."""

from dataclasses import dataclass

from policy_rag_parsers.blocks.markers import marker_parts
from policy_rag_parsers.blocks.section_blocks import section_blocks
from policy_rag_parsers.records import BlockKind, Section
from policy_rag_parsers.text.sentences import LIST_MARK, trimmed


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item of a list inside a section.

    Attributes:
        labels: the labels from the outermost list down to this item's own, without brackets: ("b", "ii").
        start: first character of its marker.
        end: one past its last character, the items nested in it included.
    """

    labels: tuple[str, ...]
    start: int
    end: int


def list_items(text: str, section: Section) -> tuple[ListItem, ...]:
    """Return the items of the lists in a section's own text, in order, each with those nested in it inside its range.

    Bullets have no label. The section's own number is none either.
    """
    labels: dict[int, tuple[str, ...]] = {}
    ends: dict[int, int] = {}
    parents: dict[int, int | None] = {}
    for block in section_blocks(text, section):
        if block.start == section.start or block.kind is BlockKind.FLUSH:
            continue
        if block.kind is not BlockKind.ITEM and block.parent not in labels:
            continue
        outer = labels.get(block.parent, ()) if block.parent is not None else ()
        parts = marker_parts(block.marker) if block.kind is BlockKind.ITEM else []
        own = parts if len(parts) == 1 else []  # "A3.1" numbers a clause
        labels[block.start], parents[block.start] = (*outer, *own), block.parent
        at: int | None = block.start
        while at in labels:
            ends[at] = max(block.end, ends.get(at, 0))
            at = parents[at]
    return tuple(
        ListItem(path, _behind_bullet(text, start, ends[start]), ends[start])
        for start, path in labels.items()
        if path and path != labels.get(parents[start] or -1)
    )


def _behind_bullet(text: str, start: int, end: int) -> int:
    mark = LIST_MARK.match(text, start, end)
    return trimmed(text, mark.end(), end)[0] if mark and not marker_parts(mark[0]) else start
