"""Logistic regression for a handful of features, and the temperature of log probabilities."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def fit(features: Floats, labels: Sequence[float] | Floats) -> Floats:
    """Weights of the features under a ridge of 1 and, last, a bias that is not held down by it.

    >>> weights = fit(np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1])
    >>> bool(weights[0] > 0), float((-weights[1] / weights[0]).round(3))
    (True, 1.5)

    Raises:
        ValueError: there is one label alone.
    """
    from sklearn.linear_model import LogisticRegression

    found = LogisticRegression(solver="newton-cholesky", tol=1e-10).fit(features, labels)
    return np.append(found.coef_[0], found.intercept_)


def apply(weights: Floats, features: Floats) -> Floats:
    """The linear score of each row of features."""
    total: Floats = features @ weights[:-1] + weights[-1]
    return total


def temperature(logs: Floats, labels: Sequence[int]) -> float:
    """What log probabilities are divided by so that the labels are likeliest, of a grid from 0.5 to 4."""
    grid = np.round(np.arange(0.5, 4.01, 0.1), 2)
    rows = np.arange(len(logs))

    def likelihood(t: float) -> float:
        scaled = logs / t
        scaled = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        return float(scaled[rows, np.asarray(labels)].mean())

    return float(max(grid, key=likelihood))
