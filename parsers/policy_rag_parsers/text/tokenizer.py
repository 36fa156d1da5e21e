"""Words of a text as the keyword search and the extractors see them, in the language of the text."""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from typing import Any

from policy_rag_parsers.text.invisible import INVISIBLE_MARK


def _lists_of_bm25s() -> Any:
    """Its module of stop words alone: the package loads SciPy, a third of what a process takes to start."""
    package = find_spec("bm25s")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("bm25s is not installed: install policy-rag anew")
    spec = spec_from_file_location("bm25s.stopwords", Path(package.origin).with_name("stopwords.py"))
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("bm25s has no stop words: install policy-rag anew")
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


_LISTS = _lists_of_bm25s()
LANGUAGES = ("english", "german", "french", "spanish", "italian", "dutch", "portuguese")

_STOP_WORDS = {
    "english": _LISTS.STOPWORDS_EN_PLUS,
    "german": _LISTS.STOPWORDS_GERMAN,
    "french": _LISTS.STOPWORDS_FRENCH,
    "spanish": _LISTS.STOPWORDS_SPANISH,
    "italian": _LISTS.STOPWORDS_ITALIAN,
    "dutch": _LISTS.STOPWORDS_DUTCH,
    "portuguese": _LISTS.STOPWORDS_PORTUGUESE,
}
# Clause numbers stay whole ("4.2", "5.13A.5.1"); a hyphen splits, so that "follow-up" and "follow up" meet.
_WORD = re.compile(r"\d+[a-z]?(?:\.\d+[a-z]?)+|\w+")
_POSSESSIVE = re.compile(r"['’]s\b")


_ACRONYM = re.compile(r"\b[A-Z]{2,3}\b")  # "IT" is not "it"
_TELLING_WORDS = 2  # function words that tell a language


@cache
def _stemmer(language: str) -> object:
    import Stemmer

    return Stemmer.Stemmer(language)


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """The stem of one lower-case word.

    >>> stem("claims", "english")
    'claim'
    """
    # Digits never inflect, and a lone letter is a list mark.
    if len(word) < 3 or any(c.isdigit() for c in word):
        return word
    return str(_stemmer(language).stemWord(word))  # type: ignore[attr-defined]


def letters_and_digits(text: str) -> str:
    """The letters and digits of `text` alone, for comparing titles.

    >>> letters_and_digits("4.2 Follow-up")
    '42followup'
    """
    return "".join(filter(str.isalnum, text.casefold()))


def words(text: str) -> list[str]:
    """The words of `text`, lower case, in order, stop words included.

    >>> words("Rule 4.2(b): the follow-up’s cost")
    ['rule', '4.2', 'b', 'the', 'follow', 'up', 'cost']
    """
    return _WORD.findall(_POSSESSIVE.sub("", INVISIBLE_MARK.sub("", text).lower()))


def terms(text: str, language: str = "english") -> list[str]:
    """The stems of the words of `text` that are no stop words, in order.

    >>> terms("The employees must claim under 4.2(b)")
    ['employe', 'must', 'claim', '4.2', 'b']
    """
    stop = stop_words(language)
    return [stem(word, language) for word in words(text) if word not in stop]


def pairs(stems: list[str]) -> list[str]:
    """Neighbouring stems joined by a blank.

    >>> pairs(["data", "protect", "officer"])
    ['data protect', 'protect officer']
    """
    return [f"{first} {second}" for first, second in pairwise(stems)]


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words that say nothing of a text's matter; `language` is one of `LANGUAGES`."""
    return frozenset(_STOP_WORDS[language])


def detect_language(text: str) -> str:
    """The language of `LANGUAGES` whose stop words make up most of `text`; English when none stands out.

    >>> detect_language("Die Beschäftigten müssen die Zeiten nach der Arbeit erfassen, wenn sie nicht im Haus sind.")
    'german'
    """
    return language_of(text) or "english"


def language_of(text: str, likely: Collection[str] = ()) -> str | None:
    """The same, and None where no stop word tells.

    Args:
        text: in one of `LANGUAGES`.
        likely: those that come first where several are as likely by its words; English where none are given.

    >>> language_of("What is paid?"), language_of("hotel Stockholm"), language_of("IT-Abteilung")
    ('english', None, None)
    >>> language_of("Posso trabalhar a partir de casa?", ["portuguese"])
    'portuguese'
    """
    counts = _function_word_counts(text)
    best = max(LANGUAGES, key=lambda language: (counts[language], language in likely))
    if not counts[best]:
        return None
    english = counts["english"] if "english" in likely or not likely else 0
    return best if counts[best] > 1.2 * english else "english"


def foreign_language(text: str, known: Collection[str]) -> str | None:
    """The language of a text that is clearly in none of the known languages; None where that cannot be told.

    >>> foreign_language("Combien de jours de congé est-ce que j'ai ?", ["english", "german"])
    'french'
    >>> foreign_language("Hotel in Paris", ["german"]) is None
    True
    """
    counts = _function_word_counts(text)
    best = max(LANGUAGES, key=lambda language: counts[language])
    others = max((counts[language] for language in known if language in counts), default=0)
    is_clear = best not in known and counts[best] >= _TELLING_WORDS and counts[best] > 2 * others
    return best if is_clear else None


def _function_word_counts(text: str) -> dict[str, int]:
    start = text[:20_000]
    found = words(start if start.isupper() else _ACRONYM.sub(" ", start))
    return {language: sum(map(_function_words(language).__contains__, found)) for language in LANGUAGES}


@cache
def _function_words(language: str) -> frozenset[str]:
    return frozenset(word for word in _STOP_WORDS[language] if word.isalpha())
