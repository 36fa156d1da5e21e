"""What a caller asks, from what the caller gives."""

import datetime as dt
from collections.abc import Sequence

from policy_rag.errors import UsageError
from policy_rag.records.search import SearchRequest

MOST_QUESTION_CHARS = 20_000


def check_question(question: str) -> None:
    """Refuses what is no question.

    Raises:
        UsageError: it is blank, overlong, or no text.
    """
    if not question.strip():
        raise UsageError('the question is empty: write one, for example "How many days of leave do I have?"')
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            "the question holds half of a character (a surrogate): write it anew, in a terminal set to UTF-8"
        ) from error
    if len(question) > MOST_QUESTION_CHARS:
        raise UsageError(
            f"the question has {len(question):,} characters, more than {MOST_QUESTION_CHARS:,}: ask it more briefly"
        )


def request_of(
    question: str, where: str | Sequence[str], groups: str | Sequence[str], as_of: dt.date | None
) -> SearchRequest:
    """A question with what it is asked under; one filter or group may be given as it is.

    >>> request_of("Leave?", "doc_id=a", (), None).where
    ('doc_id=a',)
    """
    return SearchRequest(question, _listed(where), _listed(groups), as_of)


def _listed(values: str | Sequence[str]) -> tuple[str, ...]:
    return (values,) if isinstance(values, str) else tuple(values)
