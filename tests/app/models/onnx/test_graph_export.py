"""Making an ONNX graph: what a process that was killed left beside it goes, and nothing of another graph."""

import pytest

from policy_rag.errors import ModelError
from policy_rag.models.onnx import graph_export
from policy_rag.models.onnx.graph_export import GraphKind, graph_file


@pytest.mark.parametrize("int8", [False, True])
def test_what_a_killed_export_left_is_removed_by_the_next_one(tmp_path, int8):
    cache, model = tmp_path / "cache", tmp_path / "no model"
    place = graph_export._place("abc", cache, int8=False)
    ours = [cache / f".writing-{place.name}-{end}" for end in ("1", "x7_q")]
    others = [cache / f".writing-{graph_export._place('other', cache, int8=False).name}-1", cache / "other"]
    for folder in (*ours, *others):
        folder.mkdir(parents=True)
        (folder / "model.onnx.data").write_bytes(b"x" * 1000)
    with pytest.raises(ModelError):
        graph_file(model, "abc", cache, kind=GraphKind.EMBEDDING, int8=int8)
    assert sorted(path for path in cache.iterdir() if path.is_dir()) == sorted(others)
