"""How the place of a hit or a citation is written for people."""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Protocol

STEP = " > "
"""What stands between the titles of a path."""


class Placed(Protocol):
    """What stands in a section of a document: a hit, a citation, an excerpt; see `Hit`."""

    @property
    def file(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> str | None: ...  # noqa: D102
    @property
    def path(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def path_numbers(self) -> tuple[str | None, ...]: ...  # noqa: D102
    @property
    def page(self) -> int | None: ...  # noqa: D102
    @property
    def line(self) -> int | None: ...  # noqa: D102
    @property
    def effective_from(self) -> dt.date | None: ...  # noqa: D102
    @property
    def effective_to(self) -> dt.date | None: ...  # noqa: D102


def place(found: Placed) -> str:
    """Where something stands, in one line: title, steps of the path, line or page; file, version, days in force.

    `policy-rag show` takes it back, whole or a part of it.
    """
    steps = STEP.join(numbered(found.path, found.path_numbers)) or found.file
    at = f", line {found.line}" if found.line else f", page {found.page}" if found.page else ""
    return f"{steps}{at} ({', '.join((found.file, *validity(found)))})"


def first_ink(text: str, start: int) -> int:
    """Where the first character of a text that is no blank stands; `start` is where the text does.

    >>> first_ink("  Scope", 10)
    12
    """
    return start + len(text) - len(text.lstrip())


def validity(found: Placed) -> Iterator[str]:
    """The version and the days in force of a document, as far as it says them."""
    first, last = found.effective_from, found.effective_to
    if found.version:
        yield f"version {found.version}"
    if first and last:
        yield f"in force {first.isoformat()} to {last.isoformat()}"
    elif first:
        yield f"in force from {first.isoformat()}"
    elif last:
        yield f"in force to {last.isoformat()}"


def numbered(path: Sequence[str], numbers: Sequence[str | None]) -> Iterator[str]:
    """The steps of a path, each with its own number before its title; a section without a title is its number alone.

    >>> list(numbered(("Leave Policy", "Annual leave", "1.2"), (None, "1", "1.2")))
    ['Leave Policy', '1 Annual leave', '1.2']
    """
    known = numbers if len(numbers) == len(path) else (None,) * len(path)
    for title, number in zip(path, known, strict=True):
        yield f"{number} {title}" if number and title != number else title
