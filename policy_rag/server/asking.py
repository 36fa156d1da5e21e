"""Asking a question of the service: the one way for the API, the page, OpenAI's form and MCP."""

import asyncio
import datetime as dt
import threading
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

from anyio import to_thread

from policy_rag.answering.conversation import Earlier
from policy_rag.errors import UsageError
from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.records.answer import Answer, Status
from policy_rag.server.callers import Caller
from policy_rag.server.experiments import Variant
from policy_rag.server.question_log import ABORTED, FAILED, LogReader
from policy_rag.server.service import Lanes, Service
from policy_rag.settings import AnswerChanges
from policy_rag.tracing import before_each_step, traces_begun

_MOST_EARLIER = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRequest:
    """What is asked, and under what. Who asks, and so what may be read, is no part of it.

    Attributes:
        text: as it would be asked of a person.
        where: filters; see `PolicyAssistant.search`.
        as_of: the day whose rules are asked for; today's without one.
        changes: settings instead of those in force; of models only those of `models_of`.
        conversation: to which it belongs; what the caller asked in it before is known then. A new one without.
        earlier: what was asked before, where the caller keeps the conversation; instead of what is logged.
        trace: whether the answer carries the steps taken.
    """

    text: str
    where: tuple[str, ...] = ()
    as_of: dt.date | None = None
    changes: AnswerChanges = field(default_factory=AnswerChanges)
    conversation: str | None = None
    earlier: tuple[Earlier, ...] = ()
    trace: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """What people should know before the answer comes."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """The next piece of the answer's text: a sentence that was checked, or all of a quoted answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The end: the whole answer.

    Attributes:
        id: of the question in the log; feedback is given on it.
        conversation: to give with the next question that belongs to it.
        answer: what was answered.
    """

    id: str
    conversation: str
    answer: Answer


Event: TypeAlias = Notice | Text | Asked


class GoneError(Exception):
    """Whoever asked does not wait for the answer any more."""


def models_of(service: Service) -> tuple[str, ...]:
    """Who may be asked to answer, the service's own first. A caller can load or pay for no other."""
    return tuple(dict.fromkeys((service.assistant.settings.llm.llm, EXTRACTIVE)))


def require_offered(service: Service, *, llm: str | None = None, reranker: str | None = None) -> None:
    """Whether the service offers the models that a question asks for.

    Raises:
        UsageError: it does not.
    """
    rerankers = tuple(dict.fromkeys((service.assistant.settings.ranking.reranker, "none")))
    for name, asked, offered in (("llm", llm, models_of(service)), ("reranker", reranker, rerankers)):
        if asked is not None and asked not in offered:
            raise UsageError(f"{name}={asked!r} is not offered here: leave it out, or give {' or '.join(offered)}")


def reader_of(service: Service, caller: Caller) -> LogReader:
    """What a caller may see of the log of questions."""
    return LogReader(caller.groups, {document.doc_id for document in service.assistant.documents(groups=caller.groups)})


