"""How much a small file may grow into: what is packed, nested or spans is counted before it is read."""

from typing import Final

from policy_rag_parsers.errors import LoadError

MOST_PART_BYTES: Final = 64 << 20
"""Of one part of a Word document that is read as XML, unpacked."""
MOST_UNPACKED_BYTES: Final = 512 << 20
"""Of a whole Word document, pictures and all."""
MOST_ELEMENTS: Final = 2_000_000
"""Of a page, or of the body of a Word document."""
MOST_CELLS: Final = 1_000_000
"""Of one table, where a cell that spans counts in each place that it covers."""


def require_at_most(count: int, most: int, what: str) -> None:
    """Refuse a file with too many of something.

    Args:
        count: how many it has.
        most: how many are read.
        what: what they are, as the message says it, such as "cells in one table".

    Raises:
        LoadError: there are more.
    """
    if count > most:
        raise LoadError(f"holds {count:,} {what}, and at most {most:,} are read: split it, or take it out")
