"""Questions what a word means, and the texts that say it: "Gift means anything of value", "**Gift:** anything"."""

import re
from collections.abc import Collection
from functools import cache

from policy_rag.index.search.terms import terms
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, lexicon

_LONGEST = 4  # stems: what is longer is no word that anybody defines
_LEAD = re.compile(r"\A[\s>|#]*(?:(?:[-*+•]|\(?\w{1,4}[.)]|[\d.]+)\s+)?")
_CLAUSE = re.compile(r"[,;]\s|[(\[].*?[)\]]")
_SIGN = r"[:–—|=]"
_BEFORE = 100  # characters: a definition begins with its word


def asked_term(question: str, languages: Collection[str]) -> frozenset[str]:
    """The stems of the word whose meaning a question asks for; none where it asks for something else.

    >>> sorted(asked_term("What counts as a security incident?", ["english"]))
    ['incid', 'secur']
    >>> asked_term("What happens after an incident?", ["english"])
    frozenset()
    """
    asked = question.strip(" ¿\t\n")
    for language in languages:
        found = _asking(language).match(asked) if language in LEXICONS else None
        if found:
            asking = frozenset(terms(" ".join(lexicon(language).asking), language))
            stems = frozenset(terms(asked[found.end() :], language)) - asking
            return stems if len(stems) <= _LONGEST else frozenset()
    return frozenset()


def defines(text: str, term: Collection[str], languages: Collection[str]) -> bool:
    """Whether a text begins by saying what a word means.

    Args:
        text: a sentence, item or row as it stands in its document.
        term: the stems of the word, one at least.
        languages: in which it may be written.

    >>> term = asked_term("What is a gift?", ["english"])
    >>> [defines(text, term, ["english"]) for text in ("(a) **Gift** means a thing.", "A gift is not a thing.")]
    [True, False]
    """
    begin = _LEAD.sub("", text, count=1)
    for language in languages:
        if language not in LEXICONS:
            continue
        for found in _telling(language).finditer(begin, 0, _BEFORE):
            last = _CLAUSE.split(begin[: found.start()])
            named = next((part for part in reversed(last) if any(map(str.isalpha, part))), "")
            if frozenset(terms(named, language)) == frozenset(term):
                return True
    return False


@cache
def _asking(language: str) -> re.Pattern[str]:
    return any_word(lexicon(language).asks_meaning)


@cache
def _telling(language: str) -> re.Pattern[str]:
    return re.compile(rf"{any_word(lexicon(language).defines).pattern}|{_SIGN}", re.IGNORECASE)
