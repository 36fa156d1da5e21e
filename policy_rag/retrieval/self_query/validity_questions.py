"""Questions about an edition itself: "when does version 5.2 of the medicines policy take effect?".

The documents declare that, and often no sentence of theirs says it: what they declare is the answer, or is told beside
one.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Final

from policy_rag.index.search.terms import terms
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.self_query.edition_forms import same_version
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
# What a day, or a version, answers. "Who changed the leave policy?" and "What is new in version 2?" ask for neither.
_DAY: Final = re.compile(
    r"\b(?:when|wann)\b|\b(?:what|which|welches|was)(?: is| ist)?(?: the| das)?(?: \w+)? (?:date|day|datum)\b"
    r"|\A\W*(?:is|are|was|were|ist|gilt|galt)\b.*\b(?:force|effect|effective|valid|kraft|gültig|gilt)\b",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    r"\b(?:what|which|welche\w*|was)(?: is| ist)?(?: the| die)?(?: \w+)? (?:version|edition|fassung)\b(?!\W*\d)",
    re.IGNORECASE,
)
_ELSE: Final = re.compile(
    r"\b(?:who|whom|why|how|where|wer|wen|wem|warum|wie|wo|must|should|shall|may|can|muss|soll|darf|kann)\b",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"\b(?:expir\w+|end(?:s|ed)?|until|replac\w+|supersed\w+|bis|ersetzt|abgelöst)\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"\b(?:version|edition|fassung)\s+(\d[\w./-]*)", re.IGNORECASE)
_MOST_EDITIONS: Final = 6
DECLARED: Final = "declared: "
"""What the notice begins with that tells what documents declare."""


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


def asked_of(question: str, documents: Sequence[DocumentInfo]) -> tuple[DocumentInfo, ...]:
    """The documents whose validity a question asks for by name, in order of time; nothing for any other question.

    The caller may read `documents`, in force or not.
    """
    keys = set(named_documents(question, documents)) if _CUE.search(question) else set[int]()
    named = sorted((d for d in documents if d.doc_key in keys), key=lambda d: d.effective_from or dt.date.min)
    if not named or len(named) > _MOST_EDITIONS or not asks_validity(question, (d.title for d in named)):
        return ()
    return tuple(named)


def answering(question: str, named: Sequence[DocumentInfo], day: dt.date) -> tuple[DocumentInfo, ...]:
    """Those of the documents asked of that answer by what they declare: the day, or the version, that is asked for.

    Args:
        question: asks for the validity of `named`.
        named: in order of time.
        day: on which the version holds that is asked for.
    """
    if _ELSE.search(question):
        return ()
    number = _NUMBER.search(question)
    if number is not None:
        meant = same_version([d.version for d in named], number[1].rstrip("."))
        named = [d for d in named if d.version in meant]
    if _DAY.search(question):
        return tuple(d for d in named if d.effective_from or _last_day(d))
    if not _WHICH.search(question):
        return ()
    versions = [d for d in named if d.version]
    return tuple([d for d in versions if d.in_force(day)] or versions)


def declared_validity(document: DocumentInfo, question: str = "") -> str:
    """What a document declares of its validity, in words; that it declares no end, where a question asks for one."""
    parts = [
        f"version {document.version}" if document.version else "no version",
        f"from {document.effective_from.isoformat()}" if document.effective_from else "since no day that is given",
    ]
    last = _last_day(document)
    if last is not None:
        parts.append(f"to {last.isoformat()}")
    elif _END.search(question):
        parts.append("to no day that is given")
    return f"{document.title}, {' '.join(parts)}"


def _last_day(document: DocumentInfo) -> dt.date | None:
    """The last day on which a document holds, by itself or by what takes its place."""
    superseded = document.superseded_from
    before = None if superseded is None or superseded == dt.date.min else superseded - dt.timedelta(days=1)
    return min((day for day in (document.effective_to, before) if day is not None), default=None)
