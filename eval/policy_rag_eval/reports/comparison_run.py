"""Two compared runs as a run of their own in MLflow, which holds the decision page."""

from pathlib import Path

from policy_rag_eval.reports.run_comparison import RunComparison
from policy_rag_eval.tracking.run_record import RunRecord, dataset_tags, keep_run
from policy_rag_eval.tracking.tracker import CORPUS, VERDICTS_FILE
from policy_rag_eval.tracking.writer import Kept


def keep_comparison(index: Path, found: RunComparison) -> Kept:
    """Keeps what two runs say of each other: the verdict, every difference with its interval, and the runs' ids."""
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
