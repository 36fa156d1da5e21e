"""`policy-rag eval changes` as it is called: which questions a new version touches, and what cannot be told."""

import json
from pathlib import Path

import pytest
from small_dataset import TRAVEL, WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run

NEW = TRAVEL.replace("120 euros", "140 euros").replace("## 2. Hotels", "## 3. Hotels")


@pytest.fixture
def two_versions(folder: Path, model: WordHashes, tmp_path: Path) -> str:
    """The data set's documents and a new version of one of them in an index."""
    (tmp_path / "new.md").write_text(NEW, encoding="utf-8")
    with PolicyAssistant.open(tmp_path / "index", create=True) as assistant:
        assistant.ingest([folder / "documents", tmp_path / "new.md"])
    return str(tmp_path / "index")


def test_a_question_is_told_with_its_clause_in_both_versions(
    folder: Path, two_versions: str, capfd: pytest.CaptureFixture[str]
) -> None:
    call = ["eval", "changes", str(folder), "travel.md", "new.md", "--index", two_versions]
    assert run(call) == 0
    assert capfd.readouterr().out.splitlines() == [
        "answer: q4 What may a hotel room cost, and how do I travel? (2 -> 3: changed and renumbered)",
        "1 of 6 questions are affected",
    ]
    assert run([*call, "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [(one["question_id"], one["effect"]) for one in found["affected"]] == [("q4", "answer")]
    assert found["questions"] == 6


def test_the_old_version_is_one_of_the_data_set(
    folder: Path, two_versions: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", "changes", str(folder), "new.md", "travel.md", "--index", two_versions]) == 2
    assert "has no document 'new.md': name one of its own as OLD" in capfd.readouterr().err
