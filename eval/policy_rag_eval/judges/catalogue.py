"""The judges by name: the one place where a name becomes a judge."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.errors import UsageError

if TYPE_CHECKING:
    from policy_rag.answering.answerer import Embed
    from policy_rag.llm.protocol import LanguageModel
    from policy_rag_eval.judges.protocol import Judge


class JudgeName(StrEnum):
    """Judges; those of the second group ask an LLM, those of the first never do."""

    SUPPORT_OVERLAP = "support_overlap"
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
        return self not in WITHOUT_LLM


WITHOUT_LLM = tuple(list(JudgeName)[:7])
WITH_LLM = tuple(list(JudgeName)[7:])


def judge_names(names: Sequence[str], *, llm: bool, guidelines: bool) -> tuple[JudgeName, ...]:
    """The judges that are asked for; by default all that need nothing that is not there.

    Raises:
        UsageError: a name is unknown, or names a judge that lacks its LLM or its rules.

    >>> [str(name) for name in judge_names(["token_f1"], llm=False, guidelines=False)]
    ['token_f1']
    """
    if not names:
        asked = (*WITHOUT_LLM, *(WITH_LLM if llm else ()))
        return tuple(name for name in asked if name is not JudgeName.GUIDELINES or guidelines)
    unknown = [name for name in names if name not in set(JudgeName)]
    if unknown:
        raise UsageError(f"there is no judge {unknown[0]!r}: the judges are {', '.join(JudgeName)}")
    chosen = tuple(dict.fromkeys(JudgeName(name) for name in names))
    asking = next((name for name in chosen if name.asks_llm), None)
    if asking and not llm:
        raise UsageError(f"{asking} asks an LLM: name one with --judge-llm, for example ollama/llama3.2")
    if JudgeName.GUIDELINES in chosen and not guidelines:
        raise UsageError("guidelines needs your rules: give a YAML file of them with --guidelines")
    return chosen


def make_judges(
    names: Sequence[JudgeName],
    embedder: "Callable[[], Embed]",
    models: Sequence["LanguageModel"] = (),
    guidelines: Path | None = None,
) -> tuple["Judge", ...]:
    """The judges of these names in order; one that asks an LLM comes once for each model.

    Args:
        names: as `judge_names` gives them.
        embedder: makes the embedding model, called at most once and only where a judge needs it.
        models: the LLMs that judge.
        guidelines: the file of the user's rules.
    """
    made: list[Judge] = []
    found: list[Embed] = []

    def embed() -> "Embed":
        if not found:
            found.append(embedder())
        return found[0]

    for name in names:
        if name.asks_llm:
            made += [_asking(name, model, embed, guidelines) for model in models]
        else:
            made.append(_plain(name, embed))
    return tuple(made)


def _plain(name: JudgeName, embed: "Callable[[], Embed]") -> "Judge":
    from policy_rag_eval.judges.accepted_span import AcceptedSpan
    from policy_rag_eval.judges.answer_similarity import AnswerSimilarity
    from policy_rag_eval.judges.citation_exact import CitationExact
    from policy_rag_eval.judges.refusal_status import RefusalStatus
    from policy_rag_eval.judges.rouge_l import RougeL
    from policy_rag_eval.judges.support_overlap import SupportOverlap
    from policy_rag_eval.judges.token_f1 import TokenF1

    makers: dict[JudgeName, Callable[[], Judge]] = {
        JudgeName.SUPPORT_OVERLAP: lambda: SupportOverlap(embed()),
        JudgeName.ANSWER_SIMILARITY: lambda: AnswerSimilarity(embed()),
        JudgeName.ACCEPTED_SPAN: AcceptedSpan,
        JudgeName.TOKEN_F1: TokenF1,
        JudgeName.ROUGE_L: RougeL,
        JudgeName.CITATION_EXACT: CitationExact,
        JudgeName.REFUSAL_STATUS: RefusalStatus,
    }
    return makers[name]()


def _asking(name: JudgeName, model: "LanguageModel", embed: "Callable[[], Embed]", guidelines: Path | None) -> "Judge":
    from policy_rag_eval.judges.answer_relevancy import AnswerRelevancy
    from policy_rag_eval.judges.context_precision import ContextPrecision
    from policy_rag_eval.judges.context_recall import ContextRecall
    from policy_rag_eval.judges.context_relevancy import ContextRelevancy
    from policy_rag_eval.judges.correctness import Correctness
    from policy_rag_eval.judges.faithfulness import Faithfulness
    from policy_rag_eval.judges.guidelines import Guidelines, read_guidelines
    from policy_rag_eval.judges.refusal import Refusal

    if name is JudgeName.ANSWER_RELEVANCY:
        return AnswerRelevancy(model, embed())
    if name is JudgeName.GUIDELINES:
        return Guidelines(model, read_guidelines(guidelines) if guidelines else ())
    plain: dict[JudgeName, Callable[[LanguageModel], Judge]] = {
        JudgeName.FAITHFULNESS: Faithfulness,
        JudgeName.CONTEXT_RELEVANCY: ContextRelevancy,
        JudgeName.CONTEXT_PRECISION: ContextPrecision,
        JudgeName.CONTEXT_RECALL: ContextRecall,
        JudgeName.CORRECTNESS: Correctness,
        JudgeName.REFUSAL: Refusal,
    }
    return plain[name](model)
