"""The review page over HTTP: what it refuses, what it writes, and that it knows nothing but its files."""

import csv
import datetime as dt
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from small_dataset import LEAVE, TRAVEL, WordHashes
from starlette.testclient import TestClient

from policy_rag import PolicyAssistant
from policy_rag.cli import run
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict
from policy_rag_eval.judges.labelled import read_labelled
from policy_rag_eval.judges.panel import OF_CASE, OF_PANEL, disputed_csv, panel
from policy_rag_eval.questions.question_set import read_set
from policy_rag_eval.review.app import TOKEN_HEADER, review_app
from policy_rag_eval.review.decisions import ReviewDecision, read_decisions
from policy_rag_eval.review.items import Choice, ReviewItem
from policy_rag_eval.review.mounted import source_of

TOKEN = "a-token"
NOW = dt.datetime(2026, 9, 1, 12, tzinfo=dt.UTC)


@pytest.fixture
def made(tmp_path: Path, model: WordHashes, no_reranker: None) -> Path:
    """A question set made by rule from two policies."""
    files = tmp_path / "policies"
    files.mkdir()
    (files / "leave.md").write_text(LEAVE)
    (files / "travel.md").write_text(TRAVEL)
    with PolicyAssistant.open(tmp_path / ".policy_rag", create=True, llm="extractive") as assistant:
        assistant.ingest([files])
    assert run(["eval", "questions", "set", "--as-of", "2026-09-01"]) == 0
    return tmp_path / "set"


@pytest.fixture
def disputed(tmp_path: Path) -> Path:
    path = tmp_path / "disputed.csv"
    head, said = [*OF_CASE, "token_f1", "rouge_l", *OF_PANEL], ["right: yes", "wrong: no"]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([
            head,
            ["c1", "How many days?", "Thirty days.", json.dumps([LEAVE.splitlines()[4], "More."]), "", *said, ""],
            ["c2", "By bus?", "'=never", '["Trains only."]', "", *said, ""],
        ])  # fmt: skip
    return path


def client(source: Path) -> TestClient:
    app = review_app(source_of(source, source.parent / "labelled"), reviewer="Ada", token=TOKEN, clock=lambda: NOW)
    return TestClient(app, base_url="http://127.0.0.1:5002", headers={TOKEN_HEADER: TOKEN})


def decide(page: TestClient, item: str, decision: str, by: str = "Ada", **more: Any) -> Response:
    return page.post("/decisions", json={"item": item, "decision": decision, "by": by, **more})


def test_another_site_or_a_caller_without_the_token_learns_and_changes_nothing(made: Path) -> None:
    page = client(made)
    assert page.get("/items").status_code == 200
    for headers, status in (
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example:5002"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({TOKEN_HEADER: "wrong"}, 401),
        ({TOKEN_HEADER: ""}, 401),
    ):
        refused = page.get("/items", headers=headers)
        assert refused.status_code == status, headers
        assert "Employees" not in refused.text
        body = {"item": read_set(made).questions[0].question_id, "decision": "drop", "by": "Eve"}
        assert page.post("/decisions", json=body, headers=headers).status_code == status
        assert page.post("/apply", json={}, headers=headers).status_code == status
    form = page.post("/decisions", data={"item": "x"})
    assert (form.status_code, form.json()["error"]) == (400, "send JSON")
    assert not (made / "reviews.jsonl").exists()
    assert page.get("/items", headers={"host": "localhost:5002"}).status_code == 200


class SlowlyWritten:
    """Something to review whose writing back takes a while, as of a large set, and puts the files of before in place."""

    title, choices = "slow", (Choice.ACCEPT,)

    def __init__(self, decisions: Path) -> None:
        self.decisions, self.begun = decisions, threading.Event()

    def items(self) -> list[ReviewItem]:
        return [ReviewItem(item, "Who?", "", "", ()) for item in "12"]

    def check(self, decision: ReviewDecision) -> None:
        pass

    def apply(self, decided: object) -> dict[str, int]:
        before = self.decisions.read_text()
        self.begun.set()
        time.sleep(0.3)
        self.decisions.write_text(before)
        return {}


def test_a_decision_that_comes_while_the_set_is_written_back_is_kept(tmp_path: Path) -> None:
    source = SlowlyWritten(tmp_path / "reviews.jsonl")
    page = TestClient(review_app(source, reviewer="Ada", token=None, hosts=None, clock=lambda: NOW))
    assert decide(page, "1", "accept").status_code == 200
    writing = threading.Thread(target=page.post, args=("/apply",), kwargs={"json": {}})
    writing.start()
    source.begun.wait(10)
    assert decide(page, "2", "accept", by="Bob").status_code == 200
    writing.join()
    assert sorted(read_decisions(source.decisions)) == ["1", "2"]


def test_the_page_asks_nobody_else_and_runs_nothing_that_is_written_into_it(made: Path) -> None:
    page = client(made)
    for path in ("/", "/review.js", "/review.css"):
        reply = page.get(path, headers={TOKEN_HEADER: ""})
        assert reply.status_code == 200
        policy = reply.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "://" not in reply.text.replace('indexOf("://', ""), "no address of another place"
        assert "innerHTML" not in reply.text
        assert (reply.headers["x-content-type-options"], reply.headers["referrer-policy"]) == ("nosniff", "no-referrer")


