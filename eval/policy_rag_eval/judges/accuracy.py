"""What a judge is worth: its verdicts against what people said of the same answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from policy_rag_eval.judges.agreement import cohen_kappa
from policy_rag_eval.judges.labelled import Labelled
from policy_rag_eval.judges.records import Verdict
from policy_rag_eval.statistics.intervals import CONFIDENCE, RESAMPLES, SEED, Interval

PASS = 0.5
"""The least score that passes, where a judge has no threshold of its own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Answers of one kind: how many were judged, and how many of these rightly."""

    right: bool
    judged: int
    correct: int


@dataclass(frozen=True, slots=True)
class Worth:
    """A judge measured against people, over the cases that it could judge.

    Attributes:
        judge: its name.
        threshold: the least score that passes.
        cases: how many it was given.
        unjudged: how many of them it could not judge; they are in no other figure.
        accuracy: share of cases in which judge and person agree, with its interval over questions.
        balanced: mean of `passes_right` and `fails_wrong`: 0.5 for a judge that always says the same.
        passes_right: share of the right answers that it passes.
        fails_wrong: share of the wrong answers that it fails.
        kappa: Cohen's, None where it is not defined.
        kinds: kind of answer to how often it was judged rightly, in order of name.
    """

    judge: str
    threshold: float
    cases: int
    unjudged: int
    accuracy: Interval | None
    balanced: Interval | None
    passes_right: float | None
    fails_wrong: float | None
    kappa: float | None
    kinds: Mapping[str, Kind]

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "judge": self.judge,
            "threshold": self.threshold,
            "cases": self.cases,
            "unjudged": self.unjudged,
            "accuracy": self.accuracy.as_json() if self.accuracy else None,
            "balanced_accuracy": self.balanced.as_json() if self.balanced else None,
            "passes_right": self.passes_right,
            "fails_wrong": self.fails_wrong,
            "kappa": self.kappa,
            "kinds": {
                name: {"right": kind.right, "judged": kind.judged, "correct": kind.correct}
                for name, kind in self.kinds.items()
            },
        }


def worth(judge: str, labelled: Sequence[Labelled], verdicts: Sequence[Verdict], threshold: float = PASS) -> Worth:
    """Measures a judge.

    Args:
        judge: its name.
        labelled: the cases with people's verdicts.
        verdicts: the judge's, in the same order.
        threshold: the least score that passes.

    Raises:
        ValueError: not one verdict a case.
    """
    if len(labelled) != len(verdicts):
        raise ValueError("a judge is measured by one verdict a case")
    both = [(one, verdict.score >= threshold) for one, verdict in zip(labelled, verdicts, strict=True)
            if verdict.score is not None]  # fmt: skip
    passed = [said for _, said in both]
    truth = [one.right for one, _ in both]
    kinds: dict[str, Kind] = {}
    for one, said in both:
        before = kinds.get(one.kind, Kind(one.right, 0, 0))
        kinds[one.kind] = Kind(one.right, before.judged + 1, before.correct + (said == one.right))
    return Worth(
        judge=judge,
        threshold=threshold,
        cases=len(labelled),
        unjudged=len(labelled) - len(both),
        accuracy=_by_question(both, balanced=False),
        balanced=_by_question(both, balanced=True),
        passes_right=_share(passed, truth, of=True),
        fails_wrong=_share(passed, truth, of=False),
        kappa=cohen_kappa(truth, passed),
        kinds=dict(sorted(kinds.items())),
    )


def _share(passed: Sequence[bool], truth: Sequence[bool], *, of: bool) -> float | None:
    agreed = [said == right for said, right in zip(passed, truth, strict=True) if right is of]
    return sum(agreed) / len(agreed) if agreed else None


def _by_question(both: Sequence[tuple[Labelled, bool]], *, balanced: bool) -> Interval | None:
    """Accuracy with a percentile bootstrap interval. Answers to one question are alike: questions are resampled."""
    questions = list(dict.fromkeys(one.case.question for one, _ in both))
    if not questions:
        return None
    places = {question: place for place, question in enumerate(questions)}
    counts = np.zeros((2, 2, len(questions)))  # wrong and right answers; all and rightly judged; question
    for one, said in both:
        counts[int(one.right), 0, places[one.case.question]] += 1
        counts[int(one.right), 1, places[one.case.question]] += said == one.right
    rng = np.random.default_rng(SEED)
    drawn = rng.multinomial(len(questions), np.full(len(questions), 1 / len(questions)), size=RESAMPLES)
    means = [_accuracy(counts @ weights, balanced=balanced) for weights in drawn]
    edges = [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]
    low, high = np.quantile(means, edges)
    return Interval(_accuracy(counts.sum(axis=2), balanced=balanced), float(low), float(high))


def _accuracy(totals: "np.ndarray[Any, Any]", *, balanced: bool) -> float:
    if not balanced:
        return float(totals[:, 1].sum() / totals[:, 0].sum())
    shares = [correct / judged for judged, correct in totals if judged]
    return float(np.mean(shares))


def fit_threshold(labelled: Sequence[Labelled], verdicts: Sequence[Verdict]) -> float:
    """The threshold with the largest balanced accuracy; of several, the middle of the widest stretch of them.

    Scores that could not be given do not count. Without any score, or with answers of one sort only, it is `PASS`.
    """
    scored = [(verdict.score, one.right) for one, verdict in zip(labelled, verdicts, strict=True)
              if verdict.score is not None]  # fmt: skip
    right = sum(1 for _, good in scored if good)
    wrong = len(scored) - right
    if not right or not wrong:
        return PASS
    scores = sorted({0.0, 1.0, *(score for score, _ in scored)})
    best: tuple[float, float, float] | None = None
    for low, high in pairwise(scores):
        # A threshold just above `low` and up to `high` passes the same answers.
        passed = sum(1 for score, good in scored if good and score >= high) / right
        failed = sum(1 for score, good in scored if not good and score < high) / wrong
        found = (round(passed + failed, 12), high - low, (low + high) / 2)
        if best is None or found[:2] > best[:2]:
            best = found
    return best[2] if best else PASS
