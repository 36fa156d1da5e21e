"""Judges that need no reading: whether citations are exact, and whether the right questions were refused."""

from dataclasses import dataclass
from typing import ClassVar

from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need
from policy_rag_eval.judges.statements import refuses


@dataclass(frozen=True)
class CitationExact:
    """The share of citations whose quotation is, character for character, the text at the place that they name."""

    name: ClassVar[str] = "citation_exact"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.CITATIONS})

    def judge(self, case: Case) -> JudgeVerdict:
        """`exact` where all are, else `inexact`; its evidence are the quotations that are not.

        An answer that cites nothing has 0, a refusal could not be judged: there is nothing to cite.
        """
        if refuses(case):
            return JudgeVerdict.unjudged(self.name, "a refusal cites nothing")
        if not case.citations:
            return JudgeVerdict(self.name, 0.0, "inexact", "the answer cites nothing")
        wrong = tuple(cited.quote for cited in case.citations if not cited.quote or cited.quote != cited.stands)
        score = 1 - len(wrong) / len(case.citations)
        reason = f"{len(case.citations) - len(wrong)} of {len(case.citations)} citations are exact"
        return JudgeVerdict(self.name, score, "inexact" if wrong else "exact", reason, wrong)


def refusal_label(*, refused: bool, right: bool) -> str:
    """`answered rightly`, `refused rightly`, `answered wrongly` or `refused wrongly`."""
    return f"{'refused' if refused else 'answered'} {'rightly' if right else 'wrongly'}"


@dataclass(frozen=True)
class RefusalStatus:
    """1 where an answerable question was answered or an unanswerable one refused, else 0. What was said is not read."""

    name: ClassVar[str] = "refusal_status"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ANSWERABLE})

    def judge(self, case: Case) -> JudgeVerdict:
        """Labelled as `refusal_label` says."""
        refused = refuses(case)
        right = refused != case.answerable
        known = "answer it" if case.answerable else "do not answer it"
        return JudgeVerdict(
            self.name, float(right), refusal_label(refused=refused, right=right), f"the policies {known}"
        )
