"""Two documents that contradict each other."""

from dataclasses import dataclass
from enum import StrEnum

from policy_rag.records.answer import Citation


class ConflictKind(StrEnum):
    """In what two statements on the same matter differ."""

    FIGURE = "figure"
    MODALITY = "modality"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements of two documents that cannot both hold, as far as a program can tell.

    Attributes:
        kind: in what they differ.
        reason: what the one says against what the other says.
        score: how sure it is; compares between conflicts of one index.
        citations: both places, `[1]` and `[2]`, in order of `doc_id`.
    """

    kind: ConflictKind
    reason: str
    score: float
    citations: tuple[Citation, Citation]
