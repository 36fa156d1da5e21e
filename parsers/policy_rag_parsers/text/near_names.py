"""Which of some names a misspelt one is likely meant for."""

import difflib
from collections.abc import Iterable

_ALIKE = 0.75  # how alike a name must be to one that is known to be taken for a slip of the pen


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The name that is likely meant; capitals do not matter.

    >>> nearest_name("topk", ["top_k", "search"]), nearest_name("colour", ["top_k", "search"])
    ('top_k', None)
    """
    folded = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=_ALIKE)
    return folded[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str) -> str:
    """How a message about an unknown name ends: with the one that is likely meant, else as it is said.

    >>> did_you_mean("nosie", ["noise", "position"], otherwise="they are noise, position")
    'did you mean noise?'
    """
    near = nearest_name(name, known)
    return otherwise if near is None else f"did you mean {near}?"
