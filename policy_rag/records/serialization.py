"""Records as JSON."""

import dataclasses
import datetime as dt
from collections.abc import Mapping
from typing import Any

from policy_rag.records.answer import Answer

_NOT_IN_JSON = frozenset({
    "notices", "also_at", "blocks", "related", "queries", "about", "asked", "evidence", "declared",
    "pages", "path_numbers", "said", "trace_store", "unkept",
})  # fmt: skip

# In JSON only where there is any.
_WHERE_PRESENT = frozenset({"filters", "gone", "kept", "metadata", "metadata_failures", "trace_id", "withheld"})


def to_json(record: object) -> Any:
    """A record as plain JSON values: field names as keys, tuples as lists, dates as ISO strings.

    `notices` are for people and go to standard error; `also_at`, `related` and `queries` are for programs in Python;
    an `Answer` gains `answered`.

    >>> from policy_rag.records.search import SearchRank
    >>> to_json(SearchRank(rank=1, score=0.5))
    {'rank': 1, 'score': 0.5}
    """
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        names = [
            f.name
            for f in dataclasses.fields(record)
            if f.name not in _NOT_IN_JSON and (f.name not in _WHERE_PRESENT or getattr(record, f.name))
        ]
        if isinstance(record, Answer):
            names.insert(names.index("status") + 1, "answered")
        return {name: to_json(getattr(record, name)) for name in names}
    if isinstance(record, Mapping):
        return {str(key): to_json(value) for key, value in record.items()}
    if isinstance(record, tuple | list):
        return [to_json(value) for value in record]
    if isinstance(record, dt.date):
        return record.isoformat()
    return record
