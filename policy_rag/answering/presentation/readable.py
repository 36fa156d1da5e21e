"""A quotation as a reader of the document sees it: without markup, its lines joined, its lists marked and numbered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from policy_rag.records.search import Hit
from policy_rag_parsers.blocks.markers import marker_parts
from policy_rag_parsers.loaders import format_of
from policy_rag_parsers.records import Block, BlockKind, FileFormat

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BULLET, _INDENT, _CELL = "•", "  ", " | "
_MISSING = "…"
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+(?:\[![A-Za-z]{3,12}\])?", re.MULTILINE)
_TEMPLATE_LINK = re.compile(r"\]\((?=[^)]{0,300}\{[{%])[^)]{0,400}\)")
_TAG = re.compile(r"\{%-?\s*(?P<name>\w+)(?P<rest>[^%]*)%\}|\{\{[^{}]*\}\}")
_ARGUMENT = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_ATTRIBUTES = re.compile(r"\{:[^}\n]*\}")
_REFERENCE = re.compile(r"\]\[([^\]\n]{0,200})\]")
_LINK_TEXT = re.compile(r"\[([^\[\]]{1,200})\]\[\s*\]")
_FIGURE = re.compile(r"(\d{1,3})(\\?[.)])$")
_COLUMN = re.compile(r"\t+|[ ]{3,}")
_PIPE = re.compile(r"(?<!\\)\|")
# What is left of emphasis that begins or ends outside of the quotation; "Codeine*" leads to a note.
_HALF = re.compile(r"\*\*|(?<!\w)__|__(?!\w)|(?<![\w*])[*_](?=\w)|(?<=[\w.,;:!?\"”’)])_(?!\w)")
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
        numbered as they are counted. A row without its header row has the names of its cells in it.
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
            cells, header = row_cells(piece, markdown=markdown), headers.get(block.parent)
            if header is not None and header.start < start and hit.start <= header.start:
                above = hit.text[header.start - hit.start : header.end - hit.start]
                cells = _named(cells, row_cells(above, markdown=markdown))
            line = _CELL.join(cell for cell in cells if cell)
        else:
            line = _plain(piece.strip("# \t") if block.kind is BlockKind.HEADING else piece, markdown=markdown)
        if lines and "\n" not in hit.text[last - hit.start : first - hit.start]:
            lines[-1] += f" {line}"
        elif line:
            lines.append(line)
        last = stop
    return "\n".join(lines) or _plain(hit.text[start - hit.start : end - hit.start], markdown=markdown)


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


def row_cells(text: str, *, markdown: bool) -> list[str]:
    """The cells of a row, the empty ones too."""
    if "|" in text:
        return [_plain(cell.replace("\\|", "|"), markdown=markdown) for cell in _PIPE.split(text.strip().strip("|"))]
    return [_plain(cell, markdown=markdown) for cell in _COLUMN.split(text)]


def _named(cells: Sequence[str], header: Sequence[str]) -> list[str]:
    """The cells, each behind the name of its column, where every cell has a column."""
    if len(cells) != len(header):
        return list(cells)
    return [f"{name}: {cell}" if name and cell else cell for name, cell in zip(header, cells, strict=True)]


def _plain(text: str, *, markdown: bool) -> str:
    """A paragraph in one line."""
    if not markdown:
        return " ".join(text.split())
    joined = " ".join(_QUOTE_MARK.sub("", text).split())
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
    for token in tokens:
        if token.type in ("text", "code_inline", "text_special"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield token.content
        elif token.type == "html_inline" and _UNSEEN_ELEMENT.match(token.content):
            yield " "


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")
