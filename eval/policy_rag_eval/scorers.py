"""The judges as scorers of MLflow: `mlflow.genai.evaluate(data=..., scorers=scorers.make(...))`.

A scorer reads of a row what MLflow gives it: the question of `inputs` (`question`, `query`, or the last message), the
answer of `outputs` (a text, `PolicyAssistant.ask`'s answer, a record with `answer`, or a reply in the form of OpenAI's
Responses or chats), what was found of the trace's RETRIEVER spans, and of `expectations` the names `expected_response`,
`accepted_answers` and `answerable`. It says nothing of a row that lacks what it needs, so that such a row is skipped
and counts as no error.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlflow.entities import AssessmentSource, Feedback
from mlflow.genai.scorers import Scorer
from pydantic import PrivateAttr

from policy_rag.index.store.place import home_of, index_place
from policy_rag.records.answer import Answer
from policy_rag_eval.data.expectations import ACCEPTED, ANSWERABLE, RESPONSE
from policy_rag_eval.judges.judge import Judge, missing, score_name
from policy_rag_eval.judges.judge_cases import Case, Cited

if TYPE_CHECKING:
    from mlflow.entities import Span
    from mlflow.entities.trace import Trace

    from policy_rag.models.embedder import Embedder

_QUESTION = ("question", "query", "request", "input", "messages")
_ANSWER = ("answer", "response", "output", "content", "text", "choices", "message")


class JudgeScorer(Scorer):
    """A judge as a scorer, called by its kind, as `token_f1`, so that runs of several LLMs can be compared."""

    _judge: Any = PrivateAttr()

    def __init__(self, judge: Judge) -> None:
        super().__init__(name=score_name(judge.name))
        self._judge = judge

    def __call__(  # type: ignore[override]  # one that cannot judge returns None, which MLflow skips
        self,
        *,
        inputs: Any = None,
        outputs: Any = None,
        expectations: dict[str, Any] | None = None,
        trace: "Trace | None" = None,
    ) -> Feedback | None:
        """The judge's verdict with its reason; None where it cannot judge."""
        judge: Judge = self._judge
        case = case_of(inputs, outputs, expectations or {}, trace)
        if missing(judge, case):
            return None
        verdict = judge.judge(case)
        if verdict.score is None:
            return None
        source = AssessmentSource(source_type="LLM_JUDGE" if ":" in judge.name else "CODE", source_id=judge.name)
        metadata = {"label": verdict.label, **({"evidence": "\n".join(verdict.evidence)} if verdict.evidence else {})}
        return Feedback(name=self.name, value=verdict.score, rationale=verdict.reason, source=source, metadata=metadata)


def make(
    *names: str,
    llm: str | None = None,
    guidelines: Path | str | None = None,
    embedder: "Callable[[], Embedder] | None" = None,
    index: Path | str = ".policy_rag",
) -> list[JudgeScorer]:
    """Scorers by the judges' names; without names all that need nothing that is not given.

    Args:
        names: as `policy-rag eval judges` lists them, such as `token_f1` or `faithfulness`.
        llm: the LLM of judges that ask one, `ollama/NAME` or `openai/NAME`; its replies are cached beside `index`.
        guidelines: a YAML file of rules for the judge `guidelines`.
        embedder: makes the embedding model of judges that compare meanings; by default the one that comes with the
            project.
        index: a folder.

    Raises:
        UsageError: a name is unknown, or names a judge that lacks its LLM or its rules.
        ModelError: the LLM is not there.

    >>> [scorer.name for scorer in make("token_f1", "refusal_status")]
    ['token_f1', 'refusal_status']
    >>> (scorer,) = make("token_f1")
    >>> scorer(inputs={"question": "Days?"}, outputs="Thirty.", expectations={"expected_response": "Thirty."}).value
    1.0
    """
    from policy_rag.settings import load_settings
    from policy_rag_eval.judges.catalogue import named_judges
    from policy_rag_eval.judges.evaluation_models import open_replies

    store = open_replies(home_of(index_place(index))) if llm else None
    judges = named_judges(names, llm or (), load_settings({}), store, guidelines=guidelines, embedder=embedder)
    return [JudgeScorer(judge) for judge in judges]


