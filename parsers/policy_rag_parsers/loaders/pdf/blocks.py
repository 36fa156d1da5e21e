"""Pages of a PDF to blocks: paragraphs, headings and tables, joined where they go on over columns and pages."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from policy_rag_parsers.loaders.paragraph_continuation import carries_over
from policy_rag_parsers.loaders.pdf.cells import PageTable
from policy_rag_parsers.loaders.pdf.dehyphenation import Vocabulary, join_lines
from policy_rag_parsers.loaders.pdf.footnotes import Footnote, has_mark
from policy_rag_parsers.loaders.pdf.headings import PdfParagraph, heading_levels
from policy_rag_parsers.loaders.pdf.lines import TextLine
from policy_rag_parsers.loaders.pdf.outline import Entry, outlined
from policy_rag_parsers.loaders.pdf.page_tables import MAX_RULES
from policy_rag_parsers.loaders.pdf.paragraphs import continues, room_after, usual_spacing, width_at_head
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.sidebars import Sidebar
from policy_rag_parsers.loaders.pdf.styles import LineStyle, stands_out, style_of
from policy_rag_parsers.loaders.pdf.titles import is_row, is_title, run_in_title, title_goes_on, title_is_open
from policy_rag_parsers.text.unit_words import ORDINAL_VALUE, ORDINAL_WORD, UNIT_WORDS, words_pattern

_APART: Final = 1.22  # times the usual distance of lines, at least, has a paragraph that is set apart
_UNIT: Final = re.compile(
    rf"(?:(?:{words_pattern(UNIT_WORDS)})\s+(?:\d{{1,3}}(?:[.-]\d{{1,3}})*|[IVXLC]{{1,7}}|[A-Z]|{ORDINAL_VALUE})"
    rf"|{ORDINAL_WORD}\s(?:{words_pattern(UNIT_WORDS)}))[.:]?",
    re.IGNORECASE,
)
_NEAR_TITLE: Final = 2.6  # font sizes from the line of a unit to that of its title, at most
_INDENT: Final = 0.7  # font sizes, at least, to the right of its column's edge begins what is indented
_NO_STYLE: Final = LineStyle(0.0, bold=False)


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page as columns of lines and tables, its horizontal rules, the notes at its foot and boxes beside its text."""

    number: int
    height: float
    columns: tuple[tuple[TextLine, ...], ...]
    tables: tuple[PageTable, ...]
    images: int
    recognised: bool = False
    rules: tuple[Rule, ...] = ()
    notes: tuple[Footnote, ...] = ()
    sidebars: tuple[Sidebar, ...] = ()


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A paragraph, heading or table.

    `level` is that of a heading, 0 without; `mark` the one that the file's tags or outline give it. `apart` says that
    more blank is above it than between lines, `indented` that it begins to the right of its column's edge. `joins` says
    that it may go on with the last block of the page or column before; `room` is the width left on its last line and
    `head` the width of its first word. `turns` tells where in its text other pages begin: (page, offset). `notes` are
    those that have their mark in it.
    """

    page: int
    text: str
    style: LineStyle = _NO_STYLE
    table: PageTable | None = None
    lines: tuple[TextLine, ...] = ()
    level: int = 0
    mark: int = 0
    apart: bool = True
    indented: bool = False
    joins: bool = False
    room: float = 0.0
    head: float = 0.0
    turns: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()


def blocks_of(
    pages: Sequence[PageLayout], body: LineStyle, spacing: float, words: Vocabulary, outline: Sequence[Entry]
) -> list[PageBlock]:
    """The blocks of all pages in reading order.

    Args:
        pages: the pages without their running lines.
        body: the style of most of the text.
        spacing: the usual distance between the bottoms of two lines, in font sizes.
        words: the words of the document.
        outline: that of the file.
    """
    blocks = chain.from_iterable(_page_blocks(page, body, spacing, words) for page in pages)
    levelled = _with_levels(_outlined(_merged(blocks, words, body), outline, words))
    return _with_notes(list(_with_units(levelled, words)), pages, words)


def _outlined(blocks: Sequence[PageBlock], outline: Sequence[Entry], words: Vocabulary) -> list[PageBlock]:
    """The blocks with the levels of the outline; the pieces of a title in it become one block."""
    found = outlined(outline, [(block.page, block.text) for block in blocks])
    joined: list[PageBlock] = []
    at = 0
    while at < len(blocks):
        level, pieces = found.get(at, (0, 1))
        block = blocks[at]
        if level:
            text = join_lines([piece.text for piece in blocks[at : at + pieces]], words)
            lines = tuple(line for piece in blocks[at : at + pieces] for line in piece.lines)
            block = replace(block, text=text, lines=lines, mark=level)
        joined.append(block)
        at += pieces
    return joined


def _with_levels(blocks: Sequence[PageBlock]) -> list[PageBlock]:
    """The blocks with the levels of the headings among them."""
    paragraphs = [
        PdfParagraph(
            block.page,
            block.text,
            block.style,
            len(block.lines),
            block.mark,
            apart=block.apart,
            row=any(map(is_row, block.lines)),
            indented=block.indented,
            contents=block.table is not None and block.table.contents,
            runs_in=below is not None and _stand_side_by_side(block.lines, below.lines),
        )
        for block, below in zip(blocks, [*blocks[1:], None], strict=True)
    ]
    levels = heading_levels(paragraphs)
    return [replace(block, level=level) if level else block for block, level in zip(blocks, levels, strict=True)]


def _stand_side_by_side(lines: Sequence[TextLine], below: Sequence[TextLine]) -> bool:
    """Whether one piece begins on the line on which another ends."""
    return bool(lines and below) and below[0].x0 > lines[-1].x1 and below[0].top < lines[-1].bottom - lines[-1].size / 2


def _with_units(blocks: Sequence[PageBlock], words: Vocabulary) -> Iterator[PageBlock]:
    """The blocks with "Chapter I" joined to the title under it."""
    unit: PageBlock | None = None
    for block in blocks:
        if unit is not None and _names(unit, block):
            text = join_lines([unit.text, block.text], words)
            level = min(filter(None, (unit.level, block.level)), default=0)
            unit = replace(block, text=text, level=level, lines=unit.lines + block.lines, joins=unit.joins)
            yield unit
            unit = None
            continue
        if unit is not None:
            yield unit
        unit = block if _UNIT.fullmatch(block.text) and block.lines else None
        if unit is None:
            yield block
    if unit is not None:
        yield unit


def _names(unit: PageBlock, title: PageBlock) -> bool:
    """Whether a block is the title of the unit that stands above it: a heading, or centred like it."""
    if not title.lines or title.page != unit.page or _UNIT.match(title.text) or not is_title(title.text, large=True):
        return False
    above, below = unit.lines[-1], title.lines[0]
    near = 0 < below.bottom - above.bottom <= _NEAR_TITLE * below.size
    centred = abs(above.x0 + above.x1 - below.x0 - below.x1) < 2 * below.size and unit.indented
    return near and (title.level > 0 or (centred and not unit.level))


def _page_blocks(page: PageLayout, body: LineStyle, spacing: float, words: Vocabulary) -> Iterator[PageBlock]:
    waiting, beside = list(page.tables), sorted(page.sidebars, key=lambda sidebar: sidebar[0].top)
    rules = page.rules if len(page.rules) <= MAX_RULES else ()
    first = True
    above: Sequence[TextLine] = ()
    for column in page.columns:
        first = first or _stands_beside(above, column)
        above = column
        left, right = min(line.x0 for line in column), max(line.x1 for line in column)
        for part, table in _around_tables(column, waiting):
            last: TextLine | None = None
            paragraphs = _paragraphs(part, body, spacing, page.sidebars)
            for group in chain.from_iterable(run_in_title(lines) or (lines,) for lines in paragraphs):
                text = join_lines([line.text for line in group], words)
                yield PageBlock(
                    page.number,
                    text,
                    style_of(group[0], rules),
                    lines=tuple(group),
                    mark=group[0].tag if len({line.tag for line in group}) == 1 else 0,
                    apart=last is None or group[0].bottom - last.bottom > _APART * spacing * group[0].size,
                    indented=group[0].x0 > left + _INDENT * group[0].size,
                    joins=first,
                    room=room_after(group[-1], right),
                    head=width_at_head(group[0]),
                )
                first, last = False, group[-1]
                while beside and not _is_display(group[0], body) and beside[0][0].top < group[-1].bottom:
                    yield from _sidebar_blocks(page.number, beside.pop(0), body, words)
            if table is not None:
                yield PageBlock(page.number, "", table=table, joins=first)
                first = False
    for table in waiting:
        yield PageBlock(page.number, "", table=table, joins=first)
        first = False
    for sidebar in beside:
        yield from _sidebar_blocks(page.number, sidebar, body, words)


def _sidebar_blocks(number: int, sidebar: Sidebar, body: LineStyle, words: Vocabulary) -> Iterator[PageBlock]:
    """The paragraphs of a box: few words fill its lines, and a title in it is no heading of what follows the box."""
    spacing = usual_spacing([sidebar])
    for group in _paragraphs(sidebar, body, spacing, right=min(line.x1 for line in sidebar)):
        yield PageBlock(number, join_lines([line.text for line in group], words))


def _with_notes(blocks: list[PageBlock], pages: Sequence[PageLayout], words: Vocabulary) -> list[PageBlock]:
    """The blocks with the notes of the pages, each at the block that has its mark."""
    for page in pages:
        for note in page.notes:
            text = join_lines([line.text for line in note.lines], words)
            written = f"[{note.label}] {text}" if note.label.isdigit() else f"{note.label} {text}".strip()
            at = _marked(blocks, page.number, note.label)
            if at is None:
                blocks.append(PageBlock(page.number, written))
            else:
                blocks[at] = replace(blocks[at], notes=(*blocks[at].notes, written))
    return blocks


def _marked(blocks: Sequence[PageBlock], page: int, label: str) -> int | None:
    """The first block of the page, or else of the one before, that has a mark; the page's last block without any."""
    here = [at for at, block in enumerate(blocks) if block.page <= page <= _last_page(block)]
    before = [at for at, block in enumerate(blocks) if block.page == page - 1]
    marked = (at for at in (*here, *before) if has_mark(_all_text(blocks[at]), label))
    return next(marked, max((*here, *before), default=None))


