"""Questions about an edition itself: "when does version 5.2 of the medicines policy take effect?".

The documents declare that, and often no sentence of theirs says it: what they declare is told, and nothing is quoted
but a line that says which version this is.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Final

from policy_rag.index.search.terms import terms
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.self_query.named_documents import names_a_kind
from policy_rag.retrieval.title_terms import named_documents, other_words

_VALIDITY: Final = re.compile(
    r"\b(?:(?:tak(?:es?|en|ing)|took|com(?:es?|ing)|came|go(?:es)?|went)(?= (?:in|effect))|"
    r"effect|effective|force|valid|validity|date[ds]?|day|"
    r"replac\w+|supersed\w+|expir\w+|start(?:s|ed)?|begin(?:s)?|began|end(?:s|ed)?|until|since|versions?|editions?|current|"
    r"latest|old|new|previous|former|chang\w+|updat\w+|appl(?:y|ies|ied)|"
    r"gültig\w*|kraft|tritt|treten|trat|gilt|gelten|galt|seit|ersetzt|abgelöst|stand|datum|fassung\w*|alten?|neuen?|"
    r"geändert)\b",
    re.IGNORECASE,
)
# Without one of these, "when does it apply" and "für wen gilt" ask what it says of that.
_CUE: Final = re.compile(
    r"\b(?:effect|effective|force|valid|validity|dated?|replac\w+|supersed\w+|expir\w+|start(?:s|ed)?|begins?|began|"
    r"ends?|ended|until|since|versions?|editions?|chang\w+|updat\w+|"
    r"gültig\w*|kraft|seit|(?:ab|bis) wann|ersetzt|abgelöst|datum|fassung\w*|geändert)\b",
    re.IGNORECASE,
)
_MOST_EDITIONS: Final = 6


def without_validity(question: str) -> str:
    """A question without the words of asking for an edition."""
    return _VALIDITY.sub(" ", question)


def asks_validity(question: str, titles: Iterable[str]) -> bool:
    """Whether a question asks when an edition of named documents holds, or which does, and nothing else.

    >>> asks_validity("Since when is the leave policy in force?", ["Leave Policy"])
    True
    >>> [asks_validity(one, ["Leave Policy"]) for one in ("Since when is leave paid?", "When does leave end?")]
    [False, False]
    """
    if not _CUE.search(question) or not names_a_kind(question):
        return False
    rest = without_validity(question)
    said = [word for word in terms(rest) if word.isalpha()]
    # "Until when is leave valid under the leave policy?" has the title's word twice: it asks about leave.
    return len(said) == len(set(said)) and not other_words(rest, tuple(titles))


def validity_notice(question: str, documents: Sequence[DocumentInfo]) -> tuple[str, ...]:
    """A notice of what the documents declare that a question about their validity names; else nothing.

    The caller may read the documents, in force or not.
    """
    keys = set(named_documents(question, documents)) if _CUE.search(question) else set[int]()
    named = sorted((d for d in documents if d.doc_key in keys), key=lambda d: d.effective_from or dt.date.min)
    if not named or len(named) > _MOST_EDITIONS or not asks_validity(question, (d.title for d in named)):
        return ()
    return (f"declared: {'; '.join(_declared(document) for document in named)}",)


def _declared(document: DocumentInfo) -> str:
    parts = [
        f"version {document.version}" if document.version else "no version",
        f"from {document.effective_from.isoformat()}" if document.effective_from else "since no day that is given",
    ]
    ends = [day for day in (document.effective_to, _day_before(document.superseded_from)) if day is not None]
    if ends:
        parts.append(f"to {min(ends).isoformat()}")
    return f"{document.title}, {' '.join(parts)}"


def _day_before(day: dt.date | None) -> dt.date | None:
    return None if day is None or day == dt.date.min else day - dt.timedelta(days=1)
