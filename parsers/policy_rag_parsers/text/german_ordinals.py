"""German ordinals: figures with a dot that ends no sentence, as in "die 2. Klasse" and "am 3. Montag im Quartal"."""

import re

from policy_rag_parsers.text.dates import month_names
from policy_rag_parsers.text.lexicon.record import listed

_FIGURE = re.compile(r"\d{1,3}|[IVX]{1,5}", re.ASCII)


# Behind these a figure with a dot says which one is meant.
_DETERMINERS = listed(
    "der die das dem den des im am zum zur vom beim jeder jede jedes jedem jeden dieser diese dieses diesem diesen "
    "ihr ihre ihrem ihren ihrer ihres sein seine seinem seinen seiner seines unser unsere unserem unseren ein eine "
    "einem einen einer eines kein keine keinem keinen keiner"
)
# What is counted by ordinals also without an article, in the singular: "Fahrkarte 2. Klasse", "ab 43. Krankheitstag".
_COUNTED = re.compile(
    r"\w{0,24}(?:tag(?:e?s)?|montags?|mittwochs?|samstags?|sonnabends?|monate?s?|woche|jahr(?:e?s)?|jahrhunderts?|"
    r"quartals?|trimesters?|semesters?|klasse|stocks?|stockwerks?|etage|geschoss|schicht|instanz|hälfte|halbzeit|"
    r"mahnung|auflage|ausgabe|fassung|nachtrags?|lesung|wahl|stunde|minute|grades|vorsitzende[rnms]?)",
    re.IGNORECASE,
)
# A number behind these is a name, and its dot a full stop: "Es gilt Ziffer 2. Montag ist Ruhetag."
_NAMES = re.compile(
    r"(?:ziffer|nummer|nr\.|abs\.|absatz|satz|artikel|art\.|abschnitt|kapitel|teil|anlage|anhang|stufe|punkt|seite|"
    r"version|gruppe|§{1,2})",
    re.IGNORECASE,
)
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
    return word.lower() in _DETERMINERS or _COUNTED.fullmatch(following) is not None
