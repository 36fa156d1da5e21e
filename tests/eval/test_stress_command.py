"""`policy-rag eval stress` as it is called, by quotation and by an LLM over a real socket."""

import csv
import html
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from command import Cli
from mlflow import MlflowClient
from ollama_server import Fault, OllamaStandIn

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.usefixtures("no_reranker", "model", "stored"),
]


def conditions(document: dict[str, Any], test: str) -> dict[str, dict[str, Any]]:
    (found,) = [one for one in document["tests"] if one["test"] == test]
    return {one["name"]: one for one in found["conditions"]}


def last_sentence(body: dict[str, Any]) -> str:
    """The last sentence of the first section, cited."""
    section = re.search(r'<section n="1" [^\n]*>\n(.*?)\n</section>', body["messages"][-1]["content"], re.DOTALL)
    assert section is not None
    return section[1].strip().splitlines()[-1].removesuffix(".") + " [1]."


def test_quotations_end_to_end(folder: Path, stored: Path, cli: Cli) -> None:
    written = ("--json", "--report", "page.html", "--csv", "stress.csv")
    out, err = cli("eval", "stress", folder, "--llm", "extractive", "--set", "threshold=0", *written)
    document = json.loads(out)
    rows = list(csv.DictReader(Path("stress.csv").read_text().splitlines()))
    assert [(row["test"], row["condition"], int(row["questions"])) for row in rows] == [
        (test["test"], one["name"], one["questions"]) for test in document["tests"] for one in test["conditions"]
    ]
    assert all(sum(int(row[name]) for name in list(row)[8:-4]) == int(row["questions"]) for row in rows)
    assert [list(row)[-4:] for row in rows[:1]] == [list(document["usage"])]
    assert list(document) == ["dataset", "llm", "seed", "settings", "usage", "tests"]
    # Quotations take time, and no LLM.
    assert 0 < document["usage"]["ms_median"] <= document["usage"]["ms_p95"]
    assert (document["usage"]["tokens"], document["usage"]["cost_of_1000"]) == (None, None)
    assert (document["dataset"], document["llm"], document["seed"]) == ("small", "extractive", 0)
    names = ["noise", "rejection", "integration", "counterfactual", "position", "sections"]
    assert [one["test"] for one in document["tests"]] == names
    # Given nothing but the gold and no threshold, quotations hold it.
    share = conditions(document, "noise")["0 distractors"]["share"]
    assert (share["mean"], share["high"]) == (1.0, 1.0)
    assert share["low"] < 1  # so few questions do not show that every one would be
    # No threshold, no refusal: and what is quoted holds no gold where none is given.
    rejected = conditions(document, "rejection")
    assert all(one["share"]["mean"] == 0 for one in rejected.values())
    assert all(one["outcomes"]["other cited"] == one["questions"] for one in rejected.values())
    # q4 alone needs two sections, of which one alone is never enough.
    integrated = conditions(document, "integration")
    assert [one["questions"] for one in integrated.values()] == [1, 1, 1]
    assert integrated["the first alone"]["outcomes"]["part of the gold cited"] == 1
    # Where the gold stands is nothing to quotations.
    places = [one["outcomes"] for name, one in conditions(document, "position").items() if name.endswith("of 2")]
    assert len(places) == 2
    assert places[0] == places[1]
    assert "kept in MLflow as run" in err
    page = Path("page.html").read_text()
    assert all(html.escape(one["title"]) in page for one in document["tests"])
    assert page.count("<svg") == sum(bool(one["conditions"]) for one in document["tests"])
    with sqlite3.connect(stored / "mlflow.db") as db:
        kept = dict(db.execute("select m.key, m.value from metrics m").fetchall())
        runs = [name for (name,) in db.execute("select name from runs order by start_time")]
    assert kept["share.0 distractors"] == 1.0
    assert runs[0] == "stress small"
    assert set(runs[1:]) == set(names)
    assert kept["share.integration"] == integrated["both sections"]["share"]["mean"]


def kept_runs(index: Path, experiment: str) -> tuple[dict[str, dict[str, float]], set[str]]:
    """Name of a run to its metrics, and the data sets that all of them say that they used."""
    client = MlflowClient(f"sqlite:///{(index / 'mlflow.db').resolve()}")
    found = client.search_runs([client.get_experiment_by_name(experiment).experiment_id])
    used = [{one.dataset.name for one in run.inputs.dataset_inputs} for run in found]
    return {run.info.run_name: dict(run.data.metrics) for run in found}, set.intersection(*used)


def test_people_see_tables_and_the_newest_page_is_of_whatever_was_run_last(folder: Path, cli: Cli) -> None:
    cli("eval", "retrieval", folder)
    out = cli("eval", "stress", folder, "--llm", "extractive", "--test", "counterfactual", "--test", "integration").out
    assert "small, answered by extractive" in out
    assert out.index("Counterfactual robustness") < out.index("Information integration")
    assert "answers that notice the contradiction: true first 0, planted first 0" in out
    assert "question left out" in out or "questions left out" in out
    for run_name, shown in ((), "stress small"), (("default",), "default"):
        assert f"decision.html: {shown} (run " in cli("eval", "report", *run_name).out


