"""Fits the support score to a data set's answerable and unanswerable questions, and finds the threshold for a risk.

The score is a logistic model without negative weights (`answering.confidence.model`). Two models are tried: the
weights that ship, and weights fitted on the data set. Every question is scored by a model that did not see it
(cross-validation), and the model whose scores have the lower log-loss is taken. Its out-of-fold scores are then
calibrated by Platt's method: a logistic curve through them (Platt 1999). Isotonic regression would be the other choice;
it needs a thousand questions or more (Niculescu-Mizil and Caruana 2005), and its steps tie so many questions that a
threshold cannot be set between them. A logistic curve also leaves the model what it is: it scales the weights.

Risk is the share of unanswerable questions among those that are answered, coverage the share of all questions that
are answered (El-Yaniv and Wiener 2010). Both depend on how many of the data set's questions are unanswerable.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS, Features, Piece, Weights, confidence
from policy_rag_eval.calibration.evidence import roc_area
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.statistics.intervals import Interval

FOLDS = 5
LEAST_OF_A_KIND = 10
"""Fewer answerable or unanswerable questions than this tell nothing of a threshold."""

_SEED = 20_240_501
_STEPS = 4000
_SHRINK = 0.01  # of the squared distance from the weights that ship, in units of a feature's spread
_NORMAL_95 = 1.959964

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Model(StrEnum):
    """Whose weights the score has."""

    SHIPPED = "shipped"
    FITTED = "fitted"


@dataclass(frozen=True, slots=True)
class Point:
    """What happens at a threshold.

    Attributes:
        threshold: a question is answered if its confidence is at least this.
        answered: how many questions are.
        risk: the share of unanswerable ones among them, with Wilson's 95 % interval.
        coverage: the share of all questions that are answered, likewise.
        answerable_refused: the share of the answerable ones that are not.
        unanswerable_refused: the share of the unanswerable ones that are not.
    """

    threshold: float
    answered: int
    risk: Interval
    coverage: Interval
    answerable_refused: float
    unanswerable_refused: float


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
    curve: tuple[Point, ...]


def calibrate(found: Sequence[Features], answerable: Sequence[bool], *, seed: int = _SEED) -> Calibration:
    """Fits and calibrates.

    Args:
        found: the features of each question.
        answerable: whether it is answerable, in the same order.
        seed: of the folds.

    Raises:
        DatasetError: there are fewer than `LEAST_OF_A_KIND` questions of a kind.
    """
    kinds = np.array(answerable, dtype=np.bool_)
    fewest = int(min(kinds.sum(), (~kinds).sum()))
    if fewest < LEAST_OF_A_KIND:
        which = "answerable" if kinds.sum() < (~kinds).sum() else "unanswerable"
        raise DatasetError(
            f"only {fewest} {which} questions: calibration needs {LEAST_OF_A_KIND} of each kind, "
            'so add some to queries.jsonl (unanswerable ones say "answerable": false)'
        )
    folds = _folds(kinds, seed)
    shipped = DEFAULT_WEIGHTS.at(max(one.size for one in found))  # all questions are asked of one index
    scores = {Model.SHIPPED: _logits(found, shipped), Model.FITTED: np.zeros(len(found))}
    for fold in range(FOLDS):
        inside, outside = (np.flatnonzero(there).tolist() for there in (folds != fold, folds == fold))
        fitted = fit([found[i] for i in inside], kinds[inside])
        scores[Model.FITTED][outside] = _logits([found[i] for i in outside], fitted)
    held_out = {model: _platt_out_of_fold(logits, kinds, folds) for model, logits in scores.items()}
    losses = {model: _log_loss(probabilities, kinds) for model, probabilities in held_out.items()}
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


def threshold_for_risk(curve: Sequence[Point], risk: float) -> Point | None:
    """The point that answers most questions at no more than this risk, or None where none does.

    Where fewer questions are answered than `1 / risk`, so small a risk cannot be seen, and the point does not count.

    Raises:
        ValueError: `risk` is not above 0 and below 1.
    """
    if not 0 < risk < 1:
        raise ValueError(f"a risk lies between 0 and 1, not {risk}")
    least = math.ceil(1 / risk)
    return next((point for point in curve if point.risk.mean <= risk and point.answered >= least), None)


def threshold_for_refusals(curve: Sequence[Point], share: float) -> Point:
    """The highest threshold that refuses at most this share of the answerable questions."""
    return max((p for p in curve if p.answerable_refused <= share), key=lambda p: p.threshold)


def risk_coverage(confidences: Floats, answerable: Flags) -> tuple[Point, ...]:
    """A point for each distinct confidence, thresholds rising; each threshold lies halfway to the next lower one."""
    levels = np.unique(confidences)
    thresholds = np.concatenate([[0.0], (levels[1:] + levels[:-1]) / 2])
    points = []
    for threshold in thresholds:
        taken = confidences >= threshold
        wrong = int((taken & ~answerable).sum())
        points.append(
            Point(
                threshold=float(threshold),
                answered=int(taken.sum()),
                risk=wilson(wrong, int(taken.sum())),
                coverage=wilson(int(taken.sum()), len(taken)),
                answerable_refused=float((~taken)[answerable].mean()),
                unanswerable_refused=float((~taken)[~answerable].mean()),
            )
        )
    return tuple(points)


def wilson(count: int, total: int) -> Interval:
    """A share and its 95 % interval (Wilson 1927); `total` is at least 1.

    >>> shown = wilson(1, 20)
    >>> round(shown.mean, 3), round(shown.low, 3), round(shown.high, 3)
    (0.05, 0.009, 0.236)
    """
    share, square = count / total, _NORMAL_95**2
    centre = (share + square / (2 * total)) / (1 + square / total)
    half = _NORMAL_95 * math.sqrt(share * (1 - share) / total + square / (4 * total**2)) / (1 + square / total)
    return Interval(share, max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


# --- fitting ------------------------------------------------------------------------------------------------------


def fit(found: Sequence[Features], answerable: Flags) -> Weights:
    """Logistic regression over the pieces of the weights that ship, without negative weights, shrunk towards those.

    Where a reranker scored the hits its largest score is a feature too, and where an LLM was asked its view, each with
    a bend at the median, shrunk towards 0.
    Minimised by projected gradients with momentum (Beck and Teboulle 2009); the same questions give the same weights.
    """
    tried = (*DEFAULT_WEIGHTS.pieces, *_of_a_model(found, "reranked"), *_of_a_model(found, "llm"))
    design = _design(found, tried)
    spread = np.maximum(design.std(axis=0), 1e-3)
    rows, targets = design / spread, answerable.astype(np.float64)
    prior = np.array([piece.weight for piece in tried]) * spread
    weights, offset = prior.copy(), _offset(rows @ prior, targets)
    step = 1 / (0.25 * (1 + float(np.linalg.norm(rows, 2)) ** 2 / len(rows)) + 2 * _SHRINK)
    ahead, ahead_offset, momentum = weights.copy(), offset, 1.0
    for _ in range(_STEPS):
        errors = (_sigmoid(rows @ ahead + ahead_offset) - targets) / len(rows)
        moved = np.maximum(0.0, ahead - step * (rows.T @ errors + 2 * _SHRINK * (ahead - prior)))
        moved_offset = ahead_offset - step * float(errors.sum())
        following = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        carry = (momentum - 1) / following
        ahead, ahead_offset = moved + carry * (moved - weights), moved_offset + carry * (moved_offset - offset)
        weights, offset, momentum = moved, moved_offset, following
    pieces = tuple(
        replace(piece, weight=float(weight / width))
        for piece, weight, width in zip(tried, weights, spread, strict=True)
    )
    return Weights(float(offset), pieces, DEFAULT_WEIGHTS.threshold, f"fitted on {len(found)} questions")


def _of_a_model(found: Sequence[Features], name: str) -> tuple[Piece, ...]:
    """The pieces of a model's score, over the range in which most questions lie; none where it was not asked."""
    scores = np.array([getattr(one, name) for one in found])
    if not scores.any():
        return ()
    low, middle, high = (round(float(value), 6) for value in np.quantile(scores, [0.05, 0.5, 0.95]))
    return tuple(Piece(name, 0.0, first, last) for first, last in ((low, middle), (middle, high)) if first < last)


