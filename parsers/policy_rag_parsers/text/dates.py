"""Dates as texts write them: "1 May 2025", "1er mars 2024", "1 de mayo de 2025", "01.05.2025", "2025-05-01"."""

import calendar
import datetime as dt
import re
from functools import cache
from typing import Final

from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, lexicon

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
"""The months in English, in order: what quantities call them."""
_MOST_MONTHS: Final = 12
# Languages whose months we know though they have no lexicon, only words of documents: Italian and Dutch.
_FURTHER_CODES: Final = ("it", "nl")


@cache
def month_names(language: str) -> dict[str, int]:
    """Every name of a month in a language, in lower case, abbreviations without their dot, to its number.

    >>> names = month_names("german")
    >>> names["märz"], names["jänner"], names["okt"]
    (3, 1, 10)
    """
    from babel.dates import get_month_names

    known = lexicon(language)
    return {
        name.lower().rstrip("."): number
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, locale=known.code).items()
    } | dict(known.month_names)


@cache
def weekday_names(language: str) -> frozenset[str]:
    """The names of the days of a week in a language, in lower case, none shortened.

    >>> sorted(weekday_names("german"))[:2]
    ['dienstag', 'donnerstag']
    """
    from babel.dates import get_day_names

    return frozenset(name.lower() for name in get_day_names("wide", locale=lexicon(language).code).values())


@cache
def all_month_names() -> dict[str, int]:
    """The names of months in every language, without abbreviations that are other words ("out", "set").

    >>> [all_month_names().get(name) for name in ("may", "mai", "février", "diciembre", "out")]
    [5, 5, 2, 12, None]
    """
    from babel.dates import get_month_names

    names = {
        name.lower(): number
        for code in _FURTHER_CODES
        for number, name in get_month_names("wide", "format", locale=code).items()
    }
    for language, known in LEXICONS.items():
        wide = {name.lower() for name in get_month_names("wide", "format", locale=known.code).values()}
        ours = month_names(language).items()
        names |= {name: number for name, number in ours if name in wide or name not in known.homonyms}
    return names


@cache
def month_pattern() -> str:
    """The names of months in every language as alternatives of a regular expression."""
    return alternatives(all_month_names())


@cache
def date_pattern() -> str:
    """A day of a year in any of the ways that `date_of` reads, as part of a pattern that ignores case.

    Its groups are those that `date_of` reads, so that a pattern can have it once.
    """
    month = month_pattern()
    return (
        r"(?:(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
        rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th|er|\.|º|°)?\s+(?:of\s+|de\s+)?(?P<n1>{month})\.?,?\s+(?:de\s+)?(?P<y1>\d{{4}})"
        rf"|(?P<n2>{month})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}})"
        r"|(?P<d3>\d{1,2})\.\s?(?P<m3>\d{1,2})\.\s?(?P<y3>\d{4})"
        r"|(?P<d4>\d{1,2})/(?P<m4>\d{1,2})/(?P<y4>\d{4}))"
    )


@cache
def period_pattern() -> str:
    """The same, and months and years: "March 2024", "2024", "2023/24"; ends where no further figure stands."""
    return (
        rf"(?:{date_pattern()}|(?P<n3>{month_pattern()})\.?,?\s+(?:de\s+)?(?P<y8>\d{{4}})"
        r"|(?P<y6>(?:19|20)\d{2})[/–-](?P<y7>(?:(?:19|20))?\d\d)"
        r"|(?P<y5>(?:19|20)\d{2}))(?![\w/-]|\.\d)"
    )


def date_of(found: re.Match[str]) -> dt.date | None:
    """The day that `date_pattern` matched; None of what is no day, or one of two: "4/5/2025".

    >>> date_of(re.fullmatch(date_pattern(), "1 de mayo de 2025", re.IGNORECASE))
    datetime.date(2025, 5, 1)
    """
    span = period_of(found)
    return span[0] if span and span[0] == span[1] else None


def period_of(found: re.Match[str]) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of what `period_pattern` matched; None of what is no day, or one of two: "4/5/2025".

    Of a year that two share, "2023/24", it is the one day that lies in it whenever it begins, the end of the first.
    """
    part = {name: value for name, value in found.groupdict().items() if value}
    if "y6" in part:
        end = dt.date(int(part["y6"]), 12, 31)
        return (end, end) if int(part["y7"]) % 100 == (end.year + 1) % 100 else None
    year = int(next(part[name] for name in ("y", "y1", "y2", "y3", "y4", "y5", "y8") if name in part))
    named = next((part[name] for name in ("n1", "n2", "n3") if name in part), None)
    month = all_month_names()[named.lower()] if named else int(part.get("m") or part.get("m3") or part.get("m4") or 0)
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
