"""Logistic regression by Newton's method, for a handful of features."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def logistic(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), for any x."""
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def fit(features: Floats, labels: Sequence[float] | Floats, *, ridge: float = 1.0, steps: int = 30) -> Floats:
    """Weights of the features and, last, a bias that is not held down by the ridge.

    >>> weights = fit(np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1])
    >>> bool(weights[0] > 0), float((-weights[1] / weights[0]).round(3))
    (True, 1.5)
    """
    x = np.hstack([features, np.ones((len(features), 1))])
    y = np.asarray(labels, dtype=float)
    held = np.eye(x.shape[1]) * ridge
    held[-1, -1] = 1e-6
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        chance = logistic(x @ weights)
        slope = x.T @ (y - chance) - held @ weights
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + held
        weights = weights + np.linalg.solve(curve, slope)
    return weights


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
