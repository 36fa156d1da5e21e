"""The day whose rules a question asks for in so many words: "in force on 1 May 2025", "as of March 2024"."""

import calendar
import datetime as dt
import re
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar", "february feb februar", "march mar märz", "april apr", "may mai", "june jun juni",
            "july jul juli", "august aug", "september sept sep", "october oct oktober", "november nov",
            "december dec dezember",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_CUE: Final = (
    r"(?:in force|in effect|effective|valid|applicable|appl(?:y|ies|ied|ying)|as (?:of|at|on)|rules? (?:of|on)|"
    r"in kraft|gültig|galt(?:en)?|gilt|stand(?: vom)?)"
)
_DATE: Final = (
    r"(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
    rf"|(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(?P<n1>{_MONTH})\.?,?\s+(?P<y1>\d{{4}})"
    rf"|(?P<n2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}})"
    r"|(?P<d3>\d{1,2})\.\s?(?P<m3>\d{1,2})\.\s?(?P<y3>\d{4})"
    r"|(?P<y4>(?:19|20)\d{2}))(?![\w-]|\.\d)"
)
_ASKED: Final = re.compile(rf"\b{_CUE}\s+(?:(?:on|at|as of|in|during|am|im|zum)\s+)?(?:the\s+)?{_DATE}", re.IGNORECASE)


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
        _nearest(*days, today): found.span()
        for found in _ASKED.finditer(question)
        if (days := _span(found)) is not None
    }
    return days.popitem() if len(days) == 1 else None


def _span(found: re.Match[str]) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of what was written."""
    part = {name: value for name, value in found.groupdict().items() if value}
    year = int(next(part[name] for name in ("y", "y1", "y2", "y3", "y4") if name in part))
    named = next((part[name] for name in ("n1", "n2") if name in part), None)
    month = _MONTHS[named.lower()] if named else int(part.get("m") or part.get("m3") or 0)
    day = int(next((part[name] for name in ("d", "d1", "d2", "d3") if name in part), 0))
    try:
        if not month:
            return dt.date(year, 1, 1), dt.date(year, 12, 31)
        if not day:
            return dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1])
        return dt.date(year, month, day), dt.date(year, month, day)
    except ValueError:
        return None  # 31 February


def _nearest(first: dt.date, last: dt.date, day: dt.date) -> dt.date:
    return min(max(day, first), last)
