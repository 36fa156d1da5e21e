"""A question as it was made, before and after it is filtered, and the reasons for which one is dropped."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

RULES = "rules"
"""Who made a question that no LLM made."""


class QuestionStyle(StrEnum):
    """What kind of question it is; the data set's `type`."""

    FACTUAL = "factual"
    CLAUSE = "clause"
    PARAPHRASE = "paraphrase"
    CONDITIONAL = "conditional"
    MULTI = "multi"
    COMPARISON = "comparison"
    UNANSWERABLE = "unanswerable"


PAIRED = frozenset({QuestionStyle.MULTI, QuestionStyle.COMPARISON})
"""Styles that an LLM is given two sections for."""


class Reason(StrEnum):
    """Why a question is dropped. The first that holds counts, in this order."""

    MALFORMED_REPLY = "malformed_reply"
    EMPTY_REPLY = "empty_reply"
    INVALID_ITEM = "invalid_item"
    QUOTE_NOT_FOUND = "quote_not_found"
    PREAMBLE = "preamble"
    NO_QUESTION = "no_question"
    ORDERS = "orders"
    REFERS_TO_TEXT = "refers_to_text"
    NOT_ALONE = "not_alone"
    OTHER_LANGUAGE = "other_language"
    COPIES = "copies"
    POINTS_ELSEWHERE = "points_elsewhere"
    ANSWERED_ELSEWHERE = "answered_elsewhere"
    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    NOT_FOUND = "not_found"


UNUSABLE = (Reason.MALFORMED_REPLY, Reason.EMPTY_REPLY, Reason.INVALID_ITEM)
"""What is wrong with the reply of an LLM, not with its question."""
SectionKey = tuple[str, str]
"""`(doc_id, section_id)`."""


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """Where a section stands: `[start, end)` of the text of `file`."""

    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DraftQuote:
    """The words that answer a question: `text` is exactly `[start, end)` of the text of `file`."""

    doc_id: str
    file: str
    section_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question with what answers it.

    Attributes:
        style: its kind.
        text: the question.
        quotes: gold, in the order of the sections that it was made from; empty for an unanswerable one.
        sections: those that it was made from, at least one.
        language: of the first of them, one of `policy_rag.index.search.terms.LANGUAGES`.
        answers: short spans of the quotes that count as an answer; may be empty.
        made_by: `rules`, or the LLM's name.
        rule: the rule that made it, or "".
        template: sha256 of the prompt template, or "".
        seed: the seed that it was made under.
    """

    style: QuestionStyle
    text: str
    quotes: tuple[DraftQuote, ...]
    sections: tuple[SectionKey, ...]
    language: str
    answers: tuple[str, ...] = ()
    made_by: str = RULES
    rule: str = ""
    template: str = ""
    seed: int = 0

    @property
    def answerable(self) -> bool:
        """Whether the documents answer it."""
        return self.style is not QuestionStyle.UNANSWERABLE


@dataclass(frozen=True, slots=True)
class Drop:
    """A draft, or a reply without one, that was dropped."""

    reason: Reason
    text: str


@dataclass(frozen=True, slots=True)
class GeneratedQuestion:
    """A question of the set.

    Attributes:
        question_id: stable: the same question on the same gold has it in every run.
        draft: the question.
        groups: access groups under which it is asked.
        as_of: the day on which it is asked, ISO.
        found_at: rank of the first hit that covers half of one of its quotes, from 1; None: not among the first, or
            unanswerable.
        reviewed: whether a person accepted or edited it.
    """

    question_id: str
    draft: QuestionDraft
    groups: tuple[str, ...] = ()
    as_of: str | None = None
    found_at: int | None = None
    reviewed: bool = False


def counted(drops: Mapping[Reason, int]) -> dict[str, int]:
    """Counts by reason in the order of `Reason`, without zeros.

    >>> counted({Reason.COPIES: 2, Reason.PREAMBLE: 1, Reason.ORDERS: 0})
    {'preamble': 1, 'copies': 2}
    """
    return {reason.value: drops[reason] for reason in Reason if drops.get(reason)}
