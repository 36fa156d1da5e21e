"""What every route works with, made once a process."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from anyio import CapacityLimiter
from fastapi import Depends, Request

from policy_rag.assistant import PolicyAssistant
from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.models.onnx.inference import processors
from policy_rag.server.callers import Authenticator
from policy_rag.server.jobs import JobQueue
from policy_rag.server.observability.watch import Watch
from policy_rag.server.question_log import QuestionLog
from policy_rag.server.rates import RateLimit
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.state import ServiceState
from policy_rag.server.uploads import UploadedFiles

if TYPE_CHECKING:
    import asyncio

_AT_AN_LLM = 32


class Lanes:
    """Threads for questions, apart from those for all else.

    Attributes:
        quoting: for answers by quotation, which keep the processors busy: as many as there are of them.
        generating: for answers by an LLM, which mostly wait for it.
        under_way: questions that are being answered, whether or not somebody still waits for them.
    """

    def __init__(self) -> None:
        self.quoting = CapacityLimiter(processors())
        self.generating = CapacityLimiter(_AT_AN_LLM)
        self.under_way: set[asyncio.Task[Any]] = set()

    def of(self, llm: str) -> CapacityLimiter:
        """The lane of questions that this LLM answers; of `auto` who that is, see `PolicyAssistant.answerer`."""
        return self.quoting if llm == EXTRACTIVE else self.generating


def now() -> dt.datetime:
    """The time, with its zone."""
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True, kw_only=True)
class Service:
    """One index, served.

    Attributes:
        assistant: on the index; safe for many threads, and picks up each ingest by itself.
        options: how it runs.
        state: what it keeps for itself; each concept there makes its own tables.
        questions: what was asked.
        jobs: what is to be taken in.
        uploads: files that it was sent.
        rates: how often a caller may ask.
        authenticators: asked in this order who sends a request.
        watch: is told what happens.
        clock: the time, with its zone.
        lanes: threads for questions.
    """

    assistant: PolicyAssistant
    options: ServerOptions
    state: ServiceState
    questions: QuestionLog
    jobs: JobQueue
    uploads: UploadedFiles
    rates: RateLimit
    authenticators: tuple[Authenticator, ...]
    watch: Watch
    clock: Callable[[], dt.datetime] = now
    lanes: Lanes = field(default_factory=Lanes)


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


ServiceIs: TypeAlias = Annotated[Service, Depends(service_of)]
