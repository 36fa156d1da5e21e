"""What is seen of the service: metrics, audit, logs and traces, and that none of them holds what it should not."""

import io
import json
import logging
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from otlp_collector import Collector
from prometheus_client.parser import text_string_to_metric_families

from policy_rag.answering.conversation import Earlier
from policy_rag.errors import ModelError
from policy_rag.server.asking import QuestionRequest, ask
from policy_rag.server.callers import Caller
from policy_rag.server.observability.logs import NAME, log_as_json
from policy_rag.server.reading import DocumentAccess

ANN, BOB = Caller("ann", ("hr",), label="Ann Example"), Caller("bob")
BONUS = "How much is the bonus a year?"
LEAVE = "How many days of annual leave are there?"


def figures(service):
    text = service.watch.metrics.text().decode()
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def audit(service):
    path = service.options.state / "audit.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def known(app_of, options):
    """The service, and a client that is taken for whoever its header names."""
    app = app_of(replace(options, no_auth=False))
    callers = {"ann": ANN, "bob": BOB, "boss": Caller("boss", admin=True), "meter": Caller("meter", ("metrics",))}
    service = replace(
        app.state.service, authenticators=(lambda request: callers.get(request.headers.get("x-who", "")),)
    )
    app.state.service = service
    return service, TestClient(app, base_url="http://127.0.0.1:8765")


@pytest.mark.usefixtures("changeable")  # an index that was just made
def test_questions_are_counted_by_outcome_and_timed_by_stage(service):
    ask(service, ANN, QuestionRequest(text=BONUS))
    ask(service, BOB, QuestionRequest(text="What is the speed of light in glass?", changes={"threshold": 0.99}))
    found = figures(service)
    outcomes = {key[2][1]: value for key, value in found.items() if key[0] == "policy_rag_questions_total"}
    assert sum(outcomes.values()) == 2
    assert outcomes["refused"] == 1
    for stage in ("vector", "rerank", "support", "total"):
        assert found["policy_rag_stage_seconds_count", ("stage", stage)] == 2
    assert found["policy_rag_stage_seconds_sum", ("stage", "total")] > 0
    assert found["policy_rag_questions_in_progress",] == 0
    assert found["policy_rag_index_documents",] == 2
    assert 0 <= found["policy_rag_index_age_seconds",] < 60


def test_tokens_of_an_llm_are_counted_also_of_a_question_that_fails(service, ollama, monkeypatch):
    ollama.replies = ["The bonus is 5000 euros a year [1]."]
    ollama.prompt_tokens = 1000
    monkeypatch.setattr(
        service.assistant, "settings", service.assistant.settings.changed({"llm": "ollama/llama3.2", "threshold": 0.01})
    )
    ask(service, ANN, QuestionRequest(text=BONUS))
    before = figures(service)
    labels = ("llm", "ollama/llama3.2")
    assert before["policy_rag_llm_calls_total", labels] == len(ollama.chats) == 1
    assert before["policy_rag_llm_tokens_total", ("direction", "in"), labels] == 1000

    failing = service.assistant._answer

    def fail(*arguments):
        failing(*arguments)
        raise ModelError("the LLM is gone")

    monkeypatch.setattr(service.assistant, "_answer", fail)
    with pytest.raises(ModelError):
        ask(service, ANN, QuestionRequest(text=BONUS))
    after = figures(service)
    assert after["policy_rag_llm_tokens_total", ("direction", "in"), labels] == 2000
    assert after["policy_rag_questions_total", ("llm", ""), ("outcome", "failed"), ("variant", "")] == 1
    event = audit(service)[-1]
    assert (event["status"], event["status_detail"], event["action"]) == ("Failure", "failed", "Allowed")


def test_metrics_are_for_administrators_and_who_is_in_the_group(known):
    _, client = known
    statuses = {
        who: client.get("/metrics", headers={"x-who": who}).status_code for who in ("boss", "meter", "ann", "x")
    }
    assert statuses == {"boss": 200, "meter": 200, "ann": 404, "x": 401}
    text = client.get("/metrics", headers={"x-who": "meter"}).text
    assert 'policy_rag_http_requests_total{method="GET",route="/metrics",status="404"} 1.0' in text
    assert "pay.md" not in text
    assert "ann" not in text


def test_paths_that_anybody_can_make_up_are_counted_as_one(known):
    service, client = known
    for number in range(3):
        client.get(f"/made/up/{number}", headers={"x-who": "ann"})
        client.get(f"/v1/models/made/up/{number}", headers={"x-who": "ann"})
    routes = [dict(key[1:])["route"] for key in figures(service) if key[0] == "policy_rag_http_requests_total"]
    assert sorted(routes) == ["/v1/models/{name:path}", "unknown"]


def test_the_audit_says_who_asked_what_was_found_and_what_was_shown(service):
    asked = ask(service, ANN, QuestionRequest(text=BONUS))
    event = audit(service)[-1]
    assert (event["class_uid"], event["type_uid"], event["activity_id"]) == (6003, 600302, 2)
    assert event["metadata"]["version"] == "1.8.0"
    assert event["metadata"]["correlation_uid"] == asked.id
    user = {"uid": "ann", "name": "Ann Example", "type_id": 1, "type": "User", "groups": [{"name": "hr"}]}
    assert event["actor"]["user"] == user
    by_label = {resource["name"]: resource["labels"] for resource in event["resources"][::-1]}
    assert by_label == {"pay.md": ["shown"], "leave.md": ["found"]}
    assert event["unmapped"]["outcome"] == asked.answer.status
    assert event["status_id"] == event["action_id"] == 1
    assert "bonus" not in json.dumps(event)
    assert (service.options.state / "audit.jsonl").stat().st_mode & 0o077 == 0


