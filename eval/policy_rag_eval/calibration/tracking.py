"""Keeps a calibration in MLflow: a run with its figures, the curve as a table, and the picture."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from policy_rag_eval.calibration.fit import Calibration, Point
from policy_rag_eval.calibration.plot import CURVE_PLOT
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.tracking.stores import Store, open_client, wrapped
from policy_rag_eval.tracking.writer import (
    DATASET,
    DIGEST,
    KEY,
    TEXTS,
    Kept,
    experiment_of,
    keep_somewhere,
    run_of,
    version_tags,
)

CURVE_TABLE = "risk_coverage.json"


def keep_calibration(
    index: Path, dataset: Dataset, found: Calibration, chosen: Point | None, params: Mapping[str, str], plot: bytes
) -> Kept:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.
    """
    return keep_somewhere(index, lambda store, key: _log(store, key, dataset, found, chosen, params, plot))


def _log(
    store: Store,
    key: str,
    dataset: Dataset,
    found: Calibration,
    chosen: Point | None,
    params: Mapping[str, str],
    plot: bytes,
) -> str:
    client = open_client(store)
    with wrapped(store):
        experiment = experiment_of(client, store, f"calibration {dataset.name}")
        tags = {KEY: key, DATASET: dataset.name, DIGEST: dataset.digest, TEXTS: "false", **version_tags()}
        with run_of(client, experiment, "calibration", tags, tables=[CURVE_TABLE]) as run:
            run.figures(figures(found, chosen), params)
            run.files({CURVE_TABLE: json.dumps(table(found))}, {CURVE_PLOT: plot})
    return run.run_id


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
