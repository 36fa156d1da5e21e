"""Two stored runs on the questions that both were asked: differences, a test, and the questions that decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from policy_rag.errors import UsageError
from policy_rag_eval.measures.measures import COUNTS, MARGIN, Measure, MeasureName
from policy_rag_eval.statistics.intervals import Interval, difference_intervals, holm
from policy_rag_eval.statistics.permutation import paired_p_value
from policy_rag_eval.sweep.evaluation import deciding_measure
from policy_rag_eval.sweep.verdicts import compare_figures, verdict
from policy_rag_eval.tracking import StoredRun
from policy_rag_eval.tracking.run_record import RunRecord, dataset_tags, keep_run
from policy_rag_eval.tracking.tracker import CORPUS, VERDICTS_FILE
from policy_rag_eval.tracking.writer import Kept

TESTED = frozenset({MeasureName.HIT_RATE, MeasureName.MRR, MeasureName.RECALL, MeasureName.AP, MeasureName.NDCG})
"""What is tested where nothing is chosen, at a cut-off: each measure more makes the correction of the others harder."""


@dataclass(frozen=True, slots=True)
class PValue:
    """A measure's p-value of the paired randomisation test.

    Attributes:
        alone: as if no other measure had been looked at.
        corrected: for the number of measures that are tested without deciding (Holm); the one that decides is not
            corrected, since it was chosen before.
    """

    alone: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure of both runs over the common questions.

    Attributes:
        measure: which.
        first: mean of the first run.
        second: mean of the second.
        difference: mean of first minus second, with its 95 % interval.
        p_value: of the paired randomisation test; None where the measure is not among those that are tested.
    """

    measure: Measure
    first: float
    second: float
    difference: Interval
    p_value: PValue | None


@dataclass(frozen=True, slots=True)
class QuestionDifference:
    """A question on which the runs differ; `text` is None where texts are not kept."""

    question_id: str
    text: str | None
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What two runs say of each other.

    Attributes:
        first: as it was given.
        second: as it was given.
        measure: the one that decides.
        questions: how many questions both were asked.
        left_out: how many only one of them was asked.
        verdict: in words.
        decided: whether one beats the other at the 5 % level.
        differences: by measure, the one that decides first, then those that are tested, then the others.
        wins: questions on which the first is better by the measure that decides, the largest difference first.
        losses: questions on which the second is better, the largest difference first.
        settings: name to both values, of the settings that differ.
        notes: what a reader should know, one line each.
    """

    first: StoredRun
    second: StoredRun
    measure: Measure
    questions: int
    left_out: int
    verdict: str
    decided: bool
    differences: tuple[Difference, ...]
    wins: tuple[QuestionDifference, ...]
    losses: tuple[QuestionDifference, ...]
    settings: Mapping[str, tuple[str, str]]
    notes: tuple[str, ...]


def compare_runs(
    first: StoredRun, second: StoredRun, measures: Sequence[Measure] = (), *, margin: float = MARGIN
) -> RunComparison:
    """Compares two runs of one data set and corpus, question by question.

    Args:
        first: a run.
        second: another.
        measures: those that are tested; the first decides, the p-values of the others are corrected for their number.
            By default those of `TESTED`, and the one of `deciding_measure` decides, or the first that both have.
        margin: a run that is worse by no more is said to be no worse.

    Raises:
        UsageError: they are the same run, of different data sets, versions of a data set or corpora, or they share no
            question or no such measure.
    """
    _check(first, second)
    shared = [one for one in first.evaluation.scores.values if one in second.evaluation.scores.values]
    if not shared:
        raise UsageError(f"{first.name} and {second.name} have no measure in common: run both with the same measures")
    tested = _tested(measures, shared, deciding_measure([first.evaluation, second.evaluation]))
    decides = tested[0]
    known_to_second = set(second.evaluation.scores.questions)
    common = [question for question in first.evaluation.scores.questions if question in known_to_second]
    if not common:
        raise UsageError(f"{first.name} and {second.name} were asked no question in common: nothing can be compared")
    ordered = [*tested, *(one for one in shared if one not in tested)]
    ours, theirs = _values(first, common, ordered), _values(second, common, ordered)
    p_values = _p_values(ours, theirs, tested)
    differences = _differences(ours, theirs, p_values)
    pairs = [
        QuestionDifference(question, first.texts.get(question, second.texts.get(question)), mine, other)
        for question, mine, other in zip(common, ours[decides], theirs[decides], strict=True)
    ]
    both = zip(_names(first, second), (ours[decides], theirs[decides]), strict=True)
    (comparison,) = compare_figures(list(both), common)
    left_out = len(first.evaluation.scores.questions) + len(second.evaluation.scores.questions) - 2 * len(common)
    return RunComparison(
        first=first,
        second=second,
        measure=decides,
        questions=len(common),
        left_out=left_out,
        verdict=verdict(comparison, len(common), decides, margin=margin),
        decided=comparison.decided,
        differences=differences,
        wins=tuple(sorted((p for p in pairs if p.first > p.second), key=lambda p: p.second - p.first)),
        losses=tuple(sorted((p for p in pairs if p.first < p.second), key=lambda p: p.first - p.second)),
        settings={
            name: (one, other)
            for name in dict.fromkeys((*first.evaluation.settings, *second.evaluation.settings))
            if (one := _setting(first, name)) != (other := _setting(second, name))
        },
        notes=_notes(first, second, left_out),
    )


def _tested(chosen: Sequence[Measure], shared: Sequence[Measure], usual: Measure) -> tuple[Measure, ...]:
    """The measures that are tested, the one that decides first, each once.

    Raises:
        UsageError: one that is chosen is not among those that both runs have.
    """
    for one in chosen:
        if one not in shared:
            known = ", ".join(map(str, shared))
            raise UsageError(f"{one} is not a measure of both runs: those are {known}")
    decides = usual if usual in shared else shared[0]
    others = (one for one in shared if one.cutoff and one.name in TESTED)
    return tuple(dict.fromkeys(chosen or (decides, *others)))


def _check(first: StoredRun, second: StoredRun) -> None:
    if first.run_id == second.run_id:
        raise UsageError(f"{first.run_id} is given twice: name two runs")
    if first.digest != second.digest:
        names = f"{first.dataset} ({first.digest[:8]}) and {second.dataset} ({second.digest[:8]})"
        raise UsageError(f"the runs are of different data sets, {names}: run both on the same one")
    if first.corpus != second.corpus:
        raise UsageError(
            f"the runs searched different corpora, {first.corpus} and {second.corpus}: run both with one --corpus"
        )


def _values(run: StoredRun, questions: list[str], measures: list[Measure]) -> dict[Measure, list[float]]:
    """Each measure's figures in the order of `questions`."""
    place = {question: index for index, question in enumerate(run.evaluation.scores.questions)}
    return {
        measure: [run.evaluation.scores.values[measure][place[question]] for question in questions]
        for measure in measures
    }


