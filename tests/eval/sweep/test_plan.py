"""A dry run says what a sweep then does."""

import json
from pathlib import Path

import pytest
from small_dataset import ByLength, WordHashes

from policy_rag.cli import run
from policy_rag.errors import ModelError
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.plan import plan
from policy_rag_eval.sweep.sweep import sweep

MADE = configurations({"search": ["vector", "or"], "reranker": ["none", "counts", "gone"]}, {})


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> ByLength:
    made = ByLength()

    def load(name: str, **_: object) -> ByLength | None:
        if name == "gone":
            raise ModelError("reranker gone: no such folder")
        return made if name == "counts" else None

    monkeypatch.setattr("policy_rag.models.factory.load_reranker", load)
    return made


@pytest.mark.parametrize("corpus", list(Corpus))
def test_before_anything_is_there_all_is_to_do_and_nothing_is_left_behind(
    dataset: Dataset, tmp_path: Path, model: WordHashes, counts: ByLength, corpus: Corpus
) -> None:
    planned = plan(dataset, corpus, MADE, tmp_path / "index")
    assert (planned.configurations, planned.done) == (4, ())
    assert set(planned.skipped) == {"search=vector reranker=gone", "search=or reranker=gone"}
    index, questions, rerank = planned.stages
    assert (index.name, index.unit, index.todo) == {
        Corpus.FILES: ("index", "documents", 2),
        Corpus.PASSAGES: ("index", "passages", 5),
    }[corpus]
    fitted = dataset.for_corpus(corpus)
    assert questions.todo == len(fitted.scored) + len(fitted.unanswerable)
    assert rerank.todo == 2 * 50 * questions.todo  # fifty candidates of each search
    assert planned.seconds == sum(stage.seconds for stage in planned.stages) > 0
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"where": ["regoin=north"]}, "question q1: no document has 'regoin'"),
        ({}, "'holiday' is said to be at leave.md 0-6"),
    ],
)
def test_what_a_run_refuses_is_refused(
    folder: Path, tmp_path: Path, model: WordHashes, line: dict[str, object], message: str
) -> None:
    name, changes = ("queries.jsonl", line) if line else ("corpus.jsonl", {"start": 0, "end": 6})
    first, *others = (folder / name).read_text().splitlines()
    (folder / name).write_text("\n".join([json.dumps(json.loads(first) | changes), *others]))
    wrong = read_dataset(folder)
    for call in (plan, sweep):
        with pytest.raises(DatasetError, match=message):
            call(wrong, Corpus.FILES, configurations({}, {"reranker": "none"}), tmp_path / "index")


def test_a_run_and_a_dry_run_before_and_behind_it_note_the_same(
    folder: Path, tmp_path: Path, model: WordHashes
) -> None:
    (folder / "documents" / "policies.yaml").write_text("leave.md: {effective_to: 2020-12-31}\n")
    dataset = read_dataset(folder)
    arguments = dataset.part(dataset.questions[:1], "one"), Corpus.FILES
    note = 'gold that is not in force today: give "as_of": q1 (leave.md)'
    assert plan(*arguments, configurations({}, {"reranker": "none"}), tmp_path).notes == (note,)
    (found,) = sweep(*arguments, configurations({}, {"reranker": "none"}), tmp_path).evaluations
    assert found.notes == (note,)
    other = configurations({}, {"reranker": "none", "search": "vector"})
    assert plan(*arguments, other, tmp_path).notes == (note,)


def test_what_is_done_is_left_out(dataset: Dataset, tmp_path: Path, model: WordHashes, counts: ByLength) -> None:
    corpus = Corpus.PASSAGES
    open_corpus(dataset.for_corpus(corpus), corpus, MADE[0].settings, tmp_path)[0].close()
    planned = plan(dataset, corpus, MADE, tmp_path)
    assert [stage.name for stage in planned.stages] == ["questions", "rerank"]
    sweep(dataset, corpus, MADE, tmp_path)
    assert counts.pairs <= planned.stages[1].todo
    planned = plan(dataset, corpus, MADE, tmp_path)
    assert planned.stages == ()
    assert planned.done == tuple(one.name for one in MADE if "gone" not in one.name)
    more = configurations({"search": ["and", "or"], "reranker": ["none", "counts"]}, {})
    (rerank,) = plan(dataset, corpus, more, tmp_path).stages
    assert (rerank.name, rerank.what) == ("rerank", "counts, section")


def test_pairs_are_told_apart_by_chunker_and_bounded_by_what_is_searched_and_read(
    dataset: Dataset, tmp_path: Path, model: WordHashes, counts: ByLength
) -> None:
    grid = {"chunker": ["section", "sentence"], "search": ["vector", "or"], "reranker": ["counts"], "candidates": [20]}
    planned = plan(dataset, Corpus.FILES, configurations(grid, {}), tmp_path)
    rerank = [stage for stage in planned.stages if stage.name == "rerank"]
    questions = len(dataset.for_corpus(Corpus.FILES).scored) + len(dataset.unanswerable)
    assert [(stage.what, stage.todo) for stage in rerank] == [
        ("counts, section", 2 * 20 * questions),
        ("counts, sentence", 2 * 20 * questions),
    ]
    alone = plan(dataset, Corpus.FILES, configurations({"search": ["vector"], "reranker": ["counts"]}, {}), tmp_path)
    assert [stage.todo for stage in alone.stages if stage.name == "rerank"] == [50 * questions]
    counts.depth = 30  # it reads no more than these
    alone = plan(dataset, Corpus.FILES, configurations({"search": ["or"], "reranker": ["counts"]}, {}), tmp_path)
    assert [stage.todo for stage in alone.stages if stage.name == "rerank"] == [30 * questions]


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
    assert list(said) == ["configurations", "done", "stages", "seconds", "skipped", "notes", "llm"]
    assert [stage["name"] for stage in said["stages"]] == ["index", "questions"]
