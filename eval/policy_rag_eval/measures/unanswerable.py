"""Questions that the documents do not answer: was nothing relevant claimed?

Retrieval measures say nothing of them, for nothing is relevant. What can be said is whether the configuration, under
its own cut-offs (`min_score`, `gap_share`, an intersection that is empty), returned nothing at all; and, where no
cut-off is set, whether its scores would allow for one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from policy_rag_eval.statistics.intervals import OUTER, SEED, Interval, bootstrap_interval

_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """Whether anything relevant was claimed where nothing is.

    Attributes:
        questions: how many unanswerable questions there are, at least 1.
        silent: share of them for which nothing is returned under the configuration's own cut-offs.
        hits: how many hits are returned for them on average.
        separation: chance that the best score of an answerable question is above that of an unanswerable one, equal
            scores counting half: the area under the ROC curve, whatever threshold is set. 0.5 tells nothing; a
            question without hits has the lowest score of all.
    """

    questions: int
    silent: Interval
    hits: float
    separation: Interval


def unanswerable_figures(
    hits: Sequence[int], best: Sequence[float | None], answerable_best: Sequence[float | None]
) -> Unanswerable | None:
    """The figures of the unanswerable questions; None where there are none.

    `hits` and the best scores, None where nothing was found, are one a question.
    """
    if not hits:
        return None
    return Unanswerable(
        questions=len(hits),
        silent=bootstrap_interval([float(count == 0) for count in hits], resamples=_RESAMPLES),
        hits=sum(hits) / len(hits),
        separation=separation(answerable_best, best),
    )


def separation(higher: Sequence[float | None], lower: Sequence[float | None], *, seed: int = SEED) -> Interval:
    """Chance that one of `higher` is above one of `lower`, ties counting half (Mann and Whitney 1947: U / (n * m)).

    The interval's ends are quantiles over random weights of both groups' scores. As in `bootstrap_intervals`, an
    imaginary score more is counted into each group, against the chance for the lower end and for it for the upper: that
    all known pairs are in order does not say that every pair would be.

    Each group has at least one score; None is below all.

    Raises:
        ValueError: a group is empty.

    >>> separation([0.9, 0.8], [0.1, 0.2]).mean, separation([0.5, None], [0.5, None]).mean
    (1.0, 0.5)
    """
    if not len(higher) or not len(lower):
        raise ValueError("both groups need at least one score")
    a, b = (np.array([-np.inf if score is None else score for score in group]) for group in (higher, lower))
    above = (a[:, None] > b[None, :]) + 0.5 * (a[:, None] == b[None, :])
    rng = np.random.default_rng(seed)
    drawn_a = rng.dirichlet(np.ones(len(a) + 1), size=_RESAMPLES)[:, 1:]
    drawn_b = rng.dirichlet(np.ones(len(b) + 1), size=_RESAMPLES)[:, 1:]
    # The weights left out are the imaginary scores': their pairs count nothing, or all of them count.
    known = np.einsum("rj,rj->r", drawn_a @ above, drawn_b)
    lost = 1 - drawn_a.sum(axis=1) * drawn_b.sum(axis=1)
    low = np.quantile(known, OUTER[0])
    high = np.quantile(known + lost, OUTER[1])
    mean = float(above.mean())
    return Interval(mean, min(mean, float(low)), max(mean, min(1.0, float(high))))
