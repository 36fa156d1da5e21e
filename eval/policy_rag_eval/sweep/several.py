"""Several configurations of anything that has a figure a question, compared by it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.statistics.intervals import Interval, bootstrap_interval
from policy_rag_eval.sweep.choice import choice
from policy_rag_eval.sweep.verdicts import Comparison, compare_figures, verdict


@dataclass(frozen=True, slots=True)
class Several:
    """What is said of some configurations by one figure.

    Attributes:
        measure: what the figure is; higher is better.
        means: name to the mean over the questions that all of them have a figure for, best first.
        questions: how many these are.
        comparisons: the best, or the baseline, against each other one.
        verdicts: the same in words.
        intervals: name to the interval of its mean; none without a common question.
        margin: what counts as no worse.
    """

    measure: str
    means: Mapping[str, float]
    questions: int
    comparisons: tuple[Comparison, ...]
    verdicts: tuple[str, ...]
    intervals: Mapping[str, Interval]
    margin: float = MARGIN

    @property
    def best(self) -> str:
        """The name of the one with the highest mean."""
        return next(iter(self.means))

    @property
    def headline(self) -> str:
        """What to take, in a sentence."""
        return choice(self.best, self.means[self.best], self.measure, self.comparisons, self.margin)

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints beside the configurations."""
        return {
            "measure": self.measure,
            "means": dict(self.means),
            "intervals": {name: one.as_json() for name, one in self.intervals.items()},
            "questions": self.questions,
            "comparisons": [{**asdict(one), "decided": one.decided} for one in self.comparisons],
            "verdicts": list(self.verdicts),
        }


def compared(
    figures: Mapping[str, Mapping[str, float]], measure: str, *, against: str | None = None, margin: float = MARGIN
) -> Several:
    """Compares configurations on the questions that all of them have a figure for.

    Args:
        figures: name of a configuration, then question id, to its figure, higher better; at least one configuration.
        measure: what the figure is called.
        against: the name of a baseline; None: the best.
        margin: a configuration that is worse by no more is said to be no worse.

    Raises:
        UsageError: there is no configuration of the baseline's name.

    >>> compared({"a": {"1": 0.0, "2": 0.0}, "b": {"1": 1.0, "2": 1.0, "3": 0.0}}, "noise").means
    {'b': 1.0, 'a': 0.0}
    """
    first = next(iter(figures.values()))
    ids = [question for question in first if all(question in of for of in figures.values())]
    rows = [(name, [of[question] for question in ids]) for name, of in figures.items()]
    comparisons = compare_figures(rows, ids, against=against)
    means = {name: sum(of) / len(of) if of else 0.0 for name, of in rows}
    return Several(
        measure=measure,
        means=dict(sorted(means.items(), key=lambda one: -one[1])),
        questions=len(ids),
        comparisons=comparisons,
        verdicts=tuple(verdict(one, len(ids), measure, margin=margin) for one in comparisons),
        intervals={name: bootstrap_interval(of) for name, of in rows if of},
        margin=margin,
    )
