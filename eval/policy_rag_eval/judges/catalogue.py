"""The judges by name: the one place where a name becomes a judge."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import UsageError
from policy_rag.settings import Settings
from policy_rag_eval.judges.evaluation_models import comparing_embedder, judging_models
from policy_rag_eval.judges.judge import Judge
from policy_rag_eval.judges.llm_answer_judges import (
    AnswerRelevancy,
    Correctness,
    Faithfulness,
    Guidelines,
    Refusal,
    read_guidelines,
)
from policy_rag_eval.judges.llm_context_judges import ContextPrecision, ContextRecall, ContextRelevancy
from policy_rag_eval.judges.llm_judge import LLMJudge
from policy_rag_eval.judges.reader_support import ReaderSupport
from policy_rag_eval.judges.record_judges import CitationExact, RefusalStatus
from policy_rag_eval.judges.reference_judges import AcceptedSpan, AnswerSimilarity, RougeL, TokenF1
from policy_rag_eval.judges.support_overlap import SupportOverlap
from policy_rag_parsers.text.near_names import did_you_mean

if TYPE_CHECKING:
    from policy_rag.llm.language_model import LanguageModel
    from policy_rag.llm.reply_cache import ReplyCache
    from policy_rag.models.embedder import Embedder


class JudgeName(StrEnum):
    """Judges, in the order in which they are shown."""

    SUPPORT_OVERLAP = "support_overlap"
    READER_SUPPORT = "reader_support"
    ACCEPTED_SPAN = "accepted_span"
    TOKEN_F1 = "token_f1"  # noqa: S105 - words, not passwords
    ROUGE_L = "rouge_l"
    ANSWER_SIMILARITY = "answer_similarity"
    CITATION_EXACT = "citation_exact"
    REFUSAL_STATUS = "refusal_status"
    FAITHFULNESS = "faithfulness"
    ANSWER_RELEVANCY = "answer_relevancy"
    CONTEXT_RELEVANCY = "context_relevancy"
    CONTEXT_PRECISION = "context_precision"
    CONTEXT_RECALL = "context_recall"
    CORRECTNESS = "correctness"
    GUIDELINES = "guidelines"
    REFUSAL = "refusal"

    @property
    def asks_llm(self) -> bool:
        """Whether it asks an LLM."""
        return issubclass(_CLASSES[self], LLMJudge)


_RULED = (
    SupportOverlap, ReaderSupport, AcceptedSpan, TokenF1, RougeL, AnswerSimilarity, CitationExact, RefusalStatus,
)  # fmt: skip
_ASKING = (
    Faithfulness, AnswerRelevancy, ContextRelevancy, ContextPrecision, ContextRecall, Correctness, Guidelines, Refusal,
)  # fmt: skip
_CLASSES: Mapping[JudgeName, type[Any]] = {
    **{JudgeName(one.name): one for one in _RULED},
    **{JudgeName(one.kind): one for one in _ASKING},
}
_EMBEDDING = frozenset(
    {JudgeName.SUPPORT_OVERLAP, JudgeName.READER_SUPPORT, JudgeName.ANSWER_SIMILARITY, JudgeName.ANSWER_RELEVANCY}
)


def judge_names(names: Sequence[str], *, llm: bool, guidelines: bool) -> tuple[JudgeName, ...]:
    """The judges that are asked for; by default all that need nothing that is not there.

    Raises:
        UsageError: a name is unknown, or names a judge that lacks its LLM or its rules.

    >>> [str(name) for name in judge_names(["token_f1"], llm=False, guidelines=False)]
    ['token_f1']
    """
    if not names:
        able = (name for name in JudgeName if llm or not name.asks_llm)
        return tuple(name for name in able if name is not JudgeName.GUIDELINES or guidelines)
    unknown = [name for name in names if name not in set(JudgeName)]
    if unknown:
        hint = did_you_mean(unknown[0], JudgeName, otherwise=f"the judges are {', '.join(JudgeName)}")
        raise UsageError(f"there is no judge {unknown[0]!r}: {hint}")
    chosen = tuple(dict.fromkeys(JudgeName(name) for name in names))
    asking = next((name for name in chosen if name.asks_llm), None)
    if asking and not llm:
        raise UsageError(f"{asking} asks an LLM: name one with --judge-llm, for example ollama/llama3.2")
    if JudgeName.GUIDELINES in chosen and not guidelines:
        raise UsageError("guidelines needs your rules: give a YAML file of them with --guidelines")
    return chosen


def judging_names(names: Sequence[JudgeName], models: Sequence["LanguageModel"]) -> tuple[str, ...]:
    """What the judges that `make_judges` makes are called."""
    return tuple(
        called
        for name in names
        for called in ([f"{name}:{model.name}" for model in models] if name.asks_llm else [str(name)])
    )


def check_deciding(measure: str | None, judges: Sequence[str]) -> None:
    """That the judge that is to decide judges.

    Without judges nothing is decided.

    Raises:
        UsageError: it does not.
    """
    if measure is not None and judges and measure not in judges:
        hint = did_you_mean(measure, judges, otherwise=f"there are {', '.join(judges)}")
        raise UsageError(f"no judge {measure} judges: {hint}")


def named_judges(
    names: Sequence[str],
    llms: str | Sequence[str],
    settings: Settings,
    store: "ReplyCache | None",
    *,
    guidelines: str | Path | None = None,
    embedder: "Callable[[], Embedder] | None" = None,
) -> tuple[Judge, ...]:
    """The judges that are asked for, as `judge_names` reads their names and `judging_models` those of the LLMs.

    `guidelines` and `embedder` are as for `make_judges`; by default the embedding model is the one that comes with us.

    Raises:
        UsageError: a name is unknown, or names a judge that lacks its LLM or its rules.
        ModelError: an LLM is not there.
    """
    chosen = judge_names(names, llm=bool(llms), guidelines=guidelines is not None)
    models = judging_models([llms] if isinstance(llms, str) and llms else llms, settings, store)
    rules = None if guidelines is None else Path(guidelines)
    return make_judges(chosen, embedder or (lambda: comparing_embedder(settings)), models, rules)


def make_judges(
    names: Sequence[JudgeName],
    embedder: "Callable[[], Embedder]",
    models: Sequence["LanguageModel"] = (),
    guidelines: Path | None = None,
) -> tuple[Judge, ...]:
    """The judges of these names in order; one that asks an LLM comes once for each model.

    The embedding model is made at most once and only where a judge needs it; `guidelines` is the file of the rules.
    """
    extra: dict[JudgeName, tuple[Any, ...]] = {}
    needed = _EMBEDDING & set(names)
    if needed:
        embed = embedder()
        extra |= dict.fromkeys(needed, (embed,))
    if JudgeName.GUIDELINES in names:
        extra[JudgeName.GUIDELINES] = (read_guidelines(guidelines) if guidelines else (),)
    made: list[Judge] = []
    for name in names:
        arguments = extra.get(name, ())
        if name.asks_llm:
            made += [_CLASSES[name](model, *arguments) for model in models]
        else:
            made.append(_CLASSES[name](*arguments))
    return tuple(made)
