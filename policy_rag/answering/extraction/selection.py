"""Which of the sentences that could be quoted make an answer: near the best, belonging to it, and not too much.

What is like something chosen already counts less (maximal marginal relevance, Carbonell and Goldstein 1998).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.extraction.units import Unit
from policy_rag.records.search import Hit
from policy_rag_parsers.text.sentences import Span
from policy_rag_parsers.text.tokenizer import language_of

_ALIKE = 0.2
_FLOOR, _BELOW = 0.5, 0.45  # what scores below this share of the best, or as much below it, only fills space
# Shares of the best's score for what stands elsewhere than the best:
_BESIDE = 0.65  # in another section of its document,
_WORDLESS = 0.9  # there without a telling word of the question,
_ELSEWHERE = 0.85  # in another document,
_AS_WORDED = 0.75  # there with as many telling words as the best
_WORDS = 0.45  # the share of the best's telling words that something in another document has,
_STRONG = 0.6  # or the cosine with the question that makes up for them
_NEARLY = 0.7  # what has a telling word and this share of the highest score is the best before what has none
_LIST_SHARE = 3  # a list that is never taken apart counts as a third of all characters at most
_SAME_TABLE = 0.95  # the same share for a further row, of the best row of its table
_LANGUAGE_WORDS = 6  # fewer words do not tell their language
_VERSION = re.compile(r"(?:\A|\||[.;]\s)\W*(?:version|revision|rev\.|fassung|stand)\s*:?\s*v?\d", re.IGNORECASE)
_IN_FORCE = re.compile(
    r"\b(?:effective|in force|in effect|takes? effect|valid|replaces|supersedes|gültig|in kraft|gilt|ersetzt)\b"
    r"[^!?\n]{0,40}\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_COMPARING = re.compile(
    r"\b(?:compare|comparison|differ\w*|versus|vs|both|vergleich\w*|unterschied\w*|beide\w?|compar\w+|différence)\b",
    re.IGNORECASE,
)
_VERSION_ASKED = re.compile(
    r"\b(?:versions?|editions?|revisions?|fassung|stand|in force|effective|effect|valid|since|gültig|kraft|gilt)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something to quote, with the hit in which it stands and its place in the candidates' vectors."""

    unit: Unit
    hit: Hit
    document: int


def says_version(text: str) -> bool:
    """Whether a line says which version of a document this is.

    >>> says_version("Version 5.2, in force from 1 April"), says_version("The version is kept.")
    (True, False)
    """
    return _VERSION.search(text) is not None


def says_validity(text: str) -> bool:
    """Whether a line says which version this is, or from or until when it is in force.

    >>> says_validity("Gültig ab 1. Januar 2025."), says_validity("A visa is valid for 30 days.")
    (True, False)
    """
    return says_version(text) or _IN_FORCE.search(text) is not None


