"""Every chunker from a file to a hit."""

from itertools import pairwise

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import IndexingError
from policy_rag.index.ingest import file_reader
from policy_rag.index.ingest.reader_process import reader_process
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.settings import load_settings
from policy_rag_parsers.chunking import Chunker

TRAVEL = """# Travel Policy

## 1. Scope

This policy applies to all staff. It does not apply to contractors, who are paid by their own firm.

## 2. Hotels

Hotels cost at most 120 euros a night. The line manager approves what is above that.

### 2.1 Exceptions

| City | Limit |
| --- | --- |
| Paris | 180 |
| Rome | 150 |
"""


@pytest.fixture
def travel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "travel.md").write_text(TRAVEL, encoding="utf-8")
    return tmp_path / "travel.md"


@pytest.fixture
def one_process(monkeypatch):
    """One process reads for all chunkers and has room for the libraries of all, so that it imports them once."""
    monkeypatch.setattr(file_reader, "reader_process", lambda *_: reader_process(16_000))


@pytest.mark.parametrize("chunker", list(Chunker))
def test_each_chunker_ends_in_hits_that_quote_the_file(chunker, travel, assistant, one_process):
    assistant.settings = load_settings({"chunker": chunker.value})
    report = assistant.ingest([travel])
    assert report.added == 1
    assert report.embedded == report.chunks >= 1
    hits = assistant.search("How much may a hotel cost a night?").hits
    assert "120 euros" in hits[0].text
    assert all(hit.text == TRAVEL[hit.start : hit.end] for hit in hits)


def test_pieces_repeat_as_much_as_the_index_was_made_with(tmp_path, travel, embedder, one_process, monkeypatch):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    shared = {}
    for overlap in (0, 12):
        changes = {"chunker": "token", "chunk_tokens": 32, "chunk_overlap": overlap}
        with PolicyAssistant.open(tmp_path / str(overlap), create=True, **changes) as assistant:
            assistant.ingest([travel])
            hits = sorted(assistant.search("hotels", top_k=50, candidates=50).hits, key=lambda hit: hit.start)
        shared[overlap] = sum(max(0, one.end - next_.start) for one, next_ in pairwise(hits))
    assert shared[0] == 0
    assert shared[12] > 20
    with (
        PolicyAssistant.open(tmp_path / "12", chunk_overlap=3) as assistant,
        pytest.raises(IndexingError, match="chunk_overlap=12, not 3"),
    ):
        assistant.ingest([travel])
    with PolicyAssistant.open(tmp_path / "12") as assistant:  # what is not asked for is as the index has it
        assert assistant.ingest([travel]).unchanged == 1


def test_an_unknown_chunker_is_answered_with_the_known_ones(tmp_path, travel, capsys):
    assert run(["ingest", str(travel), "--chunker", "paragraphs", "--index", str(tmp_path / "index")]) == 2
    said = capsys.readouterr().err
    assert "'paragraphs'" in said
    assert all(chunker.value in said for chunker in Chunker)


@pytest.fixture
def judged(assistant, ollama):
    assistant.settings = load_settings({"chunker": "llm-context", "llm": "ollama/llama3.2"})
    return assistant


@pytest.mark.parametrize("same", [True, False])
def test_an_llm_says_what_stays_together(same, travel, judged, ollama):
    ollama.replies = [f'```json\n{{"same": {str(same).lower()}}}\n```']
    report = judged.ingest(["travel.md"])
    asked = ollama.chats
    assert report.chunks == (1 if same else len(asked) + 1)
    assert "<section>" in asked[0]["messages"][-1]["content"]
    with PolicyAssistant.open("index") as assistant:
        assert assistant.manifest_for_ingest().judge == "ollama/llama3.2"
        travel.write_text(TRAVEL + "\nBreakfast is included.\n", encoding="utf-8")
        assert assistant.ingest(["travel.md"]).updated == 1


def test_a_reply_that_decides_nothing_costs_the_file_only(travel, judged, ollama):
    travel.with_name("short.md").write_text("One paragraph alone needs no judge.\n", encoding="utf-8")
    ollama.replies = ["I cannot say."]
    report = judged.ingest(["travel.md", "short.md"])
    assert report.added == 1
    (skipped,) = report.skipped
    assert skipped.failed
    assert "replied 'I cannot say.'" in skipped.reason
    assert "llm = extractive" in skipped.reason
