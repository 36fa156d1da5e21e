"""MLflow's UI as `policy-rag ui` starts it, opened in a browser; without one: what it is called with.

The data set is a part of the sample company's: two of its policies with every second question that they answer, and
three that nothing answers. The models are the real ones, but for a reranker.
"""

import contextlib
import io
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mlflow_ui import CHROMIUM, browser_page, mlflow_ui
from network import go_online
from small_dataset import jsonl

from policy_rag.cli import run

if TYPE_CHECKING:
    from mlflow.entities import Run
    from playwright.sync_api import Page

SAMPLE = Path(__file__).resolve().parents[2] / "eval" / "datasets" / "brannholt"
NAME = "two-policies"
DOCUMENTS = ("leave-policy", "code-of-conduct")
UNANSWERABLE = 3
JUDGES = ("accepted_span", "token_f1", "refusal_status")
CONDITIONS = ("found", "ceiling", "floor")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


def in_a_browser(test: Callable[..., None]) -> Any:
    absent = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")
    return pytest.mark.browser(pytest.mark.slow(absent(test)))


def _two_policies(folder: Path) -> None:
    """Two policies of the sample company as a data set."""
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
    asked = [row for row in questions if row["_id"] in inside][::2]
    nothing = [row for row in questions if not row.get("answerable", True)]
    jsonl(folder / "queries.jsonl", [*asked, *nothing[:UNANSWERABLE]])
    (folder / "qrels.tsv").write_text("\n".join([head, *(label for row in asked for label in gold[row["_id"]])]) + "\n")


def _rows(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLE / file).read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True)
class Shown:
    """The UI over a sweep of four configurations and the answers of one, opened in a browser.

    Attributes:
        address: of the UI.
        page: of the browser, the same for all tests.
        printed: what the command said of the answers.
    """

    address: str
    page: "Page"
    printed: dict[str, Any]

    def runs(self, experiment: str, tag: str) -> "tuple[str, Run, list[Run]]":
        """The experiment's id, the parent, which has the tag, and its children."""
        from mlflow import MlflowClient

        client = MlflowClient(tracking_uri=self.address)
        found = client.get_experiment_by_name(experiment).experiment_id
        (parent,) = client.search_runs([found], f"tags.`{tag}` = 'sweep'")
        return found, parent, client.search_runs([found], f"tags.`mlflow.parentRunId` = '{parent.info.run_id}'")

    def open(self, place: str) -> None:
        """Goes to a place of the UI."""
        self.page.goto(f"{self.address}/#/experiments/{place}")

    def open_children(self, experiment: str, parent: str, columns: Sequence[str]) -> None:
        """Opens the table of runs, a parent's children below it, with these columns."""
        self.open(f"{experiment}/runs")
        self.page.get_by_role("row").filter(has_text=parent).get_by_role("button").first.click()
        self.page.get_by_role("button", name="Columns", exact=True).click()
        for key in columns:
            self.page.get_by_placeholder("Search columns").fill(key)
            self.page.get_by_text(key, exact=True).first.click()
        self.page.keyboard.press("Escape")

    def figure(self, run: "Run", key: str) -> float:
        """What the table of runs says, which cuts long numbers off."""
        from playwright.sync_api import expect

        # The grid lays a row out in two parts, pinned and not, which share a number.
        pinned = self.page.locator("[role=row]").filter(has=self.page.locator(f"a[href$='{run.info.run_id}']"))
        cell = self.page.locator(f"[row-index='{pinned.get_attribute('row-index')}'] [col-id*='{key}']")
        expect(cell).to_be_visible()
        return float(cell.inner_text().rstrip("…"))


