"""Whether the first row of a table names its columns, told by its text alone."""

from collections.abc import Sequence
from typing import Final

_LONGEST: Final = 60
_FEWEST_COLUMNS: Final = 3
_FEWEST_ROWS: Final = 3


def may_name_columns(cells: Sequence[str]) -> bool:
    """Whether cells are short, and none begins with a digit or ends like a sentence or with a colon.

    >>> may_name_columns(["", "Public", "Internal"]), may_name_columns(["Owner:", "HR", "London"])
    (True, False)
    """
    stripped = [cell.strip() for cell in cells]
    return any(stripped) and not any(
        len(cell) > _LONGEST or cell[:1].isdigit() or cell.endswith((".", ":", ";")) for cell in stripped
    )


def reads_as_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of a table that says nothing of a header is one.

    The table has three columns and three rows at least. The cells of its first row may name columns, all but the first
    are filled, no two are alike, and none stands again below: where there is no header, rows mostly repeat each other.

    >>> reads_as_header([["", "Staff", "Guests"], ["Wi-Fi", "yes", "yes"], ["Badge", "yes", "no"]])
    True
    >>> reads_as_header([["Wi-Fi", "yes", "no"], ["Badge", "yes", "no"], ["Car park", "no", "no"]])
    False
    """
    if len(rows) < _FEWEST_ROWS or len(rows[0]) < _FEWEST_COLUMNS or not may_name_columns(rows[0]):
        return False
    columns = [[cell.strip().casefold() for cell in column] for column in zip(*rows, strict=False)]
    first = [column[0] for column in columns]
    apart = len(set(first)) == len(first) and not any(one and one in below for one, *below in columns)
    return all(first[1:]) and apart
