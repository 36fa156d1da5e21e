"""Tables that are drawn with rules: a full grid, or horizontal rules over columns that blanks keep apart."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from policy_rag_parsers.loaders.builder import LONGEST_REPEATED
from policy_rag_parsers.loaders.pdf_hyphens import Vocabulary, join_lines
from policy_rag_parsers.loaders.pdf_lines import gather_lines
from policy_rag_parsers.loaders.pdf_page import PageContent, Rule, Word

_NEAR: Final = 3.0  # points within which ends of rules meet
_MIN_GAP: Final = 7.0  # points of blank between columns without rules
_NO_WORDS: Final = Vocabulary(frozenset())  # a cell is read before the words of the document are known
MAX_RULES: Final = 3000  # a page with more of them holds a drawing, not tables


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page: its rows of cells from top to bottom, and how many rows at its head are its header.

    `bold_header` says that the header is known by its weight, so that a table without it may go on one with it.
    """

    top: float
    bottom: float
    x0: float
    x1: float
    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    bold_header: bool = False

    def cells(self) -> list[str]:
        """The texts of its cells, row by row."""
        return [cell for row in self.rows for cell in row]


def find_tables(content: PageContent) -> tuple[list[PageTable], list[Word]]:
    """The tables of a page from top to bottom, and the words that are in none of them."""
    if len(content.across) + len(content.down) > MAX_RULES:
        return [], list(content.words)
    words = list(content.words)
    tables: list[PageTable] = []
    across, down = _merged(content.across), _merged(content.down)
    for rows, columns in _grids(across, down):
        grid = _Grid(rows, columns)
        table = grid.table(words)
        if table is not None:
            tables.append(table)
            words = [word for word in words if not _inside(word, table)]
    for rules in _rule_stacks(across, tables):
        table = _open_table(rules, words)
        if table is not None:
            tables.append(table)
            words = [word for word in words if not _inside(word, table)]
    return sorted(tables, key=lambda table: table.top), words


def _inside(word: Word, table: PageTable) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return table.x0 <= x <= table.x1 and table.top <= y <= table.bottom


def _merged(rules: Iterable[Rule]) -> list[Rule]:
    """Rules on one line that touch become one."""
    merged: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.at), rule.low)):
        last = merged[-1] if merged else None
        if last is not None and abs(last.at - rule.at) <= 1.5 and rule.low <= last.high + _NEAR:
            merged[-1] = Rule(last.at, last.low, max(last.high, rule.high))
        else:
            merged.append(rule)
    return merged