def test_an_llm_is_asked_once_for_the_same(
    folder: Path, ollama: OllamaStandIn, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POLICY_RAG_RERANKER")  # the shipped one, as users have it
    ollama.reply = last_sentence
    arguments = ("--llm", "ollama/llama3.2", "--set", "threshold=0", "--test", "position", "--workers", "2", "--json")
    plain = cli("eval", "stress", folder, *arguments, "--dry-run").json
    searching = cli("eval", "stress", folder, *arguments, "--dry-run", "--set", "transforms=[hyde]").json
    assert ollama.chats == []
    assert searching["calls"] == plain["calls"] + 5 > 5  # a passage for each question of the documents
    assert plain["cost_at_most"] == 0.0
    first = cli("eval", "stress", folder, *arguments).json
    places = conditions(first, "position")
    # It answers from what stands first, wherever the gold is.
    assert places["first of 2"]["share"]["mean"] == 1.0
    assert places["last of 2"]["share"]["mean"] == 0.0
    # One of the three stands behind a section that is a title alone, and a title says nothing.
    last = places["last of 2"]["outcomes"]
    assert (last["other cited"], last["refused"], places["last of 2"]["questions"]) == (2, 1, 3)
    asked = len(ollama.chats)
    assert asked > 0
    again = cli("eval", "stress", folder, *arguments).json
    assert again["tests"] == first["tests"]
    assert (again["usage"]["tokens"], again["usage"]["cost_of_1000"]) == (first["usage"]["tokens"], 0.0)
    assert len(ollama.chats) == asked


def test_who_answers_is_said_once(folder: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    err = cli("eval", "stress", folder, "--test", "noise", "--grid", "threshold=0,0.999").err
    assert err.count("no Ollama answers at http://127.0.0.1:9") == 1


def test_failures_are_failures_and_the_rest_goes_on(folder: Path, ollama: OllamaStandIn, cli: Cli) -> None:
    ollama.reply = last_sentence
    ollama.fault_of = lambda body: Fault.HTTP_500 if "holiday" in body["messages"][-1]["content"] else None
    arguments = ("--llm", "ollama/llama3.2", "--set", "threshold=0", "--test", "noise", "--json")
    alone = conditions(cli("eval", "stress", folder, *arguments).json, "noise")["0 distractors"]
    assert alone["outcomes"]["failed"] == 1
    assert alone["outcomes"]["gold cited"] == alone["questions"] - 1
    assert alone["share"]["mean"] == 1.0
    assert alone["failures"]
    ollama.fault_of = None
    before = len(ollama.chats)
    again = conditions(cli("eval", "stress", folder, *arguments).json, "noise")["0 distractors"]
    assert again["outcomes"]["gold cited"] == again["questions"]
    assert 0 < len(ollama.chats) - before < before


def test_where_all_failed_the_work_failed(folder: Path, ollama: OllamaStandIn, cli: Cli) -> None:
    ollama.fault = Fault.HTTP_500
    call = ("--llm", "ollama/llama3.2", "--set", "threshold=0", "--test", "integration", "--json")
    out, err = cli("eval", "stress", folder, *call, status=1)
    assert all(one["share"] is None for one in conditions(json.loads(out), "integration").values())
    assert "ollama/llama3.2 gave no answer that could be judged" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--test", "nose"], "there is no stress test 'nose'"),
        (["--llm", "extractive", "--set", "llm=extractive"], "leave one out"),
        (["--set", "colour=blue"], "colour"),
    ],
)
def test_a_wrong_call_is_said_in_one_line(folder: Path, arguments: list[str], words: str, cli: Cli) -> None:
    out, err = cli("eval", "stress", folder, *arguments, status=2)
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_store_and_a_page_that_cannot_be_written_cost_no_figures(folder: Path, cli: Cli) -> None:
    Path(".policy_rag", "mlflow.db").write_bytes(b"no database " * 400)
    Path("taken").write_text("")
    call = ("--llm", "extractive", "--test", "noise", "--json", "--report", "taken")
    out, err = cli("eval", "stress", folder, *call, status=1)
    assert json.loads(out)["tests"][0]["conditions"]
    assert "cannot be used" in err
    assert "kept in MLflow" not in err
    assert "give another place" in err


def test_a_grid_is_compared_by_one_test(folder: Path, stored: Path, cli: Cli) -> None:
    grid = ("--llm", "extractive", "--test", "noise", "--grid", "threshold=0,0.999")
    out, err = cli("eval", "stress", folder, *grid, "--json", "--report", "page.html")
    document = json.loads(out)
    assert [one["name"] for one in document["configurations"]] == ["threshold=0", "threshold=0.999"]
    assert document["measure"] == "noise"
    assert document["means"]["threshold=0.999"] == 0.0  # all is refused
    assert document["means"]["threshold=0"] > 0.5
    assert document["verdicts"][0].startswith("threshold=0 ")
    assert "running threshold=0" in err
    assert "threshold=0: " in Path("page.html").read_text()
    runs, datasets = kept_runs(stored, "stress small")
    parent = runs.pop("small: threshold, 2 configurations")
    assert parent == {"share.noise": document["means"]["threshold=0"]}
    assert set(runs) == {"threshold=0", "threshold=0.999", "noise"}
    assert {name: of["share.noise"] for name, of in runs.items() if name != "noise"} == document["means"]
    assert datasets == {"small"}
    for wrong, message in (
        (("--against", "threshold=1"), "there is no configuration threshold=1 to compare against"),
        (("--measure", "position"), "--measure position: no such test is run: there are noise"),
    ):
        assert message in cli("eval", "stress", folder, *grid, *wrong, status=2).err
