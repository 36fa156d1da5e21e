"""Several judges over the same answers: how far they agree, what most of them say, and what a person must decide."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import combinations
from typing import Any

from policy_rag_eval.data.spreadsheet import as_cell
from policy_rag_eval.judges.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict

OF_CASE = ("case", "question", "answer", "contexts", "reference")
OF_PANEL = ("majority",)
"""Columns of the disputed answers before and behind those of the judges."""


@dataclass(frozen=True, slots=True)
class PanelDecision:
    """What a panel says of one answer.

    Votes are by judge whether it passes the answer, None where it could not judge; `passes` is what most of the others
    say, None for a tie and where none could.
    """

    case: Case
    votes: Mapping[str, bool | None]
    passes: bool | None

    @property
    def disputed(self) -> bool:
        """Whether a person must decide: judges disagree, or none could judge."""
        return len({vote for vote in self.votes.values() if vote is not None}) != 1


@dataclass(frozen=True, slots=True)
class Panel:
    """What several judges say.

    Attributes:
        decisions: one an answer, in order.
        cohen: pair of judges to Cohen's kappa, over what both could judge.
        fleiss: Fleiss' kappa, over what all could judge.
        alpha: Krippendorff's alpha, over what at least two could judge.
    """

    decisions: tuple[PanelDecision, ...]
    cohen: Mapping[tuple[str, str], float | None]
    fleiss: float | None
    alpha: float | None

    @property
    def disputed(self) -> tuple[PanelDecision, ...]:
        """What a person must decide, in order."""
        return tuple(decision for decision in self.decisions if decision.disputed)

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "cohen_kappa": [{"judges": list(pair), "kappa": kappa} for pair, kappa in self.cohen.items()],
            "fleiss_kappa": self.fleiss,
            "krippendorff_alpha": self.alpha,
            "disputed": [
                {"case": one.case.case_id, "votes": dict(one.votes), "majority": one.passes} for one in self.disputed
            ],
        }


def panel(
    cases: Sequence[Case], verdicts: Mapping[str, Sequence[JudgeVerdict]], thresholds: Mapping[str, float]
) -> Panel:
    """Puts the verdicts of two or more judges together.

    Verdicts are in the order of the cases; `thresholds` are the least scores that pass.

    Raises:
        ValueError: fewer than two judges, or not one verdict a case.
    """
    if len(verdicts) < 2:
        raise ValueError("a panel has at least two judges")
    if any(len(of) != len(cases) for of in verdicts.values()):
        raise ValueError("every judge of a panel judges every case")
    votes = {name: [_vote(one, thresholds[name]) for one in of] for name, of in verdicts.items()}
    rows = [{name: of[place] for name, of in votes.items()} for place in range(len(cases))]
    ratings = [tuple(row.values()) for row in rows]
    return Panel(
        decisions=tuple(PanelDecision(case, row, _majority(row)) for case, row in zip(cases, rows, strict=True)),
        cohen={pair: cohen_kappa(votes[pair[0]], votes[pair[1]]) for pair in combinations(votes, 2)},
        fleiss=fleiss_kappa(ratings),
        alpha=krippendorff_alpha(ratings),
    )


def _vote(verdict: JudgeVerdict, threshold: float) -> bool | None:
    return None if verdict.score is None else verdict.score >= threshold


def _majority(votes: Mapping[str, bool | None]) -> bool | None:
    cast = [vote for vote in votes.values() if vote is not None]
    yes = sum(cast)
    return None if 2 * yes == len(cast) else 2 * yes > len(cast)


def disputed_csv(found: Panel, verdicts: Mapping[str, Sequence[JudgeVerdict]]) -> str:
    """The disputed answers as CSV for `policy-rag eval review`: a row each, a column of label and reason a judge.

    The contexts of a row are a JSON list, null where they are not known. Cells that a spreadsheet would take for a
    formula begin with an apostrophe.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*OF_CASE, *verdicts, *OF_PANEL])
    for place, one in enumerate(found.decisions):
        if not one.disputed:
            continue
        reasons = [f"{own[place].label}: {own[place].reason}" for own in verdicts.values()]
        majority = {True: "right", False: "wrong", None: ""}[one.passes]
        case = one.case
        # Any mark between them may stand in a context too, as a blank line does.
        contexts = json.dumps(case.contexts, ensure_ascii=False, indent=0)
        row = [case.case_id, case.question, case.answer, contexts, case.reference or "", *reasons, majority]
        writer.writerow([as_cell(text) for text in row])
    return out.getvalue()
