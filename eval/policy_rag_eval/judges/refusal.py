"""`refusal`: was the question refused exactly where the contexts do not answer it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from policy_rag_eval.judges.llm_judge import LLMJudge, as_sections, quoted_from
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form
from policy_rag_prompts.data import as_data


class Reply(Form):
    """Whether the sections answer, by which words, and whether the answer refuses."""

    sections_answer: bool
    quote: str
    refuses: bool


@dataclass(frozen=True)
class Refusal(LLMJudge):
    """1 where an answer was given from contexts that hold it, or refused where they do not, else 0.

    That the contexts answer counts only with words that stand in them. Where the record says whether the system
    refused, that is taken and not what the model makes of it.
    """

    @property
    def kind(self) -> str:  # noqa: D102
        return "refusal"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset({Need.CONTEXTS})

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question."""
        values = {"question": as_data(case.question), "answer": as_data(case.answer)}
        return (self._ask(Reply, case.answer, sections=as_sections(case.contexts or ()), **values),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """`answered rightly`, `refused rightly`, `answered wrongly` or `refused wrongly`."""
        reply = cast("Reply", replies[0])
        if reply.sections_answer and not quoted_from(reply.quote, case.contexts or ()):
            return self._cannot("what it quotes is not in the contexts")
        refused = reply.refuses if case.refused is None else case.refused
        right = refused != reply.sections_answer
        label = f"{'refused' if refused else 'answered'} {'rightly' if right else 'wrongly'}"
        reason = "the contexts answer it" if reply.sections_answer else "the contexts do not answer it"
        return Verdict(self.name, float(right), label, reason, (reply.quote,) if reply.sections_answer else ())
