"""The judges in `mlflow.genai.evaluate`, over a real store: scores, reasons, and nothing said where nothing can be."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ollama_server import OllamaStandIn
from small_dataset import WordHashes

from policy_rag import PolicyAssistant

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")


@pytest.fixture
def tracking(empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import mlflow

    shutil.copy(empty_store, tmp_path / "runs.db")
    monkeypatch.setenv("MLFLOW_ENABLE_ASYNC_TRACE_LOGGING", "false")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'runs.db'}")
    mlflow.create_experiment("own", artifact_location=(tmp_path / "artifacts").as_uri())
    mlflow.set_experiment("own")
    yield mlflow
    mlflow.set_tracking_uri(None)


@pytest.fixture
def assistant(folder: Path, tmp_path: Path, model: WordHashes, no_reranker: None) -> Iterator[PolicyAssistant]:
    with PolicyAssistant.open(tmp_path / "index", create=True, llm="extractive") as opened:
        opened.ingest([folder / "documents"])
        yield opened


def said_of(mlflow: Any, run_id: str) -> dict[str, dict[str, Any]]:
    """Question to scorer to its score."""
    traces = mlflow.MlflowClient().search_traces(locations=[mlflow.get_experiment_by_name("own").experiment_id])
    assert {trace.info.request_metadata["mlflow.sourceRun"] for trace in traces} == {run_id}
    return {
        next(iter(trace.data.spans[0].inputs.values())): {
            one.name: (one.feedback.value, one.feedback.error) for one in trace.info.assessments if one.feedback
        }
        for trace in traces
    }


def test_others_judge_their_answers_with_our_judges(
    tracking: Any, assistant: PolicyAssistant, capfd: pytest.CaptureFixture[str]
) -> None:
    from policy_rag_eval import scorers

    data = [
        {"inputs": {"question": "What does a hotel room cost at most?"},
         "expectations": {"expected_response": "A hotel room costs 120 euros at most.", "answerable": True}},
        {"inputs": {"question": "Is there a canteen?"}, "expectations": {"answerable": False}},
    ]  # fmt: skip
    names = ["token_f1", "accepted_span", "refusal_status", "citation_exact", "support_overlap"]
    result = tracking.genai.evaluate(
        data=data,
        predict_fn=lambda question: assistant.ask(question, threshold=0.01).answer,
        scorers=scorers.make(*names, embedder=WordHashes),
    )
    said = said_of(tracking, result.run_id)
    hotel, canteen = (said[row["inputs"]["question"]] for row in data)
    assert hotel["token_f1"][0] > 0.4
    assert hotel["refusal_status"] == (1.0, None)
    assert hotel["support_overlap"][0] > 0.5, "what was found is read of the trace that the question has joined"
    assert "token_f1" not in canteen, "there is no expected answer"
    assert "accepted_span" not in hotel | canteen
    assert not [error for of in said.values() for _, error in of.values() if error]
    assert set(result.metrics) >= {"token_f1/mean", "refusal_status/mean"}
    assert result.metrics["token_f1/mean"] == hotel["token_f1"][0]


def test_an_answer_record_brings_its_status_and_citations(assistant: PolicyAssistant, tracking: Any) -> None:
    from policy_rag_eval import scorers

    with tracking.start_span("application") as span:
        answer = assistant.ask("What does a hotel room cost at most?", threshold=0.01)
        refused = assistant.ask("What does a hotel room cost at most?", threshold=0.999)
    trace = tracking.get_trace(span.trace_id)
    (exact,) = scorers.make("citation_exact")
    assert exact(inputs={"question": "?"}, outputs=answer, trace=trace).value == 1.0
    (status,) = scorers.make("refusal_status")
    assert status(inputs={"question": "?"}, outputs=refused, expectations={"answerable": True}).value == 0.0
    wrong = {"answer": "A room.", "citations": [{"quote": "invented", "file": "travel.md", "start": 20, "end": 28}]}
    assert exact(inputs={"question": "?"}, outputs=wrong, trace=trace).value == 0.0
    assert exact(inputs={"question": "?"}, outputs="A room.", trace=trace) is None


def test_an_llm_judges_too_and_says_why(ollama: OllamaStandIn, tmp_path: Path) -> None:
    from policy_rag_eval import scorers

    ollama.replies = ['{"reason": "As the reference says.", "grade": 10}']
    (correct,) = scorers.make("correctness", llm="ollama/llama3.2", index=tmp_path)
    verdict = correct(
        inputs={"messages": [{"role": "user", "content": "How many days?"}]},
        outputs={"output": [{"content": [{"type": "output_text", "text": "Thirty days."}]}]},
        expectations={"expected_response": "Thirty days."},
    )
    assert (verdict.name, verdict.value, verdict.rationale) == ("correctness_score", 1.0, "As the reference says.")
    assert (verdict.source.source_type, verdict.source.source_id) == ("LLM_JUDGE", "correctness:ollama/llama3.2")
    assert "Thirty days." in ollama.requests[-1][1]["messages"][-1]["content"]
