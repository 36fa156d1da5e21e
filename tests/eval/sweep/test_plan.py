"""A dry run says what a sweep then does."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from small_dataset import WordHashes

from policy_rag.cli import run
from policy_rag.errors import ModelError
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.reader import read_dataset
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.plan import Stage, plan
from policy_rag_eval.sweep.sweep import sweep

MADE = configurations({"search": ["vector", "or"], "reranker": ["none", "counts", "gone"]}, {})


class Counts:
    fingerprint = "counts"

    def __init__(self) -> None:
        self.pairs = 0

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.pairs += sum(len(texts) for question, texts in questions if question != "?")
        return [[float(len(text)) for text in texts] for _, texts in questions]


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    made = Counts()

    def load(name: str, **_: object) -> Counts | None:
        if name == "gone":
            raise ModelError("reranker gone: no such folder")
        return made if name == "counts" else None

    monkeypatch.setattr("policy_rag.models.reranker.load_reranker", load)
    return made


@pytest.fixture
def dataset(folder: Path) -> Dataset:
    return read_dataset(folder)


def by_name(stages: Sequence[Stage]) -> dict[str, Stage]:
    assert len({stage.name for stage in stages}) == len(stages)
    return {stage.name: stage for stage in stages}


@pytest.mark.parametrize("corpus", list(Corpus))
def test_before_anything_is_there_all_stages_are_to_do_and_nothing_is_left_behind(
    dataset: Dataset, tmp_path: Path, model: WordHashes, counts: Counts, corpus: Corpus
) -> None:
    planned = plan(dataset, corpus, MADE, tmp_path / "index")
    assert (planned.configurations, planned.done) == (4, ())
    assert set(planned.skipped) == {"search=vector reranker=gone", "search=or reranker=gone"}
    stages = by_name(planned.stages)
    assert list(stages) == ["index", "questions", "search", "rerank", "ask"]
    assert all(stage.todo > 0 and stage.done == 0 for stage in stages.values())
    # Three documents' worth is more than there is: the small index holds all of it, and the estimate is the count.
    assert stages["index"].todo == {Corpus.FILES: 6, Corpus.PASSAGES: 5}[corpus]
    questions = len(dataset.for_corpus(corpus).scored) + len(dataset.for_corpus(corpus).unanswerable)
    assert stages["questions"].todo == stages["search"].todo == questions
    assert stages["ask"].todo == 4
    assert planned.seconds > 0
    assert [path.name for path in (tmp_path / "index" / "eval").iterdir() if path.is_dir()] == []


def test_with_an_index_what_is_kept_is_counted_and_a_finished_sweep_has_nothing_to_do(
    dataset: Dataset, tmp_path: Path, model: WordHashes, counts: Counts
) -> None:
    fitted = dataset.for_corpus(Corpus.PASSAGES)
    open_corpus(fitted, Corpus.PASSAGES, MADE[0].settings, tmp_path)[0].close()
    stages = by_name(plan(dataset, Corpus.PASSAGES, MADE, tmp_path).stages)
    assert "index" not in stages
    expected = stages["rerank"].todo + stages["rerank"].done
    sweep(dataset, Corpus.PASSAGES, MADE, tmp_path)
    # Five answerable questions and one that is not; two of them see one document only.
    assert counts.pairs == expected
    planned = plan(dataset, Corpus.PASSAGES, MADE, tmp_path)
    assert planned.stages == ()
    assert planned.done == tuple(one.name for one in MADE if "gone" not in one.name)
    more = configurations({"search": ["and", "or"], "reranker": ["none", "counts"]}, {})
    stages = by_name(plan(dataset, Corpus.PASSAGES, more, tmp_path).stages)
    assert (stages["search"].todo, stages["search"].done) == (0, 6)
    assert (stages["questions"].todo, stages["rerank"].todo) == (0, 0)
    assert stages["ask"].todo == 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")
def test_the_command_says_it_and_runs_nothing(
    folder: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    call = ["eval", "retrieval", str(folder), "--grid", "search=vector,or", "--dry-run"]
    assert run(call) == 0
    out, _ = capfd.readouterr()
    assert "2 configurations, 0 of them done already" in out
    assert "in all, on this machine" in out
    assert not Path(".policy_rag", "mlflow.db").exists()
    assert run([*call, "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert list(said) == ["configurations", "done", "stages", "seconds", "skipped"]
    assert [stage["name"] for stage in said["stages"]] == ["index", "questions", "search", "ask"]