def _last_page(block: PageBlock) -> int:
    return block.turns[-1][0] if block.turns else block.page


def _all_text(block: PageBlock) -> str:
    cells = () if block.table is None else block.table.cells()
    return "\n".join([block.text, *cells])


def _stands_beside(left: Sequence[TextLine], right: Sequence[TextLine]) -> bool:
    """Whether a column is the next one of the page: to the right of the one before, and not wholly under it."""
    return bool(left) and right[0].top < left[-1].bottom and min(li.x0 for li in right) >= max(li.x1 for li in left)


def _around_tables(
    column: Sequence[TextLine], waiting: list[PageTable]
) -> Iterator[tuple[list[TextLine], PageTable | None]]:
    """The lines of a column in parts, each with the table that follows it; tables are taken out of `waiting`."""
    part: list[TextLine] = []
    x0, x1 = min(line.x0 for line in column), max(line.x1 for line in column)
    for line in column:
        while waiting and (box := waiting[0].box).bottom <= line.top + line.size and box.x0 < x1 and box.x1 > x0:
            yield part, waiting.pop(0)
            part = []
        part.append(line)
    yield part, None


def _paragraphs(
    lines: Sequence[TextLine],
    body: LineStyle,
    spacing: float,
    sidebars: Sequence[Sidebar] = (),
    right: float | None = None,
) -> Iterator[list[TextLine]]:
    """Groups of lines that are one paragraph or one title each.

    `right` is where the longest line could end, by default where it does.
    """
    if not lines:
        return
    farthest = max(line.x1 for line in lines)
    right = farthest if right is None else right
    group: list[TextLine] = []
    for line in lines:
        edge = _edge_beside(group[-1], lines, right, sidebars) if group else right
        if group and line.bold != group[-1].bold:
            edge = max(edge, farthest)
        above = _past_box(group, line, sidebars)
        if group and _goes_on(above, line, edge, spacing, body):
            group.append(line)
            continue
        if group:
            yield group
        group = [line]
    yield group