def test_decisions_of_two_reviewers_are_kept_apart_compared_and_written_where_they_agree(made: Path) -> None:
    page = client(made)
    items = page.get("/items").json()["items"]
    first, second, third = (one["item_id"] for one in items[:3])
    decide(page, first, "accept")
    decide(page, second, "drop")
    decide(page, third, "accept", note="fine")
    seen = {one["item_id"]: one for one in page.get("/items?by=Bob").json()["items"]}
    assert seen[first]["others"] == [], "another's decision is not told before one's own"
    said = decide(page, first, "accept", by="Bob").json()
    assert [(one["by"], one["decision"]) for one in said["item"]["others"]] == [("Ada", "accept")]
    decide(page, second, "drop", by="Bob")
    said = decide(page, third, "drop", by="Bob").json()
    # Two agree, one pair of three differs: observed 2/6, expected 18/30 of unequal pairs.
    assert said["agreement"] == {
        "reviewers": ["Ada", "Bob"], "shared": 3, "differing": [third], "alpha": pytest.approx(1 - (2 / 6) / (18 / 30)),
    }  # fmt: skip
    before = len(items)
    other = client(made)  # another process would know as much: all stands in the files
    written = other.post("/apply", json={}).json()["written"]
    assert written == {"accept": 1, "edit": 0, "drop": 1, "open": before - 2}
    left = {one.question_id: one for one in read_set(made).questions}
    assert len(left) == before - 1
    assert left[first].reviewed
    assert not left[third].reviewed
    decide(page, third, "", by="Bob")
    assert page.get("/items").json()["agreement"]["differing"] == []
    assert run(["eval", "review", str(made), "--apply"]) == 0
    assert {one.question_id: one.reviewed for one in read_set(made).questions}[third]


def test_an_edit_must_quote_the_section_and_is_written_as_it_stands(made: Path) -> None:
    page = client(made)
    item = next(one for one in page.get("/items").json()["items"] if one["quotes"])
    refused = decide(page, item["item_id"], "edit", edited={"question": "Is it so?", "quote": "Nobody says this."})
    assert (refused.status_code, "does not stand in its section" in refused.json()["error"]) == (400, True)
    assert not (made / "reviews.jsonl").exists()
    assert decide(page, item["item_id"], "edit", edited={"question": "Is it so?"}).status_code == 200
    page.post("/apply", json={})
    edited = [one for one in read_set(made).questions if one.draft.text == "Is it so?"]
    assert [one.reviewed for one in edited] == [True]
    assert [quote.text for quote in edited[0].draft.quotes] == item["quotes"]


def test_what_is_no_decision_is_refused(made: Path) -> None:
    page = client(made)
    item = page.get("/items").json()["items"][0]["item_id"]
    for given, said in (
        ({"decision": "right"}, "is none of accept, edit, drop"),
        ({"by": " "}, "say who reviews"),
        ({"item": "none"}, "there is no item"),
        ({"note": 3}, "texts only"),
        ({"note": "x" * 20_001}, "longer than"),
        ({"edited": {"sections": ""}}, "can be edited"),
        ({"note": "x" * 200_001}, "too long"),
    ):
        reply = page.post("/decisions", json={"item": item, "decision": "accept", "by": "Ada", **given})
        assert (reply.status_code, said in reply.json()["error"]) == (400, True), said
    assert not (made / "reviews.jsonl").exists()


def test_contexts_and_reference_of_a_disputed_answer_come_back_as_they_were(tmp_path: Path) -> None:
    given = Case("c1", "How many?", "=Thirty.", contexts=("One.\n\n---\n\nTwo.", "[Three]"), reference="-30 days")
    verdicts = {name: [JudgeVerdict(name, score, "label", "why")] for name, score in (("a", 1.0), ("b", 0.0))}
    found = panel([given], verdicts, {"a": 0.5, "b": 0.5})
    table = tmp_path / "disputed.csv"
    table.write_text(disputed_csv(found, verdicts), newline="")
    page = client(table)
    (shown,) = page.get("/items").json()["items"]
    assert [one["text"] for one in shown["passages"]] == list(given.contexts or ())
    assert shown["said"] == ["known to be right: -30 days", "a: label: why", "b: label: why"]
    decide(page, "c1", "right")
    page.post("/apply", json={})
    assert [one.case for one in read_labelled(tmp_path / "labelled")] == [given]


def test_disputed_verdicts_become_labelled_answers_that_judges_are_measured_with(
    disputed: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page = client(disputed)
    shown = page.get("/items").json()
    assert shown["choices"] == ["right", "wrong"]
    assert shown["items"][1]["answer"] == "=never", "as it was before a spreadsheet"
    assert shown["items"][0]["said"] == ["token_f1: right: yes", "rouge_l: wrong: no"]
    decide(page, "c1", "right")
    decide(page, "c2", "wrong")
    assert page.post("/apply", json={}).json()["written"] == {"right": 1, "wrong": 1, "open": 0}
    labelled = {one.case.case_id: one for one in read_labelled(disputed.parent / "labelled")}
    assert (labelled["c1"].right, labelled["c2"].right) == (True, False)
    assert labelled["c1"].case.contexts == (LEAVE.splitlines()[4], "More.")
    decide(page, "c2", "right")
    page.post("/apply", json={})
    assert all(one.right for one in read_labelled(disputed.parent / "labelled"))
    assert run(["eval", "review", str(disputed), "--labelled", "labelled", "--apply", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["written"] == {"right": 2, "wrong": 0, "open": 0}
    assert run(["eval", "review", "nowhere"]) == 2
    assert run(["eval", "review", str(disputed.parent / "labelled" / "cases.jsonl")]) == 2
