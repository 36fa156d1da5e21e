"""`policy-rag eval answers` as MLflow's UI shows it: the default configuration between ceiling and floor.

The data set is a part of the sample company's: two of its policies with every sixth question that they answer, and
three that nothing answers. The models are the real ones.
"""

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mlflow_ui import CHROMIUM, browser_page, mlflow_ui
from network import go_online
from small_dataset import jsonl

from policy_rag.cli import run

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run
    from playwright.sync_api import Page

SAMPLE = Path(__file__).resolve().parents[2] / "eval" / "datasets" / "brannholt"
DOCUMENTS = ("leave-policy", "code-of-conduct")
UNANSWERABLE = 3
JUDGES = ("accepted_span", "token_f1", "refusal_status")
CONDITIONS = ("found", "ceiling", "floor")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


@pytest.fixture
def two_policies(tmp_path: Path) -> Path:
    """Two policies of the sample company as a data set."""
    folder = tmp_path / "two-policies"
    (folder / "documents").mkdir(parents=True)
    documents = [one for one in json.loads((SAMPLE / "documents.json").read_text()) if one["doc_id"] in DOCUMENTS]
    for one in documents:
        shutil.copy(SAMPLE / "documents" / one["file"], folder / "documents")
    (folder / "documents.json").write_text(json.dumps(documents))
    passages = [row for row in _rows("corpus.jsonl") if row["doc_id"] in DOCUMENTS]
    jsonl(folder / "corpus.jsonl", passages)
    kept = {row["_id"] for row in passages}
    head, *labels = (SAMPLE / "qrels.tsv").read_text().splitlines()
    gold: dict[str, list[str]] = {}
    for label in labels:
        gold.setdefault(label.split("\t")[0], []).append(label)
    inside = {name for name, of in gold.items() if all(label.split("\t")[1] in kept for label in of)}
    questions = _rows("queries.jsonl")
    asked = [row for row in questions if row["_id"] in inside][::6]
    nothing = [row for row in questions if not row.get("answerable", True)]
    jsonl(folder / "queries.jsonl", [*asked, *nothing[:UNANSWERABLE]])
    (folder / "qrels.tsv").write_text("\n".join([head, *(label for row in asked for label in gold[row["_id"]])]) + "\n")
    return folder


def _rows(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLE / file).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def printed(two_policies: Path, stored: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What the command says of the default configuration, offline."""
    (tmp_path / "policy_rag.toml").write_text('llm = "extractive"\n')
    judges = [word for name in JUDGES for word in ("--judge", name)]
    call = ["eval", "answers", str(two_policies), "--offline", *judges, "--json"]
    assert run(call) == 0
    go_online()  # a browser is a program that could connect to anything
    return json.loads(capfd.readouterr().out)


def _kept(client: "MlflowClient") -> "tuple[str, Run, Run]":
    """The experiment's id, the parent and its only child."""
    experiment = client.get_experiment_by_name("answers two-policies").experiment_id
    (parent,) = client.search_runs([experiment], "tags.`policy_rag.answers` = 'sweep'")
    (child,) = client.search_runs([experiment], f"tags.`mlflow.parentRunId` = '{parent.info.run_id}'")
    return experiment, parent, child


def _add_columns(page: "Page", keys: list[str]) -> None:
    page.get_by_role("button", name="Columns").click()
    for key in keys:
        page.get_by_placeholder("Search columns").fill(key)
        page.get_by_text(key, exact=True).first.click()
    page.keyboard.press("Escape")


def _figure(page: "Page", run: "Run", key: str) -> float:
    """What the table of runs says, which cuts long numbers off."""
    from playwright.sync_api import expect

    # The grid lays a row out in two parts, pinned and not, which share a number.
    pinned = page.locator("[role=row]").filter(has=page.locator(f"a[href$='{run.info.run_id}']"))
    cell = page.locator(f"[row-index='{pinned.get_attribute('row-index')}'] [col-id*='{key}']")
    expect(cell).to_be_visible()
    return float(cell.inner_text().rstrip("…"))


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")
def test_the_ui_shows_the_default_between_ceiling_and_floor_the_page_and_the_verdicts(
    printed: dict[str, Any], tmp_path: Path
) -> None:
    from mlflow import MlflowClient
    from playwright.sync_api import expect

    (default,) = printed["configurations"]
    keys = dict(zip(CONDITIONS, ("accepted_span", "ceiling", "floor"), strict=True))
    said = {keys[one]: default["scores"][one]["accepted_span"]["score"]["mean"] for one in CONDITIONS}
    # Else what is seen below could be one figure, shown three times.
    assert said["floor"] < said["accepted_span"] < said["ceiling"]
    with mlflow_ui(tmp_path) as address, browser_page() as page:
        client = MlflowClient(tracking_uri=address)
        experiment, parent, child = _kept(client)
        assert {key: child.data.metrics[key] for key in said} == pytest.approx(said)
        assert child.data.metrics["lost_by_retrieval"] == pytest.approx(default["loss"]["by_retrieval"]["mean"])
        traces = client.search_traces(locations=[experiment], run_id=child.info.run_id, include_spans=False)
        assert len(traces) == printed["questions"]
        assert client.download_artifacts(parent.info.run_id, "answers.json", str(tmp_path))
        assert json.loads((tmp_path / "answers.json").read_text()) == printed

        page.goto(f"{address}/#/experiments/{experiment}/runs")
        row = page.get_by_role("row").filter(has_text="answers two-policies")
        row.get_by_role("button").first.click()
        expect(page.get_by_role("link", name="default", exact=True)).to_be_visible()
        _add_columns(page, list(said))
        for one in (parent, child):
            assert {key: _figure(page, one, key) for key in said} == pytest.approx(said, abs=0.001)

        page.goto(f"{address}/#/experiments/{experiment}/runs/{parent.info.run_id}/artifacts/decision.html")
        shown = page.frame_locator("iframe").first
        expect(shown.get_by_role("heading", level=1)).to_have_text(parent.data.tags["mlflow.note.content"])

        page.goto(f"{address}/#/experiments/{experiment}/runs/{child.info.run_id}/artifacts/verdicts.json")
        for text in ("question_id", "How many holidays", "accepted_span", "found"):
            expect(page.get_by_text(text).first).to_be_visible()

        page.goto(f"{address}/#/experiments/{experiment}/runs/{child.info.run_id}/traces")
        # Each question with its answer, and beside it what the judges say of it; at first MLflow shows ten columns only.
        expect(page.get_by_text(JUDGES[0]).first).to_be_visible()
        page.get_by_role("button", name="Columns").click()
        page.locator("[role=option]", has_text="All Assessments").first.click()
        page.keyboard.press("Escape")
        for judge in JUDGES:
            expect(page.get_by_role("columnheader", name=judge)).to_be_visible()
        question = "How many holidays do I have if I work three days a week?"
        expect(page.get_by_text(question).first).to_be_visible()
        average = f"{round(said['accepted_span'], 2):g}"
        expect(page.get_by_text(average, exact=True).first).to_be_visible()
