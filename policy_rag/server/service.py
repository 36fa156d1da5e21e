"""What every route works with, made once a process."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from fastapi import Depends, Request

from policy_rag.assistant import PolicyAssistant
from policy_rag.server.callers import Authenticator
from policy_rag.server.jobs import JobQueue
from policy_rag.server.lanes import Lanes
from policy_rag.server.observability.watch import Watch
from policy_rag.server.question_log import QuestionLog
from policy_rag.server.rates import RateLimit
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.state import ServiceState


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
