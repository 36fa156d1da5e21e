"""Rows that a question names by the value of their key: "grade 5", "level C", "bands 3-4"; and tables without them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from policy_rag.answering.extraction.quotable_units import TABLE_CHARS, Unit
from policy_rag.index.search.terms import terms
from policy_rag_parsers.text.bounds import Side, bound_of
from policy_rag_parsers.text.lexicon import JOINING, LEXICONS, alternatives, reference_words

_VALUE = r"(?:[A-Z]?\d{1,6}(?:\.\d{1,3})?|[A-Z])(?![\w%]|[.,]\d)"
_TO = rf"\s*(?:-|–|—|\b(?:{reference_words('to')})\b)\s*"
_OR = rf"\s*(?:[,/&]|\b(?:{alternatives(JOINING)})\b)\s*"
_RANGE = re.compile(rf"(?<![\w.,])(?P<first>{_VALUE})(?:{_TO}(?P<last>{_VALUE}))?")
_NAMED = re.compile(rf"(?P<name>[^\W\d_]{{3,}})\s+(?P<values>(?!I\b){_VALUE}(?:(?:{_TO}|{_OR})(?!I\b){_VALUE}){{0,4}})")
_LONGEST_KEY = 40
_MOST_WORDS = 4  # of a column's name; what is longer is a sentence
_SHORTEST_PART = 4  # letters of a word that stands for a compound


@dataclass(frozen=True, slots=True)
class _Values:
    """Values from `low` to `high`, both included; those of different kinds, as 5, C and B2, are never compared."""

    kind: str
    low: float
    high: float

    def meet(self, other: "_Values") -> bool:
        return self.kind == other.kind and self.low <= other.high and other.low <= self.high


def without_other_rows(question: str, found: Sequence[Unit]) -> list[Unit]:
    """The units of a hit without what does not answer a question that names rows.

    Of a table whose first column is named with a value of it the rows that have the value are left, without the rest of
    their table, and as one unit while they are short. Where no row has it, and every row has a value of its kind,
    nothing of the table is left.
    """
    kept = list(found)
    if not (named := list(_named(question))):
        return kept
    for table in dict.fromkeys(unit.table for unit in found if unit.key is not None):
        rows = [(unit, unit.key, _values(unit.key.value)) for unit in found if unit.table == table and unit.key]
        asked = [values for name, values in named if _is_called(rows[0][1].column, name)]
        fitting = [
            replace(unit, spans=key.spans)
            for unit, key, own in rows
            if any(one.meet(other) for one in own for other in asked)
        ]
        kinds = {one.kind for one in asked}
        if fitting or (asked and all(kinds & {one.kind for one in own} for _, _, own in rows)):
            kept = [unit for unit in kept if not _is_of(unit, table)] + _together(fitting)
            kept.sort(key=lambda unit: unit.start)
    return kept


def _is_of(unit: Unit, table: int | None) -> bool:
    """Whether a unit is of a table, or a sentence that brings all of it."""
    return unit.table == table or (table is not None and any(start <= table < end for start, end in unit.spans))


def _together(rows: Sequence[Unit]) -> list[Unit]:
    """Rows as one unit where that is short enough to be quoted."""
    if len(rows) < 2 or rows[-1].end - rows[0].start > TABLE_CHARS:
        return list(rows)
    spans = sorted({span for unit in rows for span in unit.spans})
    return [replace(rows[0], text=" ".join(unit.text for unit in rows), end=rows[-1].end, spans=tuple(spans))]


def _named(question: str) -> Iterator[tuple[str, _Values]]:
    """Words of a question with the values behind them."""
    for found in _NAMED.finditer(question):
        name = found["name"].lower()
        if all(terms(name, language) for language in LEXICONS):
            yield from ((name, values) for values in _ranges(found["values"]))


def _is_called(column: str, name: str) -> bool:
    """Whether a word names a table's first column: one of its words, in the plural too, or the end of a compound."""
    own = re.findall(r"[^\W\d_]{3,}", column.lower())
    return len(own) <= _MOST_WORDS and any(
        one == other or (len(other) >= _SHORTEST_PART and one.endswith(other))
        for word in own
        for a, b in ((word, name), (name, word))
        for one, other in ((a, b), (a, b.removesuffix("s")), (a.removesuffix("s"), b))
    )


def _ranges(text: str) -> Iterator[_Values]:
    for found in _RANGE.finditer(text):
        low = _value(found["first"])
        high = _value(found["last"]) if found["last"] else low
        yield _Values(low[0], low[1], high[1]) if low[0] == high[0] else _Values(*low, low[1])


def _value(written: str) -> tuple[str, float]:
    """The kind of a value and its place among those of its kind."""
    if written.isalpha():
        return "letter", float(ord(written))
    letter = written[0] if written[0].isalpha() else ""
    return f"{letter}number", float(written.removeprefix(letter))


@cache
def _values(cell: str) -> list[_Values]:
    """The values of a key, "6 and above" with all above; none of one that is long or has no value."""
    if len(cell) > _LONGEST_KEY:
        return []
    found = list(_ranges(cell))
    if len(found) != 1 or found[0].low != found[0].high:
        return found
    (only,), at = found, _RANGE.search(cell)
    side = _side(cell, at.start(), at.end()) if at else None
    low, high = (only.low, float("inf")) if side is Side.LEAST else (float("-inf"), only.high)
    return [only if side is None else _Values(only.kind, low, high)]


def _side(cell: str, start: int, end: int) -> Side | None:
    """On which side of a key's only value the others lie; None where there are none."""
    if cell[end:].lstrip().startswith("+") or re.search(r"[>≥]\s*=?\s*$", cell[:start]):
        return Side.LEAST
    if re.search(r"[<≤]\s*=?\s*$", cell[:start]):
        return Side.MOST
    found = (bound_of(cell, start, end, following=len(cell), dated=False, language=language) for language in LEXICONS)
    return next((one.side for one in found if one is not None), None)
