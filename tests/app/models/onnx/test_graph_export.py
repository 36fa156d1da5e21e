"""Making an ONNX graph that cannot be made: nothing of it stays, nor what a process that was killed left beside it."""

import pytest

from policy_rag.errors import ModelError
from policy_rag.models.onnx import graph_export
from policy_rag.models.onnx.graph_export import GraphKind, graph_file


@pytest.mark.parametrize("int8", [False, True])
def test_an_export_that_fails_is_named_and_leaves_nothing_and_nothing_of_one_that_was_killed(tmp_path, int8):
    cache, model = tmp_path / "cache", tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text('{"model_type": "no such type"}')
    place = graph_export._place("abc", cache, int8=False)
    ours = [cache / f".writing-{place.name}-{end}" for end in ("1", "x7_q")]
    others = [cache / f".writing-{graph_export._place('other', cache, int8=False).name}-1", cache / "other"]
    for folder in (*ours, *others):
        folder.mkdir(parents=True)
        (folder / "model.onnx.data").write_bytes(b"x" * 1000)
    with pytest.raises(ModelError, match="cannot be turned into an ONNX graph"):
        graph_file(model, "abc", cache, kind=GraphKind.EMBEDDING, int8=int8)
    assert sorted(path for path in cache.iterdir() if path.suffix != ".lock") == sorted(others)
