"""Every chunker from the command line to a hit, with the model that comes with the project."""

import json
from pathlib import Path

import pytest

from policy_rag.cli import run
from policy_rag_parsers.chunkers import Chunker

TRAVEL = """# Travel Policy

## 1. Scope

This policy applies to all staff. It does not apply to contractors, who are paid by their own firm.

## 2. Hotels

Hotels cost at most 120 euros a night. The line manager approves what is above that.

### 2.1 Exceptions

| City | Limit |
| --- | --- |
| Paris | 180 |
| Rome | 150 |
"""


@pytest.mark.parametrize("chunker", list(Chunker))
def test_each_chunker_ends_in_hits_that_quote_the_file(
    chunker: Chunker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "travel.md"
    file.write_text(TRAVEL, encoding="utf-8")
    index = str(tmp_path / "index")
    assert run(["ingest", str(file), "--chunker", chunker.value, "--index", index, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["added"] == 1
    assert report["embedded"] == report["chunks"] >= 1
    assert run(["search", "How much may a hotel cost a night?", "--index", index, "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert "120 euros" in hits[0]["text"]
    assert all(hit["text"] == TRAVEL[hit["start"] : hit["end"]] for hit in hits)


def test_an_unknown_chunker_is_answered_with_the_known_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "travel.md"
    file.write_text(TRAVEL, encoding="utf-8")
    assert run(["ingest", str(file), "--chunker", "paragraphs", "--index", str(tmp_path / "index")]) == 2
    said = capsys.readouterr().err
    assert "'paragraphs'" in said
    assert all(chunker.value in said for chunker in Chunker)
