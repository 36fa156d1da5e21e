"""YAML front matter: where it stands at the head of a Markdown or text file.

A `---` at the head may also be a plain rule. It opens front matter where the next line reads as `key: value`, or where
one of the keys that this project knows stands at the start of a line before the closing `---` (a blank line ends the
search where there is no closing line).
"""

import re
from dataclasses import dataclass
from typing import Final

KNOWN_KEYS: Final = ("title", "version", "effective_from", "effective_to", "supersedes", "access")

_OPEN: Final = re.compile(r"---[ \t]*\n")
_CLOSE: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_COMMENTS: Final = re.compile(r"(?:[ \t]*#[^\n]*\n)*")
_KEY: Final = re.compile(r"""(?:["']?[A-Za-z_][\w. -]{0,60}["']?)[ \t]*:(?=[ \t\n]|\Z)""")
_KNOWN: Final = re.compile(
    rf"^[\"']?(?:{'|'.join(key.replace('_', '[_ -]') for key in KNOWN_KEYS)})[\"']?[ \t]*:",
    re.MULTILINE | re.IGNORECASE,
)
_LIST: Final = re.compile(r"[-\[{][ \t\n]")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Where front matter stands.

    Attributes:
        start: first character of its YAML, after the opening line.
        end: one past the last character of its YAML.
        body_start: first character after its closing line; 0 where it is not closed.
        closed: whether a closing `---` or `...` was found.
    """

    start: int
    end: int
    body_start: int
    closed: bool


def find_front_matter(text: str) -> FrontMatter | None:
    r"""Find front matter at the head of a text whose line ends are LF.

    Returns:
        Its place, or None where the text begins with none. `closed` is False where front matter was begun and not
        ended; what to do then is the caller's affair.

    >>> find_front_matter("---\ntitle: Leave\n---\n1. Scope\n")
    FrontMatter(start=4, end=17, body_start=21, closed=True)
    >>> find_front_matter("---\nA rule, and then the body.\n") is None
    True
    """
    opening = _OPEN.match(text)
    if opening is None:
        return None
    start = opening.end()
    closing = _CLOSE.search(text, start)
    blank = text.find("\n\n", start)
    end = closing.start() if closing else (len(text) if blank < 0 else blank + 1)
    if not _intended(text, start, end, closed=closing is not None):
        return None
    return FrontMatter(start, end, closing.end() if closing else 0, closing is not None)


def _intended(text: str, start: int, end: int, *, closed: bool) -> bool:
    comments = _COMMENTS.match(text, start)
    first = comments.end() if comments else start
    if first >= end:
        # Two rules with nothing between them: empty front matter, which says nothing either way.
        return closed and first > start
    if _KEY.match(text, first, end) or _KNOWN.search(text, start, end):
        return True
    return closed and _LIST.match(text, first, end) is not None
