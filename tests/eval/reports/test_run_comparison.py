"""Two kept runs, question by question: figures by hand, what is refused, and the command over a store."""

import csv
import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from small_dataset import WordHashes
from stored_runs import FIRST, NDCG, RECALL, SECOND, changed, log_evaluations, stored_run

from policy_rag.cli import run as cli
from policy_rag.errors import UsageError
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import Measure, Scores
from policy_rag_eval.reports.run_comparison import PValue, RunComparison, compare_runs
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking import Runs, StoredRun, local_store

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.usefixtures("no_reranker"),
]


def test_differences_are_taken_over_the_common_questions_whatever_their_order() -> None:
    found = compare_runs(FIRST, SECOND)
    (difference,) = found.differences
    # Common: a, b, c. One has 1, 0.5, 0, two has 0.25, 0, 0.5: means 0.5 and 0.25.
    assert (difference.first, difference.second) == (0.5, 0.25)
    assert difference.difference.mean == pytest.approx(0.25)
    # Of the signs of 0.75, 0.5, -0.5, six of eight give a sum of at least 0.75: the two with +-0.25 do not.
    assert difference.p_value is not None
    assert difference.p_value.alone == difference.p_value.corrected == pytest.approx(6 / 8)
    assert (found.questions, found.left_out) == (3, 1)
    assert [(one.question_id, one.first, one.second) for one in found.wins] == [("a", 1.0, 0.25), ("b", 0.5, 0.0)]
    assert [(one.question_id, one.first, one.second) for one in found.losses] == [("c", 0.0, 0.5)]
    assert found.settings == {"search": ("one", "two")}
    assert found.notes == ("1 questions that only one of the runs was asked are left out",)


def test_the_verdict_names_the_better_one_first() -> None:
    forth, back = compare_runs(FIRST, SECOND), compare_runs(SECOND, FIRST)
    assert forth.verdict == back.verdict
    assert forth.verdict.startswith("one against two is undecided with 3 questions")
    assert back.differences[0].difference.mean == pytest.approx(-0.25)
    assert [one.question_id for one in back.wins] == ["c"]


def test_a_difference_that_always_goes_one_way_is_decided() -> None:
    questions = [f"q{number}" for number in range(12)]
    better = stored_run("better", dict.fromkeys(questions, 1.0))
    worse = stored_run("worse", dict.fromkeys(questions, 0.5))
    found = compare_runs(worse, better)
    assert found.decided
    # Twelve differences of one sign: 2 of 4,096 assignments are as extreme.
    assert found.differences[0].p_value == PValue(2 / 4096, 2 / 4096)
    assert found.verdict.startswith("better beats worse by 0.500 ± 0.26")


def test_the_other_measures_are_corrected_for_their_number_and_the_deciding_one_is_not() -> None:
    questions = [f"q{number}" for number in range(8)]

    def with_all(name: str, value: float) -> StoredRun:
        values = (value,) * 8
        measures = [NDCG, *map(Measure.parse, ("hits", "precision@5")), RECALL, Measure.parse("mrr@10")]
        return stored_run(name, {}, scores=Scores(tuple(questions), dict.fromkeys(measures, values)))

    first, second, mrr = with_all("a", 0.9), with_all("b", 0.1), Measure.parse("mrr@10")
    # Eight differences of one sign: 2 of 256.
    alone, both = PValue(2 / 256, 2 / 256), PValue(2 / 256, 4 / 256)
    found = compare_runs(first, second)
    assert told(found) == {"ndcg@10": alone, "recall@5": both, "mrr@10": both, "hits": None, "precision@5": None}
    # What is chosen is tested and nothing else: the one that remains beside the one that decides needs no correction.
    found = compare_runs(first, second, [RECALL, mrr, RECALL])
    assert told(found) == {"recall@5": alone, "mrr@10": alone, "ndcg@10": None, "hits": None, "precision@5": None}
    assert found.measure == RECALL


