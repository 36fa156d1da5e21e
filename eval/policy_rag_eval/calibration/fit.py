"""Fits the support score to a data set's answerable and unanswerable questions.

The score is a logistic model without negative weights (`answering.confidence.model`). Two models are tried: the
weights that ship, and weights fitted on the data set. Every question is scored by a model that did not see it
(cross-validation), and the model whose scores have the lower log-loss is taken. Its out-of-fold scores are then
calibrated by Platt's method: a logistic curve through them (Platt 1999). Isotonic regression would be the other choice;
it needs a thousand questions or more (Niculescu-Mizil and Caruana 2005), and its steps tie so many questions that a
threshold cannot be set between them. A logistic curve also leaves the model what it is: it scales the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS, Features, SupportPiece, Weights, confidence
from policy_rag.records.search import Hit
from policy_rag_eval.calibration.risk_coverage import CoveragePoint, risk_coverage
from policy_rag_eval.calibration.support_features import roc_area
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.sweep.usage import NO_USAGE, QuestionUsage

FOLDS = 5
MIN_OF_A_KIND = 10
"""Fewer answerable or unanswerable questions than this tell nothing of a threshold."""

_SEED = 20_240_501
_SHRINK = 0.01  # of the squared distance from the weights that ship, in units of a feature's spread

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Model(StrEnum):
    """Whose weights the score has."""

    SHIPPED = "shipped"
    FITTED = "fitted"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was fitted, and what it is worth on questions that it did not see.

    Attributes:
        weights: the calibrated model, fitted on all questions; its threshold is the one that ships.
        model: whose weights were calibrated.
        confidences: out of fold, in the order of the questions.
        answerable: likewise.
        area: under the ROC curve, answerable against unanswerable, out of fold.
        log_loss: mean `-ln` of the probability given to what is the case, out of fold; by model.
        curve: thresholds rising; the first answers every question.
    """

    weights: Weights
    model: Model
    confidences: Floats
    answerable: Flags
    area: float
    log_loss: dict[Model, float]
    curve: tuple[CoveragePoint, ...]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One configuration's calibration, and the threshold that was chosen by it.

    Attributes:
        found: what was fitted.
        chosen: the threshold, or None where none keeps what was asked for.
        first: what was found first for each question, in their order; empty where that is not known.
        usage: what it takes to decide on a question.
    """

    found: Calibration
    chosen: CoveragePoint | None
    first: tuple[Hit | None, ...] = ()
    usage: QuestionUsage = NO_USAGE


def calibrate(found: Sequence[Features], answerable: Sequence[bool]) -> Calibration:
    """Fits and calibrates; `answerable` is in the order of the features.

    Raises:
        DatasetError: there are fewer than `MIN_OF_A_KIND` questions of a kind.
    """
    from sklearn.metrics import log_loss
    from sklearn.model_selection import StratifiedKFold

    kinds = np.array(answerable, dtype=np.bool_)
    fewest = int(min(kinds.sum(), (~kinds).sum()))
    if fewest < MIN_OF_A_KIND:
        which = "answerable" if kinds.sum() < (~kinds).sum() else "unanswerable"
        raise DatasetError(
            f"only {fewest} {which} questions: calibration needs {MIN_OF_A_KIND} of each kind, "
            'so add some (unanswerable ones have no quote in a CSV, and "answerable": false in queries.jsonl)'
        )
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=_SEED).split(kinds, kinds))
    shipped = DEFAULT_WEIGHTS.at(max(one.size for one in found))  # all questions are asked of one index
    scores = {Model.SHIPPED: _logits(found, shipped), Model.FITTED: np.zeros(len(found))}
    for inside, outside in folds:
        fitted = fit([found[i] for i in inside], kinds[inside])
        scores[Model.FITTED][outside] = _logits([found[i] for i in outside], fitted)
    held_out = {model: np.zeros(len(found)) for model in Model}
    for model, logits in scores.items():
        for inside, outside in folds:
            slope, offset = platt(logits[inside], kinds[inside])
            held_out[model][outside] = _sigmoid(slope * logits[outside] + offset)
    losses = {model: float(log_loss(kinds, probabilities)) for model, probabilities in held_out.items()}
    model = min(losses, key=lambda one: losses[one])
    base = shipped if model is Model.SHIPPED else fit(found, kinds)
    confidences = np.where([one == Features() for one in found], 0.0, held_out[model])
    return Calibration(
        weights=scaled(base, *platt(scores[model], kinds)),
        model=model,
        confidences=confidences,
        answerable=kinds,
        area=roc_area(list(confidences[kinds]), list(confidences[~kinds])),
        log_loss=losses,
        curve=risk_coverage(confidences, kinds),
    )


def fit(found: Sequence[Features], answerable: Flags) -> Weights:
    """Logistic regression over the pieces of the weights that ship, without negative weights, shrunk towards those.

    Where a reranker scored the hits its largest score is a feature too, and where an LLM was asked its view, each with
    a bend at the median, shrunk towards 0. The same questions give the same weights.
    """
    tried = (*DEFAULT_WEIGHTS.pieces, *_of_a_model(found, "reranked"), *_of_a_model(found, "llm"))
    design = np.array([[piece.value(one) for piece in tried] for one in found], dtype=np.float64)
    spread = np.maximum(design.std(axis=0), 1e-3)
    prior = np.array([piece.weight for piece in tried]) * spread
    weights, offset = _logistic(design / spread, answerable.astype(np.float64), prior, shrink=_SHRINK)
    pieces = tuple(
        replace(piece, weight=float(weight / width))
        for piece, weight, width in zip(tried, weights, spread, strict=True)
    )
    return Weights(offset, pieces, DEFAULT_WEIGHTS.threshold, f"fitted on {len(found)} questions")


def _of_a_model(found: Sequence[Features], name: str) -> tuple[SupportPiece, ...]:
    """The pieces of a model's score, over the range in which most questions lie; none where it was not asked."""
    scores = np.array([getattr(one, name) for one in found])
    if not scores.any():
        return ()
    low, middle, high = (round(float(value), 6) for value in np.quantile(scores, [0.05, 0.5, 0.95]))
    return tuple(
        SupportPiece(name, 0.0, first, last) for first, last in ((low, middle), (middle, high)) if first < last
    )