def ask(
    service: Service,
    caller: Caller,
    question: QuestionRequest,
    *,
    on_text: Callable[[str], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    before_step: Callable[[], None] = lambda: None,
) -> Asked:
    """Answers a question, and takes it down whatever becomes of it. For any thread but that of the event loop.

    Args:
        service: what answers.
        caller: who asks, and so what may be read.
        question: what is asked.
        on_text: is given the answer's text in pieces; see `PolicyAssistant.ask`. It may raise `GoneError` to end it.
        on_notice: is given notices as they come up; likewise.
        before_step: is called before each step of the work; likewise.

    Raises:
        UsageError: as for `PolicyAssistant.ask`; a model that is not offered; an overlong name of a conversation.
        PolicyRagError: as for `PolicyAssistant.ask`.
        GoneError: a callback raised it.
    """
    require_offered(service, llm=question.changes.get("llm"), reranker=question.changes.get("reranker"))
    conversation = question.conversation or uuid.uuid4().hex
    if len(conversation) > 100:
        raise UsageError("the name of the conversation is too long: give that of an earlier answer, or none")
    variant = _variant_for(service, caller, question)
    named = variant.name if variant else ""
    began, began_at = time.perf_counter(), service.clock()
    log = partial(
        service.questions.add,
        caller,
        question.text,
        at=began_at,
        conversation=conversation,
        groups_in_use={group for document in service.assistant.index.documents() for group in document.access},
        as_of=question.as_of,
        experiment=variant.experiment if variant else "",
        variant=named,
    )

    def over(outcome: Answer | str) -> str:
        took_ms = (time.perf_counter() - began) * 1000
        uid = log(outcome=outcome, took_ms=took_ms)
        service.watch.asked(caller, question.text, outcome, uid=uid, took_ms=took_ms, traces=traces, variant=named)
        return uid

    with traces_begun() as traces, service.watch.metrics.working(), before_each_step(before_step):
        try:
            session = service.assistant.chat(
                where=question.where,
                groups=caller.groups,
                as_of=question.as_of,
                earlier=_earlier(service, caller, question),
                **(variant or question).changes,
            )
            answer = session.ask(question.text, on_text=on_text, on_notice=on_notice)
        except UsageError:  # nothing was asked
            raise
        except BaseException as error:
            over(ABORTED if isinstance(error, GoneError) else FAILED)
            raise
        logged = over(answer)
    return Asked(logged, conversation, answer if question.trace else replace(answer, trace=None))


async def events(service: Service, caller: Caller, question: QuestionRequest) -> AsyncGenerator[Event]:
    """The same as a stream: notices and pieces of text as they come, then the whole answer.

    The work is done in a thread of its own. When nobody takes the next event any more, it ends before its next step,
    or at the next piece of an LLM's answer.

    Raises:
        PolicyRagError: as for `ask`.
    """
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[Event | None]()
    gone, begun, waiting = threading.Event(), threading.Event(), ExitStack()

    def require_wanted() -> None:
        if gone.is_set():
            raise GoneError

    def tell(event: Event) -> None:
        require_wanted()
        loop.call_soon_threadsafe(queue.put_nowait, event)

    def work() -> Asked:
        begun.set()
        waiting.close()
        require_wanted()
        return ask(
            service,
            caller,
            question,
            on_text=lambda text: tell(Text(text)),
            on_notice=lambda text: tell(Notice(text)),
            before_step=require_wanted,
        )

    async def run() -> Asked:
        chosen = (_variant_for(service, caller, question) or question).changes
        waiting.enter_context(service.watch.metrics.waiting())
        try:
            answerer = await to_thread.run_sync(service.assistant.answerer, chosen.get("llm"))
            return await to_thread.run_sync(work, limiter=service.lanes.of(answerer))
        finally:
            waiting.close()
            queue.put_nowait(None)

    task = asyncio.create_task(run())
    service.lanes.under_way.add(task)
    task.add_done_callback(partial(_ended, service.lanes))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield await task
    finally:
        gone.set()
        if not begun.is_set():
            task.cancel()


async def answer_of(
    service: Service,
    caller: Caller,
    question: QuestionRequest,
    *,
    gone: Callable[[], Coroutine[Any, Any, None]] | None = None,
) -> Asked:
    """The end of `events` alone; `gone` returns when nobody waits for the answer any more.

    Raises:
        PolicyRagError: as for `ask`.
        GoneError: nobody waits for the answer any more.
    """
    answering = asyncio.create_task(_last_of(events(service, caller, question)))
    tasks: set[asyncio.Task[Any]] = {answering}
    if gone is not None:
        tasks.add(asyncio.create_task(gone()))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise GoneError
        return answering.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _last_of(stream: AsyncGenerator[Event]) -> Asked:
    async with aclosing(stream):
        async for event in stream:
            if isinstance(event, Asked):
                return event
    raise RuntimeError("a question ended without an answer")


def _ended(lanes: Lanes, task: asyncio.Task[Asked]) -> None:
    lanes.under_way.discard(task)
    if not task.cancelled():
        task.exception()  # it was raised where the events are taken, or nobody takes them


def _variant_for(service: Service, caller: Caller, question: QuestionRequest) -> Variant | None:
    """The configuration of the experiment that answers; None without one, and where settings were asked for."""
    experiment = service.options.experiment
    return None if experiment is None or question.changes else experiment.variant_of(caller.name)


def _earlier(service: Service, caller: Caller, question: QuestionRequest) -> tuple[Earlier, ...]:
    if question.earlier:
        return question.earlier[-_MOST_EARLIER:]
    if question.conversation is None:
        return ()
    reader = LogReader((), ())  # questions alone: no answer is looked at
    found = service.questions.of_caller(caller.name, reader, conversation=question.conversation, limit=_MOST_EARLIER)
    told = {status.value for status in Status}
    return tuple(Earlier(one.question, one.outcome == Status.CLARIFY) for one in reversed(found) if one.outcome in told)
