"""The benchmark of metadata measures what it says, and says what is wrong."""

from pathlib import Path

import pytest

from benchmarks.metadata import main, measure_offline, measure_wire
from policy_rag_eval.data.dataset import find_dataset
from policy_rag_parsers.metadata.extraction_results import Kind


def test_the_offline_route_over_the_sample_company() -> None:
    cost = measure_offline(find_dataset("brannholt"), embed=False)
    assert cost.passages > 50
    assert cost.seconds > 0
    assert set(cost.by_kind) == {kind.value for kind in Kind}
    assert cost.embedding_seconds is None


def test_the_wire_is_asked_one_by_one_and_together(capsys: pytest.CaptureFixture[str]) -> None:
    cost = measure_wire(sections=4, milliseconds=1.0, concurrency=2)
    assert (cost.sections, cost.concurrency) == (4, 2)
    assert cost.one_by_one > 0.004  # four replies of at least a millisecond each
    assert cost.times_faster == cost.one_by_one / cost.together
    assert main(["wire", "--sections", "2", "--milliseconds", "1"]) == 0
    assert capsys.readouterr().out.startswith("2 sections, 1 ms a call: ")


def test_what_cannot_be_measured_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["offline", str(tmp_path / "nowhere")]) == 2
    assert main(["wire", "--sections", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
