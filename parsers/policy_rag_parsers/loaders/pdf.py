"""PDF: the text in reading order, a paragraph a block, without what runs along the edges of the pages.

pdfium reads the pages; everything above single characters (lines, columns, tables, paragraphs, headings) is found in
the modules beside this one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.builder import TextBuilder, one_line
from policy_rag_parsers.loaders.pdf_columns import reading_order
from policy_rag_parsers.loaders.pdf_headings import Style, body_style, heading_levels, looks_like_heading, style_of
from policy_rag_parsers.loaders.pdf_lines import Line
from policy_rag_parsers.loaders.pdf_overlays import without_overlays
from policy_rag_parsers.loaders.pdf_paragraphs import (
    carries_over,
    continues,
    join_lines,
    room_after,
    usual_spacing,
    vocabulary,
    width_at_head,
)
from policy_rag_parsers.loaders.pdf_running import running_lines
from policy_rag_parsers.loaders.pdf_tables import PageTable, find_tables
from policy_rag_parsers.records import FileFormat, SourceText

if TYPE_CHECKING:
    import pypdfium2

    from policy_rag_parsers.loaders.pdf_page import PageContent

_HEAD: Final = 1024  # a PDF may have some other bytes before its first line
_NO_TITLE: Final = re.compile(
    r"\(?(?:untitled|anonymous|unspecified)\b|(?:microsoft word|word) ?- |.*\.(?:docx?|odt|pdf|rtf|txt|html?|indd)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as columns of lines and tables."""

    number: int
    height: float
    columns: tuple[tuple[Line, ...], ...]
    tables: tuple[PageTable, ...]
    images: int
    recognised: bool = False


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, heading or table.

    `joins` says that it may go on with the last block of the page or column before; `room` is the width left on its
    last line and `head` the width of its first word. `turns` tells where in its text other pages begin: (page, offset).
    """

    page: int
    text: str
    style: Style | None = None
    table: PageTable | None = None
    joins: bool = False
    room: float = 0.0
    head: float = 0.0
    turns: tuple[tuple[int, int], ...] = ()


def load_pdf(data: bytes) -> SourceText:
    """Read a PDF.

    Raises:
        LoadError: the bytes are no PDF, are encrypted or broken, or hold pictures of text only.
    """
    document = _open(data)
    try:
        read = [_read(document, number) for number in range(len(document))]
        title = _title(document)
    finally:
        document.close()
    words = without_overlays([content.words for content, _ in read])
    pages = [
        _laid_out(number, replace(content, words=on_page), recognised=recognised)
        for number, ((content, recognised), on_page) in enumerate(zip(read, words, strict=True), start=1)
    ]
    if not any(page.columns or page.tables for page in pages):
        scanned = any(page.images for page in pages)
        raise LoadError(_without_text(scanned=scanned))
    return _write(pages, title)


def _without_text(*, scanned: bool) -> str:
    from policy_rag_parsers.loaders.ocr import INSTALL, can_read_pictures

    by_hand = "run OCR on it first (for example: ocrmypdf in.pdf out.pdf)"
    if not scanned:
        return f"holds no text; {by_hand}"
    if can_read_pictures():
        return "is a scan in which OCR found no text; scan it again, larger and with more contrast"
    return f"is a scan: its pages are pictures without text; {by_hand}, or {INSTALL} and ingest it again"


def _open(data: bytes) -> "pypdfium2.PdfDocument":
    import pypdfium2
    import pypdfium2.raw as pdfium_c

    if b"%PDF-" not in data[:_HEAD]:
        raise LoadError("is not a PDF file; check what it is, and give it the suffix that fits")
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in {pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY}:
            raise LoadError("is encrypted and needs a password; save a copy without one") from error
        raise LoadError("is a broken PDF; open it in a viewer and print it to a new PDF") from error


def _read(document: "pypdfium2.PdfDocument", index: int) -> tuple["PageContent", bool]:
    """What is on a page, and whether it was read from a picture."""
    import pypdfium2

    from policy_rag_parsers.loaders.ocr import can_read_pictures, read_picture
    from policy_rag_parsers.loaders.pdf_page import read_page

    recognised = False
    try:
        page = document[index]
        content = read_page(page)
        if not content.words and content.images and can_read_pictures():
            content = replace(content, words=read_picture(page, content))
            recognised = bool(content.words)
        page.close()
    except pypdfium2.PdfiumError as error:
        raise LoadError(f"is a broken PDF (page {index + 1}); open it in a viewer and print it to a new PDF") from error
    return content, recognised


def _laid_out(number: int, content: "PageContent", *, recognised: bool) -> _Page:
    tables, words = find_tables(content)
    columns = tuple(tuple(group) for group in reading_order(words))
    return _Page(number, content.height, columns, tuple(tables), content.images, recognised)


def _title(document: "pypdfium2.PdfDocument") -> str | None:
    """The title in the file's properties, unless a program has put its file name there."""
    title = one_line(document.get_metadata_value("Title"))
    return None if not title or _NO_TITLE.match(title) else title