def case_of(inputs: Any, outputs: Any, expectations: Mapping[str, Any], trace: "Trace | None" = None) -> Case:
    """What a judge is given of a row of MLflow's."""
    said = _record(outputs)
    found = documents(trace)
    accepted = expectations.get(ACCEPTED) or ()
    answerable = expectations.get(ANSWERABLE)
    status = said.get("status") if said is not None else None
    return Case(
        case_id=trace.info.trace_id if trace is not None else "",
        question=text_in(inputs, _QUESTION),
        answer=text_in(outputs if said is None else said, _ANSWER),
        contexts=None if found is None else tuple(str(one.get("page_content", "")) for one in found),
        reference=str(expectations[RESPONSE]) if expectations.get(RESPONSE) else None,
        accepted=(accepted,) if isinstance(accepted, str) else tuple(map(str, accepted)),
        answerable=answerable if isinstance(answerable, bool) else None,
        refused=None if status is None else status in {"refused", "clarify"},
        citations=None if said is None or found is None else _citations(said, found),
    )


def _record(outputs: Any) -> Mapping[str, Any] | None:
    """An answer as a record, where it is one."""
    if isinstance(outputs, Answer):
        return {**dataclasses.asdict(dataclasses.replace(outputs, unkept=None)), "status": outputs.status.value}
    return outputs if isinstance(outputs, Mapping) and "answer" in outputs else None


def text_in(value: Any, keys: Sequence[str]) -> str:
    """The text in a value of MLflow's: itself, its last message's, or that under the first of the keys that it has.

    >>> text_in({"input": [{"role": "user", "content": "Who pays?"}]}, ("question", "input"))
    'Who pays?'
    >>> text_in({"output": [{"content": [{"type": "output_text", "text": "We do."}]}]}, ("output", "content", "text"))
    'We do.'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return text_in(value[-1], (*keys, "content", "text")) if value else ""
    if isinstance(value, Mapping):
        key = next((key for key in (*keys, "content", "text") if value.get(key)), None)
        if key is None and len(value) == 1:
            return text_in(next(iter(value.values())), keys)
        return "" if key is None else text_in(value[key], keys)
    return "" if value is None else str(value)


def documents(trace: "Trace | None") -> list[Mapping[str, Any]] | None:
    """What a trace's RETRIEVER spans found, but for those inside of another; None where it has no such span."""
    if trace is None:
        return None
    spans: dict[str, Span] = {span.span_id: span for span in trace.data.spans}
    retrievers = [span for span in trace.data.spans if span.span_type == "RETRIEVER"]
    outer = [span for span in retrievers if not _inside(span, spans)]
    if not outer:
        return None
    return [one for span in outer for one in (span.outputs or ()) if isinstance(one, Mapping)]


def _inside(span: "Span", spans: Mapping[str, "Span"]) -> bool:
    parent = spans.get(span.parent_id) if span.parent_id else None
    return parent is not None and (parent.span_type == "RETRIEVER" or _inside(parent, spans))


def _citations(said: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> tuple[Cited, ...] | None:
    """Each citation with what stands at its place in the documents found; None where the answer has none to check."""
    cited = said.get("citations")
    if not isinstance(cited, Sequence) or not all(isinstance(one, Mapping) for one in cited):
        return None
    return tuple(Cited(str(one.get("quote", "")), _stands(one, found)) for one in cited)


def _stands(citation: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> str:
    start, end = citation.get("start"), citation.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return ""
    for one in found:
        at = one.get("metadata") or {}
        begin = at.get("start")
        if at.get("doc_uri") == citation.get("file") and isinstance(begin, int) and begin <= start <= end <= at["end"]:
            return str(one.get("page_content", ""))[start - begin : end - begin]
    return ""
