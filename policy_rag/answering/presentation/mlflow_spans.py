"""The steps of a question in the form that MLflow's UI, judges and scorers read: documents, messages, tokens.

This module imports MLflow, inside its functions; it is imported only where traces are kept.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from policy_rag.records.answer import Answer
from policy_rag.tracing import Span, Trace

if TYPE_CHECKING:
    from mlflow.entities import LiveSpan
    from mlflow.entities import Span as MlflowSpan

ROOT = "question"
_TYPES = {
    ROOT: "CHAIN",
    "search": "RETRIEVER",
    "read": "RETRIEVER",
    "rerank": "RERANKER",
    "llm": "LLM",
    "support": "EVALUATOR",
    "check": "EVALUATOR",
    "quote": "PARSER",
    "condense": "PARSER",
    "plan": "AGENT",
    "sub-question": "CHAIN",
}
_INPUTS = frozenset({"question", "asked", "sections", "where", "queries"})
_OUTPUTS = frozenset({"why_removed", "parts", "statements", "removed", "status", "citations", "answer", "confidence"})
_OWN_FORM = frozenset({"hits", "documents", "variables", "system", "user", "messages", "reply"})
_SLACK_NS = 1000  # milliseconds are kept as floats


@dataclass(frozen=True, slots=True)
class Step:
    """A span as MLflow has it.

    Attributes:
        name: what was done.
        kind: MLflow's type of the span.
        begin_ns: when it began, in nanoseconds since 1970.
        end_ns: when it ended, not before that.
        parent: the place among all steps of the one that it is a part of; None for the first, which holds all others.
        inputs: what went in.
        outputs: what came out: of a search a list of documents, of an LLM its message.
        attributes: what else is known of it.
        error: what went wrong, or None.
    """

    name: str
    kind: str
    begin_ns: int
    end_ns: int
    parent: int | None
    inputs: Any
    outputs: Any
    attributes: Mapping[str, Any]
    error: str | None


def root_span(trace: Trace, question: str, outcome: Answer | BaseException) -> Span:
    """The question as a step that holds all others, and ends with the last of them, whenever it is written down."""
    end_ns = max((span.end_ns for span in trace.spans), default=trace.now_ns())
    root = Span(ROOT, trace.begin_ns, (end_ns - trace.begin_ns) / 1e6, texts={"question": question})
    if isinstance(outcome, BaseException):
        root.error = f"{type(outcome).__name__}: {' '.join(str(outcome).split())}"
    else:
        root.attributes |= {"status": outcome.status.value, "confidence": outcome.confidence, "llm": outcome.llm}
        root.texts["answer"] = outcome.answer
        root.texts["citations"] = [
            {"n": one.n, "quote": one.quote, "file": one.file, "section_id": one.section_id, "start": one.start,
             "end": one.end}
            for one in outcome.citations
        ]  # fmt: skip
    return root


def steps(root: Span, trace: Trace, *, texts: bool) -> tuple[Step, ...]:
    """The root, then a step for each span, each inside of the narrowest one that holds it."""
    asked = str(root.texts.get("question", "")) if texts else ""
    found = [_step(root, None, asked, texts=texts)]
    open_ones: list[tuple[Span, int]] = []
    for place, span in enumerate(trace.spans, 1):
        while open_ones and open_ones[-1][0].end_ns + _SLACK_NS < span.end_ns:
            open_ones.pop()
        found.append(_step(span, open_ones[-1][1] if open_ones else 0, asked, texts=texts))
        open_ones.append((span, place))
    return tuple(found)


def _step(span: Span, parent: int | None, asked: str, *, texts: bool) -> Step:
    shown = dict(span.as_record(texts=texts)) | (span.details if texts else {})
    inputs = {name: value for name, value in shown.items() if name in _INPUTS}
    outputs: Any = {name: value for name, value in shown.items() if name in _OUTPUTS}
    known = _INPUTS | _OUTPUTS | _OWN_FORM | {"step", "ms", "error"}
    attributes = {name: value for name, value in shown.items() if name not in known}
    kind = _TYPES.get(span.name, "CHAIN")
    if kind == "RETRIEVER":
        inputs = {"asked": asked, **inputs} if asked else inputs
        bare = [{"page_content": "", "metadata": dict(hit)} for hit in shown.get("hits", ())]
        outputs = shown.get("documents", bare)
    elif kind == "LLM":
        inputs = {"messages": shown["messages"]} if "messages" in shown else inputs
        if "reply" in shown:
            outputs = {"choices": [{"index": 0, "message": {"role": "assistant", "content": shown["reply"]}}]}
        attributes |= {"mlflow.message.format": "openai", "mlflow.llm.model": shown.get("model")}
    elif "hits" in shown:
        outputs["hits"] = shown["hits"]
    if "tokens_in" in shown:
        attributes["mlflow.chat.tokenUsage"] = usage(shown["tokens_in"], shown["tokens_out"])
        if shown.get("cost") is not None:
            attributes["mlflow.llm.cost"] = {"total_cost": shown["cost"]}
    end_ns = max(span.end_ns, span.begin_ns)
    return Step(span.name, kind, span.begin_ns, end_ns, parent, inputs, outputs, attributes, shown.get("error"))


def usage(tokens_in: int, tokens_out: int) -> dict[str, int]:
    """Tokens as MLflow counts them.

    >>> usage(3, 4)
    {'input_tokens': 3, 'output_tokens': 4, 'total_tokens': 7}
    """
    return {"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}


def tokens(trace: Trace) -> dict[str, int] | None:
    """What all LLM calls of a question took; None where none was made."""
    calls = [span.attributes for span in trace.spans if span.name == "llm" and "tokens_in" in span.attributes]
    if not calls:
        return None
    return usage(sum(int(one["tokens_in"]) for one in calls), sum(int(one["tokens_out"]) for one in calls))


def stored(found: tuple[Step, ...], number: int) -> list["MlflowSpan"]:
    """The spans of a trace that is written whole: that of the number."""
    from mlflow.entities import Span as MlflowSpan

    return [MlflowSpan.from_dict(_record(one, place, number)) for place, one in enumerate(found)]


def _record(step: Step, place: int, number: int) -> dict[str, Any]:
    attributes = {
        "mlflow.traceRequestId": f"tr-{number:032x}",
        "mlflow.spanType": step.kind,
        "mlflow.spanInputs": step.inputs,
        "mlflow.spanOutputs": step.outputs,
        **step.attributes,
    }
    return {
        "trace_id": f"tr-{number:032x}",
        "span_id": f"{place + 1:016x}",
        "parent_span_id": None if step.parent is None else f"{step.parent + 1:016x}",
        "name": step.name,
        "start_time_unix_nano": step.begin_ns,
        "end_time_unix_nano": step.end_ns,
        "status": {"code": "STATUS_CODE_ERROR" if step.error else "STATUS_CODE_OK", "message": step.error or ""},
        "attributes": {name: json.dumps(one, ensure_ascii=False, default=str) for name, one in attributes.items()},
    }


def active_span() -> "LiveSpan | None":
    """The span of the caller's own trace that the question is asked in, or None."""
    import mlflow
    from mlflow.entities import LiveSpan

    found = mlflow.get_current_active_span()
    return found if isinstance(found, LiveSpan) and found.trace_id.startswith("tr-") else None


def join(found: tuple[Step, ...], active: "LiveSpan") -> None:
    """Adds the steps to a trace that is being made, under its active span."""
    import mlflow

    made: list[LiveSpan] = []
    for one in found:
        parent = active if one.parent is None else made[one.parent]
        made.append(
            mlflow.start_span_no_context(
                one.name,
                span_type=one.kind,
                parent_span=parent,
                inputs=one.inputs,
                attributes=dict(one.attributes),
                start_time_ns=one.begin_ns,
            )
        )
    for one, span in reversed(list(zip(found, made, strict=True))):
        status = "ERROR" if one.error else "OK"
        span.end(outputs=one.outputs, status=status, end_time_ns=one.end_ns)
