"""Filters on what documents say of themselves: `KEY=A`, `KEY=A,B`, `KEY>=VALUE`, `KEY<=VALUE`."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from policy_rag.errors import UsageError
from policy_rag.index.documents import DocumentInfo

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
    values = tuple(v.strip() for v in match[3].split(",") if v.strip()) if operator is Operator.EQUAL else (match[3],)
    if not values:
        raise UsageError(f"the filter {text!r} names no value: write KEY=A")
    return Filter(match[1], operator, values)


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


def _holds(value: str, condition: Filter) -> bool:
    if condition.operator is Operator.EQUAL:
        return value.casefold() in {v.casefold() for v in condition.values}
    left, right = _order(value), _order(condition.values[0])
    if left[0] != right[0]:
        return False
    return left >= right if condition.operator is Operator.AT_LEAST else left <= right


def matching(
    documents: Sequence[DocumentInfo], filters: Sequence[Filter], *, known: Sequence[str]
) -> tuple[DocumentInfo, ...]:
    """The documents for which every filter holds; a document without the key matches no filter on it.

    Args:
        documents: what to filter.
        filters: all must hold.
        known: the keys that the caller may know of.

    Raises:
        UsageError: a filter on another key; the message lists the known ones.
    """
    for condition in filters:
        if condition.key not in known:
            raise UsageError(f"no document has {condition.key!r} to filter on: the keys are {', '.join(known)}")
    return tuple(d for d in documents if all(any(_holds(v, f) for v in _values(d, f.key)) for f in filters))


def known_keys(documents: Sequence[DocumentInfo]) -> tuple[str, ...]:
    """All keys that can be filtered on, sorted."""
    extra: Mapping[str, None] = {key: None for document in documents for key in document.extra}
    return tuple(sorted({*_BUILT_IN, *extra}))
