"""`policy-rag eval changes` as it is called: which questions a new version touches, and what cannot be told."""

from pathlib import Path

import pytest
from command import Cli
from small_dataset import TRAVEL, WordHashes

from policy_rag.assistant import PolicyAssistant

NEW = TRAVEL.replace("120 euros", "140 euros").replace("## 2. Hotels", "## 3. Hotels")


@pytest.fixture
def two_versions(folder: Path, model: WordHashes, tmp_path: Path) -> str:
    """The data set's documents and a new version of one of them in an index."""
    (tmp_path / "new.md").write_text(NEW, encoding="utf-8")
    with PolicyAssistant.open(tmp_path / "index", create=True) as assistant:
        assistant.ingest([folder / "documents", tmp_path / "new.md"])
    return str(tmp_path / "index")


def test_a_question_is_told_with_its_clause_in_both_versions(folder: Path, two_versions: str, cli: Cli) -> None:
    call = ["eval", "changes", folder, "travel.md", "new.md", "--index", two_versions]
    assert cli(*call).out.splitlines() == [
        "answer: q4 What may a hotel room cost, and how do I travel? (2 -> 3: changed and renumbered)",
        "1 of 6 questions are affected",
    ]
    found = cli(*call, "--json").json
    assert [(one["question_id"], one["effect"]) for one in found["affected"]] == [("q4", "answer")]
    assert found["questions"] == 6


def test_the_old_version_is_one_of_the_data_set(folder: Path, two_versions: str, cli: Cli) -> None:
    err = cli("eval", "changes", folder, "new.md", "travel.md", "--index", two_versions, status=2).err
    assert "has no document 'new.md': name one of its own as OLD" in err
