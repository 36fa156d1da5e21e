"""`citation_exact`: does each citation quote exactly what stands at its place? No reading is needed for that."""

from dataclasses import dataclass
from typing import Final

from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.statements import refuses

NAME: Final = "citation_exact"


@dataclass(frozen=True)
class CitationExact:
    """The share of citations whose quotation is, character for character, the text at the place that they name.

    An answer that cites nothing has 0, a refusal could not be judged: there is nothing to cite.
    """

    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.CITATIONS})

    def judge(self, case: Case) -> Verdict:
        """The verdict, `exact` where all are, else `inexact`; its evidence are the quotations that are not."""
        if refuses(case):
            return Verdict.unjudged(self.name, "a refusal cites nothing")
        if not case.citations:
            return Verdict(self.name, 0.0, "inexact", "the answer cites nothing")
        wrong = tuple(cited.quote for cited in case.citations if not cited.quote or cited.quote != cited.stands)
        score = 1 - len(wrong) / len(case.citations)
        reason = f"{len(case.citations) - len(wrong)} of {len(case.citations)} citations are exact"
        return Verdict(self.name, score, "inexact" if wrong else "exact", reason, wrong)
