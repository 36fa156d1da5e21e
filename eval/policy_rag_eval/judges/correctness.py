"""`correctness`: is the answer the one that is known to be right? Graded 1, 3, 5, 7 or 10."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from pydantic import field_validator

from policy_rag_eval.judges.llm_judge import LLMJudge
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form
from policy_rag_prompts.data import as_data

GRADES: Final = (1, 3, 5, 7, 10)


class Reply(Form):
    """The model's grade, and why."""

    reason: str
    grade: Literal[1, 3, 5, 7, 10]

    @field_validator("grade", mode="before")
    @classmethod
    def _no_boolean(cls, value: object) -> object:
        """`true` equals 1 in Python, and is no grade."""
        if isinstance(value, bool):
            raise ValueError("true and false are no grades")  # noqa: TRY004 - what pydantic takes for invalid
        return value


@dataclass(frozen=True)
class Correctness(LLMJudge):
    """The grade on five steps; the score is `(grade - 1) / 9`. There is none between the steps, and none is made up."""

    @property
    def kind(self) -> str:  # noqa: D102
        return "correctness"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset({Need.REFERENCE})

    def known(self, case: Case) -> Verdict | None:
        """Grade 1 for an empty answer."""
        return None if case.answer.strip() else self._graded(1, "the answer is empty")

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question."""
        values = {"question": case.question, "reference": case.reference or "", "answer": case.answer}
        return (self._ask(Reply, case.answer, **{name: as_data(text) for name, text in values.items()}),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:  # noqa: ARG002 - the grade says it all
        """`correct` from grade 7 on, `partly correct` at 5, else `incorrect`."""
        reply = cast("Reply", replies[0])
        return self._graded(reply.grade, reply.reason)

    def _graded(self, grade: int, reason: str) -> Verdict:
        label = "correct" if grade >= 7 else "partly correct" if grade == 5 else "incorrect"
        return Verdict(self.name, (grade - 1) / 9, label, reason, grade=grade)
