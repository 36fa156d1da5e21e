"""A grid of 45 by the command line, interrupted three times and resumed.

    python -m benchmarks.large_grid DATASET [--questions N] [--tree DIR]

3 chunkers x 5 searches x 3 rerankers over a data set's documents: no reranker, and two of random weights
(`benchmarks.sweeps`). The command is sent Ctrl-C when it begins its 10th, 25th and 40th configuration, and is run again
each time; then the same is run once without a break, in an empty folder. Told are the seconds of all of it, by the wall
and by the processor, with the exit status of each command, and whether both gave the same figures.

`--tree` runs the commands of another checkout, to compare with. `--questions` takes as many, evenly spread.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.sweeps import save_reranker, some_questions, write_questions
from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.data.dataset_reader import read_dataset

INTERRUPTS = (10, 25, 40)
"""Configurations whose beginning is followed by Ctrl-C, a command each."""
GRID = {
    "chunker": ("section", "sentence", "token"),
    "search": ("vector", "keyword", "and", "or", "weighted"),
}


def command(dataset: Path, rerankers: Sequence[str]) -> list[str]:
    """What is run."""
    grid = [f"{name}={','.join(values)}" for name, values in {**GRID, "reranker": ("none", *rerankers)}.items()]
    options = [option for one in grid for option in ("--grid", one)]
    call = [sys.executable, "-m", "policy_rag", "eval", "retrieval", str(dataset), "--corpus", "files"]
    return [*call, "--offline", "--json", *options]


def run_once(call: Sequence[str], folder: Path, environment: dict[str, str], stop_at: int | None) -> dict[str, Any]:
    """One command, which is sent Ctrl-C when it begins its `stop_at`-th configuration.

    Returns:
        Its seconds by the wall and of the processor (with those of its processes), exit status and figures by name.
    """
    before, started, begun = os.times(), time.perf_counter(), 0
    lines: list[str] = []
    with (
        (folder / "out.json").open("w+", encoding="utf-8") as out,
        subprocess.Popen(call, cwd=folder, env=environment, stdout=out, stderr=subprocess.PIPE, text=True) as process,
    ):
        for line in process.stderr or ():
            lines.append(line)
            begun += line.startswith("running ")
            if begun == stop_at:
                process.send_signal(signal.SIGINT)
                begun += 1
        status = process.wait()
        out.seek(0)
        told = out.read()
    if stop_at is None and status:
        raise SystemExit(f"the command ended with {status}: {''.join(lines[-5:])}")
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    made = json.loads(told)["configurations"] if status == 0 else []
    figures = {one["name"]: {name: each["mean"] for name, each in one["measures"].items()} for one in made}
    return {
        "wall_s": round(time.perf_counter() - started, 1),
        "processor_s": round(spent, 1),
        "status": status,
        "figures": figures,
    }


def measure(dataset: Path, rerankers: Sequence[str], folder: Path, tree: Path | None) -> dict[str, Any]:
    """The interrupted run, resumed until it is done, and one without a break."""
    environment = dict(os.environ)
    if tree is not None:
        environment["PYTHONPATH"] = os.pathsep.join(map(str, (tree, tree / "parsers", tree / "prompts", tree / "eval")))
    call = command(dataset, rerankers)
    (folder / "broken").mkdir()
    (folder / "whole").mkdir()
    parts = [run_once(call, folder / "broken", environment, stop_at) for stop_at in (*INTERRUPTS, None)]
    whole = run_once(call, folder / "whole", environment, None)
    return {
        "configurations": len(whole["figures"]),
        "interrupted": {
            "status": [one["status"] for one in parts],
            **{name: round(sum(one[name] for one in parts), 1) for name in ("wall_s", "processor_s")},
        },
        "whole": {name: whole[name] for name in ("status", "wall_s", "processor_s")},
        "same_figures": bool(whole["figures"]) and parts[-1]["figures"] == whole["figures"],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and writes JSON."""
    parser = argparse.ArgumentParser(description="A grid of 45, interrupted and resumed.")
    parser.add_argument("dataset")
    parser.add_argument("--questions", type=int)
    parser.add_argument("--tree", type=lambda text: Path(text).resolve())
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job hands down that it is ignored
    dataset = some_questions(read_dataset(chosen.dataset), Corpus.FILES, chosen.questions)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rerankers = [
            save_reranker(folder / f"reranker-{i}", seed=i, layers=chosen.layers, width=chosen.width) for i in (3, 4)
        ]
        written = write_questions(dataset.for_corpus(Corpus.FILES), folder / "dataset")
        found = measure(written, rerankers, folder, chosen.tree)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
