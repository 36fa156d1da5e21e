"""A document whose file cannot be taken in: what it keeps, and that it never stays open by mistake."""

import json
import os

import pytest
from ingested import failed, seen, written

from policy_rag.errors import UsageError
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.stored_documents import AccessStatus
from policy_rag.records.serialization import to_json

PAY = "# Pay\n\n## 1 Amount\n\nA car costs 45 pence a mile.\n"
LEAVE = "# Leave\n\n## 1 Amount\n\nThirty days a year.\n"
HTML = "<html><body><h1>Pay</h1><h2>1 Amount</h2><p>A car costs 45 pence a mile.</p></body></html>"


@pytest.fixture
def files(tmp_path):
    return written(tmp_path / "files", pay=PAY, leave=LEAVE)


def test_a_mistake_elsewhere_in_the_front_matter_keeps_the_old_text_and_says_so(assistant, files):
    assistant.ingest([files])
    (files / "pay.md").write_text("---\neffective_from: soon\n---\n" + PAY.replace("45", "50"))
    report = assistant.ingest([files])
    assert (report.kept, report.withheld) == (("pay.md",), ())
    assert failed(report)["pay.md"].endswith("; the index keeps its old text and answers from it")
    assert "45 pence" in assistant.search("car mile").hits[0].text
    assert to_json(report)["kept"] == ["pay.md"]
    assert "withheld" not in to_json(report)


def test_a_new_access_holds_at_once_for_the_old_text(assistant, files):
    assistant.ingest([files])
    (files / "pay.md").write_text("---\naccess: [hr]\neffective_from: soon\n---\n" + PAY)
    report = assistant.ingest([files])
    assert report.kept == ("pay.md",)
    assert failed(report)["pay.md"].endswith("; the index keeps its old text, from now on for hr only")
    assert (seen(assistant), seen(assistant, "hr")) == (["leave.md"], ["leave.md", "pay.md"])
    assert "pay.md" not in {h.doc_id for h in assistant.search("car mile").hits}
    assert verify(assistant.index).ok
    (files / "pay.md").write_text("---\naccess: [hr]\n---\n" + PAY)
    assert assistant.ingest([files]).updated == 1


@pytest.mark.parametrize(
    "text",
    [
        "---\naccess: [hr\n---\n" + PAY,
        "---\naccess:\n---\n" + PAY,
        "---\nacces: hr\n---\n" + PAY,
        "---\naccess: hr\n\n" + PAY,
        "\x00\x01\x02" * 50,
        "",
    ],
)
def test_where_access_cannot_be_read_nobody_may_read_the_old_text(assistant, files, text):
    assistant.ingest([files], prune=False)
    (files / "pay.md").write_text(text)
    for _ in range(2):
        report = assistant.ingest([files])
        assert (report.kept, report.withheld) == ((), ("pay.md",))
        assert failed(report)["pay.md"].endswith("withheld from everybody until then")
        assert seen(assistant, "hr") == ["leave.md"]
        assert {h.doc_id for h in assistant.search("car mile").hits} == {"leave.md"}
        with pytest.raises(UsageError, match="there is no document"):
            assistant.show("pay.md", groups=["hr"])
    assert verify(assistant.index).ok
    (files / "pay.md").write_text(PAY)
    report = assistant.ingest([files])
    assert (report.updated, report.embedded, report.withheld) == (1, 0, ())
    assert seen(assistant) == ["leave.md", "pay.md"]


def test_a_restricted_document_is_withheld_too_and_opens_to_its_groups_alone(assistant, files):
    (files / "pay.md").write_text(f"---\naccess: [hr]\n---\n{PAY}")
    assistant.ingest([files])
    (files / "pay.md").write_text(f"---\naccess: [board\n---\n{PAY}")
    assert assistant.ingest([files]).withheld == ("pay.md",)
    (document,) = [d for d in assistant.index.documents() if d.doc_id == "pay.md"]
    assert document.access == ("hr",)
    assert seen(assistant, "hr", "board") == ["leave.md"]
    # It opens to them again though the file is still broken elsewhere.
    (files / "pay.md").write_text("---\naccess: [hr]\neffective_from: soon\n---\n" + PAY)
    report = assistant.ingest([files])
    assert (report.kept, report.withheld) == (("pay.md",), ())
    assert (seen(assistant), seen(assistant, "hr")) == (["leave.md"], ["leave.md", "pay.md"])


def test_what_is_withheld_does_not_open_by_being_moved(assistant, files):
    assistant.ingest([files])
    (files / "pay.md").write_text("---\naccess: {}\n---\n" + PAY)
    assert assistant.ingest([files]).withheld == ("pay.md",)
    (files / "pay.md").unlink()
    (files / "wages.md").write_text(PAY)  # as it was before, and open to all
    report = assistant.ingest([files])
    assert "withheld from everybody: name it in" in failed(report)["wages.md"]
    assert seen(assistant) == ["leave.md"]


