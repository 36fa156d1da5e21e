"""The frozen records between loading a file, finding its sections and cutting them into passages and chunks.

All offsets are characters of `SourceText.text`, 0-based, half-open: `text[start:end]`.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class FileFormat(StrEnum):
    """The formats that can be read."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    DOCX = "docx"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class HeadingMark:
    """A heading as the file's format marks it: `<h2>`, the style "Heading 2", a larger or bolder font.

    `[start, end)` is the heading's line without its line end. `level` counts from 1, the highest. A mark is strong
    evidence, not proof: a loader may mark a bold line that the section parser then finds to be no heading.
    """

    start: int
    end: int
    level: int


@dataclass(frozen=True, slots=True)
class TableMark:
    """A table, one row a line, cells joined by " | ". `header_end` ends its header row; it is `start` without one."""

    start: int
    end: int
    header_end: int


@dataclass(frozen=True, slots=True)
class PageMark:
    """Page `number` (as counted from 1) begins at character `start`."""

    start: int
    number: int


def page_at(pages: Sequence[PageMark], at: int) -> int | None:
    """The page on which a character stands, or None before the first mark; `pages` in order of `start`.

    >>> page_at((PageMark(0, 1), PageMark(40, 2)), 39), page_at((), 39)
    (1, None)
    """
    behind = bisect_right(pages, at, key=lambda mark: mark.start)
    return pages[behind - 1].number if behind else None


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as text, with what its format says about that text.

    Attributes:
        text: for text files the file decoded, CRLF and CR turned into LF, nothing else changed but for page breaks in
            plain text, what Markdown strikes out, which is left out, and tables that it writes in HTML; for HTML, DOCX
            and PDF the text that a reader sees, a block a line, blank lines between blocks.
        format: what the file was read as.
        headings: in order of `start`, not overlapping. Empty for Markdown and plain text.
        tables: in order of `start`, not overlapping. Of Markdown those written in HTML, of plain text none.
        pages: in order of `start`; empty where the format has no pages.
        title: the title in the file's properties, or None.
        body_start: where the body begins, after YAML front matter; 0 without any.
        notes: what a reader of the ingest's summary should know, one line each ("pages 3, 4 hold no text: ...").
        margins: the page headers and footers, which are no part of the text, in order, each line once. Version and
            day of validity often stand there.
        contents: the ranges of tables of contents, as the format marks them, in order: their lines are never headings.
        access_claim: what the file says of who may read it where its format has no place for that, such as a `meta`
            element; "" where it says nothing.
    """

    text: str
    format: FileFormat
    headings: tuple[HeadingMark, ...] = ()
    tables: tuple[TableMark, ...] = ()
    pages: tuple[PageMark, ...] = ()
    title: str | None = None
    body_start: int = 0
    notes: tuple[str, ...] = ()
    margins: tuple[str, ...] = ()
    contents: tuple[tuple[int, int], ...] = ()
    access_claim: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered or titled unit of a document: its heading and the body up to the next heading of any level.

    The sections of a document tile it: each non-blank character from `body_start` on lies in exactly one.

    Attributes:
        section_id: unique in its document and stable while its number (or title) is: the number where it has one,
            else a slug of its title, "preamble" for text before the first heading; "~2", "~3" follow a repeated one.
        number: as printed, without closing punctuation ("4.2", "1.2.1.(2)", "Part 6 Chapter 2"), or None.
        title: the heading without its number and markup; may be empty.
        level: from 1; 0 for the preamble.
        path: the titles from the document's title down to this section's own; a section without a title gives its
            number instead.
        parent: `section_id` of the section that it lies under, or None at the top.
        previous: `section_id` of the section before it in the document, or None.
        next: `section_id` of the section after it in the document, or None.
        start: first character of the heading (of the text, for a preamble).
        end: one past its last character.
        body: where the heading ends and the body begins, `start <= body <= end`.
        subtree_end: `end` of its last descendant: `[start, subtree_end)` is the section with all under it.
        page: the page on which it starts, or None.
    """

    section_id: str
    number: str | None
    title: str
    level: int
    path: tuple[str, ...]
    parent: str | None
    previous: str | None
    next: str | None
    start: int
    end: int
    body: int
    subtree_end: int
    page: int | None = None


class BlockKind(StrEnum):
    """What a block is.

    Flush words stand behind a list and belong to all of it: they limit it, or end its sentence.
    """

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    FLUSH = "flush"
    TABLE = "table"
    HEADER_ROW = "header_row"
    ROW = "row"
    NOTE = "note"
    CONTENTS = "contents"


@dataclass(frozen=True, slots=True)
class Block:
    """What a section consists of, piece by piece: its range is that of its own words.

    Attributes:
        kind: what it is.
        start: its first character.
        end: one past its last; a table's range holds those of its rows.
        parent: where the block begins that it stands under: the lead of a list, the item of a list inside it, the
            table of a row, the lead (else the last item) of flush words. None at the top.
        marker: what an item begins with, as printed ("(a)", "4.2", "-"); the mark of a note ("1" of "[^1]", "*").
    """

    kind: BlockKind
    start: int
    end: int
    parent: int | None = None
    marker: str = ""


class EdgeKind(StrEnum):
    """What a section says of another: it refers to it, is defined by it, makes an exception to it, takes its place."""

    REFERS = "refers"
    DEFINES = "defines"
    EXCEPTS = "excepts"
    SUPERSEDES = "supersedes"


@dataclass(frozen=True, slots=True)
class Edge:
    """A place at which a section points to another of its document.

    Attributes:
        section_id: the section that points.
        target: `section_id` of the one that it points to.
        kind: what it says of it.
        start: first character of the mention ("section 4.2", "whatever the table").
        end: one past its last.
    """

    section_id: str
    target: str
    kind: EdgeKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A place at which a section points to another document.

    Attributes:
        section_id: the section that points.
        document: `doc_id` of the document that it points to.
        target: `section_id` of the section there; None for the document as a whole.
        kind: what it says of it.
        start: first character of the mention ("section 4 of the Travel Policy").
        end: one past its last.
    """

    section_id: str
    document: str
    target: str | None
    kind: EdgeKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a passage that an embedder can read. `context` is added for the embedder and the LLM, never quoted.

    `context` holds what the piece lacks when it stands alone (a repeated table header); the path is kept with the
    section.
    """

    start: int
    end: int
    context: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """What a search can hit: a section, a chunk of a section above the set length, or a chunk of another chunker.

    `section_id` names the section in which it starts. `chunks` are in order of `start` and cover `[start, end)` up to
    blanks; there is at least one.
    """

    section_id: str
    start: int
    end: int
    chunks: tuple[Chunk, ...]
