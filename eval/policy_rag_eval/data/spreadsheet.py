"""CSV files that people open in a spreadsheet, which would run some texts as formulas."""

import csv
import io
import re
from pathlib import Path

from policy_rag_eval.data.json_lines import text_of
from policy_rag_eval.errors import DatasetError

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_SEPARATOR = re.compile(r"\"?sep=(\S|\t)\"?\r?\n", re.IGNORECASE)
_LONGEST_CELL = 2**31 - 1  # the library's own limit, 131,072 characters, is less than a long policy


def as_cell(text: str) -> str:
    """A text with an apostrophe before it where a spreadsheet would take it for a formula.

    >>> as_cell("=A1"), as_cell("Who pays?")
    ("'=A1", 'Who pays?')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def from_cell(text: str) -> str:
    """The text that `as_cell` was given."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def read_cells(path: Path) -> tuple[list[str], list[tuple[str, dict[str, str]]]]:
    """The names of a table's columns; and of each row where it stands, and its cells by name, as `as_cell` was given.

    Cells are parted by commas, semicolons or tabs, as spreadsheets save them, or by what a first line `sep=` says; rows
    without a text are passed over.

    Raises:
        DatasetError: it cannot be read, is no CSV, or has two columns of one name; names the line.
    """
    text = text_of(path)
    csv.field_size_limit(_LONGEST_CELL)
    said = _SEPARATOR.match(text)
    table = text[said.end() :] if said else text
    delimiter = said[1] if said else max(",;\t", key=table.split("\n", 1)[0].count)
    reader = csv.DictReader(io.StringIO(table, newline=""), delimiter=delimiter, strict=True)
    above = 1 if said else 0
    rows = []
    try:
        names = [name.strip() for name in reader.fieldnames or ()]
        for row in reader:
            cells = {str(key).strip(): from_cell(value or "") for key, value in row.items() if key is not None}
            if any(map(str.strip, cells.values())):
                rows.append((f"{path}, line {above + reader.line_num}", cells))
    except csv.Error as error:
        raise DatasetError(f"{path}, line {above + reader.line_num}: {error}: save it as CSV in UTF-8") from error
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise DatasetError(f"{path} has two columns {twice!r}: keep one of them")
    return names, rows