def _write(pages: Sequence[_Page], title: str | None) -> SourceText:
    blank = [page.number for page in pages if not page.columns and not page.tables and page.images]
    pages = _without_running(pages)
    lines = [line for page in pages for column in page.columns for line in column]
    body = body_style(lines)
    words = vocabulary(lines)
    spacing = usual_spacing(column for page in pages for column in page.columns)
    blocks = list(_merged(_blocks(pages, body, spacing, words), words))
    levels = iter(heading_levels([(block.text, block.style) for block in blocks if block.style is not None]))
    out = TextBuilder()
    begun = 0
    for block in blocks:
        for number in range(begun + 1, block.page + 1):
            out.page(number)
        begun = max(begun, block.page)
        if block.table is not None:
            out.table(block.table.rows, block.table.header_rows)
        elif block.style is not None:
            out.heading(block.text, next(levels))
        else:
            out.block(block.text)
        for number, offset in block.turns:
            out.page(number, offset - len(block.text))
            begun = number
    for number in range(begun + 1, len(pages) + 1):
        out.page(number)
    return out.build(FileFormat.PDF, title=title, notes=_notes(blank, [p.number for p in pages if p.recognised]))


def _notes(blank: Sequence[int], recognised: Sequence[int]) -> list[str]:
    from policy_rag_parsers.loaders.ocr import INSTALL, can_read_pictures

    notes = []
    if recognised:
        numbers = ", ".join(map(str, recognised))
        notes.append(f"scanned pages read by OCR: {numbers}; check what is quoted from them")
    if blank:
        numbers = ", ".join(map(str, blank))
        mend = "OCR found none" if can_read_pictures() else f"run OCR on the file to read them, or {INSTALL}"
        notes.append(f"pages {numbers} hold pictures and no text; {mend}")
    return notes


def _without_running(pages: Sequence[_Page]) -> list[_Page]:
    flat = [(page.height, [line for column in page.columns for line in column]) for page in pages]
    cleaned: list[_Page] = []
    for page, running in zip(pages, running_lines(flat), strict=True):
        columns: list[tuple[Line, ...]] = []
        index = 0
        for column in page.columns:
            kept = tuple(line for at, line in enumerate(column, start=index) if at not in running)
            index += len(column)
            if kept:
                columns.append(kept)
        cleaned.append(replace(page, columns=tuple(columns)))
    return cleaned


