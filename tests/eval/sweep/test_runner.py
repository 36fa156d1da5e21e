"""No work twice: each stage once for each distinct input, kept, and gone on with after a break."""

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from small_dataset import WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import ModelError, PolicyRagError
from policy_rag.settings import load_settings
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.plan import plan
from policy_rag_eval.sweep.runner import SweepRunner
from policy_rag_eval.sweep.sweep import Sweep, sweep

GRID = {"search": ["vector", "and", "or", "weighted"], "reranker": ["none", "longest", "shortest"]}


class ByLength:
    """A reranker without weights that prefers long texts, or short ones. Counts the pairs that it scores."""

    blend = 1.0
    depth = None

    def __init__(self, name: str) -> None:
        self.fingerprint = name
        self.sign = 1.0 if name == "longest" else -1.0
        self.pairs: list[tuple[str, str]] = []
        self.breaks_at: int | None = None

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        for question, texts in questions:
            if self.breaks_at is not None and len(self.pairs) >= self.breaks_at:
                raise KeyboardInterrupt
            self.pairs += [(question, text) for text in texts if question != "?"]
        return [[self.sign * len(text) for text in texts] for _, texts in questions]


class Watched(WordHashes):
    """Counts the questions that it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        del progress
        self.embedded += len(texts)
        return super().embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += [text for text in texts if text != "?"]
        return super().embed_queries(texts)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Watched:
    made = Watched()
    monkeypatch.setattr("policy_rag.models.factory.load_embedder", lambda *_, **__: made)
    return made


@pytest.fixture
def rerankers(monkeypatch: pytest.MonkeyPatch) -> dict[str, ByLength]:
    made = {name: ByLength(name) for name in ("longest", "shortest")}

    def load(name: str, **_: object) -> ByLength | None:
        if name == "gone":
            raise ModelError("reranker gone: no such folder")
        return None if name == "none" else made[name]

    monkeypatch.setattr("policy_rag.models.factory.load_reranker", load)
    return made


def run(dataset: Dataset, index: Path, grid: dict[str, Any] = GRID, corpus: Corpus = Corpus.FILES) -> Sweep:
    return sweep(dataset, corpus, configurations(grid, {}), index)


def figures(evaluations: Sequence[Evaluation]) -> list[Any]:
    return [(e.name, e.rankings, e.returned, e.hits, e.scores, e.unanswerable) for e in evaluations]


def test_each_stage_is_run_once_for_each_distinct_input(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    found = run(dataset, tmp_path)
    assert len(found.evaluations) == 12
    asked = [question.text for question in dataset.for_corpus(Corpus.FILES).questions]
    assert model.embedded == 6  # the sections of the two documents and their titles, once
    assert sorted(model.asked) == sorted(asked)
    for reranker in rerankers.values():
        assert len(reranker.pairs) == len(set(reranker.pairs)) > 0


@pytest.mark.parametrize("corpus", list(Corpus))
def test_sharing_stages_changes_nothing_that_is_found(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength], corpus: Corpus
) -> None:
    grid = {
        "search": ["keyword", "vector", "and", "or", "weighted"],
        "reranker": ["none", "longest"],
        "candidates": [1, 50],
    }
    shared = {e.name: e for e in run(dataset, tmp_path / "shared", grid, corpus).evaluations}
    fitted = dataset.for_corpus(corpus)
    for configuration in configurations(grid, {}):
        assistant, _ = open_corpus(fitted, corpus, configuration.settings, tmp_path / "plain")
        with assistant, SweepRunner(fitted, corpus, tmp_path / "labels", 10) as runner:
            plain = assistant.search_many([question.request() for question in fitted.scored], top_k=10)
            ids = [question.question_id for question in fitted.scored]
            labels = [runner.gold.labels(key, result.hits) for key, result in zip(ids, plain, strict=True)]
        assert [*shared[configuration.name].rankings.values()] == labels, configuration.name


def test_a_second_sweep_reads_everything_back(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    first = run(dataset, tmp_path)
    counts = model.embedded, len(model.asked), len(rerankers["longest"].pairs)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("searched again")

    with monkeypatch.context() as context:
        context.setattr(PolicyAssistant, "search_many", never)
        again = run(dataset, tmp_path)
    assert figures(again.evaluations) == figures(first.evaluations)
    assert again.verdicts == first.verdicts
    assert [e.latencies_ms for e in again.evaluations] == [e.latencies_ms for e in first.evaluations]
    assert counts == (model.embedded, len(model.asked), len(rerankers["longest"].pairs))


def test_another_configuration_uses_what_is_kept(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    run(dataset, tmp_path, {"search": ["or", "and"], "reranker": ["longest"]})
    counts = model.embedded, len(model.asked), len(rerankers["longest"].pairs)
    run(dataset, tmp_path, {"search": ["weighted", "rrf"], "vector_weight": [0.5, 0.9], "reranker": ["longest"]})
    assert counts == (model.embedded, len(model.asked), len(rerankers["longest"].pairs))


def test_a_sweep_that_is_broken_off_goes_on_where_it_stopped(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    whole = run(dataset, tmp_path / "whole")
    pairs = {name: len(reranker.pairs) for name, reranker in rerankers.items()}
    counts = model.embedded, len(model.asked)
    breaks = 0
    for reranker in rerankers.values():
        reranker.pairs.clear()
        reranker.breaks_at = 3
    model.embedded, model.asked[:] = 0, []
    while True:
        try:
            broken = run(dataset, tmp_path / "broken")
            break
        except KeyboardInterrupt:
            breaks += 1
            for reranker in rerankers.values():
                reranker.breaks_at = len(reranker.pairs) + 3
    assert breaks > 2
    assert figures(broken.evaluations) == figures(whole.evaluations)
    assert {name: len(reranker.pairs) for name, reranker in rerankers.items()} == pairs
    assert (model.embedded, len(model.asked)) == counts


def test_what_decides_the_result_is_asked_again_when_it_changes(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    grid = {"search": ["or"], "reranker": ["longest"]}
    run(dataset, tmp_path, grid)
    pairs = len(rerankers["longest"].pairs)
    rerankers["longest"].fingerprint = "other weights"
    run(dataset, tmp_path, grid)
    assert len(rerankers["longest"].pairs) == 2 * pairs
    reworded = dataclasses.replace(dataset.questions[0], text="How long is the paid holiday?")
    changed = dataclasses.replace(dataset, questions=(reworded, *dataset.questions[1:]))
    before = len(model.asked)
    run(changed, tmp_path, grid)
    assert model.asked[before:] == ["How long is the paid holiday?"]
    model.fingerprint = "other weights"
    before = model.embedded
    run(dataset, tmp_path, grid)
    assert model.embedded == 2 * before


def test_a_day_that_passes_matters_only_where_documents_have_days(
    folder: Path, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    leave = folder / "documents" / "leave.md"
    dated = f"---\neffective_from: 2020-01-01\n---\n{leave.read_text()}"
    settings = load_settings({"search": "or"})

    def asked(dataset: Dataset, day: str) -> int:
        import datetime as dt

        fitted = dataset.for_corpus(Corpus.PASSAGES)
        today = dt.date.fromisoformat(day)
        before = len(kept)
        with SweepRunner(fitted, Corpus.PASSAGES, tmp_path / "days", 10, today=today) as runner:
            kept.add(runner._key(settings))
        return len(kept) - before

    kept: set[str] = set()
    plain = read_dataset(folder)
    assert [asked(plain, "2026-01-01"), asked(plain, "2026-01-02")] == [1, 0]
    leave.write_text(dated)
    assert [asked(read_dataset(folder), "2026-01-01"), asked(read_dataset(folder), "2026-01-02")] == [1, 1]


def test_a_model_that_is_not_there_is_skipped_and_named_and_looked_for_once(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    found = run(dataset, tmp_path, {"search": ["or", "vector"], "reranker": ["gone", "none"]})
    assert [e.name for e in found.evaluations] == ["search=or reranker=none", "search=vector reranker=none"]
    assert found.skipped == {
        "search=or reranker=gone": "reranker gone: no such folder",
        "search=vector reranker=gone": "reranker gone: no such folder",
    }
    with pytest.raises(ModelError, match="gone"):
        run(dataset, tmp_path, {"search": ["or", "vector"], "reranker": ["gone"]})


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"chunker": ["section", "fixed"]}, "unknown chunker 'fixed'"),
        ({"profile": [None, "nowhere.yaml"]}, "no heading profile 'nowhere.yaml'"),
        # Pieces have three quarters of the 40 tokens that there are for a chunk.
        ({"chunker": ["sentence"], "chunk_tokens": [40], "chunk_overlap": [29, 30]}, "overlap 30 and chunk size 30"),
    ],
)
def test_what_can_be_known_wrong_is_said_before_anything_is_measured(
    dataset: Dataset, tmp_path: Path, model: Watched, grid: dict[str, list[Any]], message: str
) -> None:
    began: list[str] = []
    with pytest.raises(PolicyRagError, match=message):
        sweep(dataset, Corpus.FILES, configurations(grid, {}), tmp_path, began=began.append)
    with pytest.raises(PolicyRagError, match=message):
        plan(dataset, Corpus.FILES, configurations(grid, {}), tmp_path)
    assert began == []
    assert model.embedded == 0


def test_the_order_of_a_grid_is_kept_though_those_of_one_index_run_together(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    began: list[str] = []
    made = configurations({"search": ["or", "vector"], "chunk_tokens": [50, 100]}, {})
    found = sweep(dataset, Corpus.FILES, made, tmp_path, began=began.append)
    assert [e.name for e in found.evaluations] == [c.name for c in made]
    assert [name.rpartition("=")[2] for name in began] == ["50", "50", "100", "100"]


def test_latencies_are_of_questions_asked_alone_and_count_what_others_computed(
    dataset: Dataset, tmp_path: Path, model: Watched, rerankers: dict[str, ByLength]
) -> None:
    found = run(dataset, tmp_path).evaluations
    for evaluation in found:
        latencies = evaluation.latencies_ms
        assert [*latencies][:5] == ["embed", "vector", "keyword_and_fusion", "rerank", "hits"]
        assert all(0 <= latency.median <= latency.p95 for latency in latencies.values())
        parts = [latency.median for step, latency in latencies.items() if step != "total"]
        assert latencies["total"].p95 >= max(parts)
        assert (latencies["rerank"].median > 0) == (evaluation.settings["reranker"] != "none")
        assert latencies["embed"].median > 0
    keyword = run(dataset, tmp_path, {"search": ["keyword"]}).evaluations[0]
    assert keyword.latencies_ms["embed"] == (0, 0)
