"""How far the hits support an answer: a score from 0 to 1, by which a question is answered or refused.

It is a logistic model over features of question and hits. Each feature is the largest of something over the hits, or a
mean in which a missing hit counts 0, and no weight is negative: so taking a hit away, or putting a worse one in its
place, never raises the score. How much of a question's wording is found is measured as BM25 weighs words, by idf; its
evidence grows with the idf found, set against what a word in no text would weigh, since a short question of common
words is found anywhere.

The more sections there are, the nearer the nearest of them lies to whatever is asked: so the size of the index counts
against the score, by the logarithm, and a folder of one policy is measured as a library of a hundred is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from policy_rag.answering.confidence.question_terms import Idf, QuestionTerms, question_terms
from policy_rag.errors import SettingsError
from policy_rag.index.search.terms import language_of, terms
from policy_rag.records.search import Hit
from policy_rag.settings import Settings

VECTOR, KEYWORD, CLAUSE, RERANKER = "vector", "keyword", "clause", "reranker"
DEPTH = 5
"""Hits of a rank up to this may answer; the mean is over as many cosines, and a missing one counts 0."""
EVIDENCE = 20
"""Hits that a search should bring for the score, however few are shown: the default weights were fitted on so many.

A hit that the keyword search alone found has no cosine, so the five largest are surely met only further down.
"""


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of a question's support; all 0 without hits. Largest means of the hits of rank 1 to `DEPTH`.

    Attributes:
        cosine: largest cosine of a hit, at least 0.
        mean_cosine: mean of the `DEPTH` largest cosines, of hits of any rank.
        coverage: largest share of the question's words, by idf, in one hit, 0 to 1.
        substance: idf of the words found in one hit, `m / (m + u)` with `u` the idf of a word in no text, 0 to 1.
        keyword: largest BM25 score of a hit relative to the idf of the question's words, cut at 1.
        agreement: largest `1 / log2(1 + r)` of a hit with worse rank `r` in the two searches; 0 unless both found it.
        clause: 1 if the question asks for a clause by number and a hit is that clause.
        reranked: largest score of the reranker over all hits, as `1 / (1 + exp(-score))`; 0 where there is none.
        llm: largest probability that an LLM gives to a hit stating what is asked (`llm_view`); 0 where none was asked.
        size: of the index, as the idf of a word in no text, `ln(2 n + 2)` for `n` sections; no evidence by itself.
    """

    cosine: float = 0.0
    mean_cosine: float = 0.0
    coverage: float = 0.0
    substance: float = 0.0
    keyword: float = 0.0
    agreement: float = 0.0
    clause: float = 0.0
    reranked: float = 0.0
    llm: float = 0.0
    size: float = 0.0


def features(
    question: str,
    hits: Sequence[Hit],
    *,
    idf: Idf,
    languages: Sequence[str] = ("english",),
    reranked: Sequence[Hit] = (),
) -> Features:
    """The features of a question and its hits.

    Args:
        question: as asked.
        hits: in any order, `EVIDENCE` of them. Wording is compared for those of rank 1 to `DEPTH`.
        idf: of the keyword index that was searched.
        languages: those of the index's documents. The question is read in its own language; where no stop word tells
            that, in each of them, and what supports it most counts. (Read in another language its stop words would
            count as content.)
        reranked: the hits that a reranker scored, where `hits` are others.

    Returns:
        All zeros without hits.
    """
    if not hits:
        return Features()
    own = language_of(question)
    read = [question_terms(question, idf, language) for language in dict.fromkeys((own,) if own else languages)]
    found = [_of_language(asked, hits) for asked in read]
    largest = {f.name: max(getattr(one, f.name) for one in found) for f in fields(Features)}
    scores = [hit.found_by[RERANKER].score for hit in reranked or hits if RERANKER in hit.found_by]
    # A logistic curve, since the scale is the reranker's own and may fall below 0, which stands for none.
    largest["reranked"] = max((logistic(score) for score in scores), default=0.0)
    return Features(**largest)


