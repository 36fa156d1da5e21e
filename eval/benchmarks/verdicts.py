"""How often a sweep's verdicts are wrong, and how often they see what is there: in simulation.

    python -m benchmarks.verdicts errors [--sweeps N] [--questions N]
    python -m benchmarks.verdicts power [--sweeps N] [--questions N] [--ahead SHARE]

Each question has a figure that configurations share, as they do in practice; each configuration draws its own on some
of the questions. The figures are what ndcg takes with one gold passage: 0, and 1 / log2(rank + 1).

`errors`: configurations that are alike, 4, 20 and 45 of them, 4 alike beside 41 that are far worse, and 2, 4 and 20 of
which one half is steady and the other as good by rare great leads, so that differences are skewed. A sweep errs
where any of its verdicts says that one beats another that is as good. `power`: one of four is ahead by `--ahead`; a
sweep sees it for each of the other three that it is said to beat; without, with 16 and with 41 far worse ones beside.
Each is told by the verdicts, by their signs alone, and by Holm over all pairs of t-tests, on the same figures.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag_eval.statistics.intervals import holm
from policy_rag_eval.statistics.multiple import step_down
from policy_rag_eval.sweep.verdicts import compare_figures

Floats = NDArray[np.float64]

LEVEL = 0.05
DRAWS = 1000
_FIGURES = np.array([0.0, *(1 / np.log2(rank + 1) for rank in range(1, 11))])
_CHANCE = np.array([0.15, 0.45, 0.15, 0.08, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0.01])
_OWN = 0.35
"""The share of the questions on which a configuration does not do what the others do."""

_RARE = 0.04


def drawn(rng: np.random.Generator, configurations: int, questions: int) -> Floats:
    """Figures of configurations that are alike, of shape (configurations, questions)."""
    shared = rng.choice(_FIGURES, size=questions, p=_CHANCE)
    own = rng.choice(_FIGURES, size=(configurations, questions), p=_CHANCE)
    return np.where(rng.random((configurations, questions)) < _OWN, own, shared)


def junk(rng: np.random.Generator, configurations: int, questions: int) -> Floats:
    """Figures of configurations that find nothing on half of the questions that others answer."""
    return np.where(rng.random((configurations, questions)) < 0.5, 0.0, drawn(rng, configurations, questions))


def uneven(rng: np.random.Generator, configurations: int, questions: int) -> Floats:
    """Figures of equal mean whose differences are skewed: one half is steady, the other rarely far better."""
    steady = rng.normal(0.5, 0.03, size=(configurations, questions))
    rarely = np.where(rng.random((configurations, questions)) < _RARE, 0.5, 0.0) - _RARE / 2
    return np.where(np.arange(configurations)[:, None] % 2, steady + rarely, steady)


def ahead(rng: np.random.Generator, table: Floats, share: float) -> Floats:
    """The same, the first row better by `share` on average: some of what is below 1 becomes 1."""
    room = float((1 - table[0]).mean())
    lifted = np.where(rng.random(table.shape[1]) < share / room, 1.0, table[0])
    return np.vstack([lifted, table[1:]])


def by_verdicts(table: Floats, seed: int) -> list[float]:
    """P-values of the first row, which has the highest mean, against each other."""
    figures = [(str(row), of) for row, of in enumerate(table.tolist())]
    questions = [str(place) for place in range(table.shape[1])]
    found = {
        one.second: one.deciding_p for one in compare_figures(figures, questions, draws=DRAWS, resamples=2, seed=seed)
    }
    return [found[str(row)] for row in range(1, len(table))]


def by_signs(table: Floats, seed: int) -> list[float]:
    """The same without the bootstrap."""
    return [one.p_value for one in step_down(table.tolist(), draws=DRAWS, seed=seed)]


def by_holm(table: Floats, seed: int) -> list[float]:  # noqa: ARG001 - nothing is drawn
    """The same by t-tests of all pairs, corrected by Holm."""
    from scipy.stats import ttest_rel

    pairs = list(combinations(range(len(table)), 2))
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    p_values = np.nan_to_num(ttest_rel(table[first], table[second], axis=1).pvalue, nan=1.0)
    corrected = holm(p_values.tolist())
    return list(corrected[: len(table) - 1])


WAYS: dict[str, Callable[[Floats, int], list[float]]] = {
    "verdicts": by_verdicts,
    "signs alone": by_signs,
    "Holm": by_holm,
}


def measure_errors(sweeps: int, questions: int, seed: int) -> dict[str, Any]:
    """The share of sweeps with a claim that is not true."""
    settings: dict[str, tuple[Callable[..., Floats], int, int]] = {
        "4 alike": (drawn, 4, 0),
        "20 alike": (drawn, 20, 0),
        "45 alike": (drawn, 45, 0),
        "4 alike, 41 far worse": (drawn, 4, 41),
        "2 as good, skewed": (uneven, 2, 0),
        "4 as good, skewed": (uneven, 4, 0),
        "20 as good, skewed": (uneven, 20, 0),
    }
    found: dict[str, dict[str, float]] = {}
    for name, (made, alike, worse) in settings.items():
        rng = np.random.default_rng(seed)
        wrong = dict.fromkeys(WAYS, 0)
        for sweep in range(sweeps):
            table = made(rng, alike, questions)
            table = table[np.argsort(-table.mean(axis=1), kind="stable")]
            beside = np.vstack([table, junk(rng, worse, questions)]) if worse else table
            for way, p_values in WAYS.items():
                wrong[way] += min(p_values(beside, sweep)[: alike - 1]) < LEVEL
        found[name] = {way: count / sweeps for way, count in wrong.items()}
    return found


def measure_power(sweeps: int, questions: int, seed: int, share: float) -> dict[str, Any]:
    """The share of the three comparisons that are seen, where one of four is ahead."""
    found: dict[str, dict[str, float]] = {}
    for worse in (0, 16, 41):
        rng, beside_them = np.random.default_rng(seed), np.random.default_rng(seed + 1)
        seen = dict.fromkeys(WAYS, 0)
        for sweep in range(sweeps):
            table = ahead(rng, drawn(rng, 4, questions), share)
            best = int(np.argmax(table.mean(axis=1)))
            others = [row for row in range(4) if row != best]
            beside = np.vstack([table[[best, *others]], junk(beside_them, worse, questions)])
            for way, p_values in WAYS.items():
                claimed = sum(one < LEVEL for one in p_values(beside, sweep)[:3])
                seen[way] += claimed if best == 0 else 0
        found[f"{worse} far worse beside"] = {way: round(count / sweeps / 3, 4) for way, count in seen.items()}
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one simulation and writes it as JSON."""
    parser = argparse.ArgumentParser(description="How far verdicts can be trusted.")
    parser.add_argument("command", choices=["errors", "power"])
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=167)
    parser.add_argument("--ahead", type=float, default=0.06)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if chosen.command == "errors":
        found = measure_errors(chosen.sweeps, chosen.questions, chosen.seed)
    else:
        found = measure_power(chosen.sweeps, chosen.questions, chosen.seed, chosen.ahead)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
