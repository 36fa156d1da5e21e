"""How wide the blank between two words of a page is at least: told by the gaps between its characters themselves."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

USUAL_GAP: Final = 0.2
"""Font sizes of blank between two words where the gaps of a page do not tell."""

_BINS: Final = 40  # of a fortieth of half a font size each
_WIDEST: Final = 0.5
_LEAST: Final = 0.04
_FEWEST: Final = 60  # gaps, at least, tell something
_WORDS: Final = (0.06, 0.45)  # of all gaps are those between words
_APART: Final = 0.08  # font sizes, at least, lie between the usual gap in a word and that between words


def word_gap(gaps: ArrayLike) -> float:
    """The width between the gaps in words and those between words, at most `USUAL_GAP`.

    It parts the gaps so that the two groups differ most, by the variance between them (N. Otsu, A threshold selection
    method from gray-level histograms, 1979). Where they do not differ clearly it is `USUAL_GAP`.

    Args:
        gaps: between neighbouring characters of a line, in font sizes.

    >>> word_gap([0.0] * 90 + [0.12] * 18), word_gap([0.0] * 90 + [0.3] * 18), word_gap([0.0, 0.1])
    (0.0625, 0.15625, 0.2)
    """
    bins = np.clip(np.asarray(gaps, float) / _WIDEST * _BINS, 0, _BINS).astype(int)
    counts = np.bincount(bins, minlength=_BINS + 1).tolist()
    total = sum(counts)
    if total < _FEWEST:
        return USUAL_GAP
    best, places = 0.0, list[int]()
    weighted = sum(at * count for at, count in enumerate(counts))
    below = sum_below = 0
    for at, count in enumerate(counts[:-1], start=1):
        below += count
        sum_below += (at - 1) * count
        if not 0 < below < total:
            continue
        low, high = sum_below / below, (weighted - sum_below) / (total - below)
        variance = below * (total - below) * (high - low) ** 2
        share = (total - below) / total
        if not _WORDS[0] <= share <= _WORDS[1] or (high - low) * _WIDEST / _BINS < _APART:
            continue
        if variance > best:
            best, places = variance, [at]
        elif variance == best:
            places.append(at)
    if not places:
        return USUAL_GAP
    return min(USUAL_GAP, max(_LEAST, (places[0] + places[-1]) / 2 * _WIDEST / _BINS))
