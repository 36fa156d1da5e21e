"""What a document says of itself, mostly in its head: its version and validity, and who answers for it."""

import re
from collections.abc import Sequence

from policy_rag.retrieval.self_query.named_documents import names_a_kind
from policy_rag.retrieval.title_terms import other_words

_VERSION = re.compile(r"(?:\A|\||[.;]\s)\W*(?:version|revision|rev\.|fassung|stand)\s*:?\s*v?\d", re.IGNORECASE)
_IN_FORCE = re.compile(
    r"\b(?:effective|in force|in effect|takes? effect|valid|replaces|supersedes|gültig|in kraft|gilt|ersetzt)\b"
    r"[^!?\n]{0,40}\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_RESPONSIBLE = re.compile(
    r"\b(?:responsib\w+|accountable|in charge|own(?:s|ed|er|ers|ership)|maintain(?:s|ed|er)|approv(?:es|ed|er)"
    r"|issue[ds]|author\w*|wrote|written|contact|verantwort\w+|zuständig\w*|eigentümer\w*|eigner\w*|herausgeber\w*"
    r"|herausgegeben|freigegeben|genehmigt|verfasst|verfasser\w*|ansprechpartner\w*)\b",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:who|whom|wer|wen|wem)\b", re.IGNORECASE)


def says_validity(text: str) -> bool:
    """Whether a line says which version this is, or from or until when it is in force.

    >>> says_validity("Version 5.2"), says_validity("Gültig ab 1. Januar 2025."), says_validity("Valid for 30 days.")
    (True, True, False)
    """
    return _VERSION.search(text) is not None or _IN_FORCE.search(text) is not None


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
