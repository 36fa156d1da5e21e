"""What a document says of itself, mostly in its head: its version and validity, and who answers for it."""

import re
from collections.abc import Sequence

from policy_rag.retrieval.self_query.named_documents import names_a_kind
from policy_rag.retrieval.title_terms import other_words
from policy_rag_parsers.text.dates import period_pattern
from policy_rag_parsers.text.lexicon import any_word, in_all

_BLOCK = "document.title_block"
_EDITION = "|".join(in_all(f"{_BLOCK}.{field}") for field in ("versions", "issues", "as_of"))
_VERSION = re.compile(rf"(?:\A|\||[.;]\s)\W*(?:{_EDITION})\s*:?\s*v?\d", re.IGNORECASE)
_HOLDS = ("begins", "begins_behind", "periods", "ends", "replaces")
_VALID = any_word(*(in_all(f"{_BLOCK}.{field}") for field in _HOLDS))
_IN_FORCE = re.compile(rf"{_VALID.pattern}[^!?\n]{{0,40}}\b(?:19|20)\d\d\b", re.IGNORECASE)
_DATED = re.compile(rf"{period_pattern()}|{_VALID.pattern}|\b(?:{_EDITION})\s*:?\s*v?\d[\d.]*", re.IGNORECASE)
_TELLS = re.compile(r"[^\W\d_]{3}")
_RESPONSIBLE = any_word(in_all("naming.responsible"))
_WHO = any_word(in_all("wanting.who"))


def says_validity(text: str) -> bool:
    """Whether a line says which version this is, or from or until when it is in force.

    >>> says_validity("Version 5.2"), says_validity("Gültig ab 1. Januar 2025."), says_validity("Valid for 30 days.")
    (True, True, False)
    """
    return _VERSION.search(text) is not None or _IN_FORCE.search(text) is not None


def says_only_validity(text: str) -> bool:
    """Whether a line says that and nothing else: of nothing but the document itself.

    >>> says_only_validity("Effective January 1, 2026"), says_only_validity("Permits are valid until May 1, 2026.")
    (True, False)
    """
    return says_validity(text) and _TELLS.search(_DATED.sub(" ", text)) is None


def asks_responsible(question: str, titles: Sequence[str]) -> bool:
    """Whether a question asks who answers for, approved or wrote a named document, and nothing else.

    >>> asks_responsible("Who owns the leave policy?", ["Leave Policy"])
    True
    >>> [asks_responsible(one, ["Leave Policy"]) for one in ("Who approves leave?", "Who does the leave policy cover?")]
    [False, False]
    """
    if not (_WHO.search(question) and _RESPONSIBLE.search(question) and names_a_kind(question)):
        return False
    return not other_words(_WHO.sub(" ", _RESPONSIBLE.sub(" ", question)), titles)


def says_responsible(text: str) -> bool:
    """Whether a line says who answers for something: "Document owner: Legal".

    >>> says_responsible("Approved by: the Board"), says_responsible("Valid until 2027.")
    (True, False)
    """
    return _RESPONSIBLE.search(text) is not None


def is_named(question: str, title: str) -> bool:
    """Whether a question has a telling word of a title.

    >>> is_named("Who owns the travel policy?", "Travel and Expenses Policy")
    True
    """
    return other_words(title, (question,)) < other_words(title, ())
