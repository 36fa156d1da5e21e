"""The service as an ASGI application: its parts put together."""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from starlette.routing import Route

from policy_rag import __version__
from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import StateError
from policy_rag.index.store.place import home_of
from policy_rag.server.api import router as api
from policy_rag.server.asking import GoneError
from policy_rag.server.guard import Guard
from policy_rag.server.identity.access import Access
from policy_rag.server.identity.sign_in import router as sign_in
from policy_rag.server.jobs import JobQueue
from policy_rag.server.mcp.http import PATH, MCPEndpoint, served_over_http
from policy_rag.server.observability.endpoint import router as metrics
from policy_rag.server.observability.middleware import Watched
from policy_rag.server.observability.watch import Watch
from policy_rag.server.openai_api import OpenAIRoute
from policy_rag.server.openai_api import router as openai_api
from policy_rag.server.page import install_page
from policy_rag.server.page.routing import problem_shown
from policy_rag.server.problems import RequestProblem, install_problems
from policy_rag.server.question_log import QuestionLog
from policy_rag.server.rates import RateLimit
from policy_rag.server.review import PATH as REVIEW
from policy_rag.server.review import review_page
from policy_rag.server.service import Service, now
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.state import open_state
from policy_rag.server.uploads import UploadedFiles

_DROPS_EVERY = 3600.0  # seconds
_NOBODY_WAITS = 499  # nginx's number; nobody is sent it, but it is counted
_OPENAI = "/v1"
_log = logging.getLogger(__name__)


def create_app(
    assistant: PolicyAssistant, options: ServerOptions, *, clock: Callable[[], dt.datetime] = now
) -> FastAPI:
    """The application over an open index; whoever opened it closes it. The clock gives the time with its zone."""
    place = options.database or options.state
    state = open_state(place)
    access = Access.of(options, state)
    watch = Watch(assistant.index, options, clock)
    service = Service(
        assistant=assistant,
        options=options,
        state=state,
        questions=QuestionLog(state),
        jobs=JobQueue(state),
        uploads=UploadedFiles(state, home_of(place)),
        rates=RateLimit(state, options.rate),
        authenticators=access.authenticators(options),
        watch=watch,
        clock=clock,
    )
    app = FastAPI(title="policy_rag", version=__version__, docs_url=None, redoc_url=None, lifespan=_lifespan)
    app.state.service, app.state.access = service, access
    app.add_middleware(Guard, options=options, refused=_told)  # the first is the innermost
    app.add_middleware(Watched, watch=watch)
    install_problems(app, _told)
    app.add_exception_handler(GoneError, lambda *_: Response(status_code=_NOBODY_WAITS))
    app.include_router(api, prefix="/api/v1")
    app.include_router(openai_api, prefix=_OPENAI)
    app.include_router(metrics)
    app.include_router(sign_in)
    app.router.routes.append(Route(PATH, MCPEndpoint(), methods=["GET", "POST", "DELETE"]))
    install_page(app)
    if options.review is not None:
        app.mount(REVIEW, review_page(options.review))
    return app


def _told(request: Request, problem: RequestProblem) -> Response:
    """What a request is told that no route serves."""
    openai = request.url.path.startswith(f"{_OPENAI}/")
    return OpenAIRoute.told(request, problem) if openai else problem_shown(request, problem)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """What runs beside the requests, from the first to the last."""
    service: Service = app.state.service
    dropping = asyncio.create_task(_drop_old_questions(service))
    async with served_over_http(app):
        yield
    dropping.cancel()
    service.watch.close()
    service.state.close()


async def _drop_old_questions(service: Service) -> None:
    """Drops at once, and then every so often, what the log of questions has kept for long enough."""
    while days := service.options.keep_days:
        try:
            await to_thread.run_sync(service.questions.drop_before, service.clock() - dt.timedelta(days=days))
        except StateError as error:  # a full disk, or a database that is away: that is told by what else needs it
            _log.warning("old questions could not be dropped: %s", error)
        await asyncio.sleep(_DROPS_EVERY)
