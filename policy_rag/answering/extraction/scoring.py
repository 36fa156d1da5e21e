"""How likely each thing that could be quoted is to hold the answer: what the reader says of it, and its words.

A logistic model over a few features, fitted on questions of the sample company and of two real handbooks whose gold
places are known; what the reader says weighs as much as makes the first choice right most often in both. In a language
that the reader does not know, and without it, the words decide alone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.confidence.question_terms import Idf, question_terms
from policy_rag.answering.extraction.answer_type import expected_type, holds
from policy_rag.answering.extraction.common_names import without_common_names
from policy_rag.answering.extraction.definitions import asked_term, defines
from policy_rag.answering.extraction.leading_words import asks_yes_or_no
from policy_rag.answering.extraction.selection import QuoteCandidate
from policy_rag.answering.extraction.surroundings import surroundings
from policy_rag.answering.presentation.readable import readable_line
from policy_rag.index.search.terms import terms
from policy_rag.models.reader import Reader
from policy_rag.models.reader_language import is_english
from policy_rag.records.search import Hit

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
EmbedQuery = Callable[[str], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class UnitFeatures:
    """What is known of each candidate, all `(candidates,)`; `read` is None where no reader read them.

    Attributes:
        cosine: with the question, of it and its titles, above what is usual for the question.
        coverage: the share of the question's words, by their rarity among the candidates, in it and its titles.
        rank: one over its hit's rank.
        read: the reader's logit that it answers, behind its titles; minus infinity of what was not read.
        fits: where a time, a number or the meaning of a word is asked for, `_HELD` if it tells one and `_LACKS` if not;
            else, and where nothing tells the meaning, 0.
    """

    cosine: NDArray[np.float32]
    coverage: NDArray[np.float32]
    rank: NDArray[np.float32]
    read: NDArray[np.float32] | None
    fits: NDArray[np.float32]

    @property
    def matrix(self) -> NDArray[np.float32]:
        """`(candidates, features)`, in the order of the fields; of `read` how far it is below the best, at most 8."""
        below = np.zeros_like(self.cosine) if self.read is None else np.maximum(self.read - self.read.max(), -_MOST)
        return np.stack([self.cosine, self.coverage, self.rank, below, self.fits], axis=1)


_MOST = 8.0
_INTERCEPT, _WEIGHTS = -4.6, (9.83, 3.69, 1.7, 0.6, 2.5)
_READ = 30  # candidates: what words and vectors put behind these was chosen first for 2 of 373 questions
_LEAST = 1e-3  # a logit of chances lies within 7
_USUAL, _AS_MANY = 0.34, 10  # the mean cosine over questions, and how many candidates' worth it counts
_HELD, _LACKS = 0.2, -0.8  # so that the best of such a question is as likely right as that of any other


def _above_usual(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines less their mean, which is drawn towards that of all questions where there are few.

    How near all of a question's candidates are depends on the question more than on what they say.
    """
    usual = (float(cosines.sum()) + _AS_MANY * _USUAL) / (len(cosines) + _AS_MANY)
    return cosines - np.float32(usual)


def unit_features(
    question: str,
    candidates: Sequence[QuoteCandidate],
    *,
    embed: Embed,
    embed_query: EmbedQuery,
    idf: Idf,
    reader: Reader | None,
    languages: Sequence[str],
) -> UnitFeatures:
    """The features of candidates; without a reader, or in a language that it does not know, it has said nothing.

    Args:
        question: as asked.
        candidates: one at least.
        embed: texts to vectors of norm 1, `(len(texts), dimension)`.
        embed_query: a question to its vector, `(dimension,)`.
        idf: of the keyword index that was searched.
        reader: or None.
        languages: of the documents, for stemming.
    """
    placed = [_in_its_place(one) for one in candidates]
    unread = UnitFeatures(
        cosine=_above_usual(embed(placed) @ embed_query(without_common_names(question, idf))),
        coverage=_coverages(question, candidates, languages),
        rank=np.array([1 / one.hit.rank for one in candidates], dtype=np.float32),
        read=None,
        fits=_fits(question, candidates, languages),
    )
    if reader is None or not is_english(question):
        return unread
    likeliest = np.argsort(-logits(unread), kind="stable")[:_READ]
    read = np.full(len(placed), -np.inf, dtype=np.float32)
    read[likeliest] = reader.answers(question, [placed[place] for place in likeliest])
    return replace(unread, read=read)


