"""What a caller asks, from what the caller gives."""

from collections.abc import Mapping
from typing import Any

from policy_rag.errors import UsageError
from policy_rag.records.search import SearchRequest

MOST_QUESTION_CHARS = 20_000
_NAMES = ("where", "groups", "as_of")


def check_question(question: str) -> None:
    """Refuses what is no question.

    Raises:
        UsageError: it is blank or overlong.
    """
    if not question.strip():
        raise UsageError('the question is empty: write one, for example "How many days of leave do I have?"')
    if len(question) > MOST_QUESTION_CHARS:
        raise UsageError(
            f"the question has {len(question):,} characters, more than {MOST_QUESTION_CHARS:,}: ask it more briefly"
        )


def request_of(question: str, options: Mapping[str, Any]) -> tuple[SearchRequest, dict[str, Any]]:
    """The question under those of the options that are a request's own, and the other options.

    >>> request_of("Leave?", {"where": "doc_id=a", "top_k": 3})[1]
    {'top_k': 3}
    """
    under = {name: options[name] for name in _NAMES if options.get(name) is not None}
    for name in ("where", "groups"):
        if name in under:
            under[name] = (under[name],) if isinstance(under[name], str) else tuple(under[name])
    return SearchRequest(question, **under), {k: v for k, v in options.items() if k not in _NAMES}
