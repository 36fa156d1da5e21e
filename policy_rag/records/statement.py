"""A statement that is held against the policies, and what came of it."""

from dataclasses import dataclass
from enum import StrEnum

from policy_rag.records.answer import Citation


class StatementVerdict(StrEnum):
    """Whether the policies bear a statement out.

    `doubtful` is neither: something is there on the matter, and a person should read it.
    """

    SUPPORTED = "supported"
    DOUBTFUL = "doubtful"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """What came of a statement.

    Attributes:
        statement: as it was given.
        verdict: of the sentence of it that fares worst.
        score: how far that sentence is borne out, 0 to 1.
        reason: why it is not supported; "" where it is.
        citations: where its sentences stand, or what speaks on their matter; numbered from 1.
    """

    statement: str
    verdict: StatementVerdict
    score: float
    reason: str
    citations: tuple[Citation, ...]
