"""Dates as questions write them: "1 May 2025", "01.05.2025", "2023/24"; and those whose rules they ask for."""

import calendar
import datetime as dt
import re
from typing import Final

_MOST_MONTHS: Final = 12
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
DATE: Final = (
    r"(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
    rf"|(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(?P<n1>{_MONTH})\.?,?\s+(?P<y1>\d{{4}})"
    rf"|(?P<n2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}})"
    r"|(?P<d3>\d{1,2})\.\s?(?P<m3>\d{1,2})\.\s?(?P<y3>\d{4})"
    r"|(?P<d4>\d{1,2})/(?P<m4>\d{1,2})/(?P<y4>\d{4})"
    r"|(?P<y6>(?:19|20)\d{2})[/–-](?P<y7>(?:(?:19|20))?\d\d)"
    r"|(?P<y5>(?:19|20)\d{2}))(?![\w/-]|\.\d)"
)
_CUE: Final = (
    r"(?:in force|in effect|effective|valid|applicable|appl(?:y|ies|ied|ying)|as (?:of|at|on)|rules? (?:of|on)|"
    r"in kraft|gültig|galt(?:en)?|gilt|stand(?: vom)?)"
)
_ASKED: Final = re.compile(rf"\b{_CUE}\s+(?:(?:on|at|as of|in|during|am|im|zum)\s+)?(?:the\s+)?{DATE}", re.IGNORECASE)


def span_of(found: re.Match[str]) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of what `DATE` matched; None of what is no day, or one of two: "4/5/2025".

    Of a year that two share, "2023/24", it is the one day that lies in it whenever it begins, the end of the first.
    """
    part = {name: value for name, value in found.groupdict().items() if value}
    if "y6" in part:
        end = dt.date(int(part["y6"]), 12, 31)
        return (end, end) if int(part["y7"]) % 100 == (end.year + 1) % 100 else None
    year = int(next(part[name] for name in ("y", "y1", "y2", "y3", "y4", "y5") if name in part))
    named = next((part[name] for name in ("n1", "n2") if name in part), None)
    month = _MONTHS[named.lower()] if named else int(part.get("m") or part.get("m3") or part.get("m4") or 0)
    day = int(next((part[name] for name in ("d", "d1", "d2", "d3", "d4") if name in part), 0))
    if "d4" in part:  # the day comes first in Europe, the month in America
        if max(day, month) <= _MOST_MONTHS and day != month:
            return None
        day, month = max(day, month), min(day, month)
    try:
        if not month:
            return dt.date(year, 1, 1), dt.date(year, 12, 31)
        if not day:
            return dt.date(year, month, 1), dt.date(year, month, calendar.monthrange(year, month)[1])
        return dt.date(year, month, day), dt.date(year, month, day)
    except ValueError:
        return None  # 31 February


def nearest_day(first: dt.date, last: dt.date, day: dt.date) -> dt.date:
    """The day from `first` to `last` that is nearest to `day`."""
    return min(max(day, first), last)


def day_in_force(question: str, today: dt.date) -> tuple[dt.date, tuple[int, int]] | None:
    """The day that a question names as the one whose rules it asks for.

    A bare date says nothing: "I flew on 1 May 2025" is no wish for the rules of that day. Of a month or a year it is
    the day that is nearest to today.

    Returns:
        The day and the range of the question that says so; None where there is no such day, an impossible one, or more
        than one.

    >>> day_in_force("What was the rate in force on 1 May 2025?", dt.date(2026, 9, 1))
    (datetime.date(2025, 5, 1), (18, 40))
    >>> day_in_force("What applied in 2024?", dt.date(2026, 9, 1))
    (datetime.date(2024, 12, 31), (5, 20))
    """
    days = {
        nearest_day(*days, today): found.span()
        for found in _ASKED.finditer(question)
        if (days := span_of(found)) is not None
    }
    return days.popitem() if len(days) == 1 else None
