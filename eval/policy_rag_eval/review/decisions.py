"""What reviewers decided: a line a decision in a file, the last of a reviewer on an item counts."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from policy_rag.errors import PolicyRagError
from policy_rag_eval.data.json_lines import json_rows
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.judges.agreement import krippendorff_alpha

UNDONE = ""
"""The decision that takes back the one before it."""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """What one reviewer says of one item.

    Attributes:
        item: the item's id.
        by: the reviewer.
        decision: one of the item's choices, or `UNDONE`.
        at: when, in ISO 8601.
        edited: of an edit the texts as they now stand, by field.
        note: in words, or "".
    """

    item: str
    by: str
    decision: str
    at: str
    edited: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


Decided = Mapping[str, Mapping[str, ReviewDecision]]
"""Item to reviewer to the decision that counts."""


def read_decisions(path: Path) -> dict[str, dict[str, ReviewDecision]]:
    """The decisions that count; none where the file is not there yet.

    Raises:
        DatasetError: a line is no decision; names it.
    """
    found: dict[str, dict[str, ReviewDecision]] = {}
    for where, row in json_rows(path) if path.is_file() else ():
        try:
            one = ReviewDecision(**row)
        except TypeError as error:
            raise DatasetError(f"{where} is no decision of a review: take the line out") from error
        of = found.setdefault(one.item, {})
        of.pop(one.by, None)
        if one.decision != UNDONE:
            of[one.by] = one
    return found


def add_decision(path: Path, decision: ReviewDecision) -> None:
    """Writes a decision after those before it; it is on the disk when this returns.

    Raises:
        PolicyRagError: the file cannot be written.
    """
    try:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(asdict(decision), ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise PolicyRagError(f"{path} cannot be written ({error.strerror}): free space, or mend its folder") from error


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far reviewers agree.

    Attributes:
        reviewers: their names, in order of name.
        shared: how many items at least two decided.
        differing: those of them on which they differ, in order.
        alpha: Krippendorff's, over the items that at least two decided; None where it is not defined.
    """

    reviewers: tuple[str, ...]
    shared: int
    differing: tuple[str, ...]
    alpha: float | None


def agreement(items: Sequence[str], decided: Decided) -> Agreement:
    """The agreement of all reviewers on these items.

    >>> of = {"1": {"A": ReviewDecision("1", "A", "right", ""), "B": ReviewDecision("1", "B", "wrong", "")}}
    >>> agreement(["1", "2"], of)
    Agreement(reviewers=('A', 'B'), shared=1, differing=('1',), alpha=0.0)
    """
    reviewers = sorted({by for item in items for by in decided.get(item, {})})
    rows = {item: [one.decision for one in decided.get(item, {}).values()] for item in items}
    shared = [item for item, row in rows.items() if len(row) > 1]
    return Agreement(
        reviewers=tuple(reviewers),
        shared=len(shared),
        differing=tuple(item for item in shared if len(set(rows[item])) > 1),
        alpha=krippendorff_alpha(list(rows.values())),
    )


def settled(of: Mapping[str, ReviewDecision]) -> ReviewDecision | None:
    """What is to become of an item: the decision of all who decided, the last of equal ones; None where they differ."""
    if not of:
        return None
    last = max(of.values(), key=lambda one: one.at)
    return last if all((one.decision, one.edited) == (last.decision, last.edited) for one in of.values()) else None
