"""The original of a document is given only while it is the file that was taken in, where it was taken in."""

from pathlib import Path

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import UsageError

POLICY = b"# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n"


@pytest.fixture
def folder(assistant, tmp_path: Path) -> Path:
    """A folder with an open and a restricted policy, taken in."""
    inside = tmp_path / "policies" / "hr"
    inside.mkdir(parents=True)
    (inside / "leave.md").write_bytes(POLICY)
    (inside / "pay.md").write_bytes(b"---\naccess: [hr]\n---\n# Pay\n\nSalaries are paid on the 25th.\n")
    assistant.ingest([tmp_path / "policies"])
    return tmp_path / "policies"


def test_the_file_that_was_taken_in_is_given(assistant, folder):
    assert assistant.original("hr/leave.md") == POLICY


def test_a_file_named_by_itself_is_given(assistant, tmp_path):
    (tmp_path / "leave.md").write_bytes(POLICY)
    assistant.ingest([tmp_path / "leave.md"])
    assert assistant.original("leave.md") == POLICY


def linked_elsewhere(file):
    """The same bytes, but where nobody said that they may be read."""
    file.rename(file.parents[2] / "elsewhere.md")
    file.symlink_to(file.parents[2] / "elsewhere.md")


CHANGES = {
    "changed": lambda file: file.write_bytes(POLICY.replace(b"28", b"30")),
    "gone": lambda file: file.unlink(),
    "linked elsewhere": linked_elsewhere,
    "said to be another group's": lambda file: (file.parent / "policies.yaml").write_text(
        "leave.md: {access: [board]}"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_no_longer_what_was_taken_in_is_not_given(assistant, folder, change):
    change(folder / "hr" / "leave.md")
    assert assistant.original("hr/leave.md") is None


def test_a_file_of_more_than_may_be_read_is_not(assistant, folder):
    (folder / "big.html").write_bytes(b"<h1>Leave</h1><p>It is 28 days.</p><!--" + b"a" * 1_100_000 + b"-->")
    assistant.ingest([folder])
    assert len(assistant.original("big.html")) > 1_100_000
    narrow = PolicyAssistant(assistant.index, assistant.settings.changed({"file_megabytes": 1}))
    assert narrow.original("big.html") is None


def test_who_may_not_read_it_is_told_what_is_told_of_none(assistant, folder):
    assert assistant.original("hr/pay.md", groups=["hr"]) is not None
    with pytest.raises(UsageError) as hidden:
        assistant.original("hr/pay.md")
    with pytest.raises(UsageError) as missing:
        assistant.original("hr/none.md")
    assert str(hidden.value).replace("pay", "none") == str(missing.value)