def platt(logits: Floats, answerable: Flags) -> tuple[float, float]:
    """Slope (at least 0) and offset of the logistic curve through scores, by Newton's method (Platt 1999).

    Targets are Platt's `(n + 1) / (n + 2)` and `1 / (n + 2)`, which keep the curve finite where scores part cleanly.
    """
    positive, negative = int(answerable.sum()), int((~answerable).sum())
    targets = np.where(answerable, (positive + 1) / (positive + 2), 1 / (negative + 2))
    centre, width = float(logits.mean()), float(logits.std()) or 1.0
    rows = np.stack([(logits - centre) / width, np.ones(len(logits))], axis=1)
    found = np.zeros(2)
    for _ in range(100):
        given = _sigmoid(rows @ found)
        curvature = (rows * (given * (1 - given))[:, None]).T @ rows + 1e-9 * np.eye(2)
        change = np.linalg.solve(curvature, rows.T @ (given - targets))
        found = found - change
        if float(np.abs(change).max()) < 1e-10:
            break
    slope = max(0.0, float(found[0])) / width
    return slope, float(found[1]) - slope * centre


def scaled(weights: Weights, slope: float, offset: float) -> Weights:
    """The model whose score is `slope * score + offset`.

    >>> scaled(Weights(-1.0, (Piece("cosine", 2.0),), 0.5, ""), 0.5, 1.0).intercept
    0.5
    """
    pieces = tuple(replace(piece, weight=slope * piece.weight) for piece in weights.pieces)
    return replace(weights, intercept=slope * weights.intercept + offset, pieces=pieces)


