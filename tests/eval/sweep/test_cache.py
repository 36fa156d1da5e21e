"""What a sweep keeps on disk: whole or not at all, whatever happens."""

from pathlib import Path

import numpy as np
import pytest

from policy_rag_eval.errors import SweepCacheError
from policy_rag_eval.sweep.cache import ModelOutputs, read_cached, write_json


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_json(tmp_path / "deep", "key", {"q\udc80": [1, 0.1, None]})
    assert read_cached(tmp_path / "deep", "key") == {"q\udc80": [1, 0.1, None]}
    assert read_cached(tmp_path / "deep", "other") is None
    first = ModelOutputs(tmp_path / "rows")
    first.add(["a", "b"], np.array([[1, 2], [3, 4]], dtype=np.float32), 2.5)
    ModelOutputs(tmp_path / "rows").add(["c"], np.array([[5, 6]], dtype=np.float32), 1.0)  # another sweep meanwhile
    again = ModelOutputs(tmp_path / "rows")
    assert [again[key].tolist() for key in "abc"] == [[1, 2], [3, 4], [5, 6]]
    assert again["a"].dtype == np.float32
    assert [again.ms(key) for key in "abcd"] == [2.5, 2.5, 1.0, 0.0]
    assert "d" not in again


def test_what_cannot_be_read_counts_as_missing(tmp_path: Path) -> None:
    outputs = ModelOutputs(tmp_path)
    outputs.add(["a"], np.ones(1), 1.0)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"not an archive"):
        file.write_bytes(damaged)
        assert "a" not in ModelOutputs(tmp_path)
    (tmp_path / "key.json").write_text("{")
    assert read_cached(tmp_path, "key") is None


def test_a_full_disk_leaves_what_was_there_and_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = ModelOutputs(tmp_path)
    outputs.add(["a"], np.ones(1), 1.0)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(np, "savez", full)
        with pytest.raises(SweepCacheError, match=r"No space left.*goes on where it stopped"):
            outputs.add(["b"], np.ones(1), 1.0)
    assert len(list(tmp_path.iterdir())) == 1
    assert "a" in ModelOutputs(tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(SweepCacheError, match="--index"):
        write_json(blocked / "under", "key", 1)