def told(found: RunComparison) -> dict[str, PValue | None]:
    return {str(one.measure): one.p_value for one in found.differences}


def test_runs_of_one_name_are_told_apart_and_one_sweep_is_noted() -> None:
    first = stored_run("same", {"a": 1.0}, run_id="1" * 32, parent="p")
    second = stored_run("same", {"a": 0.0}, run_id="2" * 32, parent="p", versions={"numpy": "2.1"})
    found = compare_runs(first, second)
    assert found.verdict.startswith("same (11111111) against same (22222222)")
    sweep, versions = found.notes
    assert "this test claims too much" in sweep
    assert versions == "numpy was 2.0, then 2.1"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"digest": "e" * 64}, "different data sets"),
        ({"corpus": "passages"}, "different corpora"),
        ({"run_id": FIRST.run_id}, "given twice"),
        ({"scores": Scores(("z",), {NDCG: (1.0,)})}, "no question in common"),
        ({"scores": Scores(("a",), {RECALL: (1.0,)})}, "no measure in common"),
    ],
)
def test_what_cannot_be_compared_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compare_runs(FIRST, changed(SECOND, **changes))


def test_a_measure_that_they_lack_is_refused_with_those_that_they_have() -> None:
    with pytest.raises(UsageError, match=r"recall@5 is not a measure of both runs: those are ndcg@10"):
        compare_runs(FIRST, SECOND, [NDCG, RECALL])


@pytest.fixture
def kept(folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]) -> None:
    Path("grid.yaml").write_text("search: [vector, keyword]\n")
    assert cli(["eval", "retrieval", str(folder), "--grid", "grid.yaml", "--json"]) == 0
    capfd.readouterr()


def test_the_command_compares_by_name_and_writes_a_report(kept: None, capfd: pytest.CaptureFixture[str]) -> None:
    tables = ("--csv", "c.csv", "--latex", "c.tex")
    assert cli(["eval", "compare", "search=vector", "search=keyword", "--json", "--report", "out", *tables]) == 0
    out, err = capfd.readouterr()
    said = json.loads(out)
    assert (said["dataset"], said["corpus"], said["questions"]) == ("small, 5 of 6 questions", "files", 4)
    assert said["measure"] == "ndcg@10"
    assert said["first"]["name"] == "search=vector"
    gap = said["differences"]["ndcg@10"]
    assert gap["mean"] == pytest.approx(gap["first"] - gap["second"])
    assert gap["p_alone"] == gap["p_value"] == 1.0
    assert (said["differences"]["hits"]["p_value"], said["differences"]["precision@5"]["p_alone"]) == (None, None)
    assert 1.0 >= said["differences"]["mrr@10"]["p_value"] >= said["differences"]["mrr@10"]["p_alone"]
    assert gap["low"] <= gap["mean"] <= gap["high"]
    assert said["settings"] == {"search": ["vector", "keyword"]}
    assert len(said["wins"]) + len(said["losses"]) <= 4
    assert "the page is out" in err
    page = Path("out", "decision.html").read_text()
    assert said["verdict"] in page
    # The newest run of a name may be another one later: the command names these by their ids.
    assert f"policy-rag eval compare {said['first']['run_id']} {said['second']['run_id']}" in page
    assert "kept in MLflow as run" in err
    assert cli(["eval", "report", "search=vector against search=keyword", "--out", "again.html"]) == 0
    assert Path("again.html").read_text() == page
    capfd.readouterr()
    rows = list(csv.DictReader(Path("c.csv").read_text().splitlines()))
    assert [row["measure"] for row in rows] == list(said["differences"])
    assert float(rows[0]["difference"]) == pytest.approx(gap["mean"], abs=1e-6)
    assert [rows[0][name] for name in ("p_alone", "p_corrected")] == ["1.0", "1.0"]
    assert Path("c.tex").read_text().count(r"\\") == len(rows) + 1

    by_id = ["eval", "compare", said["first"]["run_id"], said["second"]["run_id"], "--measure", "recall@10"]
    assert cli(by_id) == 0
    out, _ = capfd.readouterr()
    assert "small, 5 of 6 questions, --corpus files: 4 questions" in out
    assert "wins of the first, by recall@10: 0" in out
    assert re.search(r"recall@10 .* decides *\n", out)
    assert re.search(r"ndcg@10 .* to [-+.0-9]+ *\n", out), "no p"
    assert "measures without p were not tested" in out
    assert max(map(len, out.splitlines()[3:-4])) <= 80
    assert "…" not in out