def _grids(across: Sequence[Rule], down: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Groups of rules that cross or touch."""
    group = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while group[index] != index:
            group[index] = group[group[index]]
            index = group[index]
        return index

    for i, flat in enumerate(across):
        for j, upright in enumerate(down):
            if (
                flat.low - _NEAR <= upright.at <= flat.high + _NEAR
                and upright.low - _NEAR <= flat.at <= upright.high + _NEAR
            ):
                group[root(i)] = root(len(across) + j)
    members: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for index in range(len(group)):
        rows, columns = members.setdefault(root(index), ([], []))
        if index < len(across):
            rows.append(across[index])
        else:
            columns.append(down[index - len(across)])
    return [(rows, columns) for rows, columns in members.values() if len(rows) >= 2 and columns]


def _places(values: Iterable[float]) -> list[float]:
    """Sorted places, those nearer than `_NEAR` taken as one."""
    places: list[float] = []
    for at in sorted(values):
        if not places or at - places[-1] > _NEAR:
            places.append(at)
    return places


class _Grid:
    """Cells between rules; cells without a rule between them are one."""

    def __init__(self, across: list[Rule], down: list[Rule]) -> None:
        self._across, self._down = across, down
        self._ys = _places([rule.at for rule in across] + [end for rule in down for end in (rule.low, rule.high)])
        self._xs = _places([rule.at for rule in down] + [end for rule in across for end in (rule.low, rule.high)])

    def table(self, words: Sequence[Word]) -> PageTable | None:
        """The table, or None where the grid is a box around some text, or has no text in two columns."""
        xs, ys = self._xs, self._ys
        if len(xs) < 3 or len(ys) < 2:
            return None
        cells: dict[tuple[int, int], list[Word]] = {}
        for word in words:
            row = _slot(ys, (word.top + word.bottom) / 2)
            column = _slot(xs, (word.x0 + word.x1) / 2)
            if row is not None and column is not None:
                cells.setdefault(self._first(row, column), []).append(word)
        columns = sorted({column for _, column in cells})
        if len(columns) < 2:
            return None
        used = sorted({row for row, _ in cells})
        header, bold = _header_rows([[cells.get((row, column), []) for column in columns] for row in used])
        rows = tuple(
            tuple(self._text(cells, row, column, repeated=at >= header) for column in columns)
            for at, row in enumerate(used)
        )
        return PageTable(ys[0] - 1, ys[-1] + 1, xs[0] - 1, xs[-1] + 1, rows, header, bold)

    def _text(self, cells: Mapping[tuple[int, int], Sequence[Word]], row: int, column: int, *, repeated: bool) -> str:
        """The text of a cell; of one that goes on from a row above that row's, since it belongs to this row as well."""
        own = cells.get((row, column))
        first = self._first(row, column)
        if own is not None or not repeated or first[1] != column:
            return cell_text(own or ())
        above = cell_text(cells.get(first, ()))
        return above if len(above) <= LONGEST_REPEATED else ""

    def _first(self, row: int, column: int) -> tuple[int, int]:
        """The upper left cell of those that are one with this cell."""
        while column > 0 and not self._wall(row, column):
            column -= 1
        while row > 0 and not self._floor(row, column):
            row -= 1
        return row, column

    def _wall(self, row: int, column: int) -> bool:
        x, y = self._xs[column], (self._ys[row] + self._ys[row + 1]) / 2
        return any(abs(rule.at - x) <= _NEAR and rule.low <= y <= rule.high for rule in self._down)

    def _floor(self, row: int, column: int) -> bool:
        y, x = self._ys[row], (self._xs[column] + self._xs[column + 1]) / 2
        return any(abs(rule.at - y) <= _NEAR and rule.low <= x <= rule.high for rule in self._across)


def _slot(places: Sequence[float], at: float) -> int | None:
    for index in range(len(places) - 1):
        if places[index] <= at <= places[index + 1]:
            return index
    return None


def cell_text(words: Sequence[Word]) -> str:
    """The words of a cell on one line."""
    lines = [line.text for line in gather_lines(words)]
    return join_lines(lines, _NO_WORDS) if lines else ""


def _header_rows(rows: Sequence[Sequence[Sequence[Word]]]) -> tuple[int, bool]:
    """One header row where the first is in bold, or has no figures and those below have; and whether it is in bold."""
    first = [word for cell in rows[0] for word in cell]
    rest = [word for row in rows[1:] for cell in row for word in cell]
    if all(word.bold for word in first) and not (rest and all(word.bold for word in rest)):
        return 1, True
    figures = any(any(map(str.isdigit, word.text)) for word in first)
    full = all(rows[0])
    return int(full and not figures and any(any(map(str.isdigit, word.text)) for word in rest)), False


def _rule_stacks(across: Sequence[Rule], tables: Sequence[PageTable]) -> list[list[Rule]]:
    """Three or more horizontal rules of the same extent under each other, outside the tables found before."""
    stacks: list[list[Rule]] = []
    for rule in sorted(across, key=lambda rule: rule.at):
        if any(table.top <= rule.at <= table.bottom for table in tables):
            continue
        for stack in stacks:
            if abs(stack[0].low - rule.low) <= _NEAR and abs(stack[0].high - rule.high) <= _NEAR:
                stack.append(rule)
                break
        else:
            stacks.append([rule])
    return [stack for stack in stacks if len(stack) >= 3]


def _open_table(rules: Sequence[Rule], words: Sequence[Word]) -> PageTable | None:
    """A table between horizontal rules: columns by blanks, rows by rules, or by lines under a lone header rule."""
    top, bottom, x0, x1 = rules[0].at, rules[-1].at, rules[0].low, rules[0].high
    inside = [word for word in words if top <= (word.top + word.bottom) / 2 <= bottom and x0 - _NEAR <= word.x0 < x1]
    columns = _columns(inside)
    if len(columns) < 2:
        return None
    bands: list[list[Word]] = [[] for _ in rules[1:]]
    places = [rule.at for rule in rules]
    for word in inside:
        slot = _slot(places, (word.top + word.bottom) / 2)
        if slot is not None:
            bands[slot].append(word)
    filled = [band for band in bands if band]
    if len(rules) <= 4 and len(filled) >= 2:
        body = [row for band in filled[1:] for row in _rows_by_line(band, columns)]
        filled = [filled[0], *body]
    if len(filled) < 2:
        return None
    cells = [
        [[word for word in band if low <= (word.x0 + word.x1) / 2 <= high] for low, high in columns] for band in filled
    ]
    rows = tuple(tuple(cell_text(cell) for cell in row) for row in cells)
    return PageTable(top - 1, bottom + 1, x0 - _NEAR, x1 + _NEAR, rows, 1)


def _columns(words: Sequence[Word]) -> list[tuple[float, float]]:
    """Extents that no word leaves, with a blank strip between each two."""
    columns: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda word: word.x0):
        if columns and word.x0 < columns[-1][1] + _MIN_GAP:
            columns[-1] = (columns[-1][0], max(columns[-1][1], word.x1))
        else:
            columns.append((word.x0, word.x1))
    return columns


def _rows_by_line(band: Sequence[Word], columns: Sequence[tuple[float, float]]) -> list[list[Word]]:
    """A row a line; a line with nothing in the first column goes on the row above."""
    rows: list[list[Word]] = []
    for line in gather_lines(band):
        if rows and line.x0 > columns[0][1]:
            rows[-1].extend(line.words)
        else:
            rows.append(list(line.words))
    return rows


__all__ = ["MAX_RULES", "PageTable", "cell_text", "find_tables"]
