"""What is reviewed, as the page shows it, wherever it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from policy_rag_eval.review.decisions import Decided, ReviewDecision


class Choice(StrEnum):
    """What can be decided of an item; the first three of a question, the others of an answer."""

    ACCEPT = "accept"
    EDIT = "edit"
    DROP = "drop"
    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class ReviewPassage:
    """A text that an item is seen against, with the places in it that are marked, half-open."""

    title: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing to decide.

    Attributes:
        item_id: unique among the items.
        question: as asked.
        answer: of a verdict the answer that is judged, of a question the accepted answers, a line each.
        kind: a word for it.
        passages: what it is seen against.
        quotes: of a question, what answers it.
        said: what others say of it, a line each, such as judges with their reasons.
        done: whether it was reviewed before, and is written back already.
    """

    item_id: str
    question: str
    answer: str
    kind: str
    passages: tuple[ReviewPassage, ...]
    quotes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    done: bool = False


class Source(Protocol):
    """Something that people review; everything that it knows stands in files."""

    @property
    def title(self) -> str:
        """Its name."""
        ...

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be decided of each item."""
        ...

    @property
    def decisions(self) -> Path:
        """The file of decisions."""
        ...

    def items(self) -> Sequence[ReviewItem]:
        """All items, in order."""
        ...

    def check(self, decision: ReviewDecision) -> None:
        """Refuses a decision that could not be written back.

        Raises:
            UsageError: it says why.
        """
        ...

    def apply(self, decided: Decided) -> dict[str, int]:
        """Writes back what is settled; how often each decision was."""
        ...
