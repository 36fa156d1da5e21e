"""A folder that is ingested in parts: each file is one document, under one name, with the access that is said of it."""

import pytest
from ingested import seen, written

from policy_rag.errors import UsageError
from policy_rag.index.maintenance.verify import verify

PAY = "# Pay\n\n## 1 Bonus\n\nA bonus of 1,000 euros is paid in December.\n"
LEAVE = "# Leave\n\n## 1 Amount\n\nThirty days a year.\n"


@pytest.fixture
def files(tmp_path):
    return written(tmp_path / "files", hr__pay=PAY, leave=LEAVE)


def restrict(files):
    (files / "policies.yaml").write_text("hr/pay.md:\n  access: [hr]\n")


@pytest.mark.parametrize("part", ["hr", "hr/pay.md"])
def test_a_part_of_a_folder_that_the_index_holds_keeps_names_and_access(assistant, files, part):
    restrict(files)
    assistant.ingest([files])
    hours = "# Hours\n\n## 1 Core\n\nFrom ten to three.\n"
    written(files, hr__pay=PAY.replace("1,000", "3,000"), hr__hours=hours)
    report = assistant.ingest([files / part])
    added = part == "hr"
    assert (report.added, report.updated, report.removed) == (added, 1, 0)
    assert f"the index holds documents of {files}" in report.notes[0]
    assert seen(assistant) == ["hr/hours.md", "leave.md"][not added :]
    assert seen(assistant, "hr") == ["hr/hours.md", "hr/pay.md", "leave.md"][not added :]
    assert "3,000" in assistant.search("bonus", groups=["hr"]).hits[0].text
    assert verify(assistant.index).ok


def test_a_part_is_read_where_the_call_is_made(assistant, files, monkeypatch):
    restrict(files)
    assistant.ingest([files])
    (files / "hr" / "pay.md").write_text(PAY.replace("1,000", "3,000"))
    monkeypatch.chdir(files / "hr")
    assert assistant.ingest(["pay.md"]).updated == 1
    assert (seen(assistant), seen(assistant, "hr")) == (["leave.md"], ["hr/pay.md", "leave.md"])


def test_a_folder_whose_part_came_first_holds_each_file_once(assistant, files):
    assistant.ingest([files / "hr"])
    restrict(files)
    report = assistant.ingest([files])
    assert (report.added, report.updated, report.documents) == (1, 1, 2)
    assert report.notes == ("pay.md is the same file as hr/pay.md, and known by that name now",)
    assert (seen(assistant), seen(assistant, "hr")) == (["leave.md"], ["hr/pay.md", "leave.md"])
    assert assistant.ingest([files]).unchanged == 2
    assert verify(assistant.index).ok


def test_what_is_restricted_above_the_part_is_not_taken_in_without_it(assistant, files):
    restrict(files)
    with pytest.raises(UsageError, match=rf"restricts 'hr/pay.md' to hr, and only {files / 'hr'} is ingested: ingest"):
        assistant.ingest([files / "hr"])
    (files / "hr" / "policies.yaml").write_text("pay.md:\n  access: [pay]\n")
    assistant.ingest([files / "hr"])
    assert (seen(assistant), seen(assistant, "pay")) == ([], ["pay.md"])


def test_a_file_beside_a_folder_does_not_rename_what_is_in_it(assistant, files):
    assistant.ingest([files / "hr"])
    assistant.ingest([files / "leave.md"])
    assert assistant.ingest([files / "hr"]).unchanged == 1
    assert seen(assistant) == ["leave.md", "pay.md"]


def test_files_of_the_same_contents_are_all_known_in_their_new_places(assistant, files):
    (files / "copy.md").write_text(LEAVE)
    assistant.ingest([files])
    (files / "all").mkdir()
    for name in ("leave.md", "copy.md"):
        (files / name).rename(files / "all" / name)
    report = assistant.ingest([files])
    assert (report.added, report.unchanged, report.gone) == (0, 3, ())
    assert seen(assistant) == ["all/copy.md", "all/leave.md", "hr/pay.md"]


def test_a_part_is_pruned_by_itself(assistant, files):
    (files / "hr" / "old.md").write_text("# Fax\n\n## 1 Fax\n\nBy post.\n")
    assistant.ingest([files])
    (files / "hr" / "old.md").unlink()
    (files / "leave.md").unlink()
    report = assistant.ingest([files / "hr"], prune=True)
    assert (report.removed, report.gone) == (1, ())
    assert seen(assistant) == ["hr/pay.md", "leave.md"]


def test_a_folder_whose_disk_is_away_is_not_pruned(assistant, files):
    assistant.ingest([files])
    away = files.rename(files.with_name("away"))
    files.mkdir()
    with pytest.raises(UsageError, match=r"see whether its disk is there"):
        assistant.ingest([files], prune=True)
    files.rmdir()
    away.rename(files)
    assert assistant.ingest([files], prune=True).unchanged == 2


def test_what_stays_of_a_folder_that_is_not_there_any_more_is_told(assistant, files):
    assistant.ingest([files])
    moved = files.rename(files.with_name("moved"))
    (moved / "leave.md").unlink()
    report = assistant.ingest([moved], prune=True)
    assert (report.unchanged, report.removed, report.documents) == (1, 0, 2)
    assert [note.partition(";")[0] for note in report.notes] == [
        f"{files} is not there, and what was read from it still answers: leave.md"
    ]
    assistant.remove(["leave.md"])
    assert assistant.ingest([moved], prune=True).notes == ()
