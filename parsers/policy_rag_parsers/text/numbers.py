"""Numbers as a text writes them: digits with marks between them, and words in any language that has a lexicon."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from policy_rag_parsers.text.lexicon import lexicon

_MOST_WORDS = 8
_DECIMALS = 6


class _Token(str):
    """A word as text2num reads it."""

    __slots__ = ()

    def text(self) -> str:
        """The word."""
        return str(self)

    def nt_separated(self, _: "_Token") -> bool:
        """Whether something stands between it and the word before: the caller has cut there."""
        return False

    def not_a_number_part(self) -> bool:
        """Whether it is known to be no number."""
        return False


@lru_cache(maxsize=16384)
def _worded(words: tuple[str, ...], code: str) -> tuple[str, int, bool] | None:
    """The value of what the words begin with, how many words it takes, and whether it is an ordinal."""
    from text_to_num import find_numbers

    found = find_numbers([_Token(word) for word in words], code, 0)
    if not found or found[0].start:
        return None
    return shortest(f"{found[0].value:.{_DECIMALS}f}"), found[0].end, found[0].is_ordinal


@lru_cache(maxsize=16384)
def begins_number(word: str, language: str) -> bool:
    """Whether a number in words, or an ordinal, may begin with this word.

    >>> begins_number("twenty", "english"), begins_number("third", "english"), begins_number("years", "english")
    (True, True, False)
    """
    known = lexicon(language)
    return word in known.numbers or (word.isalpha() and _worded((word,), known.code) is not None)


def _read(words: Sequence[str], language: str) -> tuple[str, int, bool] | None:
    if not words or not words[0].isalpha() or not begins_number(words[0], language):
        return None
    length = next((n for n, word in enumerate(words[:_MOST_WORDS]) if not word.isalpha()), len(words[:_MOST_WORDS]))
    return _worded(tuple(words[:length]), lexicon(language).code)


def number_in_words(words: Sequence[str], language: str) -> tuple[str, int] | None:
    """The number that the words begin with and how many of them it takes; None where they begin with none.

    "One", "ein" and "un" are 1 here; whether they are an article or a pronoun, only what follows tells. The words are
    in lower case, without blanks and hyphens.

    >>> number_in_words(["twenty", "five", "years"], "english"), number_in_words(["fünfundzwanzig"], "german")
    (('25', 2), ('25', 1))
    >>> number_in_words(["quatre", "vingt", "dix", "sept"], "french"), number_in_words(["the"], "english")
    (('97', 4), None)
    """
    further = lexicon(language).numbers.get(words[0]) if words else None
    if further is not None:
        return str(further), 1
    found = _read(words, language)
    return found[:2] if found and not found[2] else None


def ordinal(word: str, language: str) -> str | None:
    """The number of an ordinal in words.

    >>> ordinal("third", "english"), ordinal("dritten", "german"), ordinal("three", "english")
    ('3', '3', None)
    """
    found = _read([word], language)
    return found[0] if found and found[2] else None


def values(digits: str) -> frozenset[str]:
    """What digits with marks may stand for, each in its shortest form.

    >>> sorted(values("1.250")), sorted(values("1,250.00")), sorted(values("2,5")), sorted(values("4.2.1"))
    (['1.25', '1250'], ['1250'], ['2.5'], ['4.2.1'])
    """
    plain = digits.replace("'", ",").replace("’", ",")
    marks = re.findall(r"[.,]", plain)
    if not marks:
        return frozenset({str(int(plain))})
    groups = re.split(r"[.,]", plain)
    thousands = all(len(group) == 3 for group in groups[1:]) and 0 < len(groups[0]) <= 3
    if len(marks) == 1:
        decimal = shortest(".".join(groups))
        return frozenset({decimal, str(int("".join(groups)))} if thousands else {decimal})
    if len(set(marks)) == 1:
        return frozenset({str(int("".join(groups)))} if thousands else {plain})  # else a clause: 4.2.1
    return frozenset({shortest("".join(groups[:-1]) + "." + groups[-1])})


def shortest(decimal: str) -> str:
    """A decimal without zeros at either end.

    >>> shortest("02.50"), shortest("3.00")
    ('2.5', '3')
    """
    whole, _, part = decimal.partition(".")
    part = part.rstrip("0")
    return f"{int(whole)}.{part}" if part else str(int(whole))


def scaled(numbers: Iterable[str], scale: float) -> frozenset[str]:
    """Each of the numbers times a scale; clause numbers are left out.

    >>> scaled({"1.5", "4.2.1"}, 1000)
    frozenset({'1500'})
    """
    return frozenset(shortest(f"{float(value) * scale:.{_DECIMALS}f}") for value in numbers if value.count(".") < 2)
