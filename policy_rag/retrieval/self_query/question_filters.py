"""What a question asks under, as it is read out of it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.self_query.question_dates import OtherDay


@dataclass(frozen=True, slots=True)
class SearchCondition:
    """A part of what a question asks under.

    Attributes:
        where: filters as they are typed; all must hold.
        as_of: the day whose rules are asked for, or None.
        any_day: whether documents that are not in force count too: the day then becomes the nearest on which one is.
        said: the ranges of the question that say so and nothing else; what is asked is the rest.
    """

    where: tuple[str, ...] = ()
    as_of: dt.date | None = None
    any_day: bool = False
    said: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        day = (f"as_of={self.as_of.isoformat()}",) if self.as_of else ()
        return ", ".join((*self.where, *day))


@dataclass(frozen=True, slots=True)
class QuestionFilters:
    """What was read out of a question.

    Attributes:
        conditions: the most telling first.
        notices: what to tell of the reading itself.
        other_day: one that the question names, over or to come, and that is no condition.
    """

    conditions: tuple[SearchCondition, ...]
    notices: tuple[str, ...] = ()
    other_day: OtherDay | None = None


class FilterReader(Protocol):
    """Reads the conditions out of a question."""

    def __call__(self, question: str, documents: Sequence[DocumentInfo], day: dt.date) -> QuestionFilters:
        """What the question holds.

        The caller may read `documents`, in force or not; the question is about `day` unless it names another.
        """
        ...
