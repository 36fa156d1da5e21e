"""PDF: the text in reading order, a paragraph a block, without what runs along the edges of the pages.

pdfium reads the pages; everything above single characters (lines, columns, tables, paragraphs, headings) is found in
the modules beside this one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from unicodedata import bidirectional

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.pdf.blocks import PageBlock, PageLayout, blocks_of
from policy_rag_parsers.loaders.pdf.dehyphenation import vocabulary
from policy_rag_parsers.loaders.pdf.footnotes import is_open, split_footnotes, whole_notes
from policy_rag_parsers.loaders.pdf.headers_footers import margin_texts, running_lines
from policy_rag_parsers.loaders.pdf.outline import Entry, read_outline
from policy_rag_parsers.loaders.pdf.page_tables import find_tables, without_contents
from policy_rag_parsers.loaders.pdf.paragraphs import usual_spacing
from policy_rag_parsers.loaders.pdf.reading_order import PageColumns, columns_of_pages, reading_order
from policy_rag_parsers.loaders.pdf.sidebars import framed_sidebars, unframed_sidebar
from policy_rag_parsers.loaders.pdf.styles import LineStyle, body_style, style_of
from policy_rag_parsers.loaders.pdf.titles import is_title
from policy_rag_parsers.loaders.pdf.watermarks import without_overlays
from policy_rag_parsers.loaders.text_builder import TextBuilder, one_line
from policy_rag_parsers.records import FileFormat, SourceText

if TYPE_CHECKING:
    import pypdfium2

    from policy_rag_parsers.loaders.pdf.footnotes import Columns, Footnote
    from policy_rag_parsers.loaders.pdf.lines import TextLine
    from policy_rag_parsers.loaders.pdf.page import PageContent

_HEAD: Final = 1024  # a PDF may have some other bytes before its first line
_TITLE_SIZE: Final = 1.15  # times the size of the text, at least, has the title on a title page
_HEBREW: Final = "\u0590"  # before this sign all scripts run from left to right
_NO_TITLE: Final = re.compile(
    r"\(?(?:untitled|anonymous|unspecified)\b|(?:microsoft word|word) ?- |.*\.(?:docx?|odt|pdf|rtf|txt|html?|indd)\Z",
    re.IGNORECASE,
)


def load_pdf(data: bytes) -> SourceText:
    """Read a PDF.

    Raises:
        LoadError: the bytes are no PDF, are encrypted or broken, or hold pictures of text only.
    """
    document = _open(data)
    try:
        read = [_read(document, number) for number in range(len(document))]
        title, outline = _title(document), read_outline(document)
    finally:
        document.close()
    words = without_overlays([content.words for content, _ in read])
    pages = [
        _laid_out(number, replace(content, words=on_page), len(words), columns, recognised=recognised)
        for number, ((content, recognised), on_page, columns) in enumerate(
            zip(read, words, columns_of_pages(words), strict=True), start=1
        )
    ]
    if not any(page.columns or page.tables for page in pages):
        scanned = any(page.images for page in pages)
        raise LoadError(_without_text(scanned=scanned))
    return _write(pages, title, outline)


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
    from policy_rag_parsers.loaders.pdf.page import read_page

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


def _laid_out(number: int, content: "PageContent", count: int, known: PageColumns, *, recognised: bool) -> PageLayout:
    tables, words = find_tables(content, count, known)
    words, sidebars = framed_sidebars(words, content, tables)
    columns = reading_order(words, known)
    if len(columns) > 1:
        columns, contents = without_contents(columns, count)
        tables = sorted([*tables, *contents], key=lambda table: table.box.top)
    if len(columns) == 1 and (split := unframed_sidebar(columns[0])):
        columns = [split[0]]
        sidebars.append(split[1])
    return PageLayout(
        number,
        content.height,
        tuple(tuple(group) for group in columns),
        tuple(tables),
        content.images,
        recognised,
        content.across,
        sidebars=tuple(sidebars),
    )


def _title(document: "pypdfium2.PdfDocument") -> str | None:
    """The title in the file's properties, unless a program has put its file name there."""
    title = one_line(document.get_metadata_value("Title"))
    return None if not title or _NO_TITLE.match(title) else title


