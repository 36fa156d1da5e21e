"""How `policy-rag check` judges statements in free wording whose truth is known.

    python -m benchmarks.statements DATASET [FILE] --cache DIR

DATASET has the documents; FILE is JSON lines `{statement, file, start, end, label, kind}`, by default the 240 that
`training` is measured with, half of them true (`label` is "supported"). Each is held against its place. Told are, of
the true and of the others and of each kind, the shares that are supported, doubtful and unsupported, with 95 %
intervals (Wilson), and the ROC area of the score: 0.5 is chance.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.answers import open_index
from policy_rag.records.statement import StatementVerdict
from policy_rag_eval.calibration.risk_coverage import wilson
from policy_rag_eval.calibration.support_features import roc_area
from policy_rag_eval.data.dataset_reader import read_dataset

FREE_WORDING = Path(__file__).parents[1] / "training" / "free_wording.jsonl"


def shares(verdicts: Sequence[StatementVerdict]) -> dict[str, Any]:
    """The share of each verdict with its interval.

    >>> shares([StatementVerdict.SUPPORTED, StatementVerdict.DOUBTFUL])["supported"][0]
    0.5
    """
    found = Counter(verdicts)
    count = len(verdicts)
    made: dict[str, Any] = {"statements": count}
    for one in StatementVerdict:
        told = wilson(found[one], count)
        made[one.value] = [round(value, 3) for value in (told.mean, told.low, told.high)]
    return made


def figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of judged rows, `{label, kind, verdict, score}`."""
    true = [row for row in rows if row["label"] == StatementVerdict.SUPPORTED]
    false = [row for row in rows if row["label"] != StatementVerdict.SUPPORTED]
    kinds = sorted({row["kind"] for row in rows})
    return {
        "true": shares([row["verdict"] for row in true]),
        "false": shares([row["verdict"] for row in false]),
        "roc": round(roc_area([row["score"] for row in true], [row["score"] for row in false]), 3),
        "kinds": {kind: shares([row["verdict"] for row in rows if row["kind"] == kind]) for kind in kinds},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints JSON."""
    parser = argparse.ArgumentParser(description="Judge statements whose truth is known.")
    parser.add_argument("dataset")
    parser.add_argument("file", nargs="?", type=Path, default=FREE_WORDING)
    parser.add_argument("--cache", type=Path, required=True, help="folder for indexes")
    chosen = parser.parse_args(arguments)
    rows = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    judged = []
    with open_index(read_dataset(chosen.dataset), chosen.cache) as assistant:
        for row in rows:
            found = assistant.check(row["statement"], file=row["file"], span=(row["start"], row["end"]))
            judged.append({**row, "verdict": found.verdict, "score": found.score})
    sys.stdout.write(json.dumps(figures(judged), indent=2) + "\n")


if __name__ == "__main__":
    main()