def _is_display(line: TextLine, body: LineStyle) -> bool:
    return line.tag > 0 or stands_out(style_of(line), body)


def _past_box(group: Sequence[TextLine], line: TextLine, sidebars: Sequence[Sidebar]) -> Sequence[TextLine]:
    """The lines so far; moved to where the next one begins if they stand to the right of a box that ends above it."""
    for sidebar in sidebars:
        right, bottom = max(part.x1 for part in sidebar), sidebar[-1].bottom
        if group and line.x0 < right <= group[-1].x0 and group[-1].top < bottom + line.size and line.bottom > bottom:
            return [above._replace(x0=line.x0) for above in group]
    return group


def _is_beside_row(before: TextLine, line: TextLine) -> bool:
    """Whether a line stands lower beside the one before it, as the second line of a cell does."""
    return line.top < before.bottom - 0.3 * line.size


def _edge_beside(line: TextLine, lines: Sequence[TextLine], right: float, sidebars: Sequence[Sidebar]) -> float:
    """How far a line can reach: to `right`, or where a box stands beside it as far as the widest line that it does."""
    for sidebar in sidebars:
        left = min(part.x0 for part in sidebar)
        if _is_beside(line, sidebar, left):
            return max(other.x1 for other in lines if _is_beside(other, sidebar, left))
    return right