def belonging(
    question: str,
    candidates: Sequence[Candidate],
    scores: NDArray[np.float32],
    cosines: NDArray[np.float32],
    coverages: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Which candidates may stand in an answer with the best, `(candidates,)`; that is always one.

    They are of its language and not far below it. What stands in another section than the best must be nearer to it,
    above all where it has no telling word of the question, and in another document nearer still: there it must have
    some of the words that the best has, or lie close to the question by itself. What has as many of them as the best
    may lie further off, and so may what has any where things are compared. A line that says which version this is comes
    only where that is asked for.

    Args:
        question: as asked.
        candidates: one at least.
        scores: by which they are chosen, `(candidates,)`, as are the next two.
        cosines: of their own with the question.
        coverages: the share of the question's telling words in them.
    """
    asks_version = _VERSION_ASKED.search(question) is not None
    plain = np.array([asks_version or not says_version(one.unit.text) for one in candidates], dtype=np.bool_)
    best = _best(scores, coverages, plain)
    tongue = _language(candidates[best].unit.text)

    def belongs(one: Candidate) -> bool:
        return tongue is None or _language(one.unit.text) in (None, tongue)

    near = scores >= max(_FLOOR * scores[best], scores[best] - _BELOW)
    document = np.array([one.document == candidates[best].document for one in candidates], dtype=np.bool_)
    section = np.array([one.hit.section_id == candidates[best].hit.section_id for one in candidates], dtype=np.bool_)
    worded = coverages > 0
    as_worded = worded & (coverages >= coverages[best])
    beside = as_worded | (scores >= np.where(worded, _BESIDE, _WORDLESS) * scores[best])
    if _COMPARING.search(question):  # documents with each other, maybe
        elsewhere = worded & (scores >= _BESIDE * scores[best])
    else:
        telling = (worded & (coverages >= _WORDS * coverages[best])) | (cosines >= _STRONG)
        elsewhere = telling & (scores >= np.where(as_worded, _AS_WORDED, _ELSEWHERE) * scores[best])
    found: NDArray[np.bool_] = plain & near & np.where(document, section | beside, elsewhere)
    found[found] = [belongs(candidates[place]) for place in np.flatnonzero(found).tolist()]
    found[best] = True
    return found


def _best(scores: NDArray[np.float32], coverages: NDArray[np.float32], plain: NDArray[np.bool_]) -> int:
    """The place of the candidate by which the others are measured: if may be, one with a word of the question."""
    plain = plain if plain.any() else ~plain
    worded = plain & (coverages > 0) & (scores >= _NEARLY * scores[plain].max())
    return int(np.where(worded if worded.any() else plain, scores, -np.inf).argmax())


def _language(text: str) -> str | None:
    return language_of(text) if sum(map(str.isalpha, text.split())) >= _LANGUAGE_WORDS else None


def choose(
    candidates: Sequence[Candidate],
    scores: NDArray[np.float32],
    free: NDArray[np.bool_],
    vectors: NDArray[np.float32],
    max_sentences: int,
    max_chars: int,
) -> list[int]:
    """The places of the chosen among the free candidates, best first.

    One that does not fit is passed over for the next that does. What is quoted already costs nothing again, and what
    would add nothing to it is not chosen: the rows of a table that is quoted whole are one. Of any other table a second
    row comes only where it is about as near as the first.
    """
    chosen: list[int] = []
    alike = np.zeros(len(candidates), dtype=np.float32)
    quoted: set[tuple[int, Span]] = set()
    used = 0
    free = free.copy()
    while len(chosen) < max_sentences:
        lengths = np.array([_length(one, quoted, max_chars) for one in candidates])
        free &= lengths > 0
        fits = free & (used + lengths <= max_chars) if chosen else free
        if not fits.any():
            break
        best = int(np.where(fits, scores - _ALIKE * alike, -np.inf).argmax())
        chosen.append(best)
        free &= ~_rivals(candidates, best) | (scores >= _SAME_TABLE * scores[best])
        used += int(lengths[best])
        quoted.update((candidates[best].document, span) for span in candidates[best].unit.quoted)
        alike = np.maximum(alike, vectors @ vectors[best])
    return chosen


def _rivals(candidates: Sequence[Candidate], best: int) -> NDArray[np.bool_]:
    """Which candidates are rows of the same table as the best, `(candidates,)`."""
    table = candidates[best].document, candidates[best].unit.table
    rival = [table[1] is not None and (one.document, one.unit.table) == table for one in candidates]
    return np.array(rival, dtype=np.bool_)


def _length(one: Candidate, quoted: Collection[tuple[int, Span]], max_chars: int) -> int:
    """Characters that a candidate would add to what is quoted, as they are counted."""
    held = [span for document, span in quoted if document == one.document]
    new = sum(
        end - start for start, end in one.unit.quoted if not any(first <= start and end <= last for first, last in held)
    )
    share = max_chars // _LIST_SHARE if one.unit.is_list else new
    return min(one.unit.length, new, share)
