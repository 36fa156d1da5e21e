"""The benchmark of statements: what it counts, and that each is held against the place it names."""

import json
from pathlib import Path

import pytest
from small_dataset import LEAVE, jsonl, place, small_dataset

from benchmarks.statements import figures, main
from policy_rag.records.statement import StatementVerdict as Verdict


def row(label: str, verdict: Verdict, score: float, kind: str = "any") -> dict[str, object]:
    return {"label": label, "kind": kind, "verdict": verdict, "score": score}


def test_shares_of_true_and_false_and_the_area_of_the_score() -> None:
    found = figures(
        [
            row("supported", Verdict.SUPPORTED, 0.9),
            row("supported", Verdict.DOUBTFUL, 0.4),
            row("unsupported", Verdict.DOUBTFUL, 0.5, "number"),
            row("unsupported", Verdict.UNSUPPORTED, 0.1, "number"),
        ]
    )
    assert [found["true"][one][0] for one in ("supported", "doubtful", "unsupported")] == [0.5, 0.5, 0.0]
    assert [found["false"][one][0] for one in ("supported", "doubtful", "unsupported")] == [0.0, 0.5, 0.5]
    assert found["kinds"]["number"]["statements"] == 2
    assert found["roc"] == 0.75  # of the four pairs three are in order


def test_a_statement_is_held_against_its_own_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small_dataset(tmp_path / "small")
    said = "Employees have thirty days of paid holiday a year."
    rows = [
        {"statement": said, "kind": label, "label": label, **{k: where[k] for k in ("file", "start", "end")}}
        for label, where in (
            ("supported", place("leave.md", LEAVE, said)),
            ("unsupported", place("leave.md", LEAVE, "A doctor's note is needed from the third day of sickness.")),
        )
    ]
    jsonl(tmp_path / "statements.jsonl", rows)
    main([str(folder), str(tmp_path / "statements.jsonl"), "--cache", str(tmp_path / "cache")])
    found = json.loads(capsys.readouterr().out)
    assert found["true"]["supported"][0] == 1.0
    assert found["false"]["supported"][0] == 0.0
