"""Tables of a PDF page that are drawn as a grid of rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from policy_rag_parsers.loaders.pdf.cells import NEAR, PageTable, cell_text, slot
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.words import Box, PdfWord
from policy_rag_parsers.loaders.text_builder import LONGEST_REPEATED


def grids(across: Sequence[Rule], down: Sequence[Rule]) -> Iterator["RuledGrid"]:
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
                flat.low - NEAR <= upright.at <= flat.high + NEAR
                and upright.low - NEAR <= flat.at <= upright.high + NEAR
            ):
                group[root(i)] = root(len(across) + j)
    members: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for index in range(len(group)):
        rows, columns = members.setdefault(root(index), ([], []))
        if index < len(across):
            rows.append(across[index])
        else:
            columns.append(down[index - len(across)])
    for rows, columns in members.values():
        if len(rows) >= 2 and columns:
            yield RuledGrid(rows, columns)


def _places(values: Iterable[float]) -> list[float]:
    """Sorted places, those nearer than `NEAR` taken as one."""
    places: list[float] = []
    for at in sorted(values):
        if not places or at - places[-1] > NEAR:
            places.append(at)
    return places


class RuledGrid:
    """Cells between rules; cells without a rule between them are one."""

    def __init__(self, across: list[Rule], down: list[Rule]) -> None:
        self._across, self._down = across, down
        self._ys = _places([rule.at for rule in across] + [end for rule in down for end in (rule.low, rule.high)])
        self._xs = _places([rule.at for rule in down] + [end for rule in across for end in (rule.low, rule.high)])

    def open_rules(self) -> list[Rule]:
        """The horizontal rules over its whole width, where it has a row without a wall in it; else none."""
        xs, ys = self._xs, self._ys
        rows, inner = range(len(ys) - 1), range(1, len(xs) - 1)
        if all(any(self._wall(row, column) for column in inner) for row in rows):
            return []
        whole = (rule for rule in self._across if rule.low - xs[0] <= NEAR and xs[-1] - rule.high <= NEAR)
        return sorted(whole, key=lambda rule: rule.at)

    def table(self, words: Sequence[PdfWord]) -> PageTable | None:
        """The table, or None where the grid is a box around some text, or has no text in two columns."""
        xs, ys = self._xs, self._ys
        if len(xs) < 3 or len(ys) < 2:
            return None
        cells: dict[tuple[int, int], list[PdfWord]] = {}
        for word in words:
            row = slot(ys, (word.top + word.bottom) / 2)
            column = slot(xs, (word.x0 + word.x1) / 2)
            if row is not None and column is not None:
                cells.setdefault(self._first(row, column), []).append(word)
        columns = sorted({column for _, column in cells})
        if len(columns) < 2:
            return None
        used = sorted({row for row, _ in cells})
        header, bold = _header_rows([[cells.get((row, column), []) for column in columns] for row in used])
        while 0 < header < len(used) - 1 and self._goes_on(used[header], columns, used[0]):
            header += 1
        rows = tuple(
            tuple(self._text(cells, row, column, repeated=at >= header) for column in columns)
            for at, row in enumerate(used)
        )
        return PageTable(Box(xs[0] - 1, ys[0] - 1, xs[-1] + 1, ys[-1] + 1), rows, header, bold)

    def _goes_on(self, row: int, columns: Sequence[int], first: int) -> bool:
        """Whether a cell of the first row goes on in a row below."""
        return any(self._first(row, column)[0] == first for column in columns)

    def _text(
        self, cells: Mapping[tuple[int, int], Sequence[PdfWord]], row: int, column: int, *, repeated: bool
    ) -> str:
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
        return any(abs(rule.at - x) <= NEAR and rule.low <= y <= rule.high for rule in self._down)

    def _floor(self, row: int, column: int) -> bool:
        y, x = self._ys[row], (self._xs[column] + self._xs[column + 1]) / 2
        return any(abs(rule.at - y) <= NEAR and rule.low <= x <= rule.high for rule in self._across)


def _header_rows(rows: Sequence[Sequence[Sequence[PdfWord]]]) -> tuple[int, bool]:
    """One header row where the first is in bold, or has no figures and those below have; and whether it is in bold."""
    first = [word for cell in rows[0] for word in cell]
    rest = [word for row in rows[1:] for cell in row for word in cell]
    if all(word.bold for word in first) and not (rest and all(word.bold for word in rest)):
        return 1, True
    figures = any(any(map(str.isdigit, word.text)) for word in first)
    full = all(rows[0])
    return int(full and not figures and any(any(map(str.isdigit, word.text)) for word in rest)), False
