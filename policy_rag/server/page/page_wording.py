"""How days and places are worded on the pages."""

import datetime as dt


def day(value: dt.date) -> str:
    """A day as it is written in a letter.

    >>> day(dt.date(2026, 1, 5))
    '5 January 2026'
    """
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"


def in_force(first: dt.date | None, last: dt.date | None, today: dt.date) -> str:
    """When a document is in force, seen from a day; nothing where it does not say.

    >>> in_force(dt.date(2026, 1, 1), None, dt.date(2026, 5, 1))
    'in force since 1 January 2026'
    >>> in_force(dt.date(2023, 1, 1), dt.date(2025, 12, 31), dt.date(2026, 5, 1))
    'was in force from 1 January 2023 to 31 December 2025'
    >>> in_force(dt.date(2027, 1, 1), None, dt.date(2026, 5, 1))
    'will be in force from 1 January 2027'
    """
    ends = f" to {day(last)}" if last else ""
    if last and last < today:
        return f"was in force from {day(first)}{ends}" if first else f"was in force until {day(last)}"
    if first and first > today:
        return f"will be in force from {day(first)}{ends}"
    if first:
        return f"in force from {day(first)}{ends}" if last else f"in force since {day(first)}"
    return f"in force until {day(last)}" if last else ""


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
