"""Tables that set clauses: their numbers stand in one column and their text in the other."""

import re
from collections.abc import Iterable
from typing import Final

_NUMBER: Final = re.compile(
    r"[§(]?\s?(?:\d{1,3}(?:\.\d{1,3}){0,8}|[A-Za-z]|[ivxIVX]{2,6})(?P<closing>[.)]?)|[•–-]", re.IGNORECASE
)


def are_clause_numbers(cells: Iterable[str], *, counted: bool = False) -> bool:
    """Whether the cells of a column hold numbers of clauses alone, or nothing: one at least is plainly no quantity.

    Args:
        cells: the texts of the column, each on one line.
        counted: whether one of the empty cells is numbered by its list.

    >>> are_clause_numbers(["1.1", "1.2", ""]), are_clause_numbers(["10", "20"]), are_clause_numbers(["1.", "Total"])
    (True, False, False)
    """
    matches = [_NUMBER.fullmatch(cell) for cell in cells if cell]
    return all(matches) and (counted or any(match is not None and _is_no_quantity(match) for match in matches))


def _is_no_quantity(match: re.Match[str]) -> bool:
    return bool(match["closing"]) or match[0][0] in "§(•" or "." in match[0]
