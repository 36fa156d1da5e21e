"""All of it in one go: candidates, examples, training, export, measuring, shipping.

    python -m training.run DATA [--work DIR] [--target DIR] [--minutes M]

What is there already in the work folder is not made again; training goes on from its last checkpoint. DATA is the
folder of training sets; the benchmarks lie beside it.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import policy_rag.models
from training import candidates, card, export, figures, measure, prepare, train

CARD = Path(__file__).parents[2] / "docs" / "models" / "reader.md"
_SETS = (
    ("obliqa", "passages"),
    ("policyqa", "passages"),
    ("handbook", "files"),
)


def run(data: Path, work: Path, target: Path, training: Sequence[str]) -> None:
    """Runs what is left to do."""
    benchmarks = data.parent / "benchmarks"
    for name, corpus in _SETS:
        _candidates(str(benchmarks / name), name, corpus, work)
    _candidates("brannholt", "brannholt", "files", work)
    if not (work / "stated.jsonl").exists():
        prepare.main([str(data), str(benchmarks), str(work)])
    if not (work / "weights" / "reader.json").exists():
        train.main([str(work), "--data", str(data), *training])
    weights = work / "weights"
    if not (weights / "reader.json").exists():
        export.main([str(work), str(weights)])
    measure.main([str(weights), str(data), str(benchmarks), str(work)])
    sha = json.loads((weights / "reader.json").read_text(encoding="utf-8"))["sha256"]
    made = figures.figures(work / "measured" / sha[:12])
    (work / "figures.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    export.ship(weights, made["calibration"], target)
    if CARD.exists():
        card.main([str(work), str(CARD)])
    sys.stderr.write(f"shipped to {target}; figures in {work / 'figures.json'} and {CARD}\n")


def _candidates(dataset: str, name: str, corpus: str, work: Path) -> None:
    out = work / "candidates" / f"{name}.jsonl"
    if not out.exists():
        candidates.main([dataset, str(out), "--corpus", corpus, "--index", str(work / "index")])


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes a reader."""
    parser = argparse.ArgumentParser(description="Make the reader from the training data.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path(".reader"))
    parser.add_argument("--target", type=Path, default=Path(policy_rag.models.__path__[0]) / "reader_weights")
    chosen, training = parser.parse_known_args(arguments)
    if not chosen.data.is_dir():
        parser.error(f"{chosen.data} is not there: name the folder with reading/ and support/")
    run(chosen.data, chosen.work, chosen.target, training)


if __name__ == "__main__":
    main()
