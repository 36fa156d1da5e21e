"""LlamaIndex's metadata filters, as a pure function of a node's metadata.

A value that is not there matches `!=`, `nin` and `is_empty` only; two values that cannot be compared (a text with a
number) do not match. `contains`, `any` and `all` compare whole items of a list, a text being one item; a part of a text
is looked for by `text_match`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llama_index.core.vector_stores.types import (
    ExactMatchFilter,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from policy_rag.errors import UsageError
from policy_rag.retrieval.request import listed


def access_filters(groups: str | Sequence[str]) -> MetadataFilters:
    """What a caller of these groups may read of what `PolicyReader` read: what is open to all, and what lists a group.

    Combined with others as `MetadataFilters(filters=[access_filters(groups), ...])`. Serves in `PolicyVectorStore`, and
    in every store that keeps lists and knows `is_empty` and `any`.

    Args:
        groups: the caller's; none leaves what is open to all.
    """
    conditions: list[MetadataFilter | ExactMatchFilter | MetadataFilters] = [
        MetadataFilter(key="access", value=None, operator=FilterOperator.IS_EMPTY),
        MetadataFilter(key="access", value=list(listed(groups)), operator=FilterOperator.ANY),
    ]
    return MetadataFilters(filters=conditions, condition=FilterCondition.OR)


def matches(metadata: Mapping[str, Any], filters: MetadataFilters | None) -> bool:
    """Whether a node with this metadata passes; groups of filters may be nested. No filters let everything pass.

    Raises:
        UsageError: an operator or condition that is not known, or a list is missing where one is needed.

    >>> matches({"year": 2024}, MetadataFilters(filters=[MetadataFilter(key="year", value=2023, operator=">=")]))
    True
    """
    if filters is None or not filters.filters:
        return True
    results = [matches(metadata, f) if isinstance(f, MetadataFilters) else _holds(metadata, f) for f in filters.filters]
    condition = filters.condition or FilterCondition.AND
    if condition is FilterCondition.AND:
        return all(results)
    if condition is FilterCondition.OR:
        return any(results)
    if condition is FilterCondition.NOT:
        return not any(results)
    raise UsageError(f"the condition {condition!r} is not known: use and, or, not")


def _holds(metadata: Mapping[str, Any], condition: MetadataFilter | ExactMatchFilter) -> bool:
    value = metadata.get(condition.key)
    operator = getattr(condition, "operator", FilterOperator.EQ)
    if operator is FilterOperator.IS_EMPTY:
        return value is None or value in ("", [])
    if value is None:
        return operator in {FilterOperator.NE, FilterOperator.NIN}
    if operator in _OF_LISTS and not isinstance(condition.value, list):
        raise UsageError(f"the filter on {condition.key!r} with {operator.value!r} needs a list of values")
    compare = _OPERATORS.get(operator)
    if compare is None:
        raise UsageError(f"the operator {operator!r} is not known: use one of {', '.join(o.value for o in _OPERATORS)}")
    try:
        return compare(value, condition.value)
    except TypeError:
        return False  # of two kinds that do not compare


def _items(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else (value,)


def _text_match(value: Any, wanted: Any) -> bool:
    return isinstance(value, str) and isinstance(wanted, str) and wanted in value


_OF_LISTS = {FilterOperator.IN, FilterOperator.NIN, FilterOperator.ANY, FilterOperator.ALL}
_OPERATORS: dict[FilterOperator, Callable[[Any, Any], bool]] = {
    FilterOperator.EQ: lambda value, wanted: bool(value == wanted),
    FilterOperator.NE: lambda value, wanted: bool(value != wanted),
    FilterOperator.GT: lambda value, wanted: bool(value > wanted),
    FilterOperator.GTE: lambda value, wanted: bool(value >= wanted),
    FilterOperator.LT: lambda value, wanted: bool(value < wanted),
    FilterOperator.LTE: lambda value, wanted: bool(value <= wanted),
    FilterOperator.IN: lambda value, wanted: value in wanted,
    FilterOperator.NIN: lambda value, wanted: value not in wanted,
    FilterOperator.ANY: lambda value, wanted: any(item in _items(value) for item in wanted),
    FilterOperator.ALL: lambda value, wanted: all(item in _items(value) for item in wanted),
    FilterOperator.CONTAINS: lambda value, wanted: wanted in _items(value),
    FilterOperator.TEXT_MATCH: _text_match,
    FilterOperator.TEXT_MATCH_INSENSITIVE: lambda value, wanted: (
        isinstance(value, str) and isinstance(wanted, str) and wanted.casefold() in value.casefold()
    ),
}
