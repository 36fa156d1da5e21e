"""A document's text as a page shows it: headings, paragraphs, items and tables, the words of a quotation marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from policy_rag.answering.presentation.readable import item_label, item_numbers, readable_line, table_cells
from policy_rag.server.page.moved_quotes import Span
from policy_rag_parsers.loaders import format_of
from policy_rag_parsers.records import Block, BlockKind, FileFormat, Section

_ROWS = (BlockKind.ROW, BlockKind.HEADER_ROW)
_DEEPEST_HEADING = 6
_DEEPEST_ITEM = 4


@dataclass(frozen=True, slots=True)
class Run:
    """Characters that are shown one after another, all of them marked or none; `first` is the first marked run."""

    text: str
    marked: bool = False
    first: bool = False


Runs: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A heading, paragraph, item, note or table.

    Attributes:
        kind: what it is; a table's rows are inside it, and flush words are a paragraph.
        start: where it begins in the document's text.
        runs: its words; of a table there are none.
        level: of a heading from 2, as in HTML; of an item from 0, how many items it stands in.
        label: what an item begins with.
        header: the header row of a table, a cell after another.
        rows: its other rows.
    """

    kind: BlockKind
    start: int
    runs: Runs = ()
    level: int = 0
    label: str = ""
    header: tuple[Runs, ...] = ()
    rows: tuple[tuple[Runs, ...], ...] = ()


def shown_blocks(
    text: str, file: str, blocks: Sequence[Block], sections: Sequence[Section], marked: Sequence[Span] = ()
) -> tuple[ShownBlock, ...]:
    """A document in order, without markup, of all its blocks and sections; its file's name tells its format."""
    return tuple(_Text(text, file, blocks, sections, marked).shown())


class _Text:
    def __init__(
        self, text: str, file: str, blocks: Sequence[Block], sections: Sequence[Section], marked: Sequence[Span]
    ) -> None:
        self._text, self._file, self._marked = text, file, marked
        self._blocks = sorted(blocks, key=lambda one: one.start)
        self._levels = {section.start: section.level for section in sections}
        self._numbers = item_numbers(self._blocks) if format_of(file) is FileFormat.MARKDOWN else {}
        self._is_marked = False
        self._items = {block.start: block for block in self._blocks if block.kind is BlockKind.ITEM}

    def shown(self) -> Iterator[ShownBlock]:
        contents_end = 0
        for _, group in groupby(self._blocks, key=lambda one: one.parent if one.kind in _ROWS else -1 - one.start):
            first, *rest = group
            if first.kind in _ROWS:
                yield self._table([first, *rest])
            elif first.start >= contents_end and first.kind is not BlockKind.TABLE:
                yield self._one(first)
            if first.kind is BlockKind.CONTENTS:
                contents_end = first.end

    def _one(self, block: Block) -> ShownBlock:
        start, kind = block.start, block.kind
        if kind is BlockKind.HEADING:
            level = min(1 + max(1, self._levels.get(start, 1)), _DEEPEST_HEADING)
            stripped = self._text[start : block.end]
            start += len(stripped) - len(stripped.lstrip("# \t"))
            return ShownBlock(kind, block.start, self._runs(start, block.end), level)
        if kind is BlockKind.ITEM:
            label = self._numbers.get(start) or item_label(block.marker)
            runs = self._runs(start + len(block.marker), block.end)
            return ShownBlock(kind, start, runs, min(self._depth(block), _DEEPEST_ITEM), label)
        return ShownBlock(BlockKind.PARAGRAPH if kind is BlockKind.FLUSH else kind, start, self._runs(start, block.end))

    def _depth(self, block: Block) -> int:
        depth, at = 0, block.parent
        while at is not None and at in self._items:
            depth, at = depth + 1, self._items[at].parent
        return depth

    def _table(self, rows: Sequence[Block]) -> ShownBlock:
        named = next(((row.start, row.end) for row in rows if row.kind is BlockKind.HEADER_ROW), None)
        header = tuple(cells for row in rows if row.kind is BlockKind.HEADER_ROW for cells in self._cells(row, named))
        body = tuple(tuple(self._cells(row, named)) for row in rows if row.kind is BlockKind.ROW)
        return ShownBlock(BlockKind.TABLE, rows[0].parent or rows[0].start, header=header, rows=body)

    def _cells(self, row: Block, header: Span | None) -> Iterator[Runs]:
        at = row.start
        for cell in table_cells(self._text, (row.start, row.end), header, self._file):
            places = tuple(self._places(cell, at, row.end))
            at = places[-1] + 1 if places else at
            yield self._marked_runs(cell, places)

    def _runs(self, start: int, end: int) -> Runs:
        shown = readable_line(self._text[start:end], self._file)
        return self._marked_runs(shown, tuple(self._places(shown, start, end)))

    def _places(self, shown: str, start: int, end: int) -> Iterator[int]:
        """Where each character that is shown stands in the text: they come in its order, markup between them."""
        at = start
        for char in shown:
            found = self._text.find(char, at, end) if char != " " else -1
            yield min(at if found < 0 else found, end - 1)
            at = at if found < 0 else found + 1

    def _marked_runs(self, shown: str, places: Sequence[int]) -> Runs:
        flagged = zip(shown, (any(a <= place < b for a, b in self._marked) for place in places), strict=True)
        runs: list[Run] = []
        for marked, group in groupby(flagged, key=lambda pair: pair[1]):
            first = marked and not self._is_marked
            self._is_marked |= marked
            runs.append(Run("".join(char for char, _ in group), marked, first))
        return tuple(runs)
