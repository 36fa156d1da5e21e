"""Where a list of hits ends: below a score, or where the scores fall off."""

from collections.abc import Sequence


def above(scores: Sequence[float], least: float) -> int:
    """How many of the falling `scores` are at least `least`.

    >>> above([0.9, 0.7, 0.2], 0.7)
    2
    """
    return next((i for i, score in enumerate(scores) if score < least), len(scores))


def before_gap(scores: Sequence[float], share: float) -> int:
    """How many of the falling `scores` stand before the largest gap between neighbours.

    The gap counts only where it is at least `share` of the way from the first score to the last, so that a list that
    falls evenly stays whole. Of equal gaps the first counts. Fewer than three scores have no gap to speak of.

    Args:
        scores: falling.
        share: above 0, at most 1; an even list of `n` has gaps of `1 / (n - 1)`.

    >>> before_gap([0.9, 0.88, 0.87, 0.31, 0.3, 0.28], 0.5)
    3
    >>> before_gap([0.9, 0.8, 0.7, 0.6], 0.5)
    4
    """
    if len(scores) < 3 or scores[0] <= scores[-1]:
        return len(scores)
    gaps = [scores[i] - scores[i + 1] for i in range(len(scores) - 1)]
    widest = max(range(len(gaps)), key=lambda i: (gaps[i], -i))
    return widest + 1 if gaps[widest] >= share * (scores[0] - scores[-1]) else len(scores)
