"""A quotation as a reader of the document sees it: without markup, its lines joined, its lists marked and numbered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from policy_rag.records.search import Hit
from policy_rag_parsers.blocks.markers import marker_parts
from policy_rag_parsers.blocks.section_blocks import text_blocks
from policy_rag_parsers.loaders import format_of
from policy_rag_parsers.records import Block, BlockKind, FileFormat
from policy_rag_parsers.structure.drawn_tables import drawn_cells
from policy_rag_parsers.text.sentences import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BULLET, _INDENT = "•", "  "
CELL_SEPARATOR = " | "
"""Between the cells of a row that is shown."""
_EMPTY_CELL, _BAR_IN_CELL = "–", "¦"
_MISSING = "…"
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+(?:\[![A-Za-z]{3,12}\])?", re.MULTILINE)
_TEMPLATE_LINK = re.compile(r"\]\((?=[^)]{0,300}\{[{%])[^)]{0,400}\)")
_TAG = re.compile(r"\{%-?\s*(?P<name>\w+)(?P<rest>[^%]*)%\}|\{\{[^{}]*\}\}")
_ARGUMENT = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_ATTRIBUTES = re.compile(r"\{:[^}\n]*\}")
_REFERENCE = re.compile(r"\]\[([^\]\n]{0,200})\]")
_LINK_TEXT = re.compile(r"\[([^\[\]]{1,200})\]\[\s*\]")
_FIGURE = re.compile(r"(\d{1,3})(\\?[.)])$")
_COLUMN = re.compile(r"\t+|(?<![.!?])[ ]{2,}|[ ]{3,}")  # two blanks may stand behind a full stop
_CELL_MARK = re.compile(r"[|\t]")
_PIPE = re.compile(r"(?<!\\)\|")
_JOINED = (FileFormat.HTML, FileFormat.DOCX, FileFormat.PDF)  # loaders put bars between cells there, none around them
# The mark of a note as loaders write it, and Markdown's own; a year in brackets is none.
_NOTE_MARK = re.compile(r"\[\^?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\]")
_NOTE = re.compile(r"^(\[\^\d{1,3}\]):", re.MULTILINE)
_RAISED = str.maketrans("0123456789-–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
# What is left of emphasis that begins or ends outside of the quotation; "Codeine*" leads to a note.
_HALF = re.compile(r"\*\*|(?<!\w)__|__(?!\w)|(?<![\w*])[*_](?=\w)|(?<=[\w.,;:!?\"”’)])_(?!\w)")
_LABELLED = re.compile(r"^[ \t>]*[*_]{0,2}[A-ZÄÖÜÉ][\w /’'-]{1,30}(?::[*_]{1,2}|[*_]{0,2}:)[ \t]+\S", re.MULTILINE)
_LABELS = 2  # lines that give a name and a value, from which a paragraph is a list of such
_UNSEEN_ELEMENT = re.compile(r"</?(?:t[dh]|br|li|p|tr)\b[^<>]*>", re.IGNORECASE)
_OF_TABLE = (BlockKind.ROW, BlockKind.HEADER_ROW)


def readable(hit: Hit, start: int, end: int) -> str:
    """The characters `[start, end)` of a hit's document as people read them, a paragraph, item or row a line.

    Args:
        hit: in which they stand, with its blocks.
        start: first character.
        end: one past the last.

    Returns:
        Text without markup. Items of a list keep their own marks; those that Markdown counts ("1." three times) are
        numbered as they are counted. A row without its header row has the names of its cells in it; in any other an
        empty cell is a dash. The marks of notes are raised figures: a number in brackets names a source.
    """
    markdown = format_of(hit.file) is FileFormat.MARKDOWN
    blocks = [block for block in hit.blocks if block.kind not in (BlockKind.TABLE, BlockKind.CONTENTS)]
    numbers = item_numbers(blocks) if markdown else {}
    headers = {block.parent: block for block in blocks if block.kind is BlockKind.HEADER_ROW}
    items = {block.start: block for block in blocks if block.kind is BlockKind.ITEM}
    lines: list[str] = []
    last = start
    for block in sorted(blocks, key=lambda one: one.start):
        first, stop = max(block.start, start), min(block.end, end)
        if first >= stop:
            continue
        piece = hit.text[first - hit.start : stop - hit.start]
        if first == block.start and block.kind is BlockKind.ITEM:
            piece = piece[len(block.marker) :]
            label = numbers.get(block.start) or item_label(block.marker)
            line = _INDENT * _depth(block, items, start) + f"{label} {_plain(piece, markdown=markdown)}".rstrip()
        elif block.kind in _OF_TABLE:
            line = _row(hit, (first, stop), headers.get(block.parent), start)
        else:
            line = _lines(piece.strip("# \t") if block.kind is BlockKind.HEADING else piece, markdown=markdown)
        if lines and "\n" not in hit.text[last - hit.start : first - hit.start]:
            lines[-1] += f" {line}"
        elif line:
            lines.append(line)
        last = stop
    return _raised("\n".join(lines) or _plain(hit.text[start - hit.start : end - hit.start], markdown=markdown))


def header_rows(quote: str, file: str) -> list[str]:
    """The header rows of the tables in a quotation, as `readable` shows them, as far as its characters tell."""
    found = text_blocks(quote, markdown=format_of(file) is FileFormat.MARKDOWN) if "|" in quote else []
    headers = [quote[block.start : block.end] for block in found if block.kind is BlockKind.HEADER_ROW]
    return [_raised(_shown_row(row_cells(header, file))) for header in headers]


def _raised(text: str) -> str:
    """A text with the marks of its notes in raised figures."""
    return _NOTE_MARK.sub(lambda mark: "".join(mark[1].split()).translate(_RAISED), _NOTE.sub(r"\1", text))


def readable_line(text: str, file: str) -> str:
    """A text of a file in one line, without markup: for lists of what was found."""
    return _plain(text, markdown=format_of(file) is FileFormat.MARKDOWN)


def _depth(block: Block, items: Mapping[int, Block], start: int) -> int:
    """In how many items that are quoted too an item stands."""
    depth, at = 0, block.parent
    while at is not None and at in items and at >= start:
        depth += 1
        at = items[at].parent
    return depth


def item_numbers(blocks: Sequence[Block]) -> dict[int, str]:
    """The numbers of items that repeat the number before them, by where each begins: Markdown counts on from there."""
    found: dict[int, str] = {}
    before: dict[int | None, tuple[str, int]] = {}
    for block in blocks:
        figure = _FIGURE.fullmatch(block.marker) if block.kind is BlockKind.ITEM else None
        if figure is None:
            if block.kind is BlockKind.HEADING:
                before.clear()
            continue
        printed, number = before.get(block.parent, ("", 0))
        number = number + 1 if printed == block.marker else int(figure[1])
        before[block.parent] = block.marker, number
        found[block.start] = f"{number}{figure[2].removeprefix(chr(92))}"
    return found


def item_label(marker: str) -> str:
    """What an item is shown with: its own mark where it counts, else a bullet."""
    return marker.replace("\\", "") if marker_parts(marker) else _BULLET


def row_cells(text: str, file: str) -> list[str]:
    """The cells of a row of a file, the empty ones too; a header row of several lines is one, column by column."""
    lines = text.split("\n")
    if sum("|" in line for line in lines) > 1:
        over, *below = zip(*zip_longest(*(row_cells(line, file) for line in lines), fillvalue=""), strict=True)
        return [" ".join(filter(None, column)) for column in zip(_spread(over, below), *below, strict=True)]
    markdown = format_of(file) is FileFormat.MARKDOWN
    if "|" not in text:
        return [_inline(cell, markdown=markdown) for cell in _COLUMN.split(text)]
    row = text.strip()
    if format_of(file) not in _JOINED:
        closed = row.endswith("|") and not row.endswith("\\|")
        row = row.removeprefix("|") if closed or markdown else row  # else it follows an empty first cell
        row = row[:-1] if closed else row
    return [_inline(cell.replace("\\|", "|"), markdown=markdown) for cell in _PIPE.split(row)]


def table_cells(text: str, row: Span, header: Span | None, file: str) -> list[str]:
    """The cells of a row in a text of a file; where blanks draw its table they stand below those of its header row."""
    shown = [text[slice(*span)] for span in (row, header or row)]
    if header is None or any(map(_CELL_MARK.search, shown)):
        return row_cells(shown[0], file)
    markdown = format_of(file) is FileFormat.MARKDOWN
    return [_inline(cell, markdown=markdown) for cell in drawn_cells(text, header, row)]


def _spread(over: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """The first line of a header with each cell over all names that stand under it: "Fee" over "inside | outside"."""
    spread: list[str] = []
    named = [any(column) for column in zip(*below, strict=True)]
    for at, cell in enumerate(over):
        spans = not cell and at > 0 and named[at - 1] and named[at]
        spread.append(spread[at - 1] if spans else cell)
    return spread


def _row(hit: Hit, span: Span, header: Block | None, start: int) -> str:
    """A row in a line: with the names of its columns where its header row is not shown, else as wide as that."""
    own = span[0] - hit.start, span[1] - hit.start
    head = (header.start - hit.start, header.end - hit.start) if header and hit.start <= header.start else None
    cells = table_cells(hit.text, own, head, hit.file)
    if header and head:
        names = table_cells(hit.text, head, head, hit.file)
        cells += [""] * (len(names) - len(cells))
        if header.start < start and len(cells) == len(names):
            named = zip(names, cells, strict=True)
            return CELL_SEPARATOR.join(f"{name}: {_bar(cell)}" if name else _bar(cell) for name, cell in named if cell)
    return _shown_row(cells)


def _shown_row(cells: Sequence[str]) -> str:
    return CELL_SEPARATOR.join(_bar(cell) or _EMPTY_CELL for cell in cells)


def _bar(cell: str) -> str:
    """A cell whose own bars do not look like the end of it."""
    return cell.replace("|", _BAR_IN_CELL)


def _lines(text: str, *, markdown: bool) -> str:
    """A paragraph in one line; where several of its lines give a name and a value, each of them begins one."""
    labelled = [match.start() for match in _LABELLED.finditer(text)]
    if len(labelled) < _LABELS:
        return _plain(text, markdown=markdown)
    ends = [*labelled[1:], len(text)]
    pieces = [text[: labelled[0]], *(text[start:end] for start, end in zip(labelled, ends, strict=True))]
    return "\n".join(filter(None, (_plain(piece, markdown=markdown) for piece in pieces)))


def _plain(text: str, *, markdown: bool) -> str:
    """A paragraph in one line."""
    return _inline(_QUOTE_MARK.sub("", text) if markdown else text, markdown=markdown)


def _inline(text: str, *, markdown: bool) -> str:
    """Words in one line; in a cell ">" is no mark of a quotation: "> 1 l"."""
    joined = " ".join(text.split())
    if not markdown:
        return joined
    filled = _TAG.sub(_filled, _TEMPLATE_LINK.sub("](#)", joined))
    joined = " ".join(_LINK_TEXT.sub(r"\1", _ATTRIBUTES.sub("", filled)).split())
    labels = {label.upper(): {"href": "#", "title": ""} for label in _REFERENCE.findall(joined)}
    tokens = _parser().parseInline(joined, {"references": labels})
    words = "".join(_words(tokens[0].children or [] if tokens else []))
    return " ".join(_HALF.sub("", words).split())


def _filled(tag: re.Match[str]) -> str:
    """What a template tag leaves behind: the name that it is given, nothing, or a sign that something is missing."""
    name, rest = tag["name"] or "", tag["rest"] or ""
    given = _ARGUMENT.search(rest)
    if given:
        said = given[1] or given[2] or ""
        return "" if "/" in said or "." in said else said
    return "" if name.startswith("end") or (name and not rest.strip()) else _MISSING


def _words(tokens: Sequence["Token"]) -> Iterator[str]:
    """What is read of a paragraph: no marks, and nothing that is struck out."""
    struck = 0
    for token in tokens:
        struck += (token.type == "s_open") - (token.type == "s_close")
        if struck:
            continue
        if token.type in ("text", "code_inline", "text_special", "image"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak") or (
            token.type == "html_inline" and _UNSEEN_ELEMENT.match(token.content)
        ):
            yield " "


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")
