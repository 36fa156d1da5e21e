"""Others' retrievers beside ours, as far as they are installed."""

import json
from pathlib import Path

import pytest
from small_dataset import WordHashes

from benchmarks import autorag_steps, peers

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(autouse=True)
def one_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_installed", lambda _: None)
    monkeypatch.setattr(peers, "OURS", {"ours": {"search": "vector", "reranker": "none"}})


@pytest.mark.parametrize("corpus", ["files", "passages"])
def test_llama_index_stands_beside_ours(
    folder: Path, model: WordHashes, tmp_path: Path, capsys: pytest.CaptureFixture[str], corpus: str
) -> None:
    page = tmp_path / "page.html"
    peers.main([str(folder), "--corpus", corpus, "--index", str(tmp_path / "i"), "--page", str(page)])
    said = json.loads(capsys.readouterr().out)
    assert {one["configuration"] for one in said["retrievers"]} == {"ours", "LlamaIndex, vector"}
    assert all(one["ms"] >= 0 and one["ndcg@10"] > 0.3 for one in said["retrievers"])
    assert said["headline"] in page.read_text().replace("&#x27;", "'")


def test_another_tool_gets_the_lists_and_its_runs_stand_beside_ours(
    folder: Path, model: WordHashes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, run, options = tmp_path / "lists.json", tmp_path / "theirs.run", ["--corpus", "passages"]
    peers.main([str(folder), *options, "--lists", str(lists)])
    given = json.loads(lists.read_text())
    assert set(given["vector"]) == set(given["questions"])
    for found in given["vector"].values():
        assert {name for name, _ in found} <= set(given["passages"])
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    autorag_steps.write(run, given["questions"], [[name for name, _ in found] for found in given["vector"].values()])
    peers.main([str(folder), *options, "--index", str(tmp_path / "i"), "--run", f"theirs={run}"])
    ndcg = {one["configuration"]: one["ndcg@10"] for one in json.loads(capsys.readouterr().out)["retrievers"]}
    assert ndcg["theirs"] == ndcg["LlamaIndex, vector"]
