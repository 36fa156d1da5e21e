"""How far a judge agrees with people: its verdicts against the labels of the same answers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag_eval.judges.agreement import cohen_kappa
from policy_rag_eval.judges.judge import Judge
from policy_rag_eval.judges.judge_cases import JudgeVerdict
from policy_rag_eval.judges.labelled import LabelledAnswer, LabelledHalf
from policy_rag_eval.statistics.intervals import FEW, LEAST_APART, OUTER, RESAMPLES, SEED, Interval

PASS = 0.5
"""The least score that passes, where a judge has no threshold of its own and none can be fitted."""


@dataclass(frozen=True, slots=True)
class KindAccuracy:
    """Answers of one kind: whether they are right, how many were judged, and how many of these rightly."""

    right: bool
    judged: int
    correct: int


@dataclass(frozen=True, slots=True)
class JudgeAccuracy:
    """A judge measured against people, over the cases that it could judge.

    Attributes:
        judge: its name.
        threshold: the least score that passes.
        cases: how many it was given.
        unjudged: how many of them it could not judge; they are in no other figure.
        accuracy: share of cases in which judge and person agree, with its interval over questions.
        balanced: mean of `passes_right` and `fails_wrong`: 0.5 for a judge that passes all or none.
        passes_right: share of the right answers that it passes.
        fails_wrong: share of the wrong answers that it fails.
        kappa: Cohen's, None where it is not defined.
        kinds: kind of answer to how often it was judged rightly, in order of name; one of which some answers are right
            and some wrong is two, as `disputed, right` and `disputed, wrong`.
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
    kinds: Mapping[str, KindAccuracy]

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {("balanced_accuracy" if name == "balanced" else name): of for name, of in asdict(self).items()}


def measure_judge(judge: Judge, labelled: Sequence[LabelledAnswer], verdicts: Sequence[JudgeVerdict]) -> JudgeAccuracy:
    """The accuracy on the half that reports, with the judge's own threshold or one fitted on the other half.

    Verdicts are in the order of the answers.
    """

    def half(which: LabelledHalf) -> tuple[list[LabelledAnswer], list[JudgeVerdict]]:
        pairs = [pair for pair in zip(labelled, verdicts, strict=True) if pair[0].half is which]
        return [one for one, _ in pairs], [verdict for _, verdict in pairs]

    threshold = getattr(judge, "threshold", None)
    if threshold is None:
        threshold = fit_threshold(*half(LabelledHalf.FIX))
    return accuracy(judge.name, *half(LabelledHalf.REPORT), float(threshold))


def accuracy(
    judge: str, labelled: Sequence[LabelledAnswer], verdicts: Sequence[JudgeVerdict], threshold: float = PASS
) -> JudgeAccuracy:
    """The accuracy on all of these answers.

    Verdicts are in the order of the answers; `threshold` is the least score that passes.

    Raises:
        ValueError: not one verdict an answer.
    """
    judged = [
        (one, verdict.score >= threshold)
        for one, verdict in zip(labelled, verdicts, strict=True)
        if verdict.score is not None
    ]
    return JudgeAccuracy(
        judge=judge,
        threshold=threshold,
        cases=len(labelled),
        unjudged=len(labelled) - len(judged),
        accuracy=_by_question(judged, balanced=False),
        balanced=_by_question(judged, balanced=True),
        passes_right=_agreed_share(judged, of=True),
        fails_wrong=_agreed_share(judged, of=False),
        kappa=cohen_kappa([one.right for one, _ in judged], [passed for _, passed in judged]),
        kinds=_by_kind(judged),
    )


def _by_kind(judged: Sequence[tuple[LabelledAnswer, bool]]) -> dict[str, KindAccuracy]:
    agreed: dict[tuple[str, bool], list[bool]] = {}
    for one, passed in judged:
        agreed.setdefault((one.kind, one.right), []).append(passed == one.right)
    named: dict[str, KindAccuracy] = {}
    for (kind, right), of in agreed.items():
        both = (kind, not right) in agreed
        name = f"{kind or 'no kind'}, {'right' if right else 'wrong'}" if both else kind
        named[name] = KindAccuracy(right, len(of), sum(of))
    return dict(sorted(named.items()))


