"""A sentence of an LLM without a citation that a section holds word for word: small models copy and forget the mark."""

import re
from collections.abc import Sequence

from policy_rag.records import Hit

_LEAST_WORDS = 4
_WORD = re.compile(r"\w+(?:[.,'’]\w+)*|[%€$£§]")


def section_with(sentence: str, given: Sequence[Hit]) -> int | None:
    """The number of the first section that holds all words of a sentence one after the other.

    Case, blanks and punctuation between words do not count; figures and signs of money and percent do. Of fewer than
    four words it is not said: they stand anywhere.

    Args:
        sentence: without citation marks.
        given: the sections; the first is number 1.

    >>> section_with("Ask HR.", ())
    """
    words = _words(sentence)
    if len(words) < _LEAST_WORDS:
        return None
    wanted = f" {' '.join(words)} "
    return next((n for n, hit in enumerate(given, 1) if wanted in f" {' '.join(_words(hit.text))} "), None)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
