"""Keeps a calibration in MLflow: a run with its figures, the curve as a table, and the picture."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from policy_rag_eval.calibration.comparison import CalibrationComparison
from policy_rag_eval.calibration.fit import Calibrated
from policy_rag_eval.calibration.risk_coverage import CoveragePoint
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.tracking.dataset_input import dataset_input
from policy_rag_eval.tracking.run_record import RunPlace, RunRecord, dataset_tags, differing, keep_run, sweep_name
from policy_rag_eval.tracking.run_tables import CURVE_TABLE
from policy_rag_eval.tracking.writer import Kept

_OF_THRESHOLD = ("threshold", "risk", "coverage", "answerable_refused", "unanswerable_refused")


def keep_calibration(
    index: Path, dataset: Dataset, made: Calibrated, params: Mapping[str, str], *, texts: bool
) -> Kept:
    """Writes a run: see `keep_run`. `texts`: whether words of questions may be kept, on the page too."""
    used = dataset_input(dataset, "eval calibrate", texts=texts)
    run = _record("calibration", dataset, made, params, used, texts=texts)
    return keep_run(index, f"calibration {dataset.name}", run)


def keep_comparison(
    index: Path,
    dataset: Dataset,
    compared: CalibrationComparison,
    params: Mapping[str, Mapping[str, str]],
    settings: Mapping[str, Mapping[str, str]],
    *,
    texts: bool,
) -> Kept:
    """The same of several configurations: a parent with the verdicts, a child a configuration.

    `params` and `settings` are of each configuration, by name.
    """
    several, used = compared.several, dataset_input(dataset, "eval calibrate", texts=texts)
    best = compared.made[several.best]
    run = RunRecord(
        sweep_name(dataset.label, differing([settings[name] for name in compared.made]), len(compared.made)),
        dataset_tags(dataset.label, dataset.digest, texts=texts),
        metrics={**figures(best), several.measure: several.means[several.best]},
        params={"configurations": str(len(compared.made)), "measure": several.measure, "best": several.best},
        files={"verdicts.txt": "".join(f"{line}\n" for line in several.verdicts)},
        children=[_record(name, dataset, one, params[name], used, texts=False) for name, one in compared.made.items()],
        best=list(compared.made).index(several.best),
        attach=used,
    )
    return keep_run(index, f"calibration {dataset.name}", run)


def _record(
    name: str,
    dataset: Dataset,
    made: Calibrated,
    params: Mapping[str, str],
    used: Callable[[RunPlace], None],
    *,
    texts: bool,
) -> RunRecord:
    return RunRecord(
        name,
        dataset_tags(dataset.label, dataset.digest, texts=texts),
        figures(made),
        params=params,
        tables={CURVE_TABLE: table(made.found.curve)},
        attach=used,
    )


def figures(made: Calibrated) -> dict[str, float]:
    """What MLflow keeps as metrics; those of the threshold only where one was chosen."""
    found, chosen = made.found, made.chosen
    kept = {
        "auc": found.area,
        "answerable": float(found.answerable.sum()),
        "unanswerable": float((~found.answerable).sum()),
        **{f"log_loss_{model}": loss for model, loss in found.log_loss.items()},
    }
    if chosen is not None:
        row = chosen.as_row()
        kept |= {name: row[name] for name in _OF_THRESHOLD}
    return kept


def table(curve: Sequence[CoveragePoint]) -> dict[str, list[float]]:
    """The curve, a row a threshold."""
    rows = [point.as_row() for point in curve]
    return {name: [row[name] for row in rows] for name in rows[0]}
