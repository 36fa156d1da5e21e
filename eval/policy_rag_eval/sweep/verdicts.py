"""Which configuration is best, how sure that is, and what the questions could have shown, in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_eval.measures.measures import DECIDED_BY, MARGIN, Measure
from policy_rag_eval.statistics.intervals import (
    FEW,
    LEAST_DIFFERING,
    RESAMPLES,
    SEED,
    Interval,
    detectable,
    difference_intervals,
    standard_error,
)
from policy_rag_eval.statistics.multiple import DRAWS, Corrected, skewed, step_down
from policy_rag_eval.sweep.evaluation import MEAN_DIGITS, Evaluation, ranked
from policy_rag_eval.sweep.peers import check_baseline

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two configurations on the same questions.

    Attributes:
        first: the one with the higher mean, or the earlier one where they are equal.
        second: the other.
        difference: mean of first minus second, with its interval, as if no other pair had been looked at.
        p_value: of the paired randomisation test, corrected for all that was compared (max-T, step by step); 1 where
            both have the same figures.
        wins: questions on which the first is better.
        losses: questions on which the second is better.
        detectable: the difference that these questions would show in four sweeps of five; None where so few differ
            that they could show none.
        worse_by: the most that the second is worse by: the upper end of an interval that holds for all pairs together.
        bootstrap_p: the p-value of a bootstrap that assumes no symmetry, corrected likewise; None where the
            differences are not skewed, or questions are too few for it.
        won: ids of the questions on which the first is better, those with the largest difference first.
        lost: ids of those on which the second is, the same way.
    """

    first: str
    second: str
    difference: Interval
    p_value: float
    wins: int
    losses: int
    detectable: float | None = None
    worse_by: float | None = None
    bootstrap_p: float | None = None
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def deciding_p(self) -> float:
        """The p-value that decides: where differences are skewed the larger of both, since both tests must agree."""
        return max(self.p_value, self.bootstrap_p or 0.0)

    @property
    def decided(self) -> bool:
        """Whether the first beats the second at the 5 % level."""
        return self.deciding_p < LEVEL

    @property
    def same(self) -> bool:
        """Whether both have the same figure on every question."""
        return self.wins == self.losses == 0

    def as_good(self, margin: float = MARGIN) -> bool:
        """Whether the second is worse by no more than a margin, whatever else was compared."""
        return self.same or (self.worse_by is not None and self.worse_by <= margin)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Two configurations compared, in words and as figures; printed, it is the words."""

    text: str
    comparison: Comparison

    def __str__(self) -> str:
        return self.text


def compare(
    evaluations: Sequence[Evaluation],
    measure: Measure = DECIDED_BY,
    *,
    against: str | None = None,
    draws: int = DRAWS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[Comparison, ...]:
    """The configuration with the highest mean, or a baseline, against each other one, in order of their means.

    Which one is best was not known beforehand, so the correction counts every pair that could have been claimed; with a
    baseline only those with it. Configurations with the same figures for every question count as one.

    Args:
        evaluations: over the same questions; those of equal means come in the order of `ranked`.
        measure: what decides.
        against: the name of the baseline; None: the best.
        draws: see `step_down`.
        resamples: see `difference_intervals`.
        seed: of the random numbers of both.

    Raises:
        ValueError: the evaluations are not over the same questions.
        UsageError: there is no configuration of the baseline's name.
    """
    if len({evaluation.scores.questions for evaluation in evaluations}) > 1:
        raise ValueError("only evaluations over the same questions can be compared")
    if not evaluations:
        return ()
    figures = [(evaluation.name, evaluation.scores.values[measure]) for evaluation in ranked(evaluations, measure)]
    questions = evaluations[0].scores.questions
    return compare_figures(figures, questions, against=against, draws=draws, resamples=resamples, seed=seed)


def compare_figures(
    figures: Sequence[tuple[str, Sequence[float]]],
    questions: Sequence[str],
    *,
    against: str | None = None,
    draws: int = DRAWS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[Comparison, ...]:
    """The same of anything that has a figure a question; see `compare`.

    Args:
        figures: name and figures, of configurations that were asked the same questions.
        questions: their ids, in order.
        against: the name of the baseline; None: the best.
        draws: see `step_down`.
        resamples: see `difference_intervals`.
        seed: of the random numbers of both.

    Raises:
        UsageError: there is no configuration of the baseline's name.
    """
    check_baseline([name for name, _ in figures], against)
    count = max(1, len(questions))
    ranked = sorted(
        ((name, tuple(values)) for name, values in figures),
        key=lambda one: -round(math.fsum(one[1]) / count, MEAN_DIGITS),
    )
    if against is not None:
        ranked.sort(key=lambda one: one[0] != against)
    if len(ranked) < 2 or not questions:
        return ()
    values = [of for _, of in ranked]
    # Equal figures are one hypothesis, however many configurations have them: they are no pair to test.
    distinct = list(dict.fromkeys(values))
    row_of = {of: row for row, of in enumerate(distinct)}
    named = against is not None
    corrected = step_down(distinct, baseline=named, level=LEVEL, draws=draws, seed=seed)
    gaps = [[a - b for a, b in zip(values[0], other, strict=True)] for other in values[1:]]
    leaning = [_leaning(gap) for gap in gaps]
    bootstrapped = (
        step_down(distinct, baseline=named, level=LEVEL, draws=draws, bootstrap=True, seed=seed)
        if any(leaning)
        else corrected
    )
    intervals = difference_intervals(dict(enumerate(gaps)), resamples=resamples, seed=seed)
    made = []
    for number, ((name, of), gap) in enumerate(zip(ranked[1:], gaps, strict=True)):
        row = row_of[of]
        turned = round(intervals[number].mean, MEAN_DIGITS) < 0  # a baseline that is beaten
        made.append(
            _comparison(
                (name, ranked[0][0]) if turned else (ranked[0][0], name),
                _turned(intervals[number]) if turned else intervals[number],
                [-difference for difference in gap] if turned else gap,
                questions,
                found=corrected[row - 1] if row else None,
                bootstrap=bootstrapped[row - 1] if row and leaning[number] else None,
            )
        )
    return tuple(made)


def _leaning(gap: Sequence[float]) -> bool:
    """Whether the bootstrap is asked too: where the signs' symmetry is in doubt, and questions are enough for it."""
    return len(gap) >= FEW and sum(one != 0 for one in gap) >= LEAST_DIFFERING and skewed(gap)


