"""A file is there whole, or as it was."""

import os

import pytest

from policy_rag.whole_files import written_whole


@pytest.mark.parametrize("durable", [False, True])
def test_what_was_begun_is_not_seen(tmp_path, monkeypatch, durable):
    waited = []
    monkeypatch.setattr(os, "fsync", waited.append)
    file = tmp_path / "a.json"
    file.write_text("old")
    with written_whole(file, durable=durable) as beside:
        beside.write_text("new")
        assert file.read_text() == "old"
    assert file.read_text() == "new"
    assert len(waited) == durable
    (tmp_path / "there").mkdir()
    with pytest.raises(IsADirectoryError), written_whole(tmp_path / "there", durable=durable) as beside:
        beside.write_text("ne")
    (tmp_path / "there").rmdir()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.json", "new")]
