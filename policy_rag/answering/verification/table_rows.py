"""The rows of a section's tables: what each is about, and what stands below which head."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_parsers.blocks.table_blocks import find_tables, header_text, table_rows
from policy_rag_parsers.records import FileFormat, SourceText, TableMark
from policy_rag_parsers.structure.drawn_tables import aligned_tables, drawn_cells
from policy_rag_parsers.text.lexicon import any_word, lexicon
from policy_rag_parsers.text.sentences import Span

_BAR = re.compile(r"(?<!\\)\||\t")
_MARKUP = re.compile(r"[*_`]+")
_SENTENCES = re.compile(r"[a-zäöüß]{3}[.!?]\s+[A-ZÄÖÜ]")
_CHECKED, _CROSSED = ("✓", "✔", "x"), ("✗", "✘")
_SERIAL = re.compile(r"\(?\d{1,3}[.)]?")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell and the head of its column, "" where the table has none; `column` counts from 0."""

    column: int
    head: str
    text: str

    def told(self, language: str) -> str:
        """The cell with its head, in words: a "no" negates the head.

        >>> Cell(1, "Countersigned", "no").told("english"), Cell(2, "One order", "EUR 500").told("english")
        ('no Countersigned', 'One order: EUR 500')
        """
        if not self.head or not self.text:
            return self.text
        known = lexicon(language)
        bare = self.text.rstrip(" .").lower()
        if bare in _CHECKED or any_word(known.yes).fullmatch(bare):
            return self.head
        if bare in _CROSSED or any_word(known.none).fullmatch(bare):
            return f"{known.no_such} {self.head}"
        denied = self.text.split()[0].lower() in known.negators
        return f"{self.text} {self.head}" if denied else f"{self.head}: {self.text}"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table, without its header row.

    Attributes:
        start: its first character, in the section.
        end: one past its last.
        key: what it is about: its first cell that is no serial number.
        cells: the others, in order.
        language: in which it is told.
    """

    start: int
    end: int
    key: str
    cells: tuple[Cell, ...]
    language: str

    @property
    def is_prose(self) -> bool:
        """Whether a cell holds sentences: such a row is read as they are."""
        return any(_SENTENCES.search(cell.text) for cell in self.cells)

    @property
    def told(self) -> str:
        """The row in words, a clause for each cell."""
        return "; ".join(filter(None, [self.key, *(cell.told(self.language) for cell in self.cells)]))


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its header row, or None, and the rows below it."""

    header: Span | None
    rows: tuple[TableRow, ...]


def tables(text: str, language: str) -> list[Table]:
    r"""The tables of a section, in order: those with bars or tabs between the cells, and those that blanks draw.

    >>> (table,) = tables("| Gas | Room |\n| --- | --- |\n| Argon | 5 kg |\n| Xenon | no |\n", "english")
    >>> [row.told for row in table.rows]
    ['Argon; Room: 5 kg', 'Xenon; no Room']
    """
    marks = find_tables(SourceText(text, FileFormat.MARKDOWN))
    drawn = [spans for spans in aligned_tables(text) if not _overlaps(spans, marks)]
    found = [_marked(text, mark, language) for mark in marks]
    found += [_drawn(text, spans, language) for spans in drawn]
    return sorted((table for table in found if table.rows), key=lambda table: table.rows[0].start)


def _overlaps(spans: Sequence[Span], marks: Sequence[TableMark]) -> bool:
    return any(mark.start < spans[-1][1] and spans[0][0] < mark.end for mark in marks)


def _marked(text: str, mark: TableMark, language: str) -> Table:
    shown = header_text(text, mark)
    spans = [span for span in table_rows(text, mark) if re.search(r"\w", text[slice(*span)])]
    rows = [text[slice(*span)] for span in spans]
    framed = all(row.startswith("|") for row in (*rows, *filter(None, [shown])))
    heads = _split(shown, framed=framed) if shown else []
    header = (mark.start, mark.start + len(text[mark.start : mark.header_end].rstrip())) if shown else None
    cells = (_split(row, framed=framed) for row in rows)
    return Table(header, tuple(_row(span, heads, found, language) for span, found in zip(spans, cells, strict=True)))


def _split(line: str, *, framed: bool) -> list[str]:
    """The cells of a row; where not all rows of its table begin with a bar, one there alone follows an empty cell.

    >>> _split("| Inside | Outside", framed=False), _split("| Inside | Outside |", framed=False)
    (['', 'Inside', 'Outside'], ['Inside', 'Outside'])
    """
    row = line.strip()
    closed = row.endswith("|") and not row.endswith("\\|")
    inner = (row.removeprefix("|") if framed or closed else row).removesuffix("|" if closed else "")
    return [" ".join(_MARKUP.sub("", cell.replace("\\|", "|")).split()) for cell in _BAR.split(inner)]


def _drawn(text: str, spans: Sequence[Span], language: str) -> Table:
    heads, *rows = (drawn_cells(text, spans[0], span) for span in spans)
    below = zip(spans[1:], rows, strict=True)
    return Table(spans[0], tuple(_row(span, heads, cells, language) for span, cells in below))


def _row(span: Span, heads: Sequence[str], cells: Sequence[str], language: str) -> TableRow:
    place = 1 if len(cells) > 2 and _SERIAL.fullmatch(cells[0]) else 0
    return TableRow(
        start=span[0],
        end=span[1],
        key=cells[place],
        cells=tuple(
            Cell(column, heads[column] if column < len(heads) else "", cell)
            for column, cell in enumerate(cells)
            if column != place
        ),
        language=language,
    )
