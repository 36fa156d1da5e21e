"""Others' retrievers beside ours, as far as they are installed."""

import json
from pathlib import Path

import pytest
from small_dataset import WordHashes

from benchmarks import peers

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.mark.parametrize("corpus", ["files", "passages"])
def test_llama_index_stands_beside_ours(
    folder: Path,
    model: WordHashes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    corpus: str,
) -> None:
    monkeypatch.setattr(peers, "_installed", lambda _: None)
    monkeypatch.setattr(peers, "OURS", {"ours": {"search": "vector", "reranker": "none"}})
    page = tmp_path / "page.html"
    peers.main([str(folder), "--corpus", corpus, "--index", str(tmp_path / "i"), "--page", str(page)])
    said = json.loads(capsys.readouterr().out)
    assert {one["configuration"] for one in said["retrievers"]} == {"ours", "LlamaIndex, vector"}
    assert all(one["ms"] >= 0 and one["ndcg@10"] > 0.3 for one in said["retrievers"])
    assert said["headline"] in page.read_text().replace("&#x27;", "'")
