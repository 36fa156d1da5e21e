"""Filters on what documents say of themselves: `KEY=A`, `KEY=A,B`, `KEY>=VALUE`, `KEY<=VALUE`.

A value that holds a comma stands between double quotes: `title="Leave, Sickness and Absence"`.
"""

import csv
import datetime as dt
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from policy_rag.errors import UsageError
from policy_rag.index.store.stored_documents import DocumentInfo

_FILTER = re.compile(r"\s*([^<>=]+?)\s*(>=|<=|=)\s*(.*?)\s*", re.DOTALL)
_BUILT_IN = ("doc_id", "file", "title", "version", "format", "language", "effective_from", "effective_to", "access")


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


def _order(value: str) -> tuple[int, float | str]:
    """Numbers by value, all else (ISO dates among it) as text; the two never compare."""
    try:
        return 0, float(value)
    except ValueError:
        return 1, value.casefold()


def _test(condition: Filter) -> Callable[[str], bool]:
    """Whether a value satisfies the condition, which is read once for all documents."""
    if condition.operator is Operator.EQUAL:
        wanted = frozenset(v.casefold() for v in condition.values)
        return lambda value: value.casefold() in wanted
    kind, bound = _order(condition.values[0])
    compare = operator.ge if condition.operator is Operator.AT_LEAST else operator.le

    def holds(value: str) -> bool:
        found = _order(value)
        return found[0] == kind and bool(compare(found[1], bound))

    return holds


def matching(
    documents: Sequence[DocumentInfo], filters: Sequence[Filter], *, known: Sequence[str]
) -> tuple[DocumentInfo, ...]:
    """The documents for which every filter holds; a document without the key matches no filter on it.

    Raises:
        UsageError: a filter on another key; the message lists the known ones.
    """
    for condition in filters:
        if condition.key not in known:
            raise UsageError(f"no document has {condition.key!r} to filter on: the keys are {', '.join(known)}")
    found = list(documents)
    for condition in filters:
        holds = _test(condition)
        found = [d for d in found if any(map(holds, _values(d, condition.key)))]
    return tuple(found)


def known_keys(documents: Sequence[DocumentInfo]) -> tuple[str, ...]:
    """All keys that can be filtered on, sorted."""
    return tuple(sorted(set(_BUILT_IN).union(*(document.extra for document in documents))))
