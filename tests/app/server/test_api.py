"""The API: the command line's JSON under `/api/v1`, streamed where asked for, and the same 404 whatever is not there."""

import json
import sqlite3
from contextlib import closing

import pytest
from fastapi.testclient import TestClient

from policy_rag.records.serialization import to_json
from policy_rag.server.app import create_app
from policy_rag.server.service_options import ServerOptions

LEAVE = "How many days of annual leave are there?"
PROBLEM = "application/problem+json"


@pytest.fixture
def client(app_of, options):
    return TestClient(app_of(options), base_url="http://127.0.0.1:8765")


@pytest.fixture(scope="module")
def one_client(filled_once, tmp_path_factory):
    """For requests after which nothing is another."""
    app = create_app(filled_once, ServerOptions(state=tmp_path_factory.mktemp("state"), no_auth=True))
    return TestClient(app, base_url="http://127.0.0.1:8765")


def ask(client, question=LEAVE, **body):
    got = client.post("/api/v1/ask", json={"question": question, **body})
    assert got.status_code == 200, got.text
    return got.json()


def streamed(client):
    got = client.post("/api/v1/ask", json={"question": LEAVE}, headers={"accept": "text/event-stream"})
    assert got.headers["content-type"].startswith("text/event-stream"), got.text
    blocks = [block.split("\n") for block in got.text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def test_an_answer_is_the_command_lines_json_with_its_id(client):
    answer = ask(client)
    assert "28 days" in answer["answer"]
    assert answer["citations"][0]["file"] == "leave.md"
    assert answer["trace"] is None
    assert list(answer)[:4] == ["id", "conversation", "question", "status"]
    (kept,) = client.get("/api/v1/questions").json()
    assert kept["id"] == answer["id"]
    assert kept["answer"]["answer"] == answer["answer"]


def test_search_gives_the_json_of_the_command_line(one_client, filled):
    got = one_client.post("/api/v1/search", json={"question": "annual leave", "top_k": 1})
    assert got.status_code == 200
    assert got.json()["hits"] == to_json(filled.search("annual leave", top_k=1))["hits"]
    assert got.json()["hits"][0]["file"] == "leave.md"


def test_a_stream_gives_the_text_and_then_the_same_answer(one_client):
    *before, (name, answer) = streamed(one_client)
    assert (name, answer["trace"]) == ("answer", None)
    assert {name for name, _ in before} <= {"text", "notice"}
    assert "".join(data["text"] for name, data in before if name == "text") == answer["answer"]


def test_what_is_wrong_with_a_question_is_a_problem_and_no_stream(one_client):
    body = {"question": "Leave?", "where": ["nonsense"]}
    got = one_client.post("/api/v1/ask", json=body, headers={"accept": "text/event-stream"})
    assert (got.status_code, got.headers["content-type"]) == (400, PROBLEM)


def test_a_follow_up_names_its_conversation(one_client):
    answer = ask(one_client, "And for sick leave?", conversation=ask(one_client)["conversation"])
    assert answer["notices"][-1].startswith("read as: And for sick leave? (")


def test_the_library(one_client):
    client = one_client
    assert [row["doc_id"] for row in client.get("/api/v1/documents").json()] == ["leave.md"]
    shown = client.get("/api/v1/show", params={"document": "leave.md", "section": "1", "alone": True}).json()
    assert "28 days" in shown["text"]
    assert shown["before"] == ""
    found = client.get("/api/v1/changes", params={"old": "leave.md", "new": "leave.md"}).json()
    assert found["changes"] == []
    assert found["counts"]["unchanged"] == 3
    assert client.get("/api/v1/conflicts").json() == []
    checked = client.post("/api/v1/check", json={"statement": "Annual leave is 28 days."}).json()
    assert checked["verdict"] == "supported"


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("show", {"document": "NAME"}),
        ("changes", {"old": "NAME", "new": "leave.md"}),
        ("changes", {"old": "leave.md", "new": "NAME"}),
    ],
)
def test_a_document_of_others_is_not_there(one_client, path, params):
    def said(name):
        got = one_client.get(f"/api/v1/{path}", params={k: v.replace("NAME", name) for k, v in params.items()})
        assert got.status_code == 404
        return got.text.replace(name, "NAME")

    assert said("pay.md") == said("absent.md")


def test_no_file_of_the_server_is_compared(one_client, tmp_path):
    (tmp_path / "secret.md").write_text("# Secret\n\nWords.\n")
    got = one_client.get("/api/v1/changes", params={"old": str(tmp_path / "secret.md"), "new": "leave.md"})
    assert got.status_code == 404


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_feedback_is_for_ones_own_answers(changeable, client):
    answer = ask(client)
    got = client.post("/api/v1/feedback", json={"id": answer["id"], "helpful": False, "comment": "Too short."})
    assert got.status_code == 204
    (kept,) = client.get("/api/v1/admin/questions", params={"rated": True}).json()
    assert (kept["helpful"], kept["comment"]) == (False, "Too short.")
    with closing(sqlite3.connect(changeable.index.folder / "mlflow.db")) as db:
        assert db.execute("SELECT name, value FROM assessments").fetchall() == [("helpful", "false")]
    got = client.post("/api/v1/feedback", json={"id": "f" * 32, "helpful": True})
    assert got.status_code == 404


def test_unanswered_questions_of_one_matter_stand_together(client):
    for question in ("Who feeds the zebra?", "Who feeds the zebras?", "When is the canteen open?"):
        client.post("/api/v1/ask", json={"question": question, "where": ["doc_id=leave.md"]})
    groups = client.get("/api/v1/admin/unanswered").json()
    assert [(one["question"], one["times"]) for one in groups] == [
        ("Who feeds the zebras?", 2),
        ("When is the canteen open?", 1),
    ]
    assert groups[0]["others"] == ["Who feeds the zebra?"]


