"""A question with what became of it, as the pages show it: just answered, or out of the log."""

import datetime as dt
from dataclasses import dataclass, replace

from policy_rag.answering.presentation.wording import headline, likelihood
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.server.asking import Asked
from policy_rag.server.page.document_pages import place_url
from policy_rag.server.page.shown_answer import ShownPart, answer_of, shown_parts
from policy_rag.server.question_log import LoggedQuestion

_OUTCOMES = {
    Status.ANSWERED: "Answer",
    Status.UNCERTAIN: "Perhaps not an answer",
    Status.REFUSED: "No answer",
    Status.CLARIFY: "A question back",
}
_WHO_ANSWERS = "answering "  # how the notice begins that names the LLM, or why there is none


def is_for_readers(notice: str) -> bool:
    """Whether a notice is about the question: who answers is said below each answer, and why is for administrators."""
    return not notice.startswith(_WHO_ANSWERS)


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A place that an answer names, and the address that opens it."""

    citation: Citation
    url: str
    is_said: bool


@dataclass(frozen=True, slots=True)
class NearSection:
    """A section that was found near a question without an answer, and the address that opens it."""

    name: str
    document: str
    url: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A question and what became of it.

    Attributes:
        id: of the question in the log.
        question: as asked.
        as_of: the day whose rules were asked for, or None.
        at: when it was asked; None where that was just now.
        outcome: one of `questions.OUTCOMES`.
        said: the outcome in a word or two.
        likelihood: how likely the answer is right, in words, with the figure behind it.
        parts: the answer, laid out.
        sources: what it cites.
        near: the sections nearest to a question without an answer.
        near_headline: what stands above them.
        removed: statements of an LLM that did not hold.
        notices: what people should know.
        llm: who answered.
        withheld: whether there is an answer that may not be read any more.
        helpful: what the asker said of it.
        comment: and why.
    """

    id: str
    question: str
    as_of: dt.date | None
    at: dt.datetime | None
    outcome: str
    said: str = "Not answered"
    likelihood: tuple[str, str] = ("", "")
    parts: tuple[ShownPart, ...] = ()
    sources: tuple[ShownSource, ...] = ()
    near: tuple[NearSection, ...] = ()
    near_headline: str = ""
    removed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    llm: str = ""
    withheld: bool = False
    helpful: bool | None = None
    comment: str = ""


def turn_of_answer(asked: Asked, as_of: dt.date | None) -> ShownTurn:
    """A question that was just answered."""
    answer = asked.answer
    return _with_answer(ShownTurn(asked.id, answer.question, as_of, at=None, outcome=answer.status.value), answer)


def turn_of_log(logged: LoggedQuestion) -> ShownTurn:
    """A question of the log, as its reader may see it."""
    turn = ShownTurn(logged.id, logged.question, logged.as_of, logged.at, logged.outcome, withheld=logged.withheld)
    if logged.answer is None:
        return turn
    turn = replace(turn, helpful=logged.helpful, comment=logged.comment or "")
    return _with_answer(turn, answer_of(logged.answer))


def _with_answer(turn: ShownTurn, answer: Answer) -> ShownTurn:
    words, _, figure = likelihood(answer).partition(" (")
    spoken = " ".join(answer.answer.split())
    return replace(
        turn,
        said=_OUTCOMES[answer.status],
        likelihood=(words.capitalize(), figure.rstrip(")")) if answer.shown else ("", ""),
        parts=shown_parts(answer),
        sources=tuple(
            ShownSource(one, f"/answers/{turn.id}/{one.n}#quote", " ".join((one.text or one.quote).split()) in spoken)
            for one in answer.citations
        ),
        near=tuple(
            NearSection(
                " ".join(part for part in (hit.number, hit.title) if part) or hit.file,
                hit.path[0] if hit.path else hit.file,
                place_url(hit.doc_id, hit.start, hit.end, hit.text),
            )
            for hit in answer.nearest
        ),
        near_headline=headline(answer),
        removed=answer.removed,
        notices=tuple(dict.fromkeys(filter(is_for_readers, answer.notices))),
        llm=answer.llm,
    )
