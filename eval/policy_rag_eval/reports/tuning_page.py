"""The decision page of a tuning: whether what was found beats the settings as they are, on questions no trial saw."""

from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.reports.decision import write_best, write_failures, write_repeat, write_verdicts
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.failures import failures
from policy_rag_eval.reports.retrieval_page import (
    MEASURES_TOLD,
    USAGE_TOLD,
    evaluation_head,
    evaluation_rows,
    headline,
    write_latencies,
    write_measures,
    write_settings,
)
from policy_rag_eval.reports.table_files import Cell, FigureTable
from policy_rag_eval.sweep.evaluation import ranked
from policy_rag_eval.sweep.sweep import Sweep
from policy_rag_eval.sweep.tuning import TuningResult
from policy_rag_eval.sweep.usage import NO_USAGE

_TOO_HIGH = (
    "These are the questions that the choices were made by: the best of many scores too high on them. What counts "
    "stands above."
)


def tuning_headline(found: TuningResult, corpus: Corpus, margin: float = MARGIN) -> str:
    """What to take, on the questions held out, in a sentence."""
    held_out = _held_out(found, corpus)
    return (
        f"{headline(held_out, margin)}, on {held_out.questions} questions that none of the {len(found.trials)} trials "
        "saw"
    )


def tuning_page(
    found: TuningResult, corpus: Corpus, *, texts: bool = True, margin: float = MARGIN, command: str = ""
) -> ReportPage:
    """The page of a tuning.

    `texts` is whether words of questions and documents may stand in it, `margin` what counts as no worse, `command`
    what repeats it, if anything.
    """
    held_out, measure, tuned = _held_out(found, corpus), found.measure, found.evaluations
    best = held_out.best
    page = ReportPage(
        tuning_headline(found, corpus, margin),
        f"{found.held_out_set.name}, --corpus {corpus}: {len(found.tuned_on.scores.questions)} questions to tune on, "
        f"{held_out.questions} held out; {len(tuned)} choices in {len(found.trials)} trials",
    )
    write_best(
        page,
        evaluation_rows(ranked(held_out.evaluations, measure), measure),
        evaluation_head(measure),
        held_out.comparisons,
        measure=str(measure),
        about=USAGE_TOLD,
        margin=margin,
        title="On the questions held out",
    )
    write_failures(page, f"Where {best.name} fails", failures(found.held_out_set, corpus, best, measure), texts=texts)
    write_best(
        page,
        evaluation_rows(tuned, measure),
        evaluation_head(measure),
        (),
        measure=str(measure),
        about=_TOO_HIGH,
        title=f"The best of {len(tuned)} choices, on the questions to tune on",
        verdicts=False,
    )
    page.heading("The rest")
    write_measures(page, tuned, measure)
    write_settings(page, tuned, measure)
    write_latencies(page, tuned, measure)
    write_verdicts(page, held_out.verdicts, held_out.comparisons, best=best.name, measure=str(measure))
    with page.folded("All trials", f"{len(found.trials)}, in the order in which they were tried"):
        rows = [
            (
                str(trial.number + 1),
                " ".join(f"{name}={value}" for name, value in trial.settings.items()) or "the settings as they are",
                f"not run: {trial.why}" if trial.value is None else f"{trial.value:.4f}",
            )
            for trial in found.trials
        ]
        page.table(("trial", "choice", str(measure)), rows, figures=2)
    write_repeat(
        page,
        command,
        found.best,
        notes=(note for one in held_out.evaluations for note in one.notes),
        about=MEASURES_TOLD,
    )
    return page


def tuning_table(found: TuningResult) -> FigureTable:
    """The figures of what was found and of the baseline, held out; then of every choice where it was tuned."""
    parts = {"held out": (found.held_out, found.baseline), "tuned on": found.evaluations}
    rows: list[tuple[Cell, ...]] = []
    for part, evaluations in parts.items():
        for row in evaluation_rows(evaluations, found.measure):
            score = row.score
            ends = (None,) * 3 if score is None else (score.mean, score.low, score.high)
            rows.append((part, row.name, *ends, *row.usage.as_json().values()))
    name = str(found.measure)
    return FigureTable(
        ("questions", "configuration", name, f"{name}_low", f"{name}_high", *NO_USAGE.as_json()), tuple(rows)
    )


def _held_out(found: TuningResult, corpus: Corpus) -> Sweep:
    """What was found beside the baseline, as a sweep of two."""
    return Sweep(
        found.held_out_set.name,
        corpus,
        len(found.held_out.scores.questions),
        (found.held_out, found.baseline),
        found.measure,
        (found.verdict,),
        {},
        (found.comparison,),
    )