def _write(pages: Sequence[PageLayout], title: str | None, outline: Sequence[Entry]) -> SourceText:
    blank = [page.number for page in pages if not page.columns and not page.tables and page.images]
    pages, margins = _without_running(pages)
    lines = [line for page in pages for column in page.columns for line in column]
    body = body_style((style_of(line), len(line.text)) for line in lines)
    words = vocabulary(lines)
    spacing = usual_spacing(column for page in pages for column in page.columns)
    pages = _without_footnotes(pages, body.size)
    blocks = blocks_of(pages, body, spacing, words, outline)
    out = TextBuilder()
    begun = 0
    for block in blocks:
        for number in range(begun + 1, block.page + 1):
            out.page(number)
        begun = max(begun, block.page)
        if block.table is not None and block.table.contents:
            for (entry,) in block.table.rows:
                out.contents(entry)
        elif block.table is not None:
            out.table(block.table.rows, block.table.header_rows)
        elif block.level:
            out.heading(block.text, block.level)
        else:
            out.block(block.text)
        for number, offset in block.turns:
            out.page(number, offset - len(block.text))
            begun = number
        for note in block.notes:
            out.block(note)
    for number in range(begun + 1, len(pages) + 1):
        out.page(number)
    notes = _notes(blank, [page.number for page in pages if page.recognised], written_leftwards(pages))
    return out.build(FileFormat.PDF, title=title or _title_on_front(blocks, body), notes=notes, margins=margins)


def _title_on_front(blocks: Sequence[PageBlock], body: LineStyle) -> str | None:
    """The largest words of a first page without headings, as a title page has them."""
    first = [block for block in blocks if block.page == 1 and block.lines]
    if not first or any(block.level for block in first):
        return None
    size = max(block.style.size for block in first)
    title = " ".join(block.text for block in first if block.style.size == size)
    return title if size > body.size * _TITLE_SIZE and is_title(title, large=True) else None


def written_leftwards(pages: Sequence[PageLayout]) -> list[int]:
    """The numbers of the pages most of whose letters belong to a script that runs from right to left."""
    found = []
    for page in pages:
        texts = [line.text for column in page.columns for line in column]
        foreign = [char for text in texts if not text.isascii() for char in text if char >= _HEBREW and char.isalpha()]
        leftwards = sum(bidirectional(char) in {"R", "AL"} for char in foreign)
        if leftwards and 2 * leftwards > sum(map(str.isalpha, "".join(texts))):
            found.append(page.number)
    return found


def _notes(blank: Sequence[int], recognised: Sequence[int], leftwards: Sequence[int]) -> list[str]:
    from policy_rag_parsers.loaders.ocr import INSTALL, can_read_pictures

    notes = []
    if recognised:
        numbers = ", ".join(map(str, recognised))
        notes.append(f"scanned pages read by OCR: {numbers}; check what is quoted from them")
    if leftwards:
        numbers = ", ".join(map(str, leftwards))
        notes.append(f"pages {numbers} run from right to left and are not read in order; ingest another format")
    if blank:
        numbers = ", ".join(map(str, blank))
        mend = "OCR found none" if can_read_pictures() else f"run OCR on the file to read them, or {INSTALL}"
        notes.append(f"pages {numbers} hold pictures and no text; {mend}")
    return notes


def _without_running(pages: Sequence[PageLayout]) -> tuple[list[PageLayout], tuple[str, ...]]:
    """The pages without their running lines, and what these say."""
    flat = [(page.height, [line for column in page.columns for line in column]) for page in pages]
    found = running_lines(flat)
    cleaned: list[PageLayout] = []
    for page, running in zip(pages, found, strict=True):
        columns: list[tuple[TextLine, ...]] = []
        index = 0
        for column in page.columns:
            kept = tuple(line for at, line in enumerate(column, start=index) if at not in running)
            index += len(column)
            if kept:
                columns.append(kept)
        cleaned.append(replace(page, columns=tuple(columns)))
    return cleaned, margin_texts(flat, found)


def _without_footnotes(pages: Sequence[PageLayout], text_size: float) -> list[PageLayout]:
    split: list[tuple[Columns, tuple[Footnote, ...]]] = []
    for page in pages:
        cells = [cell for table in page.tables for cell in table.cells()]
        open_note = bool(split) and is_open(split[-1][1])
        split.append(split_footnotes(page.columns, cells, page.rules, text_size, open_note=open_note))
    notes = whole_notes([on_page for _, on_page in split])
    return [
        replace(page, columns=columns, notes=on_page)
        for page, (columns, _), on_page in zip(pages, split, notes, strict=True)
    ]