def platt(logits: Floats, answerable: Flags) -> tuple[float, float]:
    """Slope (at least 0) and offset of the logistic curve through scores (Platt 1999).

    Targets are Platt's `(n + 1) / (n + 2)` and `1 / (n + 2)`, which keep the curve finite where scores part cleanly.
    """
    positive, negative = int(answerable.sum()), int((~answerable).sum())
    targets = np.where(answerable, (positive + 1) / (positive + 2), 1 / (negative + 2))
    centre, width = float(logits.mean()), float(logits.std()) or 1.0
    (slope,), offset = _logistic(((logits - centre) / width)[:, None], targets, np.zeros(1), shrink=0.0)
    return float(slope) / width, offset - float(slope) / width * centre


def _logistic(rows: Floats, targets: Floats, prior: Floats, *, shrink: float) -> tuple[Floats, float]:
    """The weights, none negative, and the offset with the least mean log-loss, shrunk towards `prior`.

    scikit-learn's logistic regression has neither bounds nor another prior than 0, so that scipy minimises.
    """
    from scipy.optimize import minimize

    def loss(tried: Floats) -> tuple[float, Floats]:
        weights, offset = tried[:-1], tried[-1]
        scores = rows @ weights + offset
        errors = (_sigmoid(scores) - targets) / len(rows)
        away = weights - prior
        value = float(np.mean(np.logaddexp(0, scores) - targets * scores) + shrink * away @ away)
        return value, np.append(rows.T @ errors + 2 * shrink * away, errors.sum())

    bounds = [(0, None)] * len(prior) + [(None, None)]
    options = {"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10}
    found = minimize(loss, np.append(prior, 0.0), jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    return found[:-1], float(found[-1])


def scaled(weights: Weights, slope: float, offset: float) -> Weights:
    """The model whose score is `slope * score + offset`.

    >>> scaled(Weights(-1.0, (SupportPiece("cosine", 2.0),), 0.5, ""), 0.5, 1.0).intercept
    0.5
    """
    pieces = tuple(replace(piece, weight=slope * piece.weight) for piece in weights.pieces)
    return replace(weights, intercept=slope * weights.intercept + offset, pieces=pieces)


def _logits(found: Sequence[Features], weights: Weights) -> Floats:
    given = np.clip([confidence(one, weights) for one in found], 1e-15, 1 - 1e-15)
    return np.asarray(np.log(given / (1 - given)), dtype=np.float64)


def _sigmoid(scores: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -40, 40))), dtype=np.float64)
