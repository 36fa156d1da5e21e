"""MLflow's UI as `policy-rag ui` starts it, opened in a browser; without one: what it is called with."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlflow_ui import CHROMIUM, browser_page, mlflow_ui
from small_dataset import WordHashes

from policy_rag.cli import run

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


@pytest.fixture
def ui(folder: Path, stored: Path, model: WordHashes, tmp_path: Path) -> Iterator[str]:
    """The address of the UI over a sweep of three configurations."""
    assert run(["eval", "retrieval", str(folder), "--grid", str(_grid(tmp_path)), "--json"]) == 0
    with mlflow_ui(tmp_path) as address:
        yield address


def _grid(folder: Path) -> Path:
    path = folder / "grid.yaml"
    path.write_text("search: [vector, keyword]\ncandidates: [2, 10]\n")
    return path


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")
def test_the_ui_shows_the_sweep_its_children_a_measure_and_the_page(ui: str) -> None:
    from mlflow import MlflowClient
    from playwright.sync_api import expect

    client = MlflowClient(tracking_uri=ui)
    experiment = client.get_experiment_by_name("retrieval small").experiment_id
    (sweep,) = client.search_runs([experiment], "tags.`policy_rag.kind` = 'sweep'")
    children = client.search_runs([experiment], f"tags.`mlflow.parentRunId` = '{sweep.info.run_id}'")
    assert len(children) == 4
    with browser_page() as page:
        page.goto(f"{ui}/#/experiments/{experiment}/runs")
        sweep_row = page.get_by_role("row").filter(has_text="4 configurations")
        sweep_row.get_by_role("button").first.click()
        page.get_by_role("button", name="Columns", exact=True).click()
        page.get_by_placeholder("Search columns").fill("ndcg_at_10")
        page.get_by_text("ndcg_at_10", exact=True).first.click()
        page.keyboard.press("Escape")
        expect(page.locator("[role=columnheader][col-id*='ndcg_at_10']")).to_be_visible()
        for child in children:
            # The grid lays a row out in two parts, pinned and not, which share a number.
            pinned = page.locator("[role=row]").filter(has=page.locator(f"a[href$='{child.info.run_id}']"))
            cell = page.locator(f"[row-index='{pinned.get_attribute('row-index')}'] [col-id*='ndcg_at_10']")
            expect(cell).to_be_visible()
            # The figure on the page is the one that comes back through MLflow's API.
            assert float(cell.inner_text().rstrip("…")) == pytest.approx(child.data.metrics["ndcg_at_10"], abs=0.001)

        page.goto(f"{ui}/#/experiments/{experiment}/runs/{sweep.info.run_id}")
        expect(page.get_by_text(sweep.data.tags["mlflow.note.content"]).first).to_be_visible()
        page.goto(f"{ui}/#/experiments/{experiment}/runs/{sweep.info.run_id}/artifacts/decision.html")
        shown = page.frame_locator("iframe").first
        expect(shown.get_by_role("heading", level=1)).to_have_text(sweep.data.tags["mlflow.note.content"])
        expect(shown.locator("svg").first).to_be_visible()


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
