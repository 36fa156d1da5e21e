"""How the place of a hit or a citation is written for people."""

from collections.abc import Iterator, Sequence
from typing import Protocol


class Placed(Protocol):
    """What stands in a section of a document: a hit, a citation, an excerpt."""

    @property
    def file(self) -> str:
        """Path relative to the folder that was ingested."""
        ...

    @property
    def version(self) -> str | None:
        """What the document says of its version."""
        ...

    @property
    def path(self) -> tuple[str, ...]:
        """Titles from the document's down to the section's own."""
        ...

    @property
    def path_numbers(self) -> tuple[str | None, ...]:
        """The number of each step of the path as printed, or None; empty where they are not known."""
        ...

    @property
    def page(self) -> int | None:
        """Page on which it starts."""
        ...


def place(found: Placed, span: tuple[int, int] | None = None) -> str:
    """Where something stands, in one line: file, version, steps of the path, and with `span` its characters; page.

    The document's own title is left out but where it is the whole path: the file stands for it.
    """
    version = f" v{found.version}" if found.version else ""
    steps = list(numbered(found.path, found.path_numbers))
    where = " > ".join(steps[1:] or steps)
    page = f"page {found.page}" if found.page else ""
    if span is None:
        return f"{found.file}{version}: {where}{f', {page}' if page else ''}"
    return f"{found.file}{version}: {where} ({span[0]}:{span[1]}{f', {page}' if page else ''})"


def numbered(path: Sequence[str], numbers: Sequence[str | None]) -> Iterator[str]:
    """The steps of a path, each with its own number before its title; a section without a title is its number alone.

    >>> list(numbered(("Leave Policy", "Annual leave", "1.2"), (None, "1", "1.2")))
    ['Leave Policy', '1 Annual leave', '1.2']
    """
    known = numbers if len(numbers) == len(path) else (None,) * len(path)
    for title, number in zip(path, known, strict=True):
        yield f"{number} {title}" if number and title != number else title
