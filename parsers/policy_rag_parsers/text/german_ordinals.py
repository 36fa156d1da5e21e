"""German ordinals: figures with a dot that ends no sentence, as in "die 2. Klasse" and "am 3. Montag im Quartal"."""

import re

from policy_rag_parsers.text.dates import month_names
from policy_rag_parsers.text.lexicon import LEXICONS

_FIGURE = re.compile(r"\d{1,3}|[IVX]{1,5}", re.ASCII)


_GERMAN = LEXICONS["german"].document.lines
_COUNTED = re.compile(_GERMAN.ranked, re.IGNORECASE)
# A number behind these is a name, and its dot a full stop: "Es gilt Ziffer 2. Montag ist Ruhetag."
_NAMES = re.compile(rf"{_GERMAN.numbered}|§{{1,2}}", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([^\s(\[\"'“‘«„]{1,24})\s+$")
REACH = 32  # characters before the figure that are looked at


def is_ordinal(before: str, figure: str, following: str, *, starters: frozenset[str]) -> bool:
    """Whether the dot behind a figure makes it an ordinal, so that no sentence ends there.

    The last `REACH` characters of `before` are enough; `following` is the word behind the dot, which begins with a
    capital, and `starters` are words in lower case that begin a sentence.

    >>> [is_ordinal(before, "2", "Klasse", starters=frozenset()) for before in ("in der ", "Tarif ", "Seite ")]
    [True, True, False]
    """
    if not _FIGURE.fullmatch(figure) or not following[:1].isalpha():
        return False
    lower = following.lower()
    if lower in month_names("german"):
        return True
    found = _WORD_BEFORE.search(before)
    word = found[1] if found else ""
    if lower in starters or _NAMES.fullmatch(word):
        return False
    return word.lower() in _GERMAN.ranking or _COUNTED.fullmatch(following) is not None
