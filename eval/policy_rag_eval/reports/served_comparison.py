"""Two configurations that a service served by share of users: what became of their questions, user by user."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace
from policy_rag.server.question_log import QuestionLog, ServedQuestion
from policy_rag.server.state import open_state
from policy_rag_eval.statistics.intervals import holm
from policy_rag_eval.statistics.two_groups import GroupDifference, group_difference
from policy_rag_eval.sweep.verdicts import LEVEL, shown_p
from policy_rag_eval.tracking import Kept
from policy_rag_eval.tracking.run_record import Columns, RunRecord, keep_run

_FIGURES: Mapping[str, Callable[[ServedQuestion], float | None]] = {
    "answered": lambda one: float(one.outcome == "answered"),
    "helpful": lambda one: None if one.helpful is None else float(one.helpful),
    "refused": lambda one: float(one.outcome == "refused"),
    "failed": lambda one: float(one.outcome == "failed"),
    "seconds": lambda one: one.took_ms / 1000,
}
"""What is told of a question; None where nothing was said. The first decides."""


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """What became of the questions of one variant.

    Attributes:
        variant: its name.
        questions: how many.
        users: who asked them, each with the mean of their own questions by figure; no name is kept.
    """

    variant: str
    questions: int
    users: Mapping[str, tuple[float, ...]]

    def mean(self, figure: str) -> float | None:
        """The mean over users, each of whom counts once; None where nothing was said."""
        values = self.users[figure]
        return mean(values) if values else None


@dataclass(frozen=True, slots=True)
class ServedComparison:
    """Two variants of one experiment.

    Attributes:
        experiment: its name.
        first: one of them.
        second: the other.
        differences: by figure; None where fewer than two users of either variant tell it.
        corrected: p-values by figure; of those that do not decide, corrected for their number.
        verdict: in words.
    """

    experiment: str
    first: VariantOutcome
    second: VariantOutcome
    differences: Mapping[str, GroupDifference | None]
    corrected: Mapping[str, float]
    verdict: str


def compare_served(state: IndexPlace, first: str, second: str) -> ServedComparison:
    """Compares two variants of the latest experiment by what the service took down.

    Users are what was assigned, so users are what is compared: each counts once, with the mean of the own questions.

    `state` is the folder of the service's state, or the database that keeps it.

    Raises:
        UsageError: nothing was served by one of them.
        StateError: the state cannot be read.
    """
    if isinstance(state, Path) and not state.is_dir():
        raise UsageError(f"{state} is no folder: name the state of a service, as `policy-rag serve --state` was given")
    with closing(open_state(state)) as opened:
        served = QuestionLog(opened).served()
    by_variant = {name: [one for one in served if one.variant == name] for name in (first, second)}
    for name, questions in by_variant.items():
        if not questions:
            known = ", ".join(sorted({one.variant for one in served})) or "none at all"
            raise UsageError(f"no question was served by {name}: there are {known}; see `policy-rag serve --help`")
    one, other = (_served(name, questions) for name, questions in by_variant.items())
    differences = {figure: group_difference(one.users[figure], other.users[figure]) for figure in _FIGURES}
    decides, *others = _FIGURES
    tested = [figure for figure in others if differences[figure] is not None]
    corrected = dict(zip(tested, holm([found.p_value for f in tested if (found := differences[f])]), strict=True))
    decided = differences[decides]
    if decided is not None:
        corrected[decides] = decided.p_value
    return ServedComparison(served[0].experiment, one, other, differences, corrected, _verdict(one, other, decided))


def _served(variant: str, questions: Sequence[ServedQuestion]) -> VariantOutcome:
    by_user: dict[str, list[ServedQuestion]] = {}
    for one in questions:
        by_user.setdefault(one.caller, []).append(one)
    users = {}
    for figure, told in _FIGURES.items():
        own = [[value for one in asked if (value := told(one)) is not None] for asked in by_user.values()]
        users[figure] = tuple(mean(values) for values in own if values)
    return VariantOutcome(variant, len(questions), users)


def _verdict(one: VariantOutcome, other: VariantOutcome, decided: GroupDifference | None) -> str:
    if decided is None:
        return f"nothing can be said of {one.variant} and {other.variant}: each needs two users at least"
    gap = decided.difference
    better, worse = (one, other) if gap.mean >= 0 else (other, one)
    figure = f"{abs(gap.mean):.1%} of questions more"
    if decided.p_value < LEVEL:
        return f"{better.variant} answers {figure} than {worse.variant} ({shown_p(decided.p_value)})"
    users = len(one.users["answered"]) + len(other.users["answered"])
    return f"{one.variant} against {other.variant} is undecided with {users} users ({shown_p(decided.p_value)})"


def keep_served(index: Path, found: ServedComparison) -> Kept:
    """Keeps a comparison in MLflow: a run with the verdict, and under it one a variant with its users' figures."""

    def of_variant(one: VariantOutcome) -> RunRecord:
        means = {figure: value for figure in _FIGURES if (value := one.mean(figure)) is not None}
        users = len(one.users["answered"])
        table: Columns = {"user": list(range(1, users + 1)), "answered": list(one.users["answered"])}
        return RunRecord(
            one.variant,
            {"experiment": found.experiment, "variant": one.variant},
            {**means, "questions": one.questions, "users": users},
            tables={"users.json": table},
        )

    gaps = {f"{figure}_difference": gap.difference.mean for figure, gap in found.differences.items() if gap}
    p_values = {f"{figure}_p": p for figure, p in found.corrected.items()}
    run = RunRecord(
        f"{found.first.variant} against {found.second.variant}",
        {"experiment": found.experiment},
        {**gaps, **p_values},
        files={"verdict.txt": found.verdict + "\n"},
        children=(of_variant(found.first), of_variant(found.second)),
    )
    return keep_run(index, f"served {found.experiment}", run)