def test_tokens_and_cost_are_kept_with_a_run_and_read_back(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path
) -> None:
    priced = dataclasses.replace(evaluations[0], tokens=120.5, cost=0.25)
    unknown = dataclasses.replace(evaluations[1], tokens=None, cost=None)
    store = local_store(stored)
    log_evaluations(store, dataset.for_corpus(Corpus.FILES), Corpus.FILES, [priced, unknown], texts=True)
    read = [Runs(store).configuration(one.name).evaluation for one in (priced, unknown)]
    assert [(one.tokens, one.cost) for one in read] == [(120.5, 0.25), (None, None)]


def test_the_newest_run_of_a_name_is_taken(
    kept: None, folder: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli(["eval", "retrieval", str(folder), "--set", "search=or", "--json"]) == 0
    old = _compared(capfd)
    assert cli(["eval", "retrieval", str(folder), "--grid", "grid.yaml", "--json"]) == 0
    capfd.readouterr()
    new = _compared(capfd)
    assert old["first"]["name"] == new["first"]["name"] == "search=vector"
    assert old["first"]["run_id"] != new["first"]["run_id"]


def _compared(capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capfd.readouterr()
    assert cli(["eval", "compare", "search=vector", "search=or", "--json"]) == 0
    said: dict[str, Any] = json.loads(capfd.readouterr().out)
    return said


def test_runs_of_two_data_sets_corpora_or_kinds_are_refused_in_one_line(
    kept: None, folder: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli(["eval", "retrieval", str(folder), "--corpus", "passages", "--set", "top_k=7", "--json"]) == 0
    (folder / "corpus.jsonl").write_text((folder / "corpus.jsonl").read_text() + "\n")
    assert cli(["eval", "retrieval", str(folder), "--set", "top_k=8", "--json"]) == 0
    capfd.readouterr()
    calls = {
        ("search=vector", "top_k=7"): "different corpora, files and passages",
        ("search=vector", "top_k=8"): "different data sets",
        (
            "search=vector",
            "small, 5 of 6 questions: search, 2 configurations",
        ): "is a sweep: name one of its configurations, search=vector (",
        ("search=vector", "nothing"): "there is no run nothing",
        ("search=vector", "search=vektor"): "did you mean search=vector?",
        ("search=vector", "another"): "there are top_k=8, top_k=7, search=",
        ("search=vector", 'it\'s "odd"'): "there is no run",
        ("search=vector", "search=vector"): "given twice",
    }
    for names, message in calls.items():
        assert cli(["eval", "compare", *names]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert message in err
        assert len(err.splitlines()) == 1


def test_a_run_of_somebody_else_is_told(kept: None, stored: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{stored.resolve() / 'mlflow.db'}")
    client.create_run("1", run_name="theirs")
    assert cli(["eval", "compare", "search=vector", "theirs"]) == 2
    assert "was not written by" in capfd.readouterr().err
    (ours,) = client.search_runs(["1"], "attributes.run_name = 'search=vector'")
    client.delete_run(ours.info.run_id)
    assert cli(["eval", "compare", ours.info.run_id, "search=keyword"]) == 2
    assert "there is no run" in capfd.readouterr().err


def test_without_a_store_it_says_what_to_run(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli(["eval", "compare", "a", "b"]) == 2
    assert "run `policy-rag eval retrieval DATASET" in capfd.readouterr().err
