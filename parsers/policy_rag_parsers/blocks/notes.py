"""Notes below a text or a table, and the marks that lead to them: "[^1]", "[1]" as loaders write it, "Codeine*"."""

import re
from collections.abc import Iterator

_MARK = re.compile(
    r"\[\^([^\]\s]{1,20})\](?!:)|(?<=\S)[ ]?\[(\d{1,3})\](?![(:])|(?<=[\w.,;)])\\?([*†‡]{1,3})(?![\w*†‡])"
)
_NOTE = re.compile(r"\[\^([^\]\s]{1,20})\]:|\[(\d{1,3})\](?=[ \t]+\S)|(?:\\?[*†‡]){1,3}(?=\)?\s)")


def marks_in(text: str) -> Iterator[str]:
    """The marks of notes in a text, in order: what stands in the brackets, or the sign itself.

    >>> list(marks_in("Twice a day.[^1] | Codeine* | *C. difficile* |"))
    ['1', '*', '*']
    """
    for found in _MARK.finditer(text):
        yield found[1] or found[2] or found[3]


def mark_of(line: str) -> str | None:
    r"""The mark with which a note begins; None for a line that is none.

    >>> mark_of("[^1]: In theatres once."), mark_of("[2] Twice."), mark_of(r"\* Not under 18."), mark_of("Staff may.")
    ('1', '2', '*', None)
    """
    found = _NOTE.match(line)
    if found is None:
        return None
    return found[1] or found[2] or found[0].replace("\\", "").strip()
