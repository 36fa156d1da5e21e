"""The command is interrupted at the configuration that is asked for, and its status, seconds and figures are told."""

import os
import sys
from pathlib import Path

import pytest

from benchmarks.large_grid import command, run_once

PROGRAM = """
import json, sys, time
try:
    for n in range(4):
        print(f"running {n}", file=sys.stderr, flush=True)
        time.sleep(WAIT if n == 1 else 0)
except KeyboardInterrupt:
    sys.exit(130)
print(json.dumps({"configurations": [{"name": "a", "measures": {"ndcg@10": {"mean": 0.5, "low": 0, "high": 1}}}]}))
"""


def test_a_command_is_interrupted_where_it_is_asked_to(tmp_path: Path) -> None:
    call = [sys.executable, "-c", PROGRAM.replace("WAIT", "60")]
    found = run_once(call, tmp_path, dict(os.environ), 2)
    assert (found["status"], found["figures"]) == (130, {})
    assert found["wall_s"] < 60


def test_a_command_that_is_let_run_tells_its_figures(tmp_path: Path) -> None:
    found = run_once([sys.executable, "-c", PROGRAM.replace("WAIT", "0")], tmp_path, dict(os.environ), None)
    assert (found["status"], found["figures"]) == (0, {"a": {"ndcg@10": 0.5}})
    assert found["processor_s"] >= 0


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    call = [sys.executable, "-c", "import sys; sys.exit('no such thing')"]
    with pytest.raises(SystemExit, match="the command ended with 1: no such thing"):
        run_once(call, tmp_path, dict(os.environ), None)


def test_the_grid_has_45_configurations() -> None:
    grids = [one.split("=")[1].split(",") for one in command(Path("d"), ["a", "b"]) if "=" in one and "," in one]
    assert [len(values) for values in grids] == [3, 5, 3]
