"""Keeps a calibration in MLflow: a run with its figures, the curve as a table, and the picture."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from policy_rag_eval.calibration import Calibration, Point
from policy_rag_eval.calibration_plot import CURVE_PLOT
from policy_rag_eval.datasets import Dataset
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store, open_client, wrapped
from policy_rag_eval.tracking.tables import versions

CURVE_TABLE = "risk_coverage.json"


def keep_calibration(
    index: Path, dataset: Dataset, found: Calibration, chosen: Point | None, params: Mapping[str, str], plot: bytes
) -> tuple[str | None, tuple[str, ...]]:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.

    Returns:
        The run's id, None where no store could be written; and what a user should be told, one line each.
    """
    store, away = chosen_store(index)
    notices = [away] if away else []
    for place in dict.fromkeys((store, local_store(index))):
        try:
            return _log(place, dataset, found, chosen, params, plot), tuple(notices)
        except TrackingError as error:
            notices.append(str(error))
    return None, tuple(notices)


def _log(
    store: Store, dataset: Dataset, found: Calibration, chosen: Point | None, params: Mapping[str, str], plot: bytes
) -> str:
    client = open_client(store)
    with wrapped(store):
        from mlflow.entities import Metric, Param

        name = f"calibration {dataset.name}"
        known = client.get_experiment_by_name(name)
        location = None if store.artifacts is None else store.artifacts.as_uri()
        experiment = known.experiment_id if known else client.create_experiment(name, artifact_location=location)
        tags = {"dataset.name": dataset.name, "dataset.digest": dataset.digest}
        tags |= {f"version.{library}": version for library, version in versions().items()}
        run = client.create_run(experiment, run_name="calibration", tags=tags)
        run_id = str(run.info.run_id)
        stamp = int(run.info.start_time)
        try:
            client.log_batch(
                run_id,
                [Metric(key, value, stamp, 0) for key, value in figures(found, chosen).items()],
                [Param(key, value) for key, value in params.items()],
            )
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / CURVE_TABLE).write_text(json.dumps(table(found)), encoding="utf-8")
                (Path(folder) / CURVE_PLOT).write_bytes(plot)
                client.log_artifacts(run_id, folder)
        except BaseException:
            client.set_terminated(run_id, "FAILED")
            raise
        client.set_terminated(run_id)
        return run_id


def figures(found: Calibration, chosen: Point | None) -> dict[str, float]:
    """What MLflow keeps as metrics; those of the threshold only where one was chosen."""
    kept = {
        "auc": found.area,
        "answerable": float(found.answerable.sum()),
        "unanswerable": float((~found.answerable).sum()),
        **{f"log_loss_{model}": loss for model, loss in found.log_loss.items()},
    }
    if chosen is not None:
        kept |= {
            "threshold": chosen.threshold,
            "risk": chosen.risk.mean,
            "risk_low": chosen.risk.low,
            "risk_high": chosen.risk.high,
            "coverage": chosen.coverage.mean,
            "answerable_refused": chosen.answerable_refused,
            "unanswerable_refused": chosen.unanswerable_refused,
        }
    return kept


def table(found: Calibration) -> dict[str, Any]:
    """The curve in the form that MLflow's UI shows as a table."""
    columns = ["threshold", "answered", "risk", "risk_low", "risk_high", "coverage"]
    columns += ["answerable_refused", "unanswerable_refused"]
    rows = [
        [
            point.threshold,
            point.answered,
            point.risk.mean,
            point.risk.low,
            point.risk.high,
            point.coverage.mean,
            point.answerable_refused,
            point.unanswerable_refused,
        ]
        for point in found.curve
    ]
    return {"columns": columns, "data": rows}
