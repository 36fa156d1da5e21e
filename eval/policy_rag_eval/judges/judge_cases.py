"""What a judge is given, and what it says of it. That it could not judge is its own outcome, never a score."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

UNJUDGED = "could not be judged"


class Need(StrEnum):
    """What a judge needs of a case besides question and answer."""

    CONTEXTS = "contexts"
    REFERENCE = "reference"
    ACCEPTED = "accepted"
    ANSWERABLE = "answerable"
    CITATIONS = "citations"


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as it is checked: what the answer quotes, and what stands at the place that it names."""

    quote: str
    stands: str


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to be judged, with what it was given and what is known to be right.

    Attributes:
        case_id: unique among the cases of a run.
        question: as asked.
        answer: as given; may be empty, long, or in another language.
        contexts: the texts that the answerer was given, best first; None where that is not known.
        reference: an answer known to be right, or None.
        accepted: short spans of which any in the answer makes it right; empty where none are known.
        answerable: whether the policies answer the question, or None where that is not known.
        refused: whether the answer refuses, or None to tell it by its words.
        citations: the citations of the answer, or None where they are not known.
    """

    case_id: str
    question: str
    answer: str
    contexts: tuple[str, ...] | None = None
    reference: str | None = None
    accepted: tuple[str, ...] = ()
    answerable: bool | None = None
    refused: bool | None = None
    citations: tuple[Cited, ...] | None = None

    def lacks(self, need: Need) -> bool:
        """Whether the case has nothing of what `need` names.

        >>> Case("1", "How much?", "Ten.").lacks(Need.REFERENCE)
        True
        """
        match need:
            case Need.CONTEXTS:
                return self.contexts is None
            case Need.REFERENCE:
                return not (self.reference or "").strip()
            case Need.ACCEPTED:
                return not self.accepted
            case Need.ANSWERABLE:
                return self.answerable is None
            case Need.CITATIONS:
                return self.citations is None


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge says of one answer.

    Attributes:
        judge: its name.
        score: 0 (bad) to 1 (good), or None where it could not judge.
        label: the judge's own word for it; `could not be judged` exactly where there is no score.
        reason: why, in a sentence.
        evidence: words of the contexts, of the reference or of the answer that the verdict stands on.
        grade: the score on the judge's own scale, where that is another (1, 3, 5, 7, 10).
    """

    judge: str
    score: float | None
    label: str
    reason: str
    evidence: tuple[str, ...] = ()
    grade: int | None = None

    def __post_init__(self) -> None:
        """Refuses what would be counted wrongly.

        Raises:
            ValueError: the score is no number from 0 to 1, or score and label do not go together.
        """
        if (self.score is None) != (self.label == UNJUDGED):
            raise ValueError(f"a verdict without a score is labelled {UNJUDGED!r}, and no other")
        if self.score is not None and not (math.isfinite(self.score) and 0 <= self.score <= 1):
            raise ValueError(f"a score lies between 0 and 1, not {self.score}")

    @classmethod
    def unjudged(cls, judge: str, reason: str) -> Self:
        """The verdict of a judge that could not judge.

        >>> JudgeVerdict.unjudged("token_f1", "it needs a reference").score is None
        True
        """
        return cls(judge, None, UNJUDGED, reason)

    @property
    def judged(self) -> bool:
        """Whether there is a score."""
        return self.score is not None
