"""What kind of answer a question expects: a time, an amount, any number, or anything; and which texts hold one.

Whoever asks "until when" is not answered by a sentence without a time, however near its words are, nor whoever asks for
a price by one that tells no number but "for 21 weeks". What a number counts is not compared with what is asked: "how
many bags?" is answered by "one suitcase".
"""

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from functools import cache

from policy_rag_parsers.text.dates import MONTHS, weekday_names
from policy_rag_parsers.text.frequencies import frequencies
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, any_word, lexicon
from policy_rag_parsers.text.quantities import Quantity, claimed_quantities, quantities, units_in, without_mark
from policy_rag_parsers.text.tokenizer import words

_TIME_UNITS = frozenset(("minute", "hour", "day", "week", "month", "year"))
_BEHIND = 3  # words between a number and its unit of time, itself counted: "24 credit hours"
_YEARS = range(1900, 2101)


class AnswerType(StrEnum):
    """What a question expects."""

    TIME = "time"
    AMOUNT = "amount"  # of money, or of things: no length of time
    NUMBER = "number"


def expected_type(question: str, languages: Collection[str]) -> AnswerType | None:
    """What a question expects, by its words; None where it may be anything.

    Args:
        question: as asked.
        languages: in which it may be asked; those of which we know no words are passed over.

    >>> expected_type("Until when can I hand in a receipt?", ["english"])
    <AnswerType.TIME: 'time'>
    >>> expected_type("Wie viel darf ein Hotel kosten?", ["english", "german"])
    <AnswerType.AMOUNT: 'amount'>
    >>> expected_type("How much leave do I get?", ["english"])
    <AnswerType.NUMBER: 'number'>
    >>> expected_type("What happens when I am ill?", ["english"]) is None
    True
    """
    known = [language for language in languages if language in LEXICONS]
    for expected in AnswerType:
        if any(_asking(language, expected).search(question) for language in known):
            lasts = expected is AnswerType.AMOUNT and any(_lasting(language).search(question) for language in known)
            return AnswerType.NUMBER if lasts else expected
    return None


def holds(expected: AnswerType, text: str, languages: Collection[str]) -> bool:
    """Whether a text tells what is expected, read in any of the languages.

    >>> holds(AnswerType.TIME, "Up to 24 credit hours are kept.", ["english"])
    True
    >>> holds(AnswerType.TIME, "It costs 3 euros.", ["english"]), holds(AnswerType.NUMBER, "Section 3.", ["english"])
    (False, False)
    >>> holds(AnswerType.AMOUNT, "It is paid for 21 weeks.", ["english"])
    False
    """
    tells = {AnswerType.TIME: _tells_time, AnswerType.AMOUNT: _tells_amount, AnswerType.NUMBER: _tells_number}[expected]
    return any(tells(text, language) for language in languages if language in LEXICONS)


def only_lasts(question: str, texts: Sequence[str], languages: Collection[str]) -> bool:
    """Whether a question expects an amount and the numbers in texts are all lengths of time.

    >>> only_lasts("What does parking cost?", ["Book it 3 days before."], ["english"])
    True
    >>> only_lasts("What does parking cost?", ["Book it.", "A day is £5."], ["english"])
    False
    """
    if expected_type(question, languages) is not AnswerType.AMOUNT:
        return False
    numbers, amounts = (
        any(holds(kind, text, languages) for text in texts) for kind in (AnswerType.NUMBER, AnswerType.AMOUNT)
    )
    return numbers and not amounts


@cache
def _asking(language: str, expected: AnswerType) -> re.Pattern[str]:
    known = lexicon(language)
    fields = {
        AnswerType.TIME: known.asks_time,
        AnswerType.AMOUNT: known.asks_amount,
        AnswerType.NUMBER: known.asks_number,
    }
    return any_word(fields[expected])


@cache
def _lasting(language: str) -> re.Pattern[str]:
    return any_word(lexicon(language).lasting)


@cache
def _timing(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    by_a_day = rf"(?:{known.times.by})\s(?:{known.times.points})"
    return any_word(known.timing, by_a_day, rf"(?:{alternatives(weekday_names(language))})s?")


def _tells_number(text: str, language: str) -> bool:
    return any(not _is_year(one) for one in claimed_quantities(text, language))


def _tells_amount(text: str, language: str) -> bool:
    """Whether a number is no length of time; "every six months" tells how many reviews there are."""
    told = [one for one in claimed_quantities(text, language) if not _is_year(one)]
    lengths = [one for one in told if one.unit is not None and one.unit.rpartition(" ")[2] in _TIME_UNITS]
    return len(lengths) < len(told) or bool(told and frequencies(text, language))


def _tells_time(text: str, language: str) -> bool:
    if _timing(language).search(text):
        return True
    told = without_mark(text)
    return any(_is_time(one, told, language) for one in quantities(told, language) if not _is_year(one))


def _is_time(one: Quantity, text: str, language: str) -> bool:
    if ":" in one.shown:
        return True  # of the clock
    if one.unit is None:
        return not _TIME_UNITS.isdisjoint(units_in(words(text[one.end :])[:_BEHIND], language))
    return one.unit in MONTHS or one.unit.rpartition(" ")[2] in _TIME_UNITS


def _is_year(one: Quantity) -> bool:
    """Whether a number may be the year of a law, an edition or an example."""
    return one.unit is None and one.shown.isdecimal() and int(one.shown) in _YEARS