def test_what_was_denied_is_in_the_audit_and_the_caller_is_not_told(known):
    service, _ = known
    reading = DocumentAccess(service, BOB)
    messages = []
    for name in ("pay.md", "absent.md"):
        with pytest.raises(Exception, match="there is no document") as raised:
            reading.show(name)
        messages.append(str(raised.value).replace(name, ""))
    assert messages[0] == messages[1]
    (denied,) = [event for event in audit(service) if event["action"] == "Denied"]
    assert denied["actor"]["user"]["uid"] == "bob"
    assert denied["resources"][0]["name"] == "pay.md"
    assert (denied["status_id"], denied["action_id"], denied["severity_id"]) == (2, 2, 3)


def test_every_reading_is_in_the_audit(known):
    service, _ = known
    reading = DocumentAccess(service, ANN)
    reading.search("bonus")
    reading.show("pay.md")
    reading.documents()
    reading.compared("leave.md", "pay.md")
    reading.check("The bonus is 5000 euros a year.", file="pay.md")
    reading.conflicts()
    events, told = audit(service), ["search", "show", "documents", "changes", "check", "conflicts"]
    assert [event["api"]["operation"] for event in events] == told
    assert all("pay.md" in {resource["name"] for resource in event["resources"]} for event in events[:5])


def test_a_stranger_is_in_the_audit_with_where_from_and_a_request_that_its_reply_names(known):
    service, client = known
    reply = client.get("/metrics", headers={"user-agent": "curl/8"})
    event = audit(service)[-1]
    assert event["actor"]["user"]["name"] == "unknown"
    assert event["src_endpoint"]["ip"] == "testclient"
    assert event["http_request"]["user_agent"] == "curl/8"
    assert event["api"]["request"]["uid"] == reply.headers["x-request-id"]


@pytest.fixture
def logged(monkeypatch):
    """What is logged, as lines of JSON, with logging as it was put back."""
    root, ours = logging.getLogger(), logging.getLogger(NAME)
    before, levels = list(root.handlers), (root.level, ours.level)
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    log_as_json()
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = before
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


@pytest.mark.parametrize("kept", [False, True])
def test_logs_are_json_and_hold_what_was_asked_only_where_that_is_set(app_of, options, logged, kept):
    service = app_of(replace(options, log_questions=kept)).state.service
    ask(service, ANN, QuestionRequest(text=BONUS))
    logging.getLogger("another.library").warning("something %s", "odd")
    mine, other = logged()
    assert (mine["event"], mine["outcome"], mine["caller"], mine["level"]) == ("ask", mine["outcome"], "ann", "info")
    assert mine.get("question") == (BONUS if kept else None)
    assert other["event"] == "something odd"
    assert ("bonus" in json.dumps([mine, audit(service)])) is kept


@pytest.mark.parametrize("texts", [False, True])
def test_traces_reach_a_collector_where_one_is_configured(app_of, options, monkeypatch, texts):
    with Collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        app = app_of(replace(options, log_questions=texts))
        sender = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        with TestClient(app, base_url="http://127.0.0.1:8765") as client:
            client.post("/mcp", json={}, headers={"traceparent": sender})
            service = app.state.service
            with service.watch.tracing.request("POST", "/api/v1/ask", {"traceparent": sender}):
                ask(service, ANN, QuestionRequest(text="And for bonus?", earlier=(Earlier(BONUS),)))
    by_name = {span.name: span for span in collector.spans}
    assert by_name["POST /mcp"].trace_id.hex() == "0af7651916cd43dd8448eb211c80319c"
    assert by_name["POST /mcp"].parent_span_id.hex() == "b7ad6b7169203331"
    request, search, support = by_name["POST"], by_name["search"], by_name["support"]
    assert search.parent_span_id == support.parent_span_id == request.span_id
    assert search.trace_id == request.trace_id
    assert request.start_time_unix_nano < search.start_time_unix_nano < search.end_time_unix_nano
    assert search.end_time_unix_nano <= support.start_time_unix_nano
    assert ("bonus" in str(collector.spans)) is texts


def test_without_a_collector_no_trace_is_made(service):
    with service.watch.tracing.request("GET", "/", {}) as span:
        assert not span.is_recording()


def test_who_has_documents_taken_in_is_in_the_audit(known):
    service, client = known
    files = [("files", ("parking.md", b"# Parking\n\nParking is free.\n"))]
    got = client.post("/api/v1/uploads", data={"open_to_all": "true"}, files=files, headers={"x-who": "boss"})
    assert got.status_code == 202
    event = next(one for one in audit(service) if one["api"]["operation"] == "upload")
    assert (event["activity_name"], event["actor"]["user"]["type"]) == ("Create", "Admin")
    assert [resource["name"] for resource in event["resources"]] == ["parking.md"]
