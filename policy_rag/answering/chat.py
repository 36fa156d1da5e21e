"""A conversation: questions that may lean on those before them, each answered and checked like any other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from policy_rag.answering.follow_up import Condensed, condense, condense_with, is_follow_up, own_words
from policy_rag.models.language_model import LanguageModel
from policy_rag.records import Answer, Status

_A_NAME = 3


class Ask(Protocol):
    """What a conversation needs of the assistant."""

    def __call__(self, question: str, *, trace: bool = False, **options: Any) -> Answer:
        """The answer to one question."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as asked, as it was searched, and its answer."""

    asked: str
    searched: str
    answer: Answer


class ChatSession:
    """A conversation with history. Make it with `PolicyAssistant.chat`; not for several threads at once.

    Args:
        ask: answers a question that can be understood alone.
        model: the LLM that rewrites follow-ups, or None for rules; called before each follow-up.
        options: those of `ask`, used for each question.
    """

    def __init__(
        self, ask: Ask, *, model: Callable[[], LanguageModel | None], options: Mapping[str, Any] | None = None
    ) -> None:
        self._ask = ask
        self._model = model
        self._options = dict(options or {})
        self._turns: list[Turn] = []
        self._topic = ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was asked and answered, oldest first."""
        return tuple(self._turns)

    def new(self) -> None:
        """Forget what was asked."""
        self._turns.clear()
        self._topic = ""

    def ask(self, question: str) -> Answer:
        """The answer to a question, which may lean on the ones before.

        Its trace is always kept; where earlier words were put in, a notice says how the question was read.

        Raises:
            UsageError: as for `PolicyAssistant.ask`; the history is then unchanged.
            ModelError: the LLM fails; likewise.
        """
        condensed = self._condensed(question)
        answer = self._ask(condensed.question, trace=True, **self._options)
        read_as = (f"read as: {condensed.question}",) if condensed.follows else ()
        steps = (_step(condensed),) if condensed.follows or condensed.reply else ()
        answer = replace(
            answer,
            question=question,
            notices=(*answer.notices, *read_as),
            trace=(*steps, *(answer.trace or ())),
        )
        self._turns.append(Turn(question, condensed.question, answer))
        if not condensed.follows:
            self._topic = question
        return answer

    def _condensed(self, question: str) -> Condensed:
        if not self._turns or not question.strip():
            return Condensed(question, follows=False)
        asked_back = self._turns[-1].answer.status is Status.CLARIFY
        if asked_back and own_words(question) <= _A_NAME:  # it names what was meant
            return Condensed(condense(question, self._topic), follows=True)
        model = self._model()
        if model is not None:
            return condense_with(model, question, [turn.asked for turn in self._turns], self._topic)
        if is_follow_up(question):
            return Condensed(condense(question, self._topic), follows=True)
        return Condensed(question, follows=False)


def _step(condensed: Condensed) -> Mapping[str, Any]:
    reply = condensed.reply
    step: dict[str, Any] = {"step": "condense", "question": condensed.question}
    if reply is not None:
        step |= {
            "template": condensed.template,
            "reply": reply.text,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "ms": reply.ms,
        }
    return step
