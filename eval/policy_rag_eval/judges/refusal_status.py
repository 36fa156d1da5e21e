"""`refusal_status`: was a question refused exactly where the policies do not answer it? By the data set's own word."""

from dataclasses import dataclass
from typing import Final

from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.statements import refuses

NAME: Final = "refusal_status"


@dataclass(frozen=True)
class RefusalStatus:
    """1 where an answerable question was answered or an unanswerable one refused, else 0. What was said is not read."""

    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.ANSWERABLE})

    def judge(self, case: Case) -> Verdict:
        """The verdict: `answered rightly`, `refused rightly`, `answered wrongly` or `refused wrongly`."""
        refused = refuses(case)
        right = refused != case.answerable
        known = "answer it" if case.answerable else "do not answer it"
        label = f"{'refused' if refused else 'answered'} {'rightly' if right else 'wrongly'}"
        return Verdict(self.name, float(right), label, f"the policies {known}")
