"""What a caller asks, from what the caller gives."""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from policy_rag.errors import UsageError
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.filters import parse_filter

MOST_QUESTION_CHARS = 20_000


def check_question(question: str, called: str = "question") -> None:
    """Refuses what is no question, or no statement to check; `called` says which it is.

    Raises:
        UsageError: it is blank, overlong, or no text.
    """
    if not isinstance(question, str):
        raise UsageError(f"the {called} is no text but {type(question).__name__}: give it as a text")
    if not question.strip():
        example = "How many days of leave do I have?" if called == "question" else "Staff have 30 days of leave."
        raise UsageError(f'the {called} is empty: write one, for example "{example}"')
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the {called} holds half of a character (a surrogate): write it anew, in a terminal set to UTF-8"
        ) from error
    if len(question) > MOST_QUESTION_CHARS:
        raise UsageError(
            f"the {called} has {len(question):,} characters, more than {MOST_QUESTION_CHARS:,}: write it more briefly"
        )


def request_of(
    question: str, where: str | Sequence[str], groups: str | Sequence[str], as_of: dt.date | str | None
) -> SearchRequest:
    """A question with what it is asked under; one filter or group may be given as it is, a day as text.

    Raises:
        UsageError: the day or a filter is none, or filters or groups are no texts.

    >>> request_of("Leave?", "doc_id=a", (), "2026-01-31")
    SearchRequest(question='Leave?', where=('doc_id=a',), groups=(), as_of=datetime.date(2026, 1, 31))
    """
    filters = listed(where)
    for one in filters:
        parse_filter(one)
    return SearchRequest(question, filters, listed(groups), day_of(as_of))


def day_of(given: dt.date | str | None) -> dt.date | None:
    """The day that is given, of a moment the day that it lies in.

    Raises:
        UsageError: it is none.

    >>> day_of(" 2026-03-01 "), day_of(dt.datetime(2026, 3, 1, 12, 30)), day_of(None)
    (datetime.date(2026, 3, 1), datetime.date(2026, 3, 1), None)
    """
    if isinstance(given, dt.datetime):
        return given.date()
    if given is None or isinstance(given, dt.date):
        return given
    try:
        return dt.date.fromisoformat(given.strip())
    except (ValueError, AttributeError) as error:
        raise UsageError(f"{given!r} is no day: write it as 2026-01-31, or leave it out") from error


def listed(values: str | Sequence[str] | None) -> tuple[str, ...]:
    """Several, or one that is given as it is: a text is never taken for a list of its characters. None is none.

    Raises:
        UsageError: it is neither.

    >>> listed("hr"), listed(["hr", "it"]), listed(None)
    (('hr',), ('hr', 'it'), ())
    """
    single = isinstance(values, str) or not isinstance(values, Iterable | None)
    found: tuple[Any, ...] = (values,) if single else tuple(values or ())
    if not all(isinstance(one, str) for one in found):
        raise UsageError(f"{values!r} is given where a text is expected: give one, a list of them, or leave it out")
    return found
