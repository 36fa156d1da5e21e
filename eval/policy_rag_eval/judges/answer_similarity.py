"""`answer_similarity`: how near the answer's vector is to the reference's. It cannot tell an amount from another."""

from dataclasses import dataclass
from typing import Final

from policy_rag.answering.answerer import Embed
from policy_rag_eval.judges.records import Case, Need, Verdict

NAME: Final = "answer_similarity"


@dataclass(frozen=True)
class AnswerSimilarity:
    """The cosine of the vectors of answer and reference, at least 0; an empty answer has 0.

    Attributes:
        embedder: gives vectors of norm 1; text beyond its window is not seen.
    """

    embedder: Embed
    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.REFERENCE})

    def judge(self, case: Case) -> Verdict:
        """The verdict, `similar` from one half on, else `different`."""
        if not case.answer.strip():
            return Verdict(self.name, 0.0, "different", "the answer is empty")
        answer, reference = self.embedder.embed([case.answer, case.reference or ""])
        cosine = min(max(float(answer @ reference), 0.0), 1.0)
        return Verdict(self.name, cosine, "similar" if cosine >= 0.5 else "different", f"cosine {cosine:.2f}")
