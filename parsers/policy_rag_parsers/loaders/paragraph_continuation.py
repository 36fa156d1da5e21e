"""Whether a paragraph goes on over a page: what ends one, and what begins another."""

import re
from typing import Final

from policy_rag_parsers.text.lexicon import JOINING, alternatives

MARKER: Final = re.compile(
    r"(?:[•▪●◦○■□–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|(?:[A-Z]\.?)?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)+\.?|§)(?=\s|\Z)"
)
CLOSED: Final = re.compile(rf"(?:[.;:!?]|[,;] (?:{alternatives(JOINING)}))[\"”’)\]]?\Z")


def carries_over(before: str, after: str, *, full: bool) -> bool:
    """Whether a paragraph goes on over a page.

    Args:
        before: the last paragraph of a page.
        after: the first of the next.
        full: whether the first word of `after` would not have fitted on the last line of `before`.

    Returns:
        True where the sentence is open, and goes on in lower case or from a full line.
    """
    is_open = not CLOSED.search(before) and MARKER.match(after) is None
    return is_open and (full or after[:1].islower())
