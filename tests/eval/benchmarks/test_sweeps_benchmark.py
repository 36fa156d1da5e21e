"""The benchmark of sweeps counts what a sweep does."""

from pathlib import Path

import pytest
from small_dataset import ByLength, WordHashes

from benchmarks.sweeps import measure_scratch, some_questions
from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.sweep.grids import configurations


@pytest.mark.parametrize("corpus", list(Corpus))
def test_the_sweep_and_each_from_scratch_are_timed(
    folder: Path, tmp_path: Path, model: WordHashes, monkeypatch: pytest.MonkeyPatch, corpus: Corpus
) -> None:
    made = ByLength()
    load = {"none": None, "lengths": made}.get
    monkeypatch.setattr("policy_rag.models.factory.load_reranker", lambda name, **_: load(name))
    dataset = some_questions(read_dataset(folder), corpus, 3)
    grid = configurations({"search": ["vector", "and", "or"], "reranker": ["none", "lengths"]}, {})
    found = measure_scratch(dataset, corpus, grid, tmp_path / "scratch")
    assert set(found["whole"]) == {"sweep", "each from scratch"}
    assert (found["configurations"], found["questions"]) == (6, 3)
    assert made.pairs > 2 * len(dataset.questions)
