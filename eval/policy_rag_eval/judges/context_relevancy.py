"""`context_relevancy`: which share of what was found has to do with the question?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from policy_rag_eval.judges.llm_judge import LLMJudge, as_sections
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.relevant_contexts import SectionsReply, relevant
from policy_rag_eval.judges.replies import Ask, Form
from policy_rag_prompts.data import as_data


@dataclass(frozen=True)
class ContextRelevancy(LLMJudge):
    """The share of the contexts that hold something that belongs in the answer; 0 where nothing was found."""

    @property
    def kind(self) -> str:  # noqa: D102
        return "context_relevancy"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset({Need.CONTEXTS})

    def known(self, case: Case) -> Verdict | None:
        """0 where nothing was found."""
        return None if case.contexts else Verdict(self.name, 0.0, "irrelevant", "nothing was found")

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question about all contexts."""
        contexts = case.contexts or ()
        question = as_data(case.question)
        return (self._ask(SectionsReply, *contexts, question=question, sections=as_sections(contexts)),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """`relevant` where all are, `partly relevant`, or `irrelevant`."""
        contexts = case.contexts or ()
        found = relevant(cast("SectionsReply", replies[0]), contexts)
        if isinstance(found, str):
            return self._cannot(found)
        flags, quotes = found
        score = sum(flags) / len(flags)
        label = "relevant" if score == 1 else "partly relevant" if score else "irrelevant"
        return Verdict(self.name, score, label, f"{sum(flags)} of {len(flags)} sections are relevant", quotes)
