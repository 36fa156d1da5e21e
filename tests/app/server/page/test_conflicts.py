"""Contradictions in the browser: both places are shown, of what the caller may read alone."""

from policy_rag.answering import conflicts

TEXTS = {
    "abroad.md": "# Abroad\n\n## 1 Days\n\nEmployees may work from another country of the EU for up to 20 working days in a calendar year.\n",
    "note.md": "---\naccess: [hr]\n---\n# Note\n\n## 1 Days\n\nEmployees may work from another country of the EU for up to 30 working days in a calendar year.\n",
}


def test_who_may_read_both_places_is_shown_them_and_that_is_worked_out_once(
    changeable, tmp_path, as_caller, monkeypatch
):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    changeable.ingest([tmp_path / name for name in TEXTS])
    made, work_out = [], conflicts.find_conflicts

    def counted(documents, *rest):
        made.append(len(documents))
        return work_out(documents, *rest)

    monkeypatch.setattr(conflicts, "find_conflicts", counted)
    first = as_caller("hr").get("/conflicts/list").text
    assert "20 against 30" in first
    assert first.count("data-reader>") == 2
    assert as_caller("hr", "choir").get("/conflicts/list").text == first, "nothing more is for the choir"
    assert len(made) == 1
    outside = as_caller().get("/conflicts/list").text
    assert "No contradiction was found" in outside, "one place alone is none"
    assert "30" not in outside
    assert len(made) == 2
    changeable.remove(["note.md"], groups=["hr"])
    assert "20 against 30" not in as_caller("hr").get("/conflicts/list").text
    assert len(made) == 3


def test_the_frame_asks_for_the_list_of_the_same_day(client):
    assert 'hx-get="/conflicts/list?as_of=2026-02-01"' in client.get("/conflicts?as_of=2026-02-01").text
    got = client.get("/conflicts?as_of=soon")
    assert got.status_code == 400
    assert "write it as 2026-01-31" in got.text
