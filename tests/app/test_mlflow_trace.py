"""Traces in MLflow, read back through its own API: spans, states, texts left out, and no key anywhere."""

import contextlib
import logging
import sqlite3
import time
from types import SimpleNamespace

import pytest
from made_policies import made_policy
from ollama_server import Fault
from openai_server import OpenAIStandIn

from policy_rag import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import BudgetError, ModelError, UnansweredError
from policy_rag.records.choices import Transform

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

POLICY = made_policy(
    "Expenses Policy",
    ("Hotels", "A hotel room costs at most 120 euros a night."),
    ("Meals", "Meals on business trips are reimbursed up to 40 euros a day."),
)
KEY = "sk-verysecretkey0123456789"
QUESTION = "What may a hotel room cost a night?"


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"expenses.md": POLICY})


@pytest.fixture
def kept(index, monkeypatch):
    """What was kept since the test began, oldest first."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)

    def traces():
        from mlflow import MlflowClient

        client = MlflowClient(f"sqlite:///{index / 'mlflow.db'}")
        experiment = client.get_experiment_by_name("questions")
        if experiment is None:
            return []
        found = client.search_traces([experiment.experiment_id], order_by=["timestamp ASC"])
        return [client.get_trace(trace.info.trace_id) for trace in found]

    before = len(traces()) if (index / "mlflow.db").exists() else 0
    return lambda: traces()[before:]


def opened(index, **changes):
    given = {"llm": "ollama/llama3.2", "trace_to_mlflow": True, "threshold": 0.01, **changes}
    return PolicyAssistant.open(index, **given)


def ask(index, question=QUESTION, *, trace=False, **changes):
    with opened(index, **changes) as assistant:
        return assistant.ask(question, trace=trace)


def assert_finished(trace):
    assert trace.info.state in {"OK", "ERROR"}
    for span in trace.data.spans:
        assert span.status.status_code in {"OK", "ERROR"}
        assert span.end_time_ns >= span.start_time_ns


def tree(trace):
    """Each span's name with its parent's."""
    names = {span.span_id: span.name for span in trace.data.spans}
    return [(span.name, names.get(span.parent_id)) for span in trace.data.spans]


def test_nothing_is_kept_unless_it_is_switched_on(index, ollama, kept):
    ask(index, trace_to_mlflow=False)
    assert kept() == []


def test_the_steps_of_a_question_are_spans_that_all_have_ended(index, ollama, kept):
    ollama.replies = ["A hotel room costs at most 120 euros a night [1]."]
    answer = ask(index)
    (trace,) = kept()
    assert_finished(trace)
    assert trace.info.state == "OK"
    steps = ("evidence", "support", "quote", "llm", "check")
    found = [("question", None), ("search", "question"), ("rerank", "search"), *((step, "question") for step in steps)]
    assert tree(trace) == found
    spans = {span.name: span for span in trace.data.spans}
    assert spans["question"].inputs == {"question": QUESTION}
    assert spans["question"].outputs["answer"] == answer.answer
    assert spans["search"].span_type == "RETRIEVER"
    assert spans["search"].inputs["asked"] == QUESTION
    first = spans["search"].outputs[0]
    assert (first["metadata"]["doc_uri"], first["metadata"]["chunk_id"]) == ("expenses.md", "1")
    assert "at most 120 euros" in first["page_content"]
    llm = spans["llm"]
    assert llm.span_type == "LLM"
    assert [message["role"] for message in llm.inputs["messages"]] == ["system", "user"]
    assert QUESTION in llm.inputs["messages"][1]["content"]
    assert llm.outputs["choices"][0]["message"] == {"role": "assistant", "content": ollama.replies[0]}
    assert llm.get_attribute("template").startswith("answer ")
    assert llm.get_attribute("cost") == 0
    assert trace.info.token_usage["output_tokens"] == llm.get_attribute("tokens_out") > 0
    assert (trace.info.request_preview, trace.info.response_preview) == (QUESTION, answer.answer)


@pytest.mark.filterwarnings("ignore::UserWarning")  # MLflow's own, of its type hints
def test_a_question_joins_the_trace_that_its_caller_is_making(index, ollama, kept, monkeypatch):
    import mlflow

    ollama.replies = ["A hotel room costs at most 120 euros a night [1]."]
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "")  # put back after the next line, which sets it
    mlflow.set_tracking_uri(f"sqlite:///{index / 'mlflow.db'}")
    try:
        mlflow.set_experiment("questions")
        with mlflow.start_span("application") as root:
            answer = ask(index, trace_to_mlflow=False)
            with pytest.raises(BudgetError):
                ask(index, budget_calls=0, trace_to_mlflow=False)
    finally:
        mlflow.flush_trace_async_logging()
        mlflow.set_tracking_uri(None)  # as if none had ever been named
    (trace,) = kept()
    assert_finished(trace)
    assert trace.info.trace_id == root.trace_id == answer.trace_id
    names = tree(trace)
    assert names[0] == ("application", None)
    assert names.count(("question", "application")) == 2
    assert {("search", "question"), ("llm", "question")} <= set(names)
    assert sorted(span.status.status_code for span in trace.data.spans if span.name == "question") == ["ERROR", "OK"]
    assert trace.info.token_usage["output_tokens"] > 0


def test_parts_transforms_and_reranking_stand_inside_of_what_they_belong_to(index, kept, monkeypatch):
    in_order = SimpleNamespace(
        blend=1.0, depth=None, score_many=lambda asked: [[float(-i) for i in range(len(texts))] for _, texts in asked]
    )
    monkeypatch.setattr("policy_rag.models.factory.load_reranker", lambda *_, **__: in_order)
    given = {"llm": "extractive", "reranker": "folder", "transforms": (Transform.DECOMPOSE, Transform.REWRITE)}
    ask(index, "Please, what may a hotel cost a night, and how much is a meal?", **given)
    (trace,) = kept()
    assert_finished(trace)
    found = tree(trace)
    assert {("plan", "question"), ("rerank", "search"), ("quote", "sub-question")} <= set(found)
    for step in (("sub-question", "question"), ("search", "sub-question"), ("transform", "sub-question")):
        assert found.count(step) == 2


@pytest.mark.parametrize(
    ("fault", "changes", "error"),
    [
        (Fault.HTTP_500, {}, UnansweredError),
        (Fault.DROPPED_MIDWAY, {}, UnansweredError),
        (None, {"budget_calls": 0}, BudgetError),
    ],
)
def test_after_an_error_every_span_has_ended_and_tells_it(index, ollama, kept, fault, changes, error):
    ollama.fault = fault
    with pytest.raises(error):
        ask(index, **changes)
    (trace,) = kept()
    assert_finished(trace)
    assert trace.info.state == "ERROR"
    root = trace.data.spans[0]
    assert root.status.description.startswith(f"{error.__name__}:")
    assert ("llm" in dict(tree(trace))) is (fault is not None)


def test_after_ctrl_c_in_the_midst_of_a_reply_the_trace_is_kept(index, ollama, kept):
    ollama.replies = ["A hotel room costs at most 120 euros a night [1]. The rest is never read."]
    ollama.cut = list
    heard = []

    def interrupted(piece):
        heard.append(piece)
        raise KeyboardInterrupt

    with opened(index) as assistant:
        with pytest.raises(KeyboardInterrupt):
            assistant.ask(QUESTION, on_text=interrupted)
        assert assistant.ask(QUESTION).answered  # the next one is none the worse for it
    assert heard == ["A hotel room costs at most 120 euros a night [1]."]
    broken, whole = kept()
    assert_finished(broken)
    assert (broken.info.state, whole.info.state) == ("ERROR", "OK")
    assert [span.status.status_code for span in broken.data.spans if span.name == "llm"] == ["ERROR"]


def test_without_log_texts_no_word_of_question_section_or_reply_is_kept(index, ollama, kept):
    ollama.replies = ["A hotel room costs at most 120 euros a night [1]. Zebras [1]."]
    answer = ask(index, trace=True, log_texts=False, transforms=(Transform.REWRITE, Transform.DECOMPOSE))
    assert "120 euros" in answer.answer
    (trace,) = kept()
    assert_finished(trace)
    for words in ("hotel", "Zebra", "euros"):
        assert words not in trace.to_json()
        assert words not in repr(answer.trace)
    assert "expenses.md" in trace.to_json()
    ollama.fault = Fault.HTTP_500
    with pytest.raises(ModelError):
        ask(index, log_texts=False)
    assert "runner" not in kept()[-1].to_json()


@pytest.mark.parametrize("fault", ["unwritable", "locked", "nowhere"])
def test_a_store_that_cannot_be_written_is_given_up_at_once_and_costs_a_notice_and_no_answer(
    index, tmp_path, monkeypatch, fault
):
    store = "/dev/null/mlflow.db" if fault == "nowhere" else tmp_path / "mlflow.db"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{store}")
    monkeypatch.setattr("policy_rag.answering.presentation.mlflow_tracing._LOCKED_S", 0.2)
    if fault == "unwritable":
        store.mkdir()
    with contextlib.closing(sqlite3.connect(store if fault == "locked" else ":memory:")) as other:
        other.execute("BEGIN EXCLUSIVE")
        ask(index, llm="extractive")  # imports MLflow
        began = time.monotonic()
        answer = ask(index, llm="extractive")
        assert time.monotonic() - began < 10
    assert answer.answered
    assert answer.trace_id is None
    assert "was not kept in MLflow" in answer.notices[-1]


@pytest.mark.parametrize("status", [200, 401, 500])
def test_a_key_is_in_no_log_no_trace_and_no_span(index, kept, monkeypatch, capsys, caplog, tmp_path, status):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("POLICY_RAG_THRESHOLD", "0.01")
    monkeypatch.setenv("POLICY_RAG_TRACE_TO_MLFLOW", "true")
    # A server that says the key back, as some do with a bad one.
    reply = f"A hotel room costs 120 euros [1]. {KEY} [1]."
    form = ["--json", "--debug"] if status == 200 else []
    with OpenAIStandIn(reply=reply, status=status, error=f"bad key {KEY}") as server:
        monkeypatch.setenv("POLICY_RAG_LLM_URL", server.url)
        with caplog.at_level(logging.DEBUG):
            code = run(["ask", QUESTION, "--index", str(index), "--llm", "openai/m", "--trace", *form])
        ((headers, _),) = server.requests
    assert code == (0 if status == 200 else 1)
    assert headers["Authorization"] == f"Bearer {KEY}"
    printed = capsys.readouterr()
    (trace,) = kept()
    assert_finished(trace)
    store = (index / "mlflow.db").read_bytes().decode("latin-1")
    for place in (printed.out, printed.err, caplog.text, trace.to_json(), store):
        assert KEY not in place
