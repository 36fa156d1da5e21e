"""`policy-rag eval retrieval` as it is called."""

import io
import json
import sys
from pathlib import Path

import pytest
from command import Cli

from policy_rag_eval.tracking import local_store

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.usefixtures("model", "stored", "no_reranker"),
]


def test_json_is_the_documents_shape_and_alone_on_standard_output(
    folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POLICY_RAG_RERANKER")  # the shipped one, as users have it
    # All four questions find theirs, which shows no more than 0.025^(1/4) = 0.398.
    out, err = cli("eval", "retrieval", folder, "--index", "here", "--json", "--fail-under", "recall@10=0.39")
    said = json.loads(out)
    assert list(said)[:5] == ["dataset", "corpus", "questions", "configurations", "verdicts"]
    assert (said["dataset"], said["corpus"], said["questions"], said["verdicts"]) == ("small", "files", 4, [])
    (configuration,) = said["configurations"]
    assert list(configuration)[:4] == ["name", "settings", "measures", "timings_ms"]
    assert " ".join(configuration["measures"]).startswith("hit_rate@5 mrr@10 precision@5 recall@10 ap@10 ndcg@10")
    assert configuration["measures"]["recall@10"] == {"mean": 1.0, "low": pytest.approx(0.398, abs=1e-3), "high": 1.0}
    assert "kept in MLflow as run" in err
    assert Path("here", "mlflow.db").is_file()


def test_people_see_a_table(folder: Path, cli: Cli) -> None:
    out = cli("eval", "retrieval", folder, "--corpus", "passages", "--set", "search=keyword").out
    assert "small, --corpus passages: 5 questions" in out
    assert "recall@10" in out
    assert "95 % interval" in out
    assert "factual" not in out, "slices are shown when they are asked for"


def test_a_grid_gives_a_configuration_each_verdicts_and_run_files(folder: Path, cli: Cli) -> None:
    Path("grid.yaml").write_text("search: [vector, keyword]\nreranker: [none, /nowhere/at-all]\n")
    arguments = ["eval", "retrieval", folder, "--grid", "grid.yaml", "--trec-out", "trec", "--json"]
    out, err = cli(*arguments)
    said = json.loads(out)
    names = ["search=vector reranker=none", "search=keyword reranker=none"]
    assert [configuration["name"] for configuration in said["configurations"]] == names
    assert len(said["verdicts"]) == 1
    skipped = "skipped search=vector reranker=/nowhere/at-all; search=keyword reranker=/nowhere/at-all: "
    assert err.count(skipped) == 1
    assert sorted(path.name for path in Path("trec").iterdir()) == [
        "qrels.trec",
        "search=keyword_reranker=none.run",
        "search=vector_reranker=none.run",
    ]
    # Four questions, one of them with two labels; the one without a place is not scored.
    assert len(Path("trec", "qrels.trec").read_text().splitlines()) == 5


def test_slices_of_the_best_are_shown_when_asked_for(folder: Path, cli: Cli) -> None:
    call = ["eval", "retrieval", folder, "--grid", "search=vector,keyword"]
    (first, _) = cli(*call, "--json").json["configurations"]
    values = [(part["by"], part["value"], part["questions"]) for part in first["slices"]]
    assert values[:2] == [("type", "(none)", 3), ("type", "factual", 1)]
    assert values[-2:] == [("answerable", "yes", 4), ("answerable", "no", 1)]
    assert set(first["slices"][-1]["measures"]) == {"hits"}
    assert first["unanswerable"]["questions"] == 1
    assert set(first["latencies_ms"]["total"]) == {"median", "p95"}
    out = cli(*call, "--slices").out
    assert "factual" in out
    assert "answerable" in out


def test_a_gate_that_is_not_reached_fails_after_the_figures_are_out(folder: Path, cli: Cli) -> None:
    out, err = cli("eval", "retrieval", folder, "--json", "--fail-under", "precision@3=0.9", status=1)
    assert json.loads(out)["configurations"][0]["measures"]["precision@3"]["mean"] < 0.9
    assert err.splitlines()[-1].startswith("error: precision@3 of default is")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "there is no data set nowhere"),
        (["{folder}", "--corpus", "pages"], "'files', 'passages'"),
        (["{folder}", "--grid", "gone.yaml"], "no grid gone.yaml"),
        (["{folder}", "--set", "colour=blue"], "colour"),
        (["{folder}", "--grid", "colour=blue,red"], "colour"),
        (["{folder}", "--grid", "search="], "write KEY=A,B"),
        (["{folder}", "--grid", "search=or,or"], "twice"),
        (["{folder}", "--grid", "search=or,and", "--grid", "search=vector"], "two --grid give search"),
        (["{folder}", "--grid", "temperature=0,1"], "temperature changes nothing that is found"),
        (["{folder}", "--grid", "top_k=3,null"], "top_k=none: it needs a value"),
        (["{folder}", "--grid", "min_score=0.1,high"], "min_score"),
        (["{folder}", "--fail-under", "ndcg=1"], "there is no measure 'ndcg'"),
        (["{folder}", "--fail-under", "recall@10"], "write MEASURE=VALUE"),
        (["{folder}", "--fail-under", "recall@10=75"], "between 0 and 1"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(folder: Path, cli: Cli, arguments: list[str], message: str) -> None:
    given = [argument.format(folder=folder) for argument in arguments]
    out, err = cli("eval", "retrieval", *given, status=2)
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err


def test_when_no_model_is_there_it_fails_with_the_reason(folder: Path, cli: Cli) -> None:
    assert "/nowhere/at-all" in cli("eval", "retrieval", folder, "--set", "reranker=/nowhere/at-all", status=1).err


def test_figures_are_shown_even_where_mlflow_cannot_be_written(
    folder: Path, stored: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("broken.db").write_bytes(b"this is no database, " * 100)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{Path('broken.db').resolve()}")
    out, err = cli("eval", "retrieval", folder, "--json")
    assert json.loads(out)["questions"] == 4
    assert "broken.db cannot be used" in err
    assert "kept in MLflow as run" in err  # in the local store instead
    assert (stored / "mlflow-artifacts").is_dir()


class Closed(io.StringIO):
    """Standard output of which nobody reads any more, as `head` leaves it."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize(
    "arguments",
    [
        ["retrieval", "--grid", "search=or,vector", "--save-best", "--json"],
        ["answers", "--set", "llm=extractive", "--json"],
    ],
)
def test_what_was_measured_is_kept_though_nobody_reads_it(
    folder: Path, stored: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], cli: Cli
) -> None:
    command, *options = arguments
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Closed())
        cli("eval", command, folder, *options, status=141)
    from mlflow import MlflowClient

    client = MlflowClient(local_store(stored).uri)
    experiments = [one.experiment_id for one in client.search_experiments()]
    (parent,) = [one for one in client.search_runs(experiments) if "mlflow.parentRunId" not in one.data.tags]
    assert parent.info.status == "FINISHED"
    assert Path("policy_rag.toml").exists() == ("--save-best" in options)


def test_each_command_is_told_in_a_line_of_80_columns(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = cli("eval", "--help").out.partition("Commands:\n")[2].splitlines()
    assert len(lines) == 12
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []
