"""What an ingest says of a file that it takes in, beside taking it in."""

import pytest


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("# Travel\n\nVersion 3.1 (draft)\n", True),
        ("---\nstatus: draft\n---\n# Travel\n", True),
        ("# Travel\n\nDraft\n\nIn force from 1 March 2027\n", False),
        ("# Travel\n\nDrafted by HR\n", False),
    ],
)
def test_a_draft_without_a_day_is_told(assistant, tmp_path, head, told):
    (tmp_path / "travel.md").write_text(f"{head}\n## 1 Trains\n\nTrains are booked in second class.\n")
    notes = assistant.ingest([tmp_path / "travel.md"]).notes
    assert [note.startswith("travel.md: calls itself a draft") for note in notes] == [True] * told


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("# Travel\n\nIssue 5, valid from 01/09/2025\n", True),
        ("# Travel\n\nIssue 5, valid from 25/09/2025\n", False),
        ("# Travel\n\nIssue 5 | Next review: 01/09/2026\n", False),
        ("---\neffective_from: 2025-09-01\n---\n# Travel\n\nValid from 01/09/2025\n", False),
    ],
)
def test_a_day_that_may_be_two_is_told(assistant, tmp_path, head, told):
    (tmp_path / "travel.md").write_text(f"{head}\n## 1 Trains\n\nTrains are booked in second class.\n")
    notes = assistant.ingest([tmp_path / "travel.md"]).notes
    assert ["01/09/2025, which may be two days" in note for note in notes] == [True] * told
