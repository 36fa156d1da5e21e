"""Feedback stands with the trace of the answer that it is about, and MLflow's own client reads it there."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from small_dataset import TRAVEL, WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import TraceError, UsageError
from policy_rag.records.serialization import to_json
from policy_rag_eval.tracking import local_store
from policy_rag_eval.tracking.trace_feedback import Feedback, feedback_of, latest_trace, log_feedback

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning"), pytest.mark.usefixtures("no_reranker")]


@pytest.fixture
def asked(tmp_path: Path, empty_store: Path, model: WordHashes) -> Path:
    """An index of which two questions were asked, with their traces."""
    (tmp_path / "travel.md").write_text(TRAVEL)
    index = tmp_path / ".policy_rag"
    with PolicyAssistant.open(index, create=True, llm="extractive", trace_to_mlflow=True) as assistant:
        assistant.ingest([tmp_path / "travel.md"])
        shutil.copy(empty_store, index / "mlflow.db")
        assistant.ask("How do employees travel by train?")
        assistant.ask("What does a hotel room cost at most?")
    return index


def test_feedback_stands_with_the_trace_and_nothing_is_lost(asked: Path):
    store = local_store(asked)
    trace = latest_trace(store)
    assert feedback_of(store, trace) == ()
    bad = Feedback("helpful", False, "It misses breakfast", "Ada")
    score = Feedback("faithfulness", 0.5, None, "support_overlap", human=False)
    log_feedback(store, trace, bad)
    log_feedback(store, trace, score)
    assert feedback_of(store, trace) == (bad, score)
    from mlflow.tracing.client import TracingClient

    kept = TracingClient(store.uri).get_trace(trace)
    assert "hotel" in kept.info.request_preview
    assert {a.name: (a.feedback.value, a.source.source_type) for a in kept.info.assessments} == {
        "helpful": (False, "HUMAN"),
        "faithfulness": (0.5, "CODE"),
    }


def test_an_answer_takes_feedback_itself(asked: Path):
    with PolicyAssistant.open(asked, llm="extractive", trace_to_mlflow=True) as assistant:
        answer = assistant.ask("How do employees travel by train?")
    answer.feedback(True, "Clear", by="Ada")
    assert feedback_of(local_store(asked), answer.trace_id) == (Feedback("helpful", True, "Clear", "Ada"),)
    assert "trace_id" in to_json(answer)
    assert "mlflow.db" not in repr(answer)
    assert "trace_store" not in to_json(answer)
    with PolicyAssistant.open(asked, llm="extractive") as assistant:
        untraced = assistant.ask("How do employees travel by train?")
    assert "trace_id" not in to_json(untraced)
    before = latest_trace(local_store(asked))
    untraced.feedback(False, by="Ada")
    untraced.feedback(True, by="Bob")
    kept = latest_trace(local_store(asked))
    assert kept != before
    assert [(one.value, one.by) for one in feedback_of(local_store(asked), kept)] == [(False, "Ada"), (True, "Bob")]
    with pytest.raises(TraceError, match="give feedback on what `ask` returns"):
        replace(untraced, unkept=None).feedback(False)


@pytest.mark.parametrize("texts", [True, False])
def test_feedback_on_the_command_line_needs_no_setting(
    asked: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *, texts: bool
):
    monkeypatch.chdir(asked.parent)
    monkeypatch.setenv("POLICY_RAG_LOG_TEXTS", str(texts).lower())
    assert run(["ask", "What does a room cost?", "--llm", "extractive"]) == 0
    assert ("room" in (asked / "last_question.json").read_text()) is texts
    assert run(["feedback"]) == 2
    assert "nothing was said of the last question: say --good or --bad" in capfd.readouterr().err
    assert run(["feedback", "--bad", "--by", "Ada"]) == 0
    assert "helpful = False, Ada" in capfd.readouterr().out
    assert not (asked / "last_question.json").exists()
    from mlflow.tracing.client import TracingClient

    kept = TracingClient(local_store(asked).uri).get_trace(latest_trace(local_store(asked)))
    assert ("room" in kept.info.request_preview) is texts
    assert {"question", "quote"} <= {span.name for span in kept.data.spans}
    assert run(["feedback", "--good", "--by", "Bob"]) == 0, "a second word on the same answer"
    assert "2 said" in capfd.readouterr().out


def test_a_trace_that_is_not_there_is_named(asked: Path, tmp_path: Path, empty_store: Path):
    with pytest.raises(UsageError, match="there is no trace tr-1 in"):
        log_feedback(local_store(asked), "tr-1", Feedback("helpful", True, None, "Ada"))
    empty = tmp_path / "empty"
    empty.mkdir()
    shutil.copy(empty_store, empty / "mlflow.db")
    with pytest.raises(UsageError, match="no question was asked of this index yet"):
        latest_trace(local_store(empty))


def test_on_the_command_line(asked: Path, capfd: pytest.CaptureFixture[str]):
    assert run(["feedback", "--comment", "x"]) == 2
    assert "--comment needs --good or --bad" in capfd.readouterr().err
    assert run(["feedback", "--good", "--bad"]) == 2
    assert "--good and --bad contradict each other" in capfd.readouterr().err
    assert run(["feedback", "--good", "--comment", "The right limit", "--by", "Ada"]) == 0
    printed = capfd.readouterr().out
    assert "helpful = True, Ada: The right limit" in printed
    assert "1 said of 'What does a hotel room cost at most?'" in printed
    assert run(["feedback"]) == 0
    shown = capfd.readouterr().out
    assert ("helpful = True, Ada" in shown, "The right limit" in shown) == (True, False)
    assert run(["feedback", "--json", "--by", "Ada"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["feedback"] == [
        {"name": "helpful", "value": True, "why": "The right limit", "by": "Ada", "human": True}
    ]
    assert run(["feedback", said["trace_id"], "--bad"]) == 0
    assert "2 said" in capfd.readouterr().out
    assert run(["feedback", "--index", "nowhere"]) == 2
