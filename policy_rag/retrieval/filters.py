"""Filters on what documents say of themselves: `KEY=A`, `KEY=A,B`, `KEY>=VALUE`, `KEY<=VALUE`.

A value that holds a comma stands between double quotes: `title="Leave, Sickness and Absence"`. Where days are compared,
a month or a year counts from its first day to its last: `effective_from>=2026`, `effective_from<=2026-03`.
"""

import calendar
import csv
import datetime as dt
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy_rag.errors import UsageError
from policy_rag.index.store.stored_documents import DocumentInfo

_FILTER = re.compile(r"\s*([^<>=!]+?)\s*(>=|<=|=)\s*(?![<>=])(.*?)\s*", re.DOTALL)
_BUILT_IN = ("doc_id", "file", "title", "version", "format", "language", "effective_from", "effective_to", "access")
_DATED = frozenset({"effective_from", "effective_to"})
_DAYS = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_DECEMBER = 12
_MOST_NAMED = 10


class Operator(StrEnum):
    """How a value is compared."""

    EQUAL = "="
    AT_LEAST = ">="
    AT_MOST = "<="


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on one key; with `EQUAL` any of the values will do, else there is one value."""

    key: str
    operator: Operator
    values: tuple[str, ...]


def parse_filter(text: str) -> Filter:
    """Reads a filter as it is typed.

    Raises:
        UsageError: it has no such form.

    >>> parse_filter("department=HR,Legal")
    Filter(key='department', operator=<Operator.EQUAL: '='>, values=('HR', 'Legal'))
    """
    match = _FILTER.fullmatch(text)
    if match is None or not match[3]:
        raise UsageError(f"the filter {text!r} is none: write KEY=A, KEY=A,B, KEY>=VALUE or KEY<=VALUE")
    operator = Operator(match[2])
    values = _listed(match[3]) if operator is Operator.EQUAL else (match[3],)
    if not values:
        raise UsageError(f"the filter {text!r} names no value: write KEY=A")
    return Filter(match[1], operator, values)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(v.strip() for row in csv.reader([text], skipinitialspace=True) for v in row if v.strip())


def written_filter(key: str, *values: str) -> str:
    """The filter that `parse_filter` reads as `key` being any of `values`.

    >>> written_filter("title", "Leave", "Travel, Meals and Hotels")
    'title=Leave,"Travel, Meals and Hotels"'
    """
    quoted = ('"' + value.replace('"', '""') + '"' if set(value) & set(',"') else value for value in values)
    return f"{key}={','.join(quoted)}"


def _values(document: DocumentInfo, key: str) -> tuple[str, ...]:
    if key in _BUILT_IN:
        value: object = getattr(document, key)
    else:
        value = document.extra.get(key)
    if value is None:
        return ()
    if isinstance(value, tuple):
        return tuple(str(v) for v in value)
    return (value.isoformat() if isinstance(value, dt.date) else str(value),)


def _days(text: str) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of a day, a month or a year in figures; None of what is none.

    >>> _days("2024-02")
    (datetime.date(2024, 2, 1), datetime.date(2024, 2, 29))
    """
    found = _DAYS.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day = (int(part or 0) for part in found.groups())
    try:
        first = dt.date(year, month or 1, day or 1)
        if day:
            return first, first
        end = month or _DECEMBER
        return first, dt.date(year, end, calendar.monthrange(year, end)[1])
    except ValueError:
        return None  # 31 February


def _order(value: str) -> tuple[int, float | str]:
    """Numbers by value, days and months by time, all else as text; the three never compare."""
    try:
        return 0, float(value)
    except ValueError:
        return (1, value) if _days(value) else (2, value.casefold())


def _version_order(value: str) -> tuple[int, tuple[int, ...] | str]:
    """Versions by their numbers: 3.10 comes behind 3.9, and 2.0 is 2; those without a number as text.

    >>> _version_order("v3.10") > _version_order("3.9"), _version_order("2.0") == _version_order("2")
    (True, True)
    """
    numbers = [int(number) for number in re.findall(r"[0-9]{1,99}", value)]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return (0, tuple(numbers)) if numbers else (2, value.casefold())


def _plain_version(value: str) -> tuple[int, ...] | str:
    """A version that is nothing but numbers by them, any other as text.

    >>> _plain_version("v7.0") == _plain_version("7"), _plain_version("7 draft")
    (True, '7 draft')
    """
    plain = re.fullmatch(r"\s*v?[0-9]{1,9}(?:\.[0-9]{1,9})*\s*", value, re.IGNORECASE)
    return _version_order(value)[1] if plain else value.casefold()


def _test(condition: Filter) -> Callable[[str], bool]:
    """Whether a value satisfies the condition, which is read once for all documents.

    Raises:
        UsageError: what a day is compared with is none.
    """
    if condition.key in _DATED:
        return _day_test(condition)
    if condition.operator is Operator.EQUAL:
        same = _plain_version if condition.key == "version" else str.casefold
        wanted = frozenset(map(same, condition.values))
        return lambda value: same(value) in wanted
    order: Callable[[str], tuple[int, Any]] = _version_order if condition.key == "version" else _order
    kind, bound = order(condition.values[0])
    compare = operator.ge if condition.operator is Operator.AT_LEAST else operator.le

    def holds(value: str) -> bool:
        found = order(value)
        return found[0] == kind and bool(compare(found[1], bound))

    return holds


def _day_test(condition: Filter) -> Callable[[str], bool]:
    """The same of a day: within what is named, or not before its begin, or not behind its end."""
    spans: list[tuple[dt.date, dt.date]] = []
    for written in condition.values:
        span = _days(written)
        if span is None:
            raise UsageError(f"{condition.key} is a day, and {written!r} is none: write it as 2026-01-31")
        spans.append(span)

    def holds(value: str) -> bool:
        day = dt.date.fromisoformat(value)
        begun = condition.operator is Operator.AT_MOST
        over = condition.operator is Operator.AT_LEAST
        return any((begun or first <= day) and (over or day <= last) for first, last in spans)

    return holds


def matching(
    documents: Sequence[DocumentInfo], filters: Sequence[Filter], *, known: Sequence[str]
) -> tuple[DocumentInfo, ...]:
    """The documents for which every filter holds; a document without the key matches no filter on it.

    Raises:
        UsageError: a filter on another key; the message lists the known ones. Or a day is compared with none.
    """
    for condition in filters:
        if condition.key not in known:
            raise UsageError(f"no document has {condition.key!r} to filter on: the keys are {', '.join(known)}")
    found = list(documents)
    for condition in filters:
        holds = _test(condition)
        found = [d for d in found if any(map(holds, _values(d, condition.key)))]
    return tuple(found)


def unknown_value(documents: Sequence[DocumentInfo], filters: Sequence[Filter]) -> str:
    """What there is instead where a filter names a value that no document has; "" where each has one.

    Ten values at most are named, in their order.
    """
    for condition in filters:
        if condition.operator is not Operator.EQUAL or matching(documents, [condition], known=(condition.key,)):
            continue
        values = sorted({value for document in documents for value in _values(document, condition.key)})
        more = f" and {len(values) - _MOST_NAMED} more" if len(values) > _MOST_NAMED else ""
        instead = f"it is {', '.join(values[:_MOST_NAMED])}{more}" if values else "none says anything of it"
        return f"no document that you may read has such a {condition.key}: {instead}"
    return ""


def known_keys(documents: Sequence[DocumentInfo]) -> tuple[str, ...]:
    """All keys that can be filtered on, sorted."""
    return tuple(sorted(set(_BUILT_IN).union(*(document.extra for document in documents))))
