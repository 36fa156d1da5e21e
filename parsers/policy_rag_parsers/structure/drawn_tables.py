"""Tables that blanks draw: rows whose cells stand in columns, as in plain text and on man pages."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy_rag_parsers.text.sentences import LIST_MARK, Span

_GAP = re.compile(r" {2,}")
_PART = re.compile(r"\S+(?: \S+)*")
_RULED = re.compile(r"[-=_+* ]*[-=_]{3,}[-=_+* ]*")
_CLEAR_GAP = 3  # two blanks may stand behind a full stop; three are a column


@dataclass(frozen=True, slots=True)
class _Line:
    """A line: its ink, the columns at which its first and its other cells begin, and whether it only rules off."""

    start: int
    end: int
    first: int
    cells: tuple[int, ...]
    clear: bool
    ruled: bool


def aligned_tables(text: str) -> list[list[Span]]:
    r"""The rows of each table that blanks draw, in order, the header first; lines that rule off are left out.

    A table is three lines or more, or two and a line that rules off, without a blank line between, of which each has
    two cells or more and each begins one where the first row does. A line that begins below the second cell or a later
    one goes on with the row above.

    >>> text = "Record     Period\n---------  -------\nInvoices   7 years\nCCTV       31 days\n"
    >>> [[text[a:b] for a, b in rows] for rows in aligned_tables(text)]
    [['Record     Period', 'Invoices   7 years', 'CCTV       31 days']]
    """
    found: list[list[Span]] = []
    run: list[_Line] = []
    for line in _lines(text):
        if line is not None and _belongs(run, line):
            run.append(line)
            continue
        found.extend(_table(run))
        run = [line] if line is not None and line.cells and not line.ruled else []
    found.extend(_table(run))
    return found


def drawn_cells(text: str, header: Span, row: Span) -> list[str]:
    r"""The cells of a row of such a table, or of its header, one for each column of the header, the empty ones too.

    Each part of a line stands in the column in which it begins; one of several that runs over the beginning of a column
    is cut where a word begins there. Where that leaves a cell empty and the parts are as many as the columns, they are
    read in order: figures may be aligned to the right.

    >>> text = "Record         Period    From\nJobs, refused  6 months  refusal\nMinutes                  meeting"
    >>> [drawn_cells(text, (0, 29), row) for row in ((30, 62), (63, 95))]
    [['Jobs, refused', '6 months', 'refusal'], ['Minutes', '', 'meeting']]
    """
    columns = [begin for begin, _ in next(_parts(text, header))]
    cells: list[list[str]] = [[] for _ in columns]
    for parts in _parts(text, row):
        cut = [piece for part in parts for piece in _cut(*part, columns)] if len(parts) > 1 else parts
        placed = [(max(0, bisect_right(columns, begin + 1) - 1), piece) for begin, piece in cut]
        if len({column for column, _ in placed}) < len(columns) == len(parts):
            placed = [(column, part) for column, (_, part) in enumerate(parts)]
        for column, part in placed:
            cells[column].append(part)
    return [" ".join(cell) for cell in cells]


def _parts(text: str, span: Span) -> Iterator[list[tuple[int, str]]]:
    """What stands between gaps in each line of a row, with the column at which it begins."""
    at = text.rfind("\n", 0, span[0]) + 1
    for line in text[at : span[1]].split("\n"):
        yield [(part.start(), part[0]) for part in _PART.finditer(line, max(span[0] - at, 0))]
        at += len(line) + 1


def _cut(begin: int, part: str, columns: Sequence[int]) -> Iterator[tuple[int, str]]:
    """A part that runs over columns' beginnings, cut where a word begins there."""
    bounds = [one - begin for one in columns if begin < one < begin + len(part) and part[one - begin - 1] == " "]
    for start, end in zip([0, *bounds], [*bounds, len(part)], strict=True):
        yield begin + start, part[start:end].rstrip()


def _lines(text: str) -> list[_Line | None]:
    """The lines in order; None for a blank one."""
    lines: list[_Line | None] = []
    at = 0
    for line in text.split("\n"):
        ink = line.strip()
        lines.append(_line(at, line, ink) if ink else None)
        at += len(line) + 1
    return lines


def _line(at: int, line: str, ink: str) -> _Line:
    first = line.index(ink)
    last = first + len(ink)
    mark = LIST_MARK.match(line, first, last)
    body = mark.end() if mark else first  # the blanks behind an item's mark bound no cell
    while mark and body < last and line[body] == " ":
        body += 1
    drawn = "|" not in line and "\t" not in line and not ink.startswith(">")  # the mark of a quoted block is no cell
    gaps = list(_GAP.finditer(line, body, last)) if drawn else []
    return _Line(
        start=at + first,
        end=at + last,
        first=first,
        cells=tuple(gap.end() for gap in gaps),
        clear=any(gap.end() - gap.start() >= _CLEAR_GAP for gap in gaps),
        ruled=_RULED.fullmatch(ink) is not None,
    )


def _belongs(run: Sequence[_Line], line: _Line) -> bool:
    if not run:
        return False
    if line.ruled:
        return True
    columns = run[0].cells
    return line.first in columns or any(cell in columns for cell in line.cells)


def _table(run: Sequence[_Line]) -> list[list[Span]]:
    rows: list[Span] = []
    clear = 0
    for line in run:
        if line.ruled:
            continue
        if rows and line.first in run[0].cells:
            rows[-1] = (rows[-1][0], line.end)
        else:
            rows.append((line.start, line.end))
        clear += line.clear
    ruled = any(line.ruled for line in run[:-1])
    return [rows] if len(rows) >= (2 if ruled else 3) and clear >= len(rows) // 2 else []
