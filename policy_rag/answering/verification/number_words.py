"""Numbers in words, in English, German and French: "twenty-five", "fünfundzwanzig", "soixante-quinze"."""

import re
from collections.abc import Sequence
from functools import lru_cache

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_GERMAN = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_FRENCH = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_SMALL = {word: value for names in (_ENGLISH, _GERMAN, _FRENCH) for value, word in enumerate(names.split())}
_SMALL |= {"une": 1, "ein": 1, "zwo": 2, "twice": 2, "thrice": 3, "zweimal": 2, "dreimal": 3, "viermal": 4}
_TENS = {
    word: value
    for names in (
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
        "vingt trente quarante cinquante soixante septante huitante nonante",
    )
    for value, word in zip(range(20, 100, 10), names.split(), strict=True)
}
_TENS |= {"dreissig": 30, "octante": 80}
_HUNDRED = frozenset({"hundred", "hundert", "cent", "cents"})
_THOUSAND = frozenset({"thousand", "tausend", "mille"})
_JOINTS = frozenset({"and", "et"})
_ENGLISH_ALONE = frozenset(_ENGLISH.split()) - frozenset(_FRENCH.split())  # "five cents" are no 500
_ORDINALS = {
    word: value
    for names in (
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
        "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième",
    )
    for value, word in enumerate(names.split(), 1)
} | {"première": 1, "seconde": 2}
_GERMAN_STEMS = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft"
_GERMAN_ORDINALS = {stem: value for value, stem in enumerate(_GERMAN_STEMS.split(), 1)}
_GERMAN_ENDING = re.compile(r"(?<=t)e[nmrs]?$")
_GERMAN_UNIT_AND_TENS = re.compile(r"(\w+?)und(\w+)")


def number_in_words(words: Sequence[str]) -> tuple[int, int] | None:
    """The number that the words begin with and how many of them it takes; None where they begin with none.

    "One", "ein" and "un" are 1 here; whether they are an article or a pronoun, only what follows tells.

    Args:
        words: in lower case, without blanks and hyphens.

    >>> number_in_words(["twenty", "five", "years"]), number_in_words(["one", "hundred", "and", "ten"])
    ((25, 2), (110, 4))
    >>> number_in_words(["fünfundzwanzig"]), number_in_words(["quatre", "vingt", "dix", "sept"])
    ((25, 1), (97, 4))
    >>> number_in_words(["the"])
    """
    total = current = 0
    taken = place = 0
    while place < len(words):
        word = words[place]
        if word in _JOINTS and taken == place and place and _may_join(words, place):
            place += 1
            continue
        if word in {"cent", "cents"} and place and words[place - 1] in _ENGLISH_ALONE:
            break
        grown = _grown(total, current, word, begins=not taken)
        if grown is None:
            break
        total, current = grown
        place += 1
        taken = place
    return (total + current, taken) if taken else None


def _may_join(words: Sequence[str], place: int) -> bool:
    """English "hundred and ten", French "vingt et un", "soixante et onze"."""
    before, after = words[place - 1], words[place + 1 : place + 2]
    if words[place] == "and":
        return before in {"hundred", "thousand"} and bool(after) and (after[0] in _SMALL or after[0] in _TENS)
    return before in _TENS and bool(after) and after[0] in {"un", "une", "onze"}


def _grown(total: int, current: int, word: str, *, begins: bool) -> tuple[int, int] | None:
    """The number with one word more, as thousands and what is below; None where the word does not go on with it."""
    if word in _THOUSAND:
        return (total + max(1, current) * 1000, 0) if current or begins else None
    if word in _HUNDRED:
        return (total, max(1, current) * 100) if current < 20 and current != 10 else None
    if current % 100 == 4 and word in {"vingt", "vingts"}:
        return total, current - 4 + 80
    value = _whole(word)
    if value is None or (value >= 1000 and not begins):
        return None
    if begins or _fits(current % 100, value) or (total and not current):
        return total, current + value
    return None


def _fits(current: int, value: int) -> bool:
    if not current:
        return 0 < value < 100
    # seventeen is "dix-sept", seventy-five "soixante-quinze", ninety-five "quatre-vingt-quinze"
    return (current in {10, 60, 80} or (20 <= current < 100 and current % 10 == 0)) and 0 < value < (
        20 if current in {60, 80} else 10
    )


@lru_cache(maxsize=4096)
def _whole(word: str) -> int | None:
    """The value of one word, German compounds included ("zweihundertfünfzig")."""
    if word in _SMALL or word in _TENS:
        return _SMALL.get(word, _TENS.get(word))
    for mark, scale in (("tausend", 1000), ("hundert", 100)):
        if mark in word:
            front, _, rest = word.partition(mark)
            parts = [_whole(front) if front else 1, _whole(rest.removeprefix("und")) if rest else 0]
            return None if None in parts else (parts[0] or 0) * scale + (parts[1] or 0)
    found = _GERMAN_UNIT_AND_TENS.fullmatch(word)
    if found and found[1] in _SMALL and found[2] in _TENS:
        return _TENS[found[2]] + _SMALL[found[1]]
    return None


def ordinal(word: str) -> int | None:
    """The number of an ordinal in words, up to twelve.

    >>> ordinal("third"), ordinal("dritten"), ordinal("troisième"), ordinal("three")
    (3, 3, 3, None)
    """
    stem = _GERMAN_ENDING.sub("", word)
    return _ORDINALS.get(word) or (_GERMAN_ORDINALS.get(stem) if stem != word else None)