@pytest.fixture(scope="module")
def shown(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("shown")
    _two_policies(folder / NAME)
    (folder / ".policy_rag").mkdir()
    shutil.copy(empty_store, folder / ".policy_rag")
    (folder / "policy_rag.toml").write_text('llm = "extractive"\nreranker = "none"\n')
    judges = [word for name in JUDGES for word in ("--judge", name)]
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.chdir(folder)
        grid = ["--grid", "search=vector,keyword", "--grid", "candidates=2,10"]
        assert run(["eval", "retrieval", NAME, "--offline", *grid]) == 0
        with contextlib.redirect_stdout(out):
            assert run(["eval", "answers", NAME, "--offline", *judges, "--json"]) == 0
        go_online()  # a browser is a program that could connect to anything
        with mlflow_ui(folder) as address, browser_page() as page:
            yield Shown(address, page, json.loads(out.getvalue()))


@in_a_browser
def test_it_shows_the_sweep_its_children_a_measure_and_the_page(shown: Shown) -> None:
    from playwright.sync_api import expect

    page = shown.page
    experiment, sweep, children = shown.runs(f"retrieval {NAME}", "policy_rag.kind")
    assert len(children) == 4
    shown.open_children(experiment, "4 configurations", ["ndcg_at_10"])
    for child in children:
        # The figure on the page is the one that comes back through MLflow's API.
        assert shown.figure(child, "ndcg_at_10") == pytest.approx(child.data.metrics["ndcg_at_10"], abs=0.001)

    shown.open(f"{experiment}/runs/{sweep.info.run_id}")
    expect(page.get_by_text(sweep.data.tags["mlflow.note.content"]).first).to_be_visible()
    shown.open(f"{experiment}/runs/{sweep.info.run_id}/artifacts/decision.html")
    decision = page.frame_locator("iframe").first
    expect(decision.get_by_role("heading", level=1)).to_have_text(sweep.data.tags["mlflow.note.content"])
    expect(decision.locator("svg").first).to_be_visible()


@in_a_browser
def test_it_shows_the_default_between_ceiling_and_floor_the_page_and_the_verdicts(shown: Shown, tmp_path: Path) -> None:
    from mlflow import MlflowClient
    from playwright.sync_api import expect

    (default,) = shown.printed["configurations"]
    keys = dict(zip(CONDITIONS, ("accepted_span", "ceiling", "floor"), strict=True))
    said = {keys[one]: default["scores"][one]["accepted_span"]["score"]["mean"] for one in CONDITIONS}
    # Else what is seen below could be one figure, shown three times.
    assert said["floor"] < said["accepted_span"] < said["ceiling"]
    page, client = shown.page, MlflowClient(tracking_uri=shown.address)
    experiment, parent, (child,) = shown.runs(f"answers {NAME}", "policy_rag.answers")
    assert {key: child.data.metrics[key] for key in said} == pytest.approx(said)
    assert child.data.metrics["lost_by_retrieval"] == pytest.approx(default["loss"]["by_retrieval"]["mean"])
    traces = client.search_traces(locations=[experiment], run_id=child.info.run_id, include_spans=False)
    assert len(traces) == shown.printed["questions"]
    assert client.download_artifacts(parent.info.run_id, "answers.json", str(tmp_path))
    assert json.loads((tmp_path / "answers.json").read_text()) == shown.printed

    shown.open_children(experiment, f"answers {NAME}", list(said))
    expect(page.get_by_role("link", name="default", exact=True)).to_be_visible()
    for one in (parent, child):
        assert {key: shown.figure(one, key) for key in said} == pytest.approx(said, abs=0.001)

    shown.open(f"{experiment}/runs/{parent.info.run_id}/artifacts/decision.html")
    decision = page.frame_locator("iframe").first
    expect(decision.get_by_role("heading", level=1)).to_have_text(parent.data.tags["mlflow.note.content"])

    shown.open(f"{experiment}/runs/{child.info.run_id}/artifacts/verdicts.json")
    for text in ("question_id", "How many holidays", "accepted_span", "found"):
        expect(page.get_by_text(text).first).to_be_visible()

    shown.open(f"{experiment}/runs/{child.info.run_id}/traces")
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


def test_it_needs_something_to_show(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["ui"]) == 2
    assert "run `policy-rag eval retrieval DATASET" in capfd.readouterr().err


def test_a_server_has_a_ui_of_its_own(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("policy_rag_eval.tracking.stores._silence", lambda _: None)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://me:secret@127.0.0.1:1")
    assert run(["ui"]) == 2
    err = capfd.readouterr().err
    assert "open http://127.0.0.1:1 in a browser" in err
    assert "secret" not in err


def test_a_port_that_is_taken_is_told(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    started = []

    class Server:
        def __init__(self, command: list[str], **_: object) -> None:
            started.append(command)

        def __enter__(self) -> "Server":
            return self

        def __exit__(self, *_: object) -> None: ...

        def wait(self) -> int:
            return 1

    monkeypatch.setattr(subprocess, "Popen", Server)
    assert run(["ui", "--port", "5123", "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)["url"] == "http://127.0.0.1:5123"
    assert "is port 5123 taken?" in err
    (command,) = started
    assert f"sqlite:///{Path('.policy_rag', 'mlflow.db').resolve()}" in command
    assert command[command.index("--host") + 1] == "127.0.0.1"
