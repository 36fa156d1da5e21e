"""`accepted_span`: does the answer hold one of the short spans that count as an answer, word for word?"""

from dataclasses import dataclass
from typing import Final

from policy_rag.answering.verification.surface_checks import plain
from policy_rag_eval.judges.records import Case, Need, Verdict

NAME: Final = "accepted_span"


@dataclass(frozen=True)
class AcceptedSpan:
    """The share of the accepted spans that the answer holds, up to case, blanks and kinds of marks.

    A question with several spans asks for several things, so that each counts. A paraphrase counts for nothing: for
    answers that do not quote, this is a lower bound.
    """

    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.ACCEPTED})

    def judge(self, case: Case) -> Verdict:
        """The verdict, `held` where all are there, `partly held`, or `not held`; its evidence are those found."""
        answer = plain(case.answer)
        held = tuple(span for span in case.accepted if plain(span) in answer)
        score = len(held) / len(case.accepted)
        label = "held" if score == 1 else "partly held" if held else "not held"
        return Verdict(self.name, score, label, f"{len(held)} of {len(case.accepted)} spans are in the answer", held)
