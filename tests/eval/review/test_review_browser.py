"""The review page in a browser, by keys alone."""

import csv
import datetime as dt
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from mlflow_server import free_port
from mlflow_ui import CHROMIUM, browser_page

from policy_rag_eval.judges.panel import OF_CASE, OF_PANEL
from policy_rag_eval.review.app import review_app
from policy_rag_eval.review.decisions import read_decisions
from policy_rag_eval.review.mounted import source_of

TOKEN = "a-token"


@pytest.fixture
def disputed(tmp_path: Path) -> Path:
    path = tmp_path / "disputed.csv"
    head = [*OF_CASE, "token_f1", *OF_PANEL]
    answer = "<img src=x onerror=alert(1)>"
    rows = [[f"c{n}", f"Question {n}?", answer, '["Given."]', "", "right: yes", ""] for n in (1, 2, 3)]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


@contextmanager
def served(source: Path) -> Iterator[str]:
    app = review_app(
        source_of(source, source.parent / "labelled"),
        reviewer="Ada",
        token=TOKEN,
        clock=lambda: dt.datetime.now(dt.UTC),
    )
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}/#token={TOKEN}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_verdicts_are_decided_by_keys_and_written_back(disputed: Path) -> None:
    from playwright.sync_api import expect

    with served(disputed) as address, browser_page() as page:
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(address)
        expect(page.get_by_role("heading", name="Question 1?")).to_be_visible()
        expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
        page.keyboard.press("r")
        expect(page.get_by_role("heading", name="Question 2?")).to_be_visible()
        page.keyboard.press("n")
        page.keyboard.type("rather not")
        page.keyboard.press("Enter")
        page.keyboard.press("w")
        expect(page.get_by_role("heading", name="Question 3?")).to_be_visible()
        expect(page.get_by_text("2 of 3 decided")).to_be_visible()
        page.keyboard.press("k")
        expect(page.get_by_role("button", name="Wrong w", exact=True)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("u")
        expect(page.get_by_text("1 of 3 decided")).to_be_visible()
        page.get_by_role("button", name="Write back").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_have_text("Written back: 1 right, 0 wrong, 2 open")
        page.goto("about:blank")
        page.goto(address.replace(TOKEN, "wrong"))
        expect(page.get_by_role("status")).to_contain_text("with its token")
    assert [error for error in errors if "401" not in error] == []
    decided = read_decisions(disputed.with_suffix(".reviews.jsonl"))
    assert {item: {by: one.decision for by, one in of.items()} for item, of in decided.items()} == {
        "c1": {"Ada": "right"}, "c2": {},
    }  # fmt: skip
