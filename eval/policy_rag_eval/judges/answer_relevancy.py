"""`answer_relevancy`: does the answer answer this question? Questions are made back from it and compared with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import Field

from policy_rag.answering.answerer import Embed
from policy_rag_eval.judges.llm_judge import LLMJudge
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form
from policy_rag_eval.judges.statements import refuses
from policy_rag_prompts.data import as_data


class Reply(Form):
    """The questions that the model made, and whether the answer is evasive."""

    questions: list[str] = Field(max_length=10)
    noncommittal: bool


@dataclass(frozen=True)
class AnswerRelevancy(LLMJudge):
    """Mean cosine, at least 0, of the questions made back from the answer with the one that was asked (RAGAS, 2023).

    An evasive or empty answer has 0. What is no question ("Here are three questions:") is left out.

    Attributes:
        embedder: gives vectors of norm 1.
    """

    embedder: Embed = field(repr=False)

    @property
    def kind(self) -> str:  # noqa: D102
        return "answer_relevancy"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset()

    def known(self, case: Case) -> Verdict | None:
        """0 for a refusal and for an empty answer."""
        return Verdict(self.name, 0.0, "evasive", "it does not answer") if refuses(case) else None

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question; the asker's is not shown to the model."""
        return (self._ask(Reply, case.answer, answer=as_data(case.answer)),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """`relevant` from one half on, else `beside the question`, or `evasive`."""
        reply = cast("Reply", replies[0])
        if reply.noncommittal:
            return Verdict(self.name, 0.0, "evasive", "the model calls it noncommittal")
        questions = [text.strip() for text in reply.questions if text.strip().endswith("?")]
        if not questions:
            return self._cannot("the reply holds no question")
        asked, *made = self.embedder.embed([case.question, *questions])
        score = min(max(sum(float(asked @ vector) for vector in made) / len(made), 0.0), 1.0)
        label = "relevant" if score >= 0.5 else "beside the question"
        return Verdict(self.name, score, label, f"mean cosine {score:.2f} of {len(made)} questions", tuple(questions))
