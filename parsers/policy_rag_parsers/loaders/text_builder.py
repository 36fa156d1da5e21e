"""Blocks to text: puts lines, headings, list items, tables and pages together and keeps count of offsets."""

import re
from collections.abc import Sequence
from typing import Final

from policy_rag_parsers.records import FileFormat, HeadingMark, PageMark, SourceText, TableMark
from policy_rag_parsers.text.column_names import reads_as_header

CELL_SEPARATOR: Final = " | "
LONGEST_REPEATED: Final = 120  # characters of a cell that spans rows; a longer one stands in its first row only
# Seen as a blank, or not seen at all.
_BLANKS: Final = str.maketrans(
    dict.fromkeys("\xa0\u202f\u2007", " ") | dict.fromkeys("\xad\u200b\u200e\u200f\u2060\ufeff")
)
_SPACES: Final = re.compile(r"[ \t\r\n\f\v]+")


def one_line(text: str) -> str:
    r"""Blanks and line ends as single blanks, none at the ends.

    >>> one_line(" 4.2\xa0Cash\n advances ")
    '4.2 Cash advances'
    """
    return _SPACES.sub(" ", text.translate(_BLANKS)).strip()


def lines(text: str) -> str:
    r"""Each line as `one_line`, blank lines dropped.

    >>> lines("1 High Street \n\n  Exampleton")
    '1 High Street\nExampleton'
    """
    return "\n".join(filter(None, map(one_line, text.split("\n"))))


class TextBuilder:
    """Collects the blocks of a document in reading order and builds its `SourceText`.

    Attributes:
        length: characters so far.
        heading_levels: the text and level of each heading marked so far.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.length = 0
        self._in_list = False
        self._headings: list[HeadingMark] = []
        self.heading_levels: list[tuple[str, int]] = []
        self._tables: list[TableMark] = []
        self._contents: list[tuple[int, int]] = []
        self._pages: list[PageMark] = []

    def block(self, text: str) -> int:
        """Add a block, with a blank line before it; returns where it starts. `text` must not be blank."""
        return self._add(text, "\n\n", in_list=False)

    def item(self, text: str) -> int:
        """Add an item of a list: items follow each other without a blank line."""
        return self._add(text, "\n" if self._in_list else "\n\n", in_list=True)

    def heading(self, text: str, level: int) -> None:
        """Add a heading; its mark covers its first line where it has more than one."""
        start = self.block(text)
        self.mark_heading(start, text, level)

    def mark_heading(self, start: int, text: str, level: int) -> None:
        """Mark the first line of a block that was added before."""
        self._headings.append(HeadingMark(start, start + len(text.split("\n", 1)[0]), level))
        self.heading_levels.append((text, level))

    def contents(self, text: str) -> None:
        """Add a line of a table of contents; such lines follow each other without a blank line."""
        start = self.item(text)
        if self._contents and self._contents[-1][1] + 1 == start:
            start = self._contents.pop()[0]
        self._contents.append((start, self.length))

    def table(self, rows: Sequence[Sequence[str]], header_rows: int) -> None:
        """Add a table, a row a line; rows without any text are left out.

        `header_rows` counts those at its head that are laid out as its header; where none is, a first row that reads
        as one is it.
        """
        filled = [(at, row) for at, row in enumerate(rows) if any(cell.strip() for cell in row)]
        if not filled:
            return
        written = [CELL_SEPARATOR.join(map(one_line, row)) for _, row in filled]
        if not header_rows and reads_as_header([row for _, row in filled]):
            header_rows = filled[0][0] + 1
        header = "\n".join(line for (at, _), line in zip(filled, written, strict=True) if at < header_rows)
        text = "\n".join(written)
        start = self.block(text)
        self._tables.append(TableMark(start, start + len(text), start + len(header)))

    def include(self, source: SourceText, below: int = 0) -> None:
        """Add all of another text with its headings, `below` so many levels, and tables; it must not be blank."""
        text = source.text.strip()
        shift = self.block(text) - source.text.index(text)
        for mark in source.headings:
            self.mark_heading(mark.start + shift, source.text[mark.start : mark.end], mark.level + below)
        self._tables.extend(
            TableMark(mark.start + shift, mark.end + shift, mark.header_end + shift) for mark in source.tables
        )

    def page(self, number: int, ahead: int = 0) -> None:
        """The next block (or the character `ahead` in the text so far) begins page `number`."""
        self._pages.append(PageMark(self.length + ahead, number))

    def drop_pages(self) -> None:
        """Forget all pages."""
        self._pages.clear()

    def build(
        self, file_format: FileFormat, *, title: str | None, notes: Sequence[str] = (), margins: Sequence[str] = ()
    ) -> SourceText:
        """The document as it now stands; a page mark moves onto the first character of its page."""
        text = "".join(self._parts) + ("\n" if self._parts else "")
        pages = tuple(PageMark(_skip_blanks(text, mark.start), mark.number) for mark in self._pages)
        return SourceText(
            text=text,
            format=file_format,
            headings=tuple(sorted(self._headings, key=lambda mark: mark.start)),
            tables=tuple(self._tables),
            pages=pages,
            title=title,
            notes=tuple(notes),
            margins=tuple(margins),
            contents=tuple(self._contents),
        )

    def _add(self, text: str, gap: str, *, in_list: bool) -> int:
        if self._parts:
            self._parts.append(gap)
            self.length += len(gap)
        start = self.length
        self._parts.append(text)
        self.length += len(text)
        self._in_list = in_list
        return start


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