def logits(features: UnitFeatures) -> NDArray[np.float32]:
    """The logits that candidates hold the answer, `(candidates,)`; what nobody read tells none from another."""
    weighed = features.matrix * np.array(_WEIGHTS, dtype=np.float32)
    scores: NDArray[np.float32] = weighed.sum(axis=1) + np.float32(_INTERCEPT)
    return scores


def borne_out(question: str, said: str, reader: Reader) -> float:
    """How far a candidate's own words bear out an English question, a logit; see `probability.FirstQuotation`."""
    (found,) = reader.support([" ".join(said.split())], [question])
    # What says the contrary answers where "no" is an answer.
    denied = found.contradicted if asks_yes_or_no(question, "english") else 0.0
    borne = found.supported + denied
    return math.log((borne + _LEAST) / (1 - borne + _LEAST))


def read_around(question: str, one: QuoteCandidate, as_asked: Callable[[str], str], reader: Reader) -> float:
    """The reader's logit that the paragraph or list around a candidate answers."""
    start, end = surroundings(one.hit, (one.unit.start, one.unit.end))
    text = as_asked(_behind_titles(one.hit, one.hit.text[start - one.hit.start : end - one.hit.start]))
    return float(reader.answers(question, [text])[0])


def own_words(one: QuoteCandidate) -> str:
    """What a candidate says without what leads into it."""
    if one.unit.is_column:
        return one.unit.text
    return one.hit.text[one.unit.start - one.hit.start : one.unit.end - one.hit.start]


def _in_its_place(one: QuoteCandidate) -> str:
    """A candidate as people read it, behind its titles: "up to five days" says nothing by itself."""
    return _behind_titles(one.hit, one.unit.text)


def _behind_titles(hit: Hit, text: str) -> str:
    return f"{' > '.join(hit.path)}: {readable_line(text, hit.file)}"


def _fits(question: str, candidates: Sequence[QuoteCandidate], languages: Sequence[str]) -> NDArray[np.float32]:
    expected, term = expected_type(question, languages), asked_term(question, languages)
    if expected is not None:
        held = [holds(expected, one.unit.text, languages) for one in candidates]
    else:
        held = [bool(term) and defines(own_words(one), term, languages) for one in candidates]
        if not any(held):
            return np.zeros(len(candidates), dtype=np.float32)
    return np.where(held, np.float32(_HELD), np.float32(_LACKS))


def _coverages(question: str, candidates: Sequence[QuoteCandidate], languages: Sequence[str]) -> NDArray[np.float32]:
    """The share of the question's words in each candidate, `(candidates,)`; words of few candidates weigh more.

    The titles of its sections count as its own words: "3 Redundancy pay" says what "one month for each year" is of. How
    rare a word is does not hang on columns, which repeat what rows say.
    """
    texts = [" ".join((*one.hit.path[1:], one.unit.text)) for one in candidates]
    coverages = np.zeros(len(candidates), dtype=np.float32)
    for language in dict.fromkeys(languages):
        held = [frozenset(terms(text, language)) for text in texts]

        counted = [words for one, words in zip(candidates, held, strict=True) if not one.unit.is_column]

        def idf(stems: Sequence[str], held: Sequence[frozenset[str]] = counted) -> NDArray[np.float32]:
            counts = np.array([sum(stem in words for words in held) for stem in stems], dtype=np.float32)
            return np.log1p((len(held) - counts + np.float32(0.5)) / (counts + np.float32(0.5))).astype(np.float32)

        asked = question_terms(question, idf, language)
        if asked.total > 0:
            shares = np.array([asked.matched(list(words)) / asked.total for words in held], dtype=np.float32)
            coverages = np.maximum(coverages, shares)
    return coverages
