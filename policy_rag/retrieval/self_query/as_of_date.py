"""The day whose rules a question asks for in so many words: "in force on 1 May 2025", "as of March 2024"."""

import datetime as dt
import re
from typing import Final

from policy_rag.retrieval.self_query.dates import DATE, span_of

_CUE: Final = (
    r"(?:in force|in effect|effective|valid|applicable|appl(?:y|ies|ied|ying)|as (?:of|at|on)|rules? (?:of|on)|"
    r"in kraft|gültig|galt(?:en)?|gilt|stand(?: vom)?)"
)
_ASKED: Final = re.compile(rf"\b{_CUE}\s+(?:(?:on|at|as of|in|during|am|im|zum)\s+)?(?:the\s+)?{DATE}", re.IGNORECASE)


def asked_day(question: str, today: dt.date) -> tuple[dt.date, tuple[int, int]] | None:
    """The day that a question names as the one whose rules it asks for.

    A bare date says nothing: "I flew on 1 May 2025" is no wish for the rules of that day. Of a month or a year it is
    the day that is nearest to today.

    Returns:
        The day and the range of the question that says so; None where there is no such day, an impossible one, or more
        than one.

    >>> asked_day("What was the rate in force on 1 May 2025?", dt.date(2026, 9, 1))
    (datetime.date(2025, 5, 1), (18, 40))
    >>> asked_day("What applied in 2024?", dt.date(2026, 9, 1))
    (datetime.date(2024, 12, 31), (5, 20))
    """
    days = {
        nearest(*days, today): found.span()
        for found in _ASKED.finditer(question)
        if (days := span_of(found)) is not None
    }
    return days.popitem() if len(days) == 1 else None


def nearest(first: dt.date, last: dt.date, day: dt.date) -> dt.date:
    """The day from `first` to `last` that is nearest to `day`."""
    return min(max(day, first), last)