def _is_beside(line: TextLine, sidebar: Sidebar, left: float) -> bool:
    near = sidebar[0].top - line.size < line.bottom and line.top < sidebar[-1].bottom + line.size
    return near and line.x1 <= left


def _goes_on(group: Sequence[TextLine], line: TextLine, right: float, spacing: float, body: LineStyle) -> bool:
    """Whether a line goes on with the paragraph above it; in another weight only in the middle of a sentence."""
    before = group[-1]
    if line.tag != before.tag:
        return False
    if continues(group, line, right, spacing):
        return line.bold == before.bold or line.text[0].islower() or _is_beside_row(before, line)
    alike = style_of(before)._replace(capitals=False) == style_of(line)._replace(capitals=False)
    return alike and _is_display(line, body) and title_goes_on(group, line, spacing)


def _merged(blocks: Iterable[PageBlock], words: Vocabulary, body: LineStyle) -> list[PageBlock]:
    """Join what goes on in the next column or on the next page: open sentences and titles, tables of like columns."""
    merged: list[PageBlock] = []
    for block in blocks:
        joined = _joined(merged[-1], block, words, body) if merged and block.joins else None
        if joined is None:
            merged.append(block)
        else:
            merged[-1] = joined
    return merged


def _joined(before: PageBlock, after: PageBlock, words: Vocabulary, body: LineStyle) -> PageBlock | None:
    page = _last_page(before)
    if before.table is not None and after.table is not None and page != after.page:
        table = _joined_table(before.table, after.table, words)
        return None if table is None else replace(before, table=table)
    if before.table is not None or after.table is not None:
        return None
    display = stands_out(before.style, body)
    if before.style != after.style and (display or stands_out(after.style, body)):
        return None
    if display:
        goes_on = title_is_open(before.text, after.text)
    else:
        goes_on = carries_over(before.text, after.text, full=before.room < after.head)
    if goes_on:
        text = join_lines([before.text, after.text], words)
        turns = before.turns if page == after.page else (*before.turns, (after.page, len(text) - len(after.text)))
        return replace(before, text=text, lines=before.lines + after.lines, room=after.room, turns=turns)
    return None


def _joined_table(before: PageTable, after: PageTable, words: Vocabulary) -> PageTable | None:
    head = before.rows[: before.header_rows]
    repeated = bool(head) and after.rows[: len(head)] == head
    if len(before.rows[0]) != len(after.rows[0]) or abs(before.box.x0 - after.box.x0) > 5:
        return None
    if not repeated and (after.bold_header or abs(before.box.x1 - after.box.x1) > 5):
        return None
    rows = after.rows[len(head) if repeated else 0 :]
    whole = _joined_row(before.rows[-1], rows[0], words) if rows else None
    return replace(before, rows=before.rows + rows if whole is None else (*before.rows[:-1], whole, *rows[1:]))


def _joined_row(before: Sequence[str], after: Sequence[str], words: Vocabulary) -> tuple[str, ...] | None:
    """A row that the end of a page cuts: only one cell goes on, from an open sentence; None for two rows."""
    going_on = [at for at, cell in enumerate(after) if cell]
    if len(going_on) != 1 or going_on[0] == 0 or not before[going_on[0]]:
        return None
    at = going_on[0]
    if not carries_over(before[at], after[at], full=False):
        return None
    return (*before[:at], join_lines([before[at], after[at]], words), *before[at + 1 :])