def test_health_and_readiness_tell_everybody_nothing_else(one_client):
    assert one_client.get("/api/v1/health").json()["status"] == "ok"
    assert one_client.get("/api/v1/readiness").json() == {"status": "ready"}


BAD = [
    (400, "search", {"question": "  "}, "question"),
    (422, "search", {}, "question"),
    (422, "search", {"question": "leave", "groups": ["hr"]}, "groups"),
    (400, "search", {"question": "leave", "where": ["nonsense"]}, "nonsense"),
    (422, "search", {"question": "leave", "top_k": 0}, "top_k"),
    (422, "search", {"question": "leave", "top_k": 10**30}, "top_k"),
    (400, "search", {"question": "leave", "reranker": "/etc"}, "is not offered here"),
    (422, "search", {"question": "leave", "search": "magic"}, "search"),
    (400, "ask", {"question": "leave", "llm": "openai/gpt"}, "is not offered here"),
    (400, "ask", {"question": "leave", "llm": "ollama/llama3.2"}, "is not offered here"),
    (400, "ask", {"question": "leave", "reranker": "/etc"}, "is not offered here"),
    (422, "ask", {"question": "leave", "as_of": "2026-02-30"}, "as_of: '2026-02-30' is no day"),
    (422, "ask", {"question": "leave", "as_of": 86400}, "as_of: 86400 is no day"),
    (422, "GET conflicts", {"as_of": "86400"}, "as_of: '86400' is no day"),
    (400, "ask", {"question": "x" * 20_001}, "more briefly"),
    (422, "ask", {"question": "leave", "conversation": "a/b"}, "conversation"),
    (422, "ask", {"question": "leave", "conversation": "c" * 101}, "conversation"),
    (400, "check", {"statement": ""}, "empty"),
    (400, "check", {"statement": "Leave.", "start": 3}, "both ends"),
    (400, "check", {"statement": "Leave.", "start": 0, "end": 5}, "name the file"),
    (400, "check", {"statement": "Leave.", "file": "leave.md", "start": 5, "end": 3}, ""),
    (422, "feedback", {"id": "x"}, "helpful"),
    (422, "GET show", {}, "document"),
    (404, "GET show", {"document": "leave.md", "section": "99"}, "no section"),
    (400, "GET show", {"document": "leave.md", "start": 3}, "both ends"),
    (422, "GET show", {"document": "leave.md", "start": 3, "end": 10**20}, "end"),
    (422, "GET questions", {"limit": 0}, "limit"),
    (400, "GET conflicts", {"where": "nonsense"}, "nonsense"),
    (404, "GET nowhere", {}, "nothing here"),
    (405, "GET ask", {}, "takes POST"),
]


@pytest.mark.parametrize(("status", "call", "given", "said"), BAD)
def test_bad_input_is_one_problem_document(one_client, status, call, given, said):
    path = call.removeprefix("GET ")
    how = {"json": given} if path == call else {"params": given}
    got = one_client.request("POST" if path == call else "GET", f"/api/v1/{path}", **how)
    assert (got.status_code, got.headers["content-type"]) == (status, PROBLEM)
    assert got.json()["status"] == status
    assert said in got.json()["detail"]
    assert "\n" not in got.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"question": 3}', b"\xff\xfe", b'{"question": "half \\ud800"}', b"[" * 10_000,
     b'{"question": "leave", "where": ["\\ud800"]}', b'{"question": "leave", "where": ["doc_id=\\ud800"]}'],
)  # fmt: skip
def test_a_body_that_is_none_is_one_problem_document(one_client, body):
    for path in ("search", "ask", "check", "feedback"):
        got = one_client.post(f"/api/v1/{path}", content=body, headers={"content-type": "application/json"})
        assert 400 <= got.status_code < 500
        assert got.headers["content-type"] == PROBLEM


def test_a_day_is_read_as_on_the_command_line(client):
    """Not as seconds since 1970, as which pydantic reads a text of digits."""
    asked = [client.post("/api/v1/ask", json={"question": "leave", "as_of": day}) for day in ("20251231", "2025-12-31")]
    assert [got.status_code for got in asked] == [200, 200]
    assert [one["as_of"] for one in client.get("/api/v1/questions").json()] == ["2025-12-31", "2025-12-31"]


@pytest.mark.parametrize(
    ("content_type", "body", "said"),
    [
        ("application/json", '{"question": "leave"', "the body is no JSON: Expecting ',' delimiter at character 20"),
        ("application/json", '"leave"', "the body is no JSON object"),
        ("application/x-www-form-urlencoded", '{"question": "leave"}', "`Content-Type: application/json`"),
    ],
)
def test_what_is_wrong_with_a_body_is_said(one_client, content_type, body, said):
    for path in ("/api/v1/ask", "/v1/chat/completions"):
        got = one_client.post(path, content=body, headers={"content-type": content_type})
        assert said in (got.json()["detail"] if path.startswith("/api") else got.json()["error"]["message"])


def test_another_method_is_told_those_that_a_path_takes(one_client):
    for path, method in (("/api/v1/ask", "GET"), ("/v1/chat/completions", "GET"), ("/documents", "POST")):
        got = one_client.request(method, path, headers={"accept": "text/html"})
        assert (got.status_code, got.headers["allow"]) == (405, "POST" if method == "GET" else "GET")