def _agreed_share(judged: Sequence[tuple[LabelledAnswer, bool]], *, of: bool) -> float | None:
    agreed = [passed == one.right for one, passed in judged if one.right is of]
    return sum(agreed) / len(agreed) if agreed else None


def _by_question(judged: Sequence[tuple[LabelledAnswer, bool]], *, balanced: bool) -> Interval | None:
    """Accuracy with its interval. Answers to one question are alike: questions are resampled.

    Where they are too few for that an imaginary one is counted in, as in `bootstrap_intervals`: with as many right and
    wrong answers as the others have on average, none of them judged rightly for the lower end, all for the upper.
    """
    places = {question: place for place, question in enumerate(dict.fromkeys(one.case.question for one, _ in judged))}
    if not places:
        return None
    counts = np.zeros((2, 2, len(places)))  # wrong and right answers; all and rightly judged; question
    for one, passed in judged:
        counts[int(one.right), 0, places[one.case.question]] += 1
        counts[int(one.right), 1, places[one.case.question]] += passed == one.right
    rng = np.random.default_rng(SEED)
    if _tell_enough(counts):
        lower = upper = counts
        weights = rng.multinomial(len(places), np.full(len(places), 1 / len(places)), size=RESAMPLES).astype(np.float64)
    else:
        judged_each = counts[:, 0].mean(axis=1)
        lower, upper = (
            np.concatenate([counts, np.stack([judged_each, judged_each * rightly], axis=1)[:, :, None]], axis=2)
            for rightly in (0, 1)
        )
        weights = rng.dirichlet(np.ones(len(places) + 1), size=RESAMPLES)
    ends = (
        np.quantile([_mean_accuracy(table @ each, balanced=balanced) for each in weights], share)
        for table, share in zip((lower, upper), OUTER, strict=True)
    )
    return Interval(_mean_accuracy(counts.sum(axis=2), balanced=balanced), *map(float, ends))


def _tell_enough(counts: NDArray[np.float64]) -> bool:
    """Whether questions are many enough, and differ enough, for the bootstrap; see `bootstrap_intervals`."""
    shares = counts[:, 1].sum(axis=0) / counts[:, 0].sum(axis=0)
    apart = len(shares) - np.unique(shares, return_counts=True)[1].max()
    return len(shares) >= FEW and bool(apart >= LEAST_APART)


def _mean_accuracy(totals: NDArray[np.float64], *, balanced: bool) -> float:
    if not balanced:
        return float(totals[:, 1].sum() / totals[:, 0].sum())
    return float(np.mean([correct / judged for judged, correct in totals if judged]))


def fit_threshold(labelled: Sequence[LabelledAnswer], verdicts: Sequence[JudgeVerdict]) -> float:
    """The threshold with the largest balanced accuracy; of several, the middle of the widest stretch of them.

    Scores that could not be given do not count. Without any score, or with answers of one sort only, it is `PASS`.
    """
    scored = [(v.score, one.right) for one, v in zip(labelled, verdicts, strict=True) if v.score is not None]
    right = sum(good for _, good in scored)
    wrong = len(scored) - right
    if not right or not wrong:
        return PASS

    def balanced(threshold: float) -> float:
        passed = sum(good and score >= threshold for score, good in scored)
        failed = sum(not good and score < threshold for score, good in scored)
        return round(passed / right + failed / wrong, 12)

    # A threshold just above the lower score and up to the higher one passes the same answers.
    stretches = pairwise(sorted({0.0, 1.0, *(score for score, _ in scored)}))
    low, high = max(stretches, key=lambda stretch: (balanced(stretch[1]), stretch[1] - stretch[0]))
    return (low + high) / 2