def _platt_out_of_fold(logits: Floats, answerable: Flags, folds: NDArray[np.int64]) -> Floats:
    given = np.zeros(len(logits))
    for fold in range(FOLDS):
        inside, outside = folds != fold, folds == fold
        slope, offset = platt(logits[inside], answerable[inside])
        given[outside] = _sigmoid(slope * logits[outside] + offset)
    return given


def _folds(answerable: Flags, seed: int) -> NDArray[np.int64]:
    """The fold of each question; each fold has its share of both kinds."""
    rng = np.random.default_rng(seed)
    folds = np.zeros(len(answerable), dtype=np.int64)
    for kind in (True, False):
        places = np.flatnonzero(answerable == kind)
        folds[rng.permutation(places)] = np.arange(len(places)) % FOLDS
    return folds


def _design(found: Sequence[Features], pieces: Sequence[Piece]) -> Floats:
    return np.array([[piece.value(one) for piece in pieces] for one in found], dtype=np.float64)


def _logits(found: Sequence[Features], weights: Weights) -> Floats:
    given = np.array([confidence(one, weights) for one in found], dtype=np.float64)
    clear = np.clip(given, 1e-15, 1 - 1e-15)
    return np.asarray(np.log(clear / (1 - clear)), dtype=np.float64)


def _offset(scores: Floats, targets: Floats) -> float:
    """The offset with which scores give, on average, as many positives as there are."""
    low, high = -60.0, 60.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _sigmoid(scores + middle).mean() < targets.mean() else (low, middle)
    return (low + high) / 2


def _sigmoid(scores: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -40, 40))), dtype=np.float64)


def _log_loss(given: Floats, answerable: Flags) -> float:
    said = np.where(answerable, given, 1 - given)
    return float(-np.log(np.maximum(said, 1e-15)).mean())
