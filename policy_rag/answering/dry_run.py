"""What a question would take of an LLM, before it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy_rag.answering.context import AnswerContext
from policy_rag.llm.metering import Budget, Spent


@dataclass(frozen=True, slots=True)
class QuestionEstimate:
    """What a question would take at about most. Nothing is asked of the LLM for it; searches are made.

    Attributes:
        question: as asked.
        llm: who would answer.
        calls: LLM calls; 0 where the question would be refused, asked back, or answered by quotation.
        tokens_in: of the prompts, by our own count, which is rather high.
        tokens_out: of the replies, each as long as the model may write.
        cost: by the price table; None where the price is not known.
        exceeds: the budget settings that it could exceed.
        steps: what would be done; a plan that an LLM would make is made by rules here, and may come out longer.
    """

    question: str
    llm: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    exceeds: tuple[str, ...]
    steps: tuple[Mapping[str, Any], ...]


def estimated(question: str, context: AnswerContext, budget: Budget, *, texts: bool) -> QuestionEstimate:
    """The estimate from the steps of a question that was run with a stand-in for the LLM."""
    spent = context.calls.spent if context.calls else Spent()
    compared = (
        ("budget_calls", spent.calls, budget.calls),
        ("budget_tokens", spent.tokens_in + spent.tokens_out, budget.tokens),
        ("budget_cost", spent.cost, budget.cost),
    )
    return QuestionEstimate(
        question=question,
        llm=context.answerer,
        calls=spent.calls,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        cost=spent.cost,
        exceeds=tuple(
            name for name, needed, most in compared if most is not None and (needed is None or needed > most)
        ),
        steps=context.trace.as_records(texts=texts),
    )
