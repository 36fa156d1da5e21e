"""Which configuration is best, how sure that is, and what would settle it, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_eval.measures.measures import DECIDED_BY, Measure
from policy_rag_eval.statistics.intervals import (
    RESAMPLES,
    SEED,
    Interval,
    difference_intervals,
    holm,
    questions_needed,
)
from policy_rag_eval.statistics.permutation import paired_p_values
from policy_rag_eval.sweep.evaluation import Evaluation

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two configurations on the same questions.

    Attributes:
        first: the one with the higher mean, or the earlier one where they are equal.
        second: the other.
        difference: mean of first minus second, with its interval.
        p_value: of the paired randomisation test, corrected for the number of pairs compared (Holm); 1 where both have
            the same figures.
        wins: questions on which the first is better.
        losses: questions on which the second is better.
        needed: about how many questions would show a difference of this size, corrected likewise, or None.
        won: ids of the questions on which the first is better, those with the largest difference first.
        lost: ids of those on which the second is, the same way.
    """

    first: str
    second: str
    difference: Interval
    p_value: float
    wins: int
    losses: int
    needed: int | None
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether the first beats the second at the 5 % level."""
        return self.p_value < LEVEL

    @property
    def same(self) -> bool:
        """Whether both have the same figure on every question."""
        return self.wins == self.losses == 0


def compare(
    evaluations: Sequence[Evaluation],
    measure: Measure = DECIDED_BY,
    *,
    permutations: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[Comparison, ...]:
    """The configuration with the highest mean against each other one, in order of their means, best first.

    Which one is best was not known beforehand, so the correction counts every pair, not only those with the best.
    Configurations with the same figures for every question count as one.

    Args:
        evaluations: over the same questions; of equal means the earlier comes first.
        measure: what decides.
        permutations: see `paired_p_value`.
        resamples: see `difference_intervals`.
        seed: of the random numbers of both.

    Raises:
        ValueError: the evaluations are not over the same questions.
    """
    if len({evaluation.scores.questions for evaluation in evaluations}) > 1:
        raise ValueError("only evaluations over the same questions can be compared")
    ranked = sorted(evaluations, key=lambda evaluation: -evaluation.scores.mean(measure))
    values = [evaluation.scores.values[measure] for evaluation in ranked]
    # Equal figures are one hypothesis, however many configurations have them: they are no pair to test.
    distinct = list(dict.fromkeys(values))
    p_values = paired_p_values(distinct, permutations=permutations, seed=seed)
    corrected = {(0, 0): 1.0, **dict(zip(p_values, holm([*p_values.values()]), strict=True))}
    differences = {
        other: [a - b for a, b in zip(values[0], values[other], strict=True)] for other in range(1, len(ranked))
    }
    intervals = difference_intervals(differences, resamples=resamples, seed=seed)
    made = []
    for other, of_questions in differences.items():
        by_size = sorted(zip(of_questions, ranked[0].scores.questions, strict=True), key=lambda pair: -abs(pair[0]))
        won = tuple(question for difference, question in by_size if difference > 0)
        lost = tuple(question for difference, question in by_size if difference < 0)
        made.append(
            Comparison(
                first=ranked[0].name,
                second=ranked[other].name,
                difference=intervals[other],
                p_value=corrected[0, distinct.index(values[other])],
                wins=len(won),
                losses=len(lost),
                needed=questions_needed(values[0], values[other], level=LEVEL / max(1, len(p_values))),
                won=won,
                lost=lost,
            )
        )
    return tuple(made)


def verdict(comparison: Comparison, questions: int, measure: Measure = DECIDED_BY) -> str:
    """A comparison in words.

    >>> verdict(Comparison("or", "vector", Interval(0.043, 0.031, 0.055), 0.001, 30, 10, 80), 120)
    'or beats vector by 0.043 ± 0.012 ndcg@10 (better on 30 of 120 questions, worse on 10; p = 0.001)'
    >>> verdict(Comparison("or", "rrf", Interval(0.004, -0.01, 0.018), 0.41, 12, 10, 600), 120)
    'or against rrf is undecided with 120 questions (0.004 ± 0.014 ndcg@10, p = 0.410): about 600 would be needed'
    >>> verdict(Comparison("or", "rrf", Interval(0.0, -0.02, 0.02), 1.0, 0, 0, None), 120)
    'or and rrf are the same on all 120 questions by ndcg@10'
    """
    if comparison.same:
        return f"{comparison.first} and {comparison.second} are the same on all {questions} questions by {measure}"
    figure = f"{comparison.difference.mean:.3f} ± {comparison.difference.margin:.3f} {measure}"
    p_value = "p < 0.001" if comparison.p_value < 0.0005 else f"p = {comparison.p_value:.3f}"
    if comparison.decided:
        counts = f"better on {comparison.wins} of {questions} questions, worse on {comparison.losses}"
        return f"{comparison.first} beats {comparison.second} by {figure} ({counts}; {p_value})"
    undecided = f"{comparison.first} against {comparison.second} is undecided with {questions} questions"
    if comparison.needed is None:
        return f"{undecided} ({figure}, {p_value})"
    if comparison.needed <= questions:
        return f"{undecided} ({figure}, {p_value} after correction): compare fewer configurations or ask more questions"
    return f"{undecided} ({figure}, {p_value}): about {comparison.needed:,} would be needed"
