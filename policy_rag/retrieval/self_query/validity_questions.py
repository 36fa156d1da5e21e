"""Questions about an edition itself: "when does version 5.2 of the medicines policy take effect?".

The documents declare that, and often no sentence of theirs says it: what they declare is the answer, or is told beside
one.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Final

from policy_rag.index.search.terms import detect_language, terms
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.self_query.edition_forms import same_version
from policy_rag.retrieval.self_query.named_documents import names_a_kind
from policy_rag.retrieval.title_terms import named_documents, other_words
from policy_rag_parsers.text.answer_language import words_for
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, in_all
from policy_rag_parsers.text.lexicon.record import Modality

_VALIDITY: Final = any_word(
    *(in_all(f"naming.{field}") for field in ("changes", "ends", "holds", "old", "new")),
    in_all("days.in_force"),
    in_all("wanting.when"),
)
# Without one of these, "when does it apply" and "für wen gilt" ask what it says of that.
_CUE: Final = any_word(in_all("naming.changes"), in_all("naming.ends"))
# What a day, or a version, answers. "Who changed the leave policy?" and "What is new in version 2?" ask for neither.
_EDITION: Final = f"{in_all('document.title_block.versions')}|{in_all('document.title_block.issues')}"
_WHICH: Final = rf"\b(?:{in_all('wanting.which')})(?: \w+){{0,3}} "
_DAY: Final = re.compile(
    rf"{any_word(in_all('wanting.when')).pattern}|{_WHICH}(?:{in_all('naming.dates')})\b"
    rf"|\A\W*(?:{in_all('asks_yes_or_no')}|{in_all('days.past_begins')}|{in_all('days.coming_begins')})\b"
    rf".*{any_word(in_all('days.in_force'), in_all('document.title_block.begins')).pattern}",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(rf"{_WHICH}(?:{_EDITION})\b(?!\W*\d)", re.IGNORECASE)
_ELSE: Final = any_word(
    *(in_all(f"wanting.{field}") for field in ("who", "why", "how")),
    *(one.modals[Modality.OBLIGATION] for one in LEXICONS.values()),
    *(one.modals[Modality.ADVICE] for one in LEXICONS.values()),
    *(one.modals[Modality.PERMISSION] for one in LEXICONS.values()),
)
_END: Final = any_word(in_all("naming.ends"))
_NUMBER: Final = re.compile(rf"\b(?:{_EDITION})\s+(\d[\w./-]*)", re.IGNORECASE)
_MOST_EDITIONS: Final = 6
DECLARED: Final = "declared: "
"""What the notice begins with that tells what documents declare."""


def without_validity(question: str) -> str:
    """A question without the words of asking for an edition."""
    return _VALIDITY.sub(" ", question)


def may_ask_validity(question: str) -> bool:
    """Whether a question has a word for an edition, or for a beginning or an end.

    >>> may_ask_validity("When did this take effect?"), may_ask_validity("When am I paid?")
    (True, False)
    """
    return _CUE.search(question) is not None


def asks_validity(question: str, titles: Iterable[str]) -> bool:
    """Whether a question asks when an edition of named documents holds, or which does, and nothing else.

    >>> asks_validity("Since when is the leave policy in force?", ["Leave Policy"])
    True
    >>> [asks_validity(one, ["Leave Policy"]) for one in ("Since when is leave paid?", "When does leave end?")]
    [False, False]
    """
    if not may_ask_validity(question) or not names_a_kind(question):
        return False
    rest = without_validity(question)
    said = [word for word in terms(rest, detect_language(question)) if word.isalpha()]
    # "Until when is leave valid under the leave policy?" has the title's word twice: it asks about leave.
    return len(said) == len(set(said)) and not other_words(rest, tuple(titles))


def asked_of(question: str, documents: Sequence[DocumentInfo]) -> tuple[DocumentInfo, ...]:
    """The documents whose validity a question asks for by name, in order of time; nothing for any other question.

    The caller may read `documents`, in force or not.
    """
    keys = set(named_documents(question, documents)) if may_ask_validity(question) else set[int]()
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
    if not _VERSION.search(question):
        return ()
    versions = [d for d in named if d.version]
    return tuple([d for d in versions if d.in_force(day)] or versions)


def declared_validity(document: DocumentInfo, question: str = "") -> str:
    """What a document declares of its validity, in words of a question; that it declares no end, where that is asked.

    In English where there is no question.
    """
    words = words_for(question, [document.language] if question else ())
    first, last = document.effective_from, _last_day(document)
    parts = [
        words.version.format(number=document.version) if document.version else words.no_version,
        words.since.format(day=first.isoformat()) if first else words.no_begin,
    ]
    if last is not None:
        parts.append(words.until.format(day=last.isoformat()))
    elif _END.search(question):
        parts.append(words.no_end)
    return f"{document.title}, {' '.join(parts)}"


def _last_day(document: DocumentInfo) -> dt.date | None:
    """The last day on which a document holds, by itself or by what takes its place."""
    superseded = document.superseded_from
    before = None if superseded is None or superseded == dt.date.min else superseded - dt.timedelta(days=1)
    return min((day for day in (document.effective_to, before) if day is not None), default=None)