def _of_language(asked: QuestionTerms, hits: Sequence[Hit]) -> Features:
    singles = [_of_hit(asked, hit) for hit in hits if hit.rank <= DEPTH]
    cosines = sorted((_cosine(hit) for hit in hits), reverse=True)[:DEPTH]
    largest = {f.name: max((getattr(one, f.name) for one in singles), default=0.0) for f in fields(Features)}
    largest["cosine"] = cosines[0]
    largest["mean_cosine"] = sum(cosines) / DEPTH
    largest["size"] = asked.unseen
    return Features(**largest)


def _of_hit(asked: QuestionTerms, hit: Hit) -> Features:
    """The features of one hit; the mean is taken later."""
    vector, keyword = hit.found_by.get(VECTOR), hit.found_by.get(KEYWORD)
    matched = asked.matched(terms(searched_text(hit), asked.language))
    worse_rank = max(vector.rank, keyword.rank) if vector and keyword else None
    return Features(
        cosine=_cosine(hit),
        coverage=matched / asked.total if asked.total > 0 else 0.0,
        substance=matched / (matched + asked.unseen) if matched > 0 else 0.0,
        keyword=min(1.0, keyword.score / asked.total) if keyword and asked.total > 0 else 0.0,
        agreement=1 / math.log2(1 + worse_rank) if worse_rank else 0.0,
        clause=1.0 if CLAUSE in hit.found_by else 0.0,
    )


def _cosine(hit: Hit) -> float:
    vector = hit.found_by.get(VECTOR)
    return max(0.0, vector.score) if vector else 0.0


def searched_text(hit: Hit) -> str:
    """The titles above a hit and the chunk by which it was found, as the searches saw it."""
    chunk = hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start]
    return "\n".join([*hit.path, chunk])


@dataclass(frozen=True, slots=True)
class SupportPiece:
    """A part of the score: `weight` times the value of `feature`, held between `low` and `high`."""

    feature: str
    weight: float
    low: float = 0.0
    high: float = 2.0

    def __post_init__(self) -> None:
        """Refuses what would let worse evidence raise the score.

        Raises:
            SettingsError: an unknown feature, or a negative weight.
        """
        names = [f.name for f in fields(Features)]
        if self.feature not in names:
            raise SettingsError(f"there is no feature {self.feature!r}: the features are {', '.join(names)}")
        if not self.weight >= 0 or not self.low <= self.high:
            raise SettingsError(
                f"the weight of {self.feature} is {self.weight}: fit it again with weights of at least 0"
            )

    def value(self, found: Features) -> float:
        """The feature's value, held between `low` and `high`."""
        return min(max(float(getattr(found, self.feature)), self.low), self.high)


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted model of support.

    Attributes:
        intercept: the score's value without any feature.
        pieces: what is added to it.
        threshold: least support with which anything is shown, 0 to 1.
        certain: least confidence with which it is claimed to answer; what lies between is uncertain.
        provenance: on which data it was fitted, how, and with what result.
        by_size: what each unit of the index's `Features.size` takes from the score; 0 for a model fitted on one index.
    """

    intercept: float
    pieces: tuple[SupportPiece, ...]
    threshold: float
    provenance: str
    certain: float = 0.0
    by_size: float = 0.0

    @property
    def asks_llm(self) -> bool:
        """Whether an LLM's own view counts."""
        return any(piece.feature == "llm" and piece.weight > 0 for piece in self.pieces)

    def at(self, size: float) -> "Weights":
        """The same for indexes of one size, which it then takes no more notice of."""
        return replace(self, intercept=self.intercept - self.by_size * size, by_size=0.0)