def _blocks(pages: Sequence[_Page], body: Style, spacing: float, words: frozenset[str]) -> Iterator[_Block]:
    for page in pages:
        waiting = list(page.tables)
        first = True
        above: Sequence[Line] = ()
        for column in page.columns:
            first = first or _stands_beside(above, column)
            above = column
            for part, table in _around_tables(column, waiting):
                for group, is_heading in _paragraphs(part, body, spacing):
                    text = join_lines([line.text for line in group], words.__contains__)
                    style = style_of(group[0]) if is_heading else None
                    room = room_after(group[-1], max(line.x1 for line in column))
                    head = width_at_head(group[0])
                    yield _Block(page.number, text, style, joins=first and not is_heading, room=room, head=head)
                    first = False
                if table is not None:
                    yield _Block(page.number, "", table=table, joins=first)
                    first = False
        for table in waiting:
            yield _Block(page.number, "", table=table, joins=first)
            first = False


def _stands_beside(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether a column is the next one of the page: to the right of the one before, and not wholly under it."""
    return bool(left) and right[0].top < left[-1].bottom and min(li.x0 for li in right) >= max(li.x1 for li in left)


def _around_tables(column: Sequence[Line], waiting: list[PageTable]) -> Iterator[tuple[list[Line], PageTable | None]]:
    """The lines of a column in parts, each with the table that follows it; tables are taken out of `waiting`."""
    part: list[Line] = []
    x0, x1 = min(line.x0 for line in column), max(line.x1 for line in column)
    for line in column:
        while waiting and waiting[0].bottom <= line.top + line.size and waiting[0].x0 < x1 and waiting[0].x1 > x0:
            yield part, waiting.pop(0)
            part = []
        part.append(line)
    yield part, None


def _paragraphs(lines: Sequence[Line], body: Style, spacing: float) -> Iterator[tuple[list[Line], bool]]:
    """Groups of lines that are one paragraph or one heading each, and whether they are a heading."""
    if not lines:
        return
    right = max(line.x1 for line in lines)
    group: list[Line] = []
    heading = False
    for line in lines:
        is_heading = looks_like_heading(line, body)
        if group and is_heading == heading and _goes_on(group, line, right, spacing, heading=heading):
            group.append(line)
            continue
        if group:
            yield group, heading
        group, heading = [line], is_heading
    yield group, heading


def _goes_on(group: Sequence[Line], line: Line, right: float, spacing: float, *, heading: bool) -> bool:
    if heading and style_of(group[-1]) != style_of(line):
        return False
    return continues(group, line, right, spacing)


def _merged(blocks: Iterator[_Block], words: frozenset[str]) -> Iterator[_Block]:
    """Join what goes on in the next column or on the next page: open sentences; over pages, tables of like columns."""
    before: _Block | None = None
    for block in blocks:
        joined = None if before is None or not block.joins else _joined(before, block, words)
        if joined is None and before is not None:
            yield before
        before = block if joined is None else joined
    if before is not None:
        yield before


def _joined(before: _Block, after: _Block, words: frozenset[str]) -> _Block | None:
    if before.style is not None:
        return None
    page = before.turns[-1][0] if before.turns else before.page
    if before.table is not None and after.table is not None and page != after.page:
        table = _joined_table(before.table, after.table)
        return None if table is None else replace(before, table=table)
    if before.table is not None or after.table is not None:
        return None
    if carries_over(before.text, after.text, full=before.room < after.head):
        text = join_lines([before.text, after.text], words.__contains__)
        turns = before.turns if page == after.page else (*before.turns, (after.page, len(text) - len(after.text)))
        return replace(before, text=text, room=after.room, turns=turns)
    return None


def _joined_table(before: PageTable, after: PageTable) -> PageTable | None:
    if len(before.rows[0]) != len(after.rows[0]) or abs(before.x0 - after.x0) > 5 or abs(before.x1 - after.x1) > 5:
        return None
    head = before.rows[: before.header_rows]
    repeated = bool(head) and after.rows[: len(head)] == head
    if after.bold_header and not repeated:
        return None
    return replace(before, rows=before.rows + after.rows[len(head) if repeated else 0 :])


__all__ = ["load_pdf"]
