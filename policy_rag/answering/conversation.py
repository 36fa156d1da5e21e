"""A conversation: questions that may lean on those before them, each answered and checked like any other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.clarification import listed_candidates, names_candidate
from policy_rag.answering.context import AnswerContext
from policy_rag.answering.planning.condense import Condensed, condense_by_llm, condense_by_rules
from policy_rag.answering.planning.topic import Topic
from policy_rag.records.answer import Answer, Status
from policy_rag.retrieval.transforms.conversation_rules import is_follow_up
from policy_rag.retrieval.transforms.rewriting import is_courtesy


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as asked, as it was searched, and its answer."""

    asked: str
    searched: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Earlier:
    """A question of a conversation that goes on elsewhere, and whether a question back was the answer to it.

    Attributes:
        asked: the question.
        asked_back: whether it was asked back.
        candidates: what the question back listed, where that is known.
    """

    asked: str
    asked_back: bool = False
    candidates: tuple[str, ...] = ()


class ChatSession:
    """A conversation with history. Make it with `PolicyAssistant.chat`; not for several threads at once.

    Args:
        ask: answers a question that can be understood alone.
        new_context: makes what one question is answered with; its LLM rewrites follow-ups, or rules do without one.
        earlier: what was asked in it before, oldest first; it is not among the turns.
    """

    def __init__(
        self,
        ask: Callable[[str, AnswerContext], Answer],
        *,
        new_context: Callable[[Callable[[str], None] | None], AnswerContext],
        earlier: Sequence[Earlier] = (),
    ) -> None:
        self._ask = ask
        self._new_context = new_context
        self._turns: list[Turn] = []
        self._earlier: list[Earlier] = []
        self._topic = Topic()
        for one in earlier:
            if not is_courtesy(one.asked):
                self._remember(one, follows=self._by_rules(one.asked).follows)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was asked and answered, oldest first."""
        return tuple(self._turns)

    def new(self) -> None:
        """Forget what was asked."""
        self._turns.clear()
        self._earlier.clear()
        self._topic = Topic()

    def ask(
        self,
        question: str,
        *,
        on_text: Callable[[str], None] | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> Answer:
        """The answer to a question, which may lean on the ones before.

        Its trace is always kept; where earlier words were put in, a notice says how the question was read.

        Args:
            question: as asked.
            on_text: is given the answer's text in pieces while it is written; see `PolicyAssistant.ask`.
            on_notice: is given each of the answer's notices that is known before the answer is written.

        Raises:
            UsageError: as for `PolicyAssistant.ask`; the history is then unchanged.
            BudgetError: an LLM call could exceed the budget; likewise.
            ModelError: the LLM fails; likewise.
        """
        context = replace(self._new_context(on_text), notice_callback=on_notice)
        if is_courtesy(question):  # it asks nothing, and what follows leans on nothing in it
            return self._ask(question, context)
        condensed = self._condensed(question, context)
        read_as = (f"read as: {condensed.question}",) if condensed.follows else ()
        if on_notice is not None:
            for line in read_as:
                on_notice(line)
        answer = self._ask(condensed.question, context)
        answer = replace(answer, question=question, notices=(*answer.notices, *read_as))
        self._turns.append(Turn(question, condensed.question, answer))
        asked_back = answer.status is Status.CLARIFY
        candidates = listed_candidates(answer.answer) if asked_back else ()
        self._remember(Earlier(question, asked_back, candidates), follows=condensed.follows)
        return answer

    def _remember(self, earlier: Earlier, *, follows: bool) -> None:
        self._earlier.append(earlier)
        self._topic = self._topic.after(earlier.asked, follows=follows)

    def _names_what_was_meant(self, question: str) -> bool:
        last = self._earlier[-1] if self._earlier else None
        return last is not None and last.asked_back and names_candidate(question, last.candidates)

    def _by_rules(self, question: str) -> Condensed:
        topic = self._topic.under(question) if self._earlier else ""
        if topic and (self._names_what_was_meant(question) or is_follow_up(question, topic)):
            return condense_by_rules(question, topic)
        return Condensed(question, follows=False)

    def _condensed(self, question: str, context: AnswerContext) -> Condensed:
        if not self._earlier or not question.strip():
            return Condensed(question, follows=False)
        with context.trace.span("condense") as span:
            condensed = self._rewritten(question, context)
            span.texts["question"] = condensed.question
        return condensed

    def _rewritten(self, question: str, context: AnswerContext) -> Condensed:
        if context.calls is None or self._names_what_was_meant(question):
            return self._by_rules(question)
        earlier = [one.asked for one in self._earlier]
        return condense_by_llm(context.calls, question, earlier, self._topic.under(question))
