"""The words of each language, one file a language, and how they are looked up."""

import re
from collections.abc import Iterable
from functools import cache
from operator import attrgetter

from policy_rag_parsers.text.lexicon.dutch import DUTCH
from policy_rag_parsers.text.lexicon.english import ENGLISH
from policy_rag_parsers.text.lexicon.french import FRENCH
from policy_rag_parsers.text.lexicon.german import GERMAN
from policy_rag_parsers.text.lexicon.italian import ITALIAN
from policy_rag_parsers.text.lexicon.portuguese import PORTUGUESE
from policy_rag_parsers.text.lexicon.record import Lexicon
from policy_rag_parsers.text.lexicon.spanish import SPANISH

LEXICONS = {one.language: one for one in (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE)}
"""Every language of which we know the words, by the tokenizer's name of it."""
DOCUMENT_WORDS = (*(one.document for one in LEXICONS.values()), ITALIAN, DUTCH)
"""What the parts of a document are called, in every language of which we know that."""


def lexicon(language: str) -> Lexicon:
    """The words of a language; of one that has no file, those of English.

    >>> lexicon("german").code, lexicon("dutch").code
    ('de', 'en')
    """
    return LEXICONS.get(language, ENGLISH)


@cache
def any_word(*alternatives: str) -> re.Pattern[str]:
    """A pattern of whole words, whatever their case.

    The alternatives are those of a regular expression, as the fields of `Lexicon` hold them.

    >>> [found[0] for found in any_word(lexicon("english").only, "if").finditer("Only if it rains.")]
    ['Only', 'if']
    """
    return re.compile(rf"(?<!\w)(?:{'|'.join(filter(None, alternatives))})(?!\w)", re.IGNORECASE)


def alternatives(words: Iterable[str]) -> str:
    """Words as alternatives of a regular expression, the longest first.

    >>> alternatives(["may", "maybe"])
    'maybe|may'
    """
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def in_all(field: str) -> str:
    """What every language has in a field of its lexicon, as alternatives of a regular expression.

    >>> in_all("question.supposes").startswith("(?:what|even|only) if|")
    True
    """
    return _joined(map(attrgetter(field), LEXICONS.values()))


def line_words(*fields: str) -> str:
    """Fields of `LineWords` of every language as alternatives of a regular expression.

    >>> line_words("page_of").split("|")[:2]
    ['of', 'von']
    """
    return _joined(getattr(one.lines, field) for field in fields for one in DOCUMENT_WORDS)


def reference_words(*fields: str) -> str:
    """The same of fields of `ReferenceWords`."""
    return _joined(getattr(one.reference_words, field) for field in fields for one in DOCUMENT_WORDS)


def _joined(held: Iterable[str | frozenset[str]]) -> str:
    """Alternatives of several as those of one, what several have in the same words once."""
    return "|".join(dict.fromkeys(one if isinstance(one, str) else alternatives(one) for one in held if one))


def line_sets(*fields: str) -> frozenset[str]:
    """Fields of `LineWords` of every language that are sets, as one."""
    return frozenset(word for field in fields for one in DOCUMENT_WORDS for word in getattr(one.lines, field))


JOINING = frozenset(word for one in LEXICONS.values() for word in one.and_ | one.or_)
"""The words for "and" and "or" in every language."""
ARTICLES = frozenset(word for one in LEXICONS.values() for word in one.question.articles)
"""What stands in front of a noun in any language: articles and possessives."""
LINKING = line_sets("joints", "ends", "small") | JOINING
"""Words that no line of a title ends with: prepositions and articles."""
SMALL_WORDS = line_sets("joints", "small") | JOINING | ARTICLES
"""Words that initials leave out, and that titles write with a small letter."""