def _setting(run: StoredRun, name: str) -> str:
    return str(run.evaluation.settings.get(name, ""))


def _p_values(
    ours: Mapping[Measure, list[float]], theirs: Mapping[Measure, list[float]], tested: Sequence[Measure]
) -> dict[Measure, PValue]:
    """Of the measures tested: the first one decides and stands for itself, the others are corrected together."""
    alone = [paired_p_value(ours[measure], theirs[measure]) for measure in tested]
    corrected = (alone[0], *holm(alone[1:]))
    return {measure: PValue(*both) for measure, *both in zip(tested, alone, corrected, strict=True)}


def _differences(
    ours: Mapping[Measure, list[float]], theirs: Mapping[Measure, list[float]], p_values: Mapping[Measure, PValue]
) -> tuple[Difference, ...]:
    """All measures, in the order of `ours`."""
    gaps = {measure: [a - b for a, b in zip(ours[measure], theirs[measure], strict=True)] for measure in ours}
    intervals = difference_intervals(gaps, counts=COUNTS)
    return tuple(
        Difference(
            measure=measure,
            first=sum(ours[measure]) / len(ours[measure]),
            second=sum(theirs[measure]) / len(theirs[measure]),
            difference=intervals[measure],
            p_value=p_values.get(measure),
        )
        for measure in ours
    )


def _names(first: StoredRun, second: StoredRun) -> tuple[str, str]:
    """Names that tell the two apart."""
    if first.name != second.name:
        return first.name, second.name
    return f"{first.name} ({first.run_id[:8]})", f"{second.name} ({second.run_id[:8]})"


def _notes(first: StoredRun, second: StoredRun, left_out: int) -> tuple[str, ...]:
    notes = []
    if left_out:
        notes.append(f"{left_out} questions that only one of the runs was asked are left out")
    if first.parent is not None and first.parent == second.parent:
        notes.append(
            "both are of one sweep: if they were picked by their figures, this test claims too much; the sweep's own "
            "verdicts are corrected for the number of its configurations"
        )
    changed = sorted(
        name for name in {*first.versions, *second.versions} if first.versions.get(name) != second.versions.get(name)
    )
    notes += [
        f"{name} was {first.versions.get(name, 'absent')}, then {second.versions.get(name, 'absent')}"
        for name in changed
    ]
    return tuple(notes)


def keep_comparison(index: Path, found: RunComparison) -> Kept:
    """Keeps it in MLflow as a run of its own: the verdict, every difference with its interval, and the runs' ids."""
    first, second = found.first, found.second
    gaps = {f"{one.measure.mlflow_key}_difference": one.difference for one in found.differences}
    decides = next(iter(gaps))
    run = RunRecord(
        f"{first.name} against {second.name}",
        {CORPUS: first.corpus, **dataset_tags(first.dataset, first.digest, texts=bool(first.texts))},
        {decides: gaps[decides].mean},
        {"questions": float(found.questions), **gaps},
        {"first": first.run_id, "second": second.run_id, "measure": str(found.measure)},
        files={VERDICTS_FILE: found.verdict + "\n"},
    )
    return keep_run(index, f"comparisons {first.dataset}", run)
