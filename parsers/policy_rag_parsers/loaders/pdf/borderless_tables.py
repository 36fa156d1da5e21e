"""Tables of a PDF page whose columns are kept apart by blanks alone: between horizontal rules, or without any rule.

Without such rules a table is known by its header: a line in bold, or with a rule under it, whose cells stand over
columns that those below keep to.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.bold_headings import number_depth
from policy_rag_parsers.loaders.clause_tables import are_clause_numbers
from policy_rag_parsers.loaders.pdf.cells import NEAR, PageTable, slot
from policy_rag_parsers.loaders.pdf.column_detection import (
    Columns,
    cells_of,
    columns_of,
    filled,
    goes_on,
    is_one_row,
    rows_without_rules,
    tiers_of,
    with_words,
    words_of,
)
from policy_rag_parsers.loaders.pdf.lines import TextLine, gather_lines
from policy_rag_parsers.loaders.pdf.reading_order import PageColumns
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.words import Box, PdfWord

LEAST_RULES: Final = 3
"""Of horizontal rules of one extent, that make a table."""

_MIN_GAP: Final = 7.0  # points of blank between columns
_CELL_GAP: Final = 5.5  # points of blank between the cells of a header in bold
_BARE_GAP: Final = 0.36  # font sizes of blank between columns that a header tells
_HEADER_GAP: Final = 0.7  # font sizes of blank between the cells of a header that no rule marks
_ABOVE: Final = 1.0  # font sizes from a header to the rule below it, at most
_LEADING: Final = 0.4  # font sizes of blank between two lines of a header, at most
_ROW_GAP: Final = 2.0  # font sizes of blank between two rows without a rule, at most
_ALIKE: Final = 0.6  # points by which sizes may differ


def rule_stacks(across: Sequence[Rule], tables: Sequence[PageTable]) -> list[list[Rule]]:
    """Three or more horizontal rules of the same extent under each other, outside the tables found before."""
    stacks: list[list[Rule]] = []
    for rule in sorted(across, key=lambda rule: rule.at):
        if any(table.box.top <= rule.at <= table.box.bottom for table in tables):
            continue
        for stack in stacks:
            if abs(stack[0].low - rule.low) <= NEAR and abs(stack[0].high - rule.high) <= NEAR:
                stack.append(rule)
                break
        else:
            stacks.append([rule])
    return [stack for stack in stacks if len(stack) >= LEAST_RULES]


def ruled_tables(rules: Sequence[Rule], words: Sequence[PdfWord]) -> Iterator[PageTable]:
    """The tables between horizontal rules of one extent: each as long as no text runs across its columns."""
    bands = _bands(rules, words)
    first = 0
    columns: Columns = []
    for at, band in enumerate([*bands, []]):
        wider = with_words(columns, band, _MIN_GAP)
        runs_across = len(wider) < len(columns) and len(columns_of(band, _MIN_GAP)) == 1
        columns = wider
        if at < len(bands) and (not band or (len(columns) > 1 and not runs_across)):
            continue
        if at + 1 - first >= LEAST_RULES and (table := ruled_table(rules[first : at + 1], words)):
            yield table
        first, columns = at + 1, []


def _bands(rules: Sequence[Rule], words: Sequence[PdfWord]) -> list[list[PdfWord]]:
    """The words between each two rules."""
    x0, x1 = rules[0].low - NEAR, rules[0].high
    places = [rule.at for rule in rules]
    bands: list[list[PdfWord]] = [[] for _ in rules[1:]]
    for word in words:
        at = slot(places, (word.top + word.bottom) / 2) if x0 <= word.x0 < x1 else None
        if at is not None:
            bands[at].append(word)
    return bands


def ruled_table(rules: Sequence[Rule], words: Sequence[PdfWord]) -> PageTable | None:
    """The table between horizontal rules: columns by blanks, rows by rules, or by lines where the rules are few.

    Its header stands below the first rule, or above it, in bold unless there is a rule under each row and none above.
    """
    top, bottom, x0, x1 = rules[0].at, rules[-1].at, rules[0].low - NEAR, rules[0].high
    bands = [band for band in _bands(rules, words) if band]
    columns = columns_of((word for band in bands for word in band), _MIN_GAP)
    if len(columns) < 2:
        return None
    above = tiers_of(word for word in words if word.bottom <= top + NEAR and x0 <= word.x0 < x1)
    header = words_of(_header_lines(above, columns, top, _ABOVE))
    outside = len(filled(header, columns)) > 1 and not all(word.bold for word in bands[0])
    if outside:
        top, columns = min(word.top for word in header), with_words(columns, header, _CELL_GAP)
        few = not any(is_one_row(tiers_of(band), columns) for band in bands)
        rows = [header, *_split(bands, columns, few=few)]
    else:
        first = words_of(_header_lines(above, columns, top, _ABOVE, bold=False))
        if len(filled(first, columns)) > 1:
            top, bands = min(word.top for word in first), [first, *bands]
            columns = with_words(columns, first, _CELL_GAP)
        rows = [bands[0], *_split(bands[1:], columns, few=len(rules) <= 4)]
    if len(rows) < 2:
        return None
    return PageTable(Box(x0, top - 1, x1 + NEAR, bottom + 1), cells_of(rows, columns), 1, outside)


def bare_tables(words: Sequence[PdfWord], across: Sequence[Rule], columns: PageColumns) -> Iterator[PageTable]:
    """Tables without rules under a header in bold, or with one rule under their header, from top to bottom."""
    lines = tiers_of(words) if across or _has_cells_in_bold(words) else []
    at = 0
    while at < len(lines):
        table, at = _bare_table(lines, at, across, columns)
        if table is not None:
            yield table


def _has_cells_in_bold(words: Sequence[PdfWord]) -> bool:
    """Whether words in bold stand side by side with a blank between them; most pages have none, and are done."""
    bold = [word for word in words if word.bold]
    for shift in (0, 8):  # strips of 16 points, each twice, so that cells on half a line are in one
        placed = sorted((int((word.bottom + shift) // 16), word.x0, word.x1) for word in bold)
        if any(one[0] == two[0] and two[1] - one[2] >= _CELL_GAP for one, two in pairwise(placed)):
            return True
    return False


def _bare_table(
    lines: Sequence[TextLine], at: int, across: Sequence[Rule], known: PageColumns
) -> tuple[PageTable | None, int]:
    """The table whose header is the line at this index, and where to look for the next one."""
    first = lines[at]
    if not _is_bold(first) and not any(_is_under(rule, first) for rule in across):
        return None, at + 1
    cells = columns_of(first.words, max(_CELL_GAP, _HEADER_GAP * first.size))
    if len(cells) < 2 or number_depth(first.text) or not first.text[0].isalpha():
        return None, at + 1
    above = _header_lines(lines[: at + 1], cells, first.bottom, _LEADING)
    header, body = above or [first], list[TextLine]()
    extents = columns = with_words(cells, words_of(header), _BARE_GAP * first.size)
    for line in lines[at + 1 :]:
        extents = with_words(extents, line.words, _BARE_GAP * first.size)
        wider = _under(cells, extents)
        if wider is None or not _belongs(line, header, body):
            break
        columns = wider
        (header if _is_bold(line) and not body else body).append(line)
    while body and filled(body[-1].words, columns) == {0} and not goes_on(body[-1], columns, body[-2:-1]):
        body.pop()
    rows = rows_without_rules(body, columns)
    full = sum(len(filled(row, columns)) > 1 for row in rows)
    if full < 2 or _runs_on(rows) or known.gutter_of(gather_lines(words_of(body))) is not None:
        return None, at + 1
    table = _under_header(words_of(header), rows, columns)
    if len(columns) == 2 and are_clause_numbers(row[0] for row in table.rows[1:]):
        return None, at + 1
    return table, at + len(header) + len(body)


def _is_bold(line: TextLine) -> bool:
    """Whether all of a line is in bold, its figures too: the names of rows often are alone."""
    return all(word.bold for word in line.words)


def _is_under(rule: Rule, line: TextLine) -> bool:
    """Whether a rule underlines a line and more than that."""
    near = abs(rule.at - line.bottom) <= _LEADING * line.size
    return near and rule.low <= line.x0 and rule.high > line.x1 + line.size


def _runs_on(rows: Sequence[Sequence[PdfWord]]) -> bool:
    """Whether rows are lines of text side by side: more of them begin with a small letter than not."""
    return sum(row[0].text[0].islower() for row in rows) * 2 > len(rows)


def _under(cells: Columns, extents: Columns) -> Columns | None:
    """Extents as one column under each cell of a header, parted by the widest blank between the middles of two cells.

    What stands to the left of all cells is a column without a header. None where two cells have no blank between them.
    """
    if extents[0][1] < cells[0][0]:
        cells = [extents[0], *cells]
    columns = list[tuple[float, float]]()
    rest = list(extents)
    for cell, following in pairwise(cells):
        low, high = sum(cell) / 2, sum(following) / 2
        blanks = [(b[0] - a[1], at) for at, (a, b) in enumerate(pairwise(rest), start=1) if low < b[0] and a[1] < high]
        if not blanks:
            return None
        _, at = max(blanks)
        columns.append((rest[0][0], rest[at - 1][1]))
        rest = rest[at:]
    return [*columns, (rest[0][0], rest[-1][1])]


def _under_header(header: Sequence[PdfWord], rows: Sequence[Sequence[PdfWord]], columns: Columns) -> PageTable:
    inside = [header, *rows]
    box = Box.around(word for row in inside for word in row)
    return PageTable(box, cells_of(inside, columns), header_rows=1, bold_header=True)


def _belongs(line: TextLine, header: Sequence[TextLine], body: Sequence[TextLine]) -> bool:
    """Whether a line is near enough to what is above it, and alike."""
    blank = line.top - max(other.bottom for other in (*header, *body))
    if not body:
        return blank <= (_LEADING if _is_bold(line) else _ROW_GAP) * line.size
    alike = abs(line.size - body[0].size) <= _ALIKE and (body[0].words[0].bold or not line.bold)
    return alike and blank <= _ROW_GAP * line.size and not (line.bold and number_depth(line.text))


def _header_lines(
    lines: Sequence[TextLine], columns: Columns, top: float, near: float, *, bold: bool = True
) -> list[TextLine]:
    """The last of the lines as far as they are a header: over columns, the lowest near to `top`, in bold if need be.

    Further lines of it stand close to the next, and not over the first column alone, as the title of the table does.
    """
    found: list[TextLine] = []
    for line in reversed(lines):
        if (bold and not _is_bold(line)) or top - line.bottom > near * line.size or number_depth(line.text):
            break
        titled = found and filled(line.words, columns) <= {0}
        if titled or (found and abs(line.size - found[-1].size) > _ALIKE) or _joins(columns, line):
            break
        found.append(line)
        top, near = line.top, _LEADING
    return found[::-1]


def _joins(columns: Columns, line: TextLine) -> bool:
    """Whether the words of a line bridge the blank between two columns."""
    return len(with_words(columns, line.words, _CELL_GAP)) < len(columns)


def _split(bands: Iterable[Sequence[PdfWord]], columns: Columns, *, few: bool) -> list[Sequence[PdfWord]]:
    """Rows: the bands between rules, or their lines where the rules are too few for the rows."""
    if not few:
        return list(bands)
    return [row for band in bands for row in rows_without_rules(tiers_of(band), columns)]