def weights_of(intercept: float, pieces: Sequence[tuple[str, float, float, float]]) -> Weights:
    """A model as the setting `support` gives it: an intercept, and feature, weight, low and high of each piece.

    Its threshold is 0.5, for a calibrated score says how likely a question is to be answerable; the setting
    `threshold`, which is saved with it, replaces that.

    Raises:
        SettingsError: an unknown feature, or a negative weight.
    """
    own = tuple(SupportPiece(*piece) for piece in pieces)
    source = "the settings"
    return replace(DEFAULT_WEIGHTS, intercept=intercept, pieces=own, threshold=0.5, by_size=0.0, provenance=source)


def confidence(found: Features, weights: Weights) -> float:
    """The support from 0 to 1: `1 / (1 + exp(-(intercept - by_size * size + sum of the pieces)))`, 0 without hits.

    >>> confidence(Features(), DEFAULT_WEIGHTS)
    0.0
    """
    if found == Features():
        return 0.0
    score = weights.intercept - weights.by_size * found.size
    for piece in weights.pieces:
        score += piece.weight * piece.value(found)
    return logistic(score)


def logistic(score: float) -> float:
    """`1 / (1 + exp(-score))`.

    >>> logistic(0.0), logistic(-1000.0) < 1e-15
    (0.5, True)
    """
    # Beyond this the exponential says nothing more, and far beyond it overflows.
    return 1 / (1 + math.exp(-min(max(score, -40.0), 40.0)))


DEFAULT_WEIGHTS = Weights(
    intercept=-13.21,
    pieces=(
        SupportPiece("cosine", 4.87, 0.0, 0.6),
        SupportPiece("cosine", 1.43, 0.6, 1.0),
        SupportPiece("mean_cosine", 4.57, 0.0, 0.55),
        SupportPiece("mean_cosine", 5.54, 0.55, 1.0),
        SupportPiece("coverage", 15.46, 0.0, 0.3),
        SupportPiece("substance", 6.11, 0.6, 1.0),
        SupportPiece("keyword", 2.67, 0.0, 0.3),
        SupportPiece("keyword", 1.09, 0.3, 1.0),
        SupportPiece("agreement", 0.37),
        SupportPiece("clause", 4.05),
    ),
    threshold=0.03,
    certain=0.6,
    by_size=0.68,
    provenance=(
        "Logistic regression without negative weights and with an intercept for each index, on 20 hits of the default "
        "search over files with all-MiniLM-L6-v2. Answerable: 700 questions of ObliQA, 700 of PolicyQA, 167 of the "
        "sample company. Not answerable: the same asked of each other's index, ObliQA's without their documents, and "
        "50 of the sample company. by_size is 1 before calibration: over indexes of 13 to 413 sections of the sample "
        "company the tenth of the answerable scores that is lowest rises by 0.8 for each unit, between its whole index "
        "and ObliQA's (11,324 sections) by more. All weights were then scaled and the intercept set by a logistic "
        "curve through all of these scores (slope 0.68). The threshold refuses 2 % of the sample company's "
        "answerable questions and 18 % of the others: whether what is found answers, the reader tells better."
    ),
)
"""For all-MiniLM-L6-v2; another embedding model has other cosines and needs weights of its own."""


def weights_in_force(settings: Settings, *, llm: bool = False) -> Weights:
    """The weights that the settings `support` and `threshold` give, and those that ship where they say nothing.

    Args:
        settings: those in force.
        llm: whether there is an LLM to ask. Without one, weights and a threshold that were fitted with an LLM's view
            would refuse nearly everything: those that ship take their place. A threshold of 0, by which nothing is
            refused, stays.

    >>> weights_in_force(Settings.of({"threshold": 0.3})).threshold
    0.3
    """
    own = settings.answer.support
    weights = DEFAULT_WEIGHTS if own is None else weights_of(own.intercept, own.pieces)
    if weights.asks_llm and not llm:
        return replace(DEFAULT_WEIGHTS, threshold=0.0) if settings.answer.threshold == 0 else DEFAULT_WEIGHTS
    threshold, certain = settings.answer.threshold, settings.answer.certain
    return replace(
        weights,
        threshold=weights.threshold if threshold is None else threshold,
        certain=weights.certain if certain is None else certain,
    )
