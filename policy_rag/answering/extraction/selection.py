"""Which of the things that could be quoted make an answer: the likeliest, and what comes near it and adds to it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.extraction.quotable_units import Unit
from policy_rag.answering.extraction.surroundings import surroundings
from policy_rag.records.search import Hit
from policy_rag_parsers.text.lexicon import any_word, in_all
from policy_rag_parsers.text.sentences import Span
from policy_rag_parsers.text.tokenizer import language_of

MOST = 3
"""Most that are quoted: what does not answer with three does not answer."""
_BESIDE, _ELSEWHERE = 1.7, 1.2  # logits below the best, in its document and in another
_UNREAD = 0.75  # of that where nobody read: words and cosines lie closer together
_COMPARED = 2.0  # where documents are compared
_SAME = 0.9  # cosine from which two say the same
_LIST_SHARE = 3  # a list that is never taken apart counts as a third of all characters at most
_SAME_TABLE = 0.3  # a further row of a table as near to the best row
_LANGUAGE_WORDS = 6  # fewer words do not tell their language
_COMPARING = any_word(in_all("wanting.comparing"))


@dataclass(frozen=True, slots=True)
class QuoteCandidate:
    """Something to quote, with the hit in which it stands and its place in the candidates' vectors."""

    unit: Unit
    hit: Hit
    document: int


def choose(
    question: str,
    candidates: Sequence[QuoteCandidate],
    scores: NDArray[np.float32],
    vector_of: Callable[[int], NDArray[np.float32]],
    most: int,
    max_chars: int,
    *,
    read: bool,
) -> list[int]:
    """The places of the chosen, best first: the best, and what comes near it.

    They are of its language. What stands in another document must come nearer, unless documents are compared. What is
    said already, what says the same, and what does not fit is passed over; of a table a second row comes only where it
    is about as near as the first.

    Args:
        question: as asked.
        candidates: one at least.
        scores: logits, `(candidates,)`.
        vector_of: the vector of a candidate by its place, of norm 1; asked for those alone that may be chosen.
        most: places at most, each quoted with what is around it; of one place a further statement comes only while
            fewer than `most` are chosen.
        max_chars: most characters of all; the first is taken however long it is.
        read: whether a reader's logits are in the scores.
    """
    best = int(scores.argmax())
    tongue = _language(candidates[best].unit.text)
    own = np.array([one.document == candidates[best].document for one in candidates], dtype=np.bool_)
    compared = _COMPARING.search(question) is not None
    apart = np.where(own, _BESIDE, _COMPARED if compared else _ELSEWHERE)
    free = scores >= scores[best] - apart * (1.0 if read else _UNREAD)
    chosen: list[int] = []
    places: list[tuple[int, Span]] = []
    quoted: set[tuple[int, Span]] = set()
    used = 0
    for place in np.argsort(-scores, kind="stable").tolist():
        one = candidates[place]
        length = _length(one, quoted, max_chars)
        if not free[place] or not length or (chosen and used + length > max_chars):
            continue
        if chosen and tongue is not None and _language(one.unit.text) not in {None, tongue}:
            continue
        if chosen and any(float(vector_of(place) @ vector_of(other)) >= _SAME for other in chosen):
            continue
        around = surroundings(one.hit, (one.unit.start, one.unit.end))
        is_new = not any(one.document == of and _meet(around, other) for of, other in places)
        if (len(places) if is_new else len(chosen)) >= most:
            continue
        chosen.append(place)
        if is_new:
            places.append((one.document, around))
        used += length
        quoted.update((one.document, span) for span in one.unit.quoted)
        free &= ~_rivals(candidates, place) | (scores >= scores[place] - _SAME_TABLE)
    return chosen


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _language(text: str) -> str | None:
    return language_of(text) if sum(map(str.isalpha, text.split())) >= _LANGUAGE_WORDS else None


def _rivals(candidates: Sequence[QuoteCandidate], best: int) -> NDArray[np.bool_]:
    """Which candidates are rows or columns of the same table as the best, `(candidates,)`."""
    table = candidates[best].document, candidates[best].unit.table
    rival = [table[1] is not None and (one.document, one.unit.table) == table for one in candidates]
    return np.array(rival, dtype=np.bool_)


def _length(one: QuoteCandidate, quoted: Collection[tuple[int, Span]], max_chars: int) -> int:
    """Characters that a candidate would add to what is quoted, as they are counted."""
    held = [span for document, span in quoted if document == one.document]
    new = sum(
        end - start for start, end in one.unit.quoted if not any(first <= start and end <= last for first, last in held)
    )
    share = max(max_chars // _LIST_SHARE, 1) if one.unit.is_list else new
    return min(one.unit.length, new, share)
