"""The benchmark of sweeps counts what a sweep and its stages do."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from small_dataset import WordHashes

from benchmarks.sweeps import measure_scratch, measure_stages, some_questions
from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.data.reader import read_dataset
from policy_rag_eval.sweep.grids import configurations


class Lengths:
    """A reranker without weights; counts the pairs that it scores."""

    fingerprint = "lengths"

    def __init__(self) -> None:
        self.pairs = 0

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.pairs += sum(len(texts) for question, texts in questions if question != "?")
        return [[float(len(text)) for text in texts] for _, texts in questions]


@pytest.mark.parametrize("corpus", list(Corpus))
def test_the_sweep_scores_the_pairs_that_its_stages_have_and_scratch_many_more(
    folder: Path, tmp_path: Path, model: WordHashes, monkeypatch: pytest.MonkeyPatch, corpus: Corpus
) -> None:
    made = Lengths()
    load = {"none": None, "lengths": made}.get
    monkeypatch.setattr("policy_rag.models.reranker.load_reranker", lambda name, **_: load(name))
    dataset = some_questions(read_dataset(folder), corpus, 3)
    grid = configurations({"search": ["vector", "and", "or"], "reranker": ["none", "lengths"]}, {})
    found = measure_stages(dataset, corpus, grid, tmp_path / "stages")
    assert (found["configurations"], found["questions"]) == (6, 3)
    assert made.pairs == 2 * found["pairs"] > 0  # once in the sweep, once by themselves
    assert set(found["stages"]) == {"index", "questions", "searches", "pairs", "fusion, hits, scoring"}
    made.pairs = 0
    found = measure_scratch(dataset, corpus, grid, tmp_path / "scratch")
    assert set(found["whole"]) == {"sweep", "each from scratch"}
    assert made.pairs > 2 * len(dataset.questions)
