"""`policy-rag eval calibrate` as it is called, and `ask` with what it saves."""

import csv
import json
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from command import Cli
from mlflow import MlflowClient
from ollama_server import OllamaStandIn
from small_dataset import jsonl, place

from policy_rag.assistant import PolicyAssistant
from policy_rag.records.answer import Status

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"), pytest.mark.usefixtures("model")]

SUBJECTS = [
    "trains", "hotels", "taxis", "meals", "lunches", "badges", "laptops", "phones", "passwords", "cameras", "parking",
    "visitors",
]  # fmt: skip
OTHERS = [
    "dogs", "bicycles", "pensions", "bonuses", "uniforms", "canteens", "gyms", "raffles", "karaoke", "submarines",
    "wigs", "ponies",
]  # fmt: skip
PLAIN = ["--set", "reranker=none"]
"""Where the order of what is found does not matter."""


def questions_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A dozen rules, a question that each answers, and a dozen questions that none does."""
    folder = tmp_path / "mixed"
    (folder / "documents").mkdir(parents=True)
    rules = [f"Claims for {subject} need the manager's written consent." for subject in SUBJECTS]
    text = "# Rules\n\n" + "\n\n".join(
        f"## {n}. {s}\n\n{r}" for n, (s, r) in enumerate(zip(SUBJECTS, rules, strict=True), 1)
    )
    (folder / "documents" / "rules.md").write_text(text, encoding="utf-8")
    listed = [{"doc_id": "rules", "file": "rules.md", "title": "Rules"}]
    (folder / "documents.json").write_text(json.dumps(listed), encoding="utf-8")
    gold = zip(SUBJECTS, rules, strict=True)
    jsonl(folder / "corpus.jsonl", [{"_id": s, "doc_id": "rules", **place("rules.md", text, r)} for s, r in gold])
    asked = [{"_id": f"q-{s}", "text": f"What do claims for {s} need?"} for s in SUBJECTS]
    asked += [{"_id": f"u-{s}", "text": f"When does Berta feed her {s}?", "answerable": False} for s in OTHERS]
    jsonl(folder / "queries.jsonl", asked)
    rows = "".join(f"q-{s}\t{s}\t1\n" for s in SUBJECTS)
    (folder / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", encoding="utf-8")
    return folder


def test_json_says_what_was_fitted_and_the_run_is_kept(mixed: Path, stored: Path, cli: Cli) -> None:
    call = ["eval", "calibrate", mixed, "--risk", "0.4", "--json", "--report", "page.html", "--csv", "c.csv"]
    out, err = cli(*call)
    said = json.loads(out)
    rows = list(csv.DictReader(Path("c.csv").read_text().splitlines()))
    assert [float(row["threshold"]) for row in rows] == pytest.approx([p["threshold"] for p in said["curve"]], abs=1e-6)
    assert [int(row["answered"]) for row in rows] == [point["answered"] for point in said["curve"]]
    assert (said["dataset"], said["answerable"], said["unanswerable"]) == ("mixed", 12, 12)
    assert said["auc"] == 1.0
    assert said["chosen"]["risk"]["high"] <= 0.4
    assert said["chosen"]["answered"] >= 5
    assert set(said["settings"]) == {"threshold", "support"}
    assert said["curve"][0]["coverage"]["mean"] == 1.0
    assert "<svg" in Path("page.html").read_text()
    assert "kept in MLflow as run" in err
    assert not Path("policy_rag.toml").exists()
    assert "warning" not in err


def test_people_see_the_curve_and_ask_uses_what_is_saved(mixed: Path, stored: Path, cli: Cli) -> None:
    Path("policy_rag.toml").write_text("top_k = 4  # ours\nthreshold = 0.9\n", encoding="utf-8")
    out, err = cli("eval", "calibrate", mixed, "--refuse-at-most", "0.1", "--save")
    assert "area under the ROC curve 1.000" in out
    assert "threshold for 10% refused at most" in out
    assert "written to policy_rag.toml" in err
    saved = tomllib.loads(Path("policy_rag.toml").read_text(encoding="utf-8"))
    assert saved["top_k"] == 4
    assert 0 < saved["threshold"] < 1
    assert saved["threshold"] != 0.9
    assert "# ours" in Path("policy_rag.toml").read_text(encoding="utf-8")
    # cosines of the tests' model are no measure of what is certain: only what is refused is looked at
    with PolicyAssistant.open("own", create=True, llm="extractive", certain=0.0) as assistant:
        assistant.ingest([mixed / "documents"])
        assert assistant.settings.answer.support is not None
        right, wrong = (assistant.ask(q) for q in ("What do claims for hotels need?", "When does Berta feed her dogs?"))
    assert right.status is Status.ANSWERED
    assert wrong.status is Status.REFUSED
    assert right.confidence > wrong.confidence
    assert wrong.confidence < saved["threshold"]


def test_the_view_of_an_llm_that_is_named_is_fitted_and_saved_with_it(
    mixed: Path, stored: Path, ollama: OllamaStandIn, cli: Cli
) -> None:
    def first(body: dict[str, Any]) -> dict[str, float]:
        share = 0.1 if "cost" in body["messages"][1]["content"] else 0.9
        return {"yes": math.log(share), "no": math.log(1 - share)}

    # By their words these cannot be told from those that are answered.
    rows = questions_of(mixed)
    alike = [f"What do claims for {subject} cost?" for subject in SUBJECTS]
    asked = [row | {"text": text} for row, text in zip(rows[12:], alike, strict=True)]
    jsonl(mixed / "queries.jsonl", [*rows[:12], *asked])
    ollama.replies, ollama.first = ["yes"], first
    command = ["eval", "calibrate", mixed, *PLAIN, "--refuse-at-most", "0.1"]
    estimated = cli(*command, "--set", "llm=ollama/llama3.2", "--dry-run", "--json").json
    assert estimated["calls"] == {"searching": 0, "viewing": 24 * 3}
    assert estimated["cost_at_most"] == {"searching": 0.0, "viewing": 0.0}  # a model on one's own machine
    assert [stage["name"] for stage in estimated["stages"]] == ["index", "questions"]
    assert ollama.chats == []
    out, err = cli(*command, "--set", "llm=ollama/llama3.2", "--save", "--json")
    assert "ollama/llama3.2 is asked for its view of 24 questions, in up to 3 calls each" in err
    assert len(ollama.chats) == 24 * 3
    assert "llm" in {piece[0] for piece in json.loads(out)["settings"]["support"]["pieces"]}
    assert tomllib.loads(Path("policy_rag.toml").read_text(encoding="utf-8"))["llm"] == "ollama/llama3.2"
    # What was asked once is remembered, and `auto` asks nobody.
    cli(*command, "--set", "llm=ollama/llama3.2", "--json")
    cli(*command, "--set", "llm=auto", "--json")
    assert len(ollama.chats) == 24 * 3


def test_no_threshold_for_the_risk_is_said_and_nothing_is_saved(mixed: Path, stored: Path, cli: Cli) -> None:
    # Twelve answered without a mistake: Wilson's upper end is 3.84 / (12 + 3.84) = 0.242.
    out, err = cli("eval", "calibrate", mixed, *PLAIN, "--risk", "0.01", "--save", status=1)
    assert "no threshold keeps the risk below 1% for certain: the least is 0.0%, up to 24.2%" in out
    assert "policy_rag.toml stays as it is" in err
    assert not Path("policy_rag.toml").exists()


def test_what_cannot_be_fitted_is_refused_with_what_to_do(
    mixed: Path, folder: Path, no_reranker: None, cli: Cli
) -> None:
    for arguments in (["--risk", "0"], ["--risk", "1.5"], ["--refuse-at-most", "2"]):
        assert "between 0 and 1" in cli("eval", "calibrate", mixed, *arguments, status=2).err
    assert "questions: calibration needs 10 of each kind" in cli("eval", "calibrate", folder, status=2).err


def test_unanswerable_questions_by_rule_are_warned_of_and_gold_without_a_place_is_left_out_everywhere(
    mixed: Path, stored: Path, cli: Cli
) -> None:
    # Answerable ones may be made by rule, and a model's are not told: only the three count.
    made_by = ["rules"] * 15 + ["ollama/small"] + [None] * 8
    rows = [row | {"made_by": made} for row, made in zip(questions_of(mixed), made_by, strict=True)]
    # Nothing in it is like its answer, so that it would be the first to be refused.
    jsonl(mixed / "queries.jsonl", [*rows, {"_id": "q-pets", "text": "When does Berta feed her cats?"}])
    with (mixed / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"_id": "pets", "text": "Pets may come on Fridays.", "doc_id": "rules"}\n')
    with (mixed / "qrels.tsv").open("a", encoding="utf-8") as file:
        file.write("q-pets\tpets\t1\n")
    call = ["eval", "calibrate", mixed, *PLAIN, "--risk", "0.325", "--grid", "search=vector,keyword"]
    out, err = cli(*call)
    assert "warning: 3 of 12 unanswerable questions are made by rule" in err
    assert "mixed: 12 answerable and 12 unanswerable questions" in out
    assert "threshold for a risk of at most 32.5%: " in out


def test_a_grid_of_calibrations_is_compared(mixed: Path, stored: Path, cli: Cli) -> None:
    grid = (*PLAIN, "--set", "llm=extractive", "--grid", "search=vector,keyword")
    document = cli("eval", "calibrate", mixed, *grid, "--json", "--report", "page.html").json
    assert [one["name"] for one in document["configurations"]] == ["search=vector", "search=keyword"]
    assert (document["measure"], document["questions"]) == ("log_score", 24)
    # The score of a configuration is its log-loss turned round; what finds nothing is refused for sure, which is better.
    for one in document["configurations"]:
        assert -one["log_loss"][one["model"]] - 1e-9 <= document["means"][one["name"]] < 0
    assert "risk over coverage" in Path("page.html").read_text()
    client = MlflowClient(f"sqlite:///{(stored / 'mlflow.db').resolve()}")
    (experiment,) = (one.experiment_id for one in client.search_experiments() if one.name == "calibration mixed")
    runs = {one.info.run_name: one for one in client.search_runs([experiment])}
    parent = runs["mixed: search, 2 configurations"]
    best = max(document["means"], key=document["means"].get)
    assert set(runs) - {parent.info.run_name} == {"search=vector", "search=keyword"}
    assert parent.data.metrics["log_score"] == document["means"][best]
    assert runs[best].data.metrics.items() <= parent.data.metrics.items()
    assert runs["search=keyword"].data.params["search"] == "keyword"
    assert all([used.dataset.name for used in one.inputs.dataset_inputs] == ["mixed"] for one in runs.values())
    assert "--save writes one configuration" in cli("eval", "calibrate", mixed, *grid, "--save", status=2).err


def test_a_dry_run_is_read_as_people_read_it(mixed: Path, ollama: OllamaStandIn, cli: Cli) -> None:
    asking = ["--set", "llm=ollama/llama3.2", "--set", "transforms=[rewrite]"]
    out = cli("eval", "calibrate", mixed, *asking, "--dry-run").out
    assert out.startswith("viewing: at most 72 calls, ")
    assert "searching: at most 24 calls, " in out
    assert "the LLM's time comes on top" in out
    assert ollama.chats == []
    assert not Path(".policy_rag", "mlflow.db").exists()
