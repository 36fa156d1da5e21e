"""What comes from the fields of a form."""

import datetime as dt

from policy_rag.errors import UsageError


def day_of(text: str) -> dt.date | None:
    """The day in a field, or None where it is empty.

    Raises:
        UsageError: it is none.

    >>> day_of(" 2026-03-01 ")
    datetime.date(2026, 3, 1)
    """
    if not text.strip():
        return None
    try:
        return dt.date.fromisoformat(text.strip())
    except ValueError as error:
        raise UsageError(f"{text!r} is no day: write it as 2026-01-31, or leave it out") from error