def test_a_format_that_declares_nothing_has_the_access_that_is_said_beside_it(assistant, files):
    (files / "pay.html").write_text(HTML)
    assistant.ingest([files])
    (files / "pay.html").write_bytes(b"")
    assert assistant.ingest([files]).kept == ("pay.html",)
    assert "pay.html" in seen(assistant)
    (files / "policies.yaml").write_text("pay.html: {access: [hr]}")
    assert assistant.ingest([files]).kept == ("pay.html",)
    assert "pay.html" not in seen(assistant)
    assert "pay.html" in seen(assistant, "hr")


def test_a_broken_policies_yaml_closes_its_folder_though_nothing_can_be_taken_in(assistant, files):
    assistant.ingest([files])
    (files / "policies.yaml").write_text("pay.md: {access: [hr]\n")
    with pytest.raises(UsageError, match="withheld from everybody until then"):
        assistant.ingest([files])
    assert seen(assistant, "hr") == []
    (files / "policies.yaml").write_text("pay.md: {access: [hr]}\n")
    assert assistant.ingest([files]).updated == 2
    assert (seen(assistant), seen(assistant, "hr")) == (["leave.md"], ["leave.md", "pay.md"])


def test_an_entry_that_names_no_file_closes_what_it_may_mean(assistant, files):
    assistant.ingest([files])
    (files / "policies.yaml").write_text("Pay.md: {access: [hr]}\n")
    report = assistant.ingest([files])
    assert (report.withheld, report.unchanged) == (("pay.md",), 1)
    assert seen(assistant, "hr") == ["leave.md"]
    (files / "policies.yaml").write_text("wages.md: {access: [hr]}\n")
    with pytest.raises(UsageError, match=r"restricts 'wages\.md' to hr"):
        assistant.ingest([files])
    assert seen(assistant, "hr") == []
    (files / "policies.yaml").write_text("pay.md: {access: [hr]}\n")
    assert assistant.ingest([files]).embedded == 0
    assert (seen(assistant), seen(assistant, "hr")) == (["leave.md"], ["leave.md", "pay.md"])


def test_what_is_withheld_is_no_neighbour_of_a_file_that_is_gone(assistant, files):
    (files / "policies.yaml").write_text("wages.md: {access: [hr]}\n")
    with pytest.raises(UsageError):
        assistant.ingest([files])
    (files / "wages.md").write_text("# Wages\n\nNo more than before.\n")
    assert assistant.ingest([files]).added == 3
    (files / "leave.md").write_text("---\naccess: [\n---\n")
    assistant.ingest([files])
    (files / "wages.md").unlink()
    (files / "leave.md").write_text(LEAVE)
    report = assistant.ingest([files])
    assert (report.withheld, seen(assistant)) == (("leave.md",), ["pay.md"])


def test_a_file_that_is_no_longer_found_is_kept_and_told_of(assistant, files):
    assistant.ingest([files])
    (files / "pay.md").unlink()
    (files / "pay.md").symlink_to(files / "leave.md")
    report = assistant.ingest([files], prune=True)
    assert (report.kept, report.removed) == (("pay.md",), 0)
    assert failed(report)["pay.md"].startswith("the same as ")


def test_a_file_that_cannot_be_reached_is_not_taken_for_gone(assistant, files, monkeypatch):
    assistant.ingest([files])
    (document,) = [d for d in assistant.documents() if d.doc_id == "pay.md"]
    assert not document.is_gone()
    (files / "pay.md").unlink()
    assert document.is_gone()

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refused)
    assert not document.is_gone()


def test_a_folder_that_was_moved_does_not_hide_that_a_file_became_unreadable(assistant, files):
    assistant.ingest([files])
    moved = files.rename(files.with_name("moved"))
    (moved / "pay.md").write_text("---\naccess: [hr\n---\n")
    report = assistant.ingest([moved])
    assert (report.withheld, report.unchanged) == (("pay.md",), 1)
    assert seen(assistant, "hr") == ["leave.md"]


@pytest.mark.parametrize(
    "status", [AccessStatus(), AccessStatus(("hr", "board")), AccessStatus((), "why"), AccessStatus(("hr",), "ü")]
)
def test_an_access_status_is_read_as_it_was_written(status):
    assert AccessStatus.decoded(status.encoded()) == status
    groups = json.loads(status.encoded())
    assert isinstance(groups, dict) is bool(status.withheld), "an older reader takes the keys for groups: closed"