def _turned(interval: Interval) -> Interval:
    return Interval(-interval.mean, -interval.high, -interval.low)


def _comparison(
    names: tuple[str, str],
    difference: Interval,
    gap: Sequence[float],
    questions: Sequence[str],
    *,
    found: Corrected | None,
    bootstrap: Corrected | None,
) -> Comparison:
    by_size = sorted(zip(gap, questions, strict=True), key=lambda pair: -abs(pair[0]))
    won = tuple(question for value, question in by_size if value > 0)
    lost = tuple(question for value, question in by_size if value < 0)
    error = standard_error(gap)
    tests = [one for one in (found, bootstrap) if one is not None]
    shown = worse_by = None
    if tests and error is not None:
        # Where all that differ do so to one side and that is not enough, nothing that they do could be.
        if (won and lost) or max(one.p_value for one in tests) < LEVEL:
            shown = detectable(gap, critical=max(one.critical for one in tests))
        # The interval of the pair alone is the wider one where hardly any question differs.
        worse_by = max(difference.mean + max(one.critical_of_all for one in tests) * error, difference.high)
    return Comparison(
        first=names[0],
        second=names[1],
        difference=difference,
        p_value=1.0 if found is None else found.p_value,
        wins=len(won),
        losses=len(lost),
        detectable=shown,
        worse_by=worse_by,
        bootstrap_p=None if bootstrap is None else bootstrap.p_value,
        won=won,
        lost=lost,
    )


def verdict(
    comparison: Comparison, questions: int, measure: Measure | str = DECIDED_BY, *, margin: float = MARGIN
) -> str:
    """A comparison in words.

    >>> verdict(Comparison("or", "vector", Interval(0.043, 0.031, 0.055), 0.001, 30, 10, 0.02), 120)
    'or beats vector by 0.043 ± 0.012 ndcg@10 (better on 30 of 120 questions, worse on 10; p = 0.001)'
    >>> verdict(Comparison("or", "rrf", Interval(0.004, -0.01, 0.018), 0.41, 12, 10, 0.021, 0.025), 120)
    'or against rrf is undecided with 120 questions (0.004 ± 0.014 ndcg@10, p = 0.410): they could show 0.021'
    >>> verdict(Comparison("or", "rrf", Interval(0.004, -0.01, 0.012), 0.41, 12, 10, 0.018, 0.015), 120)
    'or against rrf is undecided with 120 questions (0.004 ± 0.011 ndcg@10, p = 0.410): rrf is no worse than 0.02'
    >>> verdict(Comparison("or", "rrf", Interval(0.006, -0.02, 0.04), 1.0, 2, 1, None, 0.04), 120)
    'or against rrf is undecided with 120 questions (0.006 ± 0.030 ndcg@10, p = 1.000): too few differ (3) to tell'
    >>> verdict(Comparison("or", "rrf", Interval(0.0, -0.02, 0.02), 1.0, 0, 0, None), 120)
    'or and rrf are the same on all 120 questions by ndcg@10'
    """
    if comparison.same:
        return f"{comparison.first} and {comparison.second} are the same on all {questions} questions by {measure}"
    figure = f"{comparison.difference.mean:.3f} ± {comparison.difference.margin:.3f} {measure}"
    p_value = _shown_p_values(comparison)
    if comparison.decided:
        counts = f"better on {comparison.wins} of {questions} questions, worse on {comparison.losses}"
        return f"{comparison.first} beats {comparison.second} by {figure} ({counts}; {p_value})"
    undecided = f"{comparison.first} against {comparison.second} is undecided with {questions} questions"
    said = f"{undecided} ({figure}, {p_value})"
    if comparison.as_good(margin):
        return f"{said}: {comparison.second} is no worse than {margin:g}"
    if comparison.detectable is None:
        return f"{said}: too few differ ({comparison.wins + comparison.losses}) to tell"
    return f"{said}: they could show {comparison.detectable:.3f}"


def _shown_p_values(comparison: Comparison) -> str:
    p_value = shown_p(comparison.p_value)
    if comparison.bootstrap_p is None:
        return p_value
    by_bootstrap = f"by bootstrap {shown_p(comparison.bootstrap_p)}"
    if comparison.p_value < LEVEL <= comparison.bootstrap_p:
        return f"{p_value}, but {by_bootstrap}, which decides too since differences are skewed"
    return f"{p_value}, {by_bootstrap} since differences are skewed"


def shown_p(value: float) -> str:
    """A p-value as it is told.

    >>> shown_p(0.0001), shown_p(0.0412)
    ('p < 0.001', 'p = 0.041')
    """
    return "p < 0.001" if value < 0.0005 else f"p = {value:.3f}"
