"""Every answer of a configuration as a trace in MLflow, with what the judges say of it: from question to verdict.

A trace is written whole, with its verdicts, when all is judged. Its spans have no durations: many answers are made at
once, and replies that were remembered took no time. How long an answer takes is told by `ask --trace`.
"""

import json
import secrets
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from policy_rag_eval.answers.answer_set import Condition
from policy_rag_eval.answers.scoring import AnswerEvaluation
from policy_rag_eval.judges.records import Case, Verdict

if TYPE_CHECKING:
    from mlflow.entities import Assessment, Span
    from mlflow.entities.trace_info import TraceInfo

ROOT = "answer"
_PREVIEW = 1000


def keep_traces(uri: str, experiment: str, run_id: str, one: AnswerEvaluation, *, texts: bool) -> int:
    """Writes the answers that were made from the sections found.

    Args:
        uri: of the store.
        experiment: the experiment's id.
        run_id: the configuration's run.
        one: the configuration.
        texts: whether words of questions, sections, answers and reasons are written.

    Returns:
        How many traces were written.
    """
    from mlflow.tracing.client import TracingClient

    client = TracingClient(uri)
    cases, verdicts = one.cases[Condition.FOUND], one.verdicts[Condition.FOUND]
    now = time.time_ns()
    for place, case in enumerate(cases):
        number = secrets.randbits(127) + 1
        by_judge = {judge: each[place] for judge, each in verdicts.items()}
        client.start_trace(_info(number, experiment, run_id, case, by_judge, now, texts=texts))
        client.log_spans(experiment, _spans(number, case, one.llm, now, texts=texts))
    return len(cases)


def _trace_id(number: int) -> str:
    return f"tr-{number:032x}"


def _info(
    number: int, experiment: str, run_id: str, case: Case, by_judge: Mapping[str, Verdict], now: int, *, texts: bool
) -> "TraceInfo":
    from mlflow.entities.trace_info import TraceInfo
    from mlflow.entities.trace_location import TraceLocation
    from mlflow.entities.trace_state import TraceState

    return TraceInfo(
        trace_id=_trace_id(number),
        trace_location=TraceLocation.from_experiment_id(experiment),
        request_time=now // 1_000_000,
        execution_duration=0,
        state=TraceState.OK,
        request_preview=case.question[:_PREVIEW] if texts else case.case_id,
        response_preview=case.answer[:_PREVIEW] if texts else "",
        trace_metadata={"mlflow.trace_schema.version": "3", "mlflow.sourceRun": run_id},
        tags={"mlflow.traceName": ROOT, "question_id": case.case_id},
        assessments=[_assessment(number, judge, verdict, run_id, texts=texts) for judge, verdict in by_judge.items()],
    )


def _assessment(number: int, judge: str, verdict: Verdict, run_id: str, *, texts: bool) -> "Assessment":
    """A verdict; one without a score is an error there too, never a zero."""
    from mlflow.entities import AssessmentSource, Feedback

    by_model = ":" in judge
    source = AssessmentSource(source_type="LLM_JUDGE" if by_model else "CODE", source_id=judge)
    reason = verdict.reason if texts else None
    return Feedback(
        name=judge.partition(":")[0],
        value=verdict.score,
        error=None if verdict.score is not None else (reason or "could not be judged"),
        rationale=reason,
        source=source,
        trace_id=_trace_id(number),
        metadata={"mlflow.assessment.sourceRunId": run_id},
    )


def _spans(number: int, case: Case, llm: str, now: int, *, texts: bool) -> list["Span"]:
    inputs: dict[str, Any] = {"question": case.question} if texts else {"question_id": case.case_id}
    found: Any = list(case.contexts or ()) if texts else len(case.contexts or ())
    answered = {"answer": case.answer, "refused": case.refused} if texts else {"refused": case.refused}
    return [
        _span(number, 1, None, ROOT, "CHAIN", inputs, answered, now),
        _span(number, 2, 1, "search", "RETRIEVER", inputs, found, now),
        _span(number, 3, 1, "write", "LLM" if llm != "extractive" else "PARSER", {**inputs, "llm": llm}, answered, now),
    ]


def _span(
    number: int, own: int, parent: int | None, name: str, kind: str, inputs: Any, outputs: Any, now: int
) -> "Span":
    from mlflow.entities import Span

    attributes = {
        "mlflow.traceRequestId": _trace_id(number),
        "mlflow.spanType": kind,
        "mlflow.spanInputs": inputs,
        "mlflow.spanOutputs": outputs,
    }
    written = {key: json.dumps(value, ensure_ascii=False, default=str) for key, value in attributes.items()}
    return Span.from_dict(
        {
            "trace_id": _trace_id(number),
            "span_id": f"{own:016x}",
            "parent_span_id": f"{parent:016x}" if parent else None,
            "name": name,
            "start_time_unix_nano": now,
            "end_time_unix_nano": now,
            "status": {"code": "STATUS_CODE_OK", "message": ""},
            "attributes": written,
        }
    )
