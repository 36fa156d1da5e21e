"""`context_precision`: do the contexts that the right answer needs stand before those that it does not?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from policy_rag_eval.judges.llm_judge import LLMJudge, as_sections
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.relevant_contexts import SectionsReply, relevant
from policy_rag_eval.judges.replies import Ask, Form
from policy_rag_prompts.data import as_data


def mean_precision(flags: Sequence[bool]) -> float:
    """Mean, over the relevant ranks, of the share of relevant ones up to that rank; 0 without a relevant one (RAGAS).

    >>> mean_precision([True, False, True]), mean_precision([False, False])
    (0.8333333333333333, 0.0)
    """
    precisions = [sum(flags[: rank + 1]) / (rank + 1) for rank, flag in enumerate(flags) if flag]
    return sum(precisions) / len(precisions) if precisions else 0.0


@dataclass(frozen=True)
class ContextPrecision(LLMJudge):
    """`mean_precision` of the contexts, best first; 0 where nothing was found."""

    @property
    def kind(self) -> str:  # noqa: D102
        return "context_precision"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset({Need.CONTEXTS, Need.REFERENCE})

    def known(self, case: Case) -> Verdict | None:
        """0 where nothing was found."""
        return None if case.contexts else Verdict(self.name, 0.0, "imprecise", "nothing was found")

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question about all contexts."""
        contexts = case.contexts or ()
        values = {"question": as_data(case.question), "reference": as_data(case.reference or "")}
        return (self._ask(SectionsReply, *contexts, sections=as_sections(contexts), **values),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """`precise` where every needed context stands before the others, else `imprecise`."""
        found = relevant(cast("SectionsReply", replies[0]), case.contexts or ())
        if isinstance(found, str):
            return self._cannot(found)
        flags, quotes = found
        score = mean_precision(flags)
        ranks = ", ".join(str(rank) for rank, flag in enumerate(flags, 1) if flag) or "none"
        return Verdict(self.name, score, "precise" if score == 1 else "imprecise", f"needed ranks: {ranks}", quotes)
