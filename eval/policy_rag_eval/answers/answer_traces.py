"""Every answer of a configuration as a trace in MLflow: its steps, what was expected, and what the judges say of it.

A trace is written whole, with its verdicts, when all is judged. It has its steps with their times, the search among
them. A judge that could not judge an answer says nothing of it there: MLflow would count that as an error.
"""

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

from policy_rag_eval.answers.answer_scores import AnswerEvaluation
from policy_rag_eval.answers.answer_set import AnswerTrace, Condition
from policy_rag_eval.data.expectations import expectations
from policy_rag_eval.judges.judge import score_name
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict

if TYPE_CHECKING:
    from mlflow.entities import Assessment, Span
    from mlflow.entities.trace_info import TraceInfo

ROOT = "answer"
_RUN = "mlflow.assessment.sourceRunId"
_TOGETHER = 50  # traces whose spans are written in one transaction


def keep_traces(uri: str, experiment: str, run_id: str, one: AnswerEvaluation, *, texts: bool) -> None:
    """Writes the answers of a configuration that were made from the sections found, beside its run in an experiment.

    `texts`: whether words of questions, sections, answers and reasons are written.
    """
    from mlflow.tracing.client import TracingClient

    from policy_rag.answering.presentation.mlflow_spans import root_span, steps, stored

    client = TracingClient(uri)
    cases, verdicts = one.cases[Condition.FOUND], one.verdicts[Condition.FOUND]
    spans: list[Span] = []
    for place, (case, answered) in enumerate(zip(cases, one.traces, strict=True)):
        number = secrets.randbits(127) + 1
        by_judge = {judge: each[place] for judge, each in verdicts.items()}
        said = [
            *_expected(number, case, texts=texts),
            *(_feedback(number, judge, verdict, run_id, texts=texts) for judge, verdict in by_judge.items()
              if verdict.judged),
        ]  # fmt: skip
        client.start_trace(_info(number, experiment, run_id, case, answered, said, texts=texts))
        root = root_span(answered.trace, case.question, answered.answer)
        root.texts["answer"] = case.answer  # as it was judged
        spans += stored(steps(root, answered.trace, texts=texts), number)
        if (place + 1) % _TOGETHER == 0 or place + 1 == len(cases):
            client.log_spans(experiment, spans)
            spans = []


def _trace_id(number: int) -> str:
    return f"tr-{number:032x}"


def _info(
    number: int,
    experiment: str,
    run_id: str,
    case: Case,
    answered: AnswerTrace,
    said: list["Assessment"],
    *,
    texts: bool,
) -> "TraceInfo":
    from policy_rag.answering.presentation.mlflow_tracing import trace_info

    return trace_info(
        _trace_id(number),
        experiment,
        answered.trace,
        previews=(case.question, case.answer) if texts else (case.case_id, ""),
        tags={"mlflow.traceName": ROOT, "question_id": case.case_id},
        metadata={"mlflow.sourceRun": run_id},
        assessments=said,
    )


def _expected(number: int, case: Case, *, texts: bool) -> Iterator["Assessment"]:
    """What is known to be right, under the names that MLflow's own judges read."""
    from mlflow.entities import AssessmentSource, Expectation

    source = AssessmentSource(source_type="HUMAN", source_id="data set")
    for name, value in expectations(case.reference, case.accepted, case.answerable).items():
        if texts or isinstance(value, bool):
            yield Expectation(name=name, value=value, source=source, trace_id=_trace_id(number))


def _feedback(number: int, judge: str, verdict: JudgeVerdict, run_id: str, *, texts: bool) -> "Assessment":
    from mlflow.entities import AssessmentSource, Feedback

    return Feedback(
        name=score_name(judge),
        value=verdict.score,
        rationale=verdict.reason if texts else None,
        source=AssessmentSource(source_type="LLM_JUDGE" if ":" in judge else "CODE", source_id=judge),
        trace_id=_trace_id(number),
        metadata={_RUN: run_id},
    )
