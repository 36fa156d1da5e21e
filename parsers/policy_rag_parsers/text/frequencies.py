"""How often something is done, as a text says it: "every six months", "twice a year", "monthly"."""

import re
from dataclasses import dataclass
from functools import cache

from policy_rag_parsers.text.lexicon import alternatives, lexicon
from policy_rag_parsers.text.numbers import number_in_words
from policy_rag_parsers.text.units import unit_names

_MINUTES = {"minute": 1, "hour": 60, "day": 1440, "week": 10_080, "month": 43_830, "year": 525_960}
"""How long each unit is, a year of 365.25 days."""
_PERIODS = ("every_unit", "rate_unit", "rate_adverb", "adverb")
_ALIKE = 0.02  # a month and 30 days, a year and 52 weeks


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often something is done.

    Attributes:
        shown: as the text says it.
        start: where that begins in the text, in characters.
        end: one past its last character.
        minutes: from one time to the next, on average.
    """

    shown: str
    start: int
    end: int
    minutes: float

    def is_as_often_as(self, other: "Frequency") -> bool:
        """Whether both are the same, a month being about 30 days."""
        return abs(self.minutes - other.minutes) <= _ALIKE * max(self.minutes, other.minutes)


def frequencies(text: str, language: str) -> list[Frequency]:
    """How often a text says that something is done, in order.

    "25 days a year" is how much, not how often.

    Args:
        text: any text.
        language: of `lexicon.LEXICONS`.

    >>> said = frequencies("Access is reviewed every six months, logs daily, keys twice a year.", "english")
    >>> [one.shown for one in said], said[0].is_as_often_as(said[2]), said[0].is_as_often_as(said[1])
    (['every six months', 'daily', 'twice a year'], True, False)
    """
    found: list[Frequency] = []
    for one in _pattern(language).finditer(text):
        period = next(_minutes(one[name], language) for name in _PERIODS if one[name])
        every, times = _count(one["every"], language), _count(one["once"] or one["times"], language)
        if every and times:
            found.append(Frequency(one[0], one.start(), one.end(), period * every / times))
    return found


def _count(words: str | None, language: str) -> float:
    """The number of some words; 1 where there are none, 0 where they are no number."""
    if not words:
        return 1.0
    known = lexicon(language).frequency
    once = next((number for said, number in known.once.items() if _is(words, said)), None)
    if once is not None:
        return once
    if words.isdigit():
        return float(words)
    if _is(words, known.other):
        return 2.0
    parts = re.split(r"[\s-]+", words.lower())
    number = number_in_words(parts, language)
    return float(number[0]) if number and number[1] == len(parts) else 0.0


def _minutes(word: str, language: str) -> float:
    known = lexicon(language).frequency
    for words, period in (*known.adverbs.items(), *known.periods.items()):
        if _is(word, words):
            number, unit = period.split()
            return float(number) * _MINUTES[unit]
    return float(_MINUTES[unit_names(language)[word.lower()]])


def _is(word: str, said: str) -> bool:
    return re.fullmatch(said, word, re.IGNORECASE) is not None


@cache
def _pattern(language: str) -> re.Pattern[str]:
    lexis = lexicon(language)
    known = lexis.frequency
    units = sorted((name for name, unit in unit_names(language).items() if unit in _MINUTES), key=len, reverse=True)
    kinds = alternatives(lexis.unit_kinds) or "(?!)"  # which matches nothing
    kind = rf"(?:(?:{kinds})\s+)?"
    unit, adverb = "|".join([*known.periods, *units]), "|".join(known.adverbs)
    number = rf"\d+|(?!(?:{kinds})\b)[^\W\d_]+(?:-[^\W\d_]+)?"
    every = rf"(?:{known.each})\s+(?:(?P<every>{known.other}|{number})\s+)?{kind}(?P<every_unit>{unit})"
    times = rf"(?P<once>{'|'.join(known.once) or '(?!)'})|(?P<times>{number})\s*(?:{known.times})"
    rate = rf"(?:{times})\s+(?:(?:{known.per})\s+{kind}(?P<rate_unit>{unit})|(?P<rate_adverb>{adverb}))"
    return re.compile(rf"(?<!\w)(?:{rate}|{every}|(?P<adverb>{adverb}))(?!\w)", re.IGNORECASE)
