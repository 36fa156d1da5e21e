"""Running the service: in this process or in several over one socket, until it is told to stop."""

import atexit
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace
from policy_rag.server.app import create_app
from policy_rag.server.observability.logs import log_as_json
from policy_rag.server.observability.metrics import shared_figures
from policy_rag.server.service_options import ServerOptions
from policy_rag.settings import Settings

_GRACE_SECONDS = 30
"""For answers that are under way when the service is told to stop."""
_STARTING_SECONDS = 120
_LOOKS_EVERY = 2.0


def run(
    index: IndexPlace,
    settings: Settings,
    options: ServerOptions,
    *,
    processes: int = 1,
    worker: Sequence[str] | None = None,
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Serves until SIGINT or SIGTERM; answers that are under way then are given half a minute.

    Args:
        index: where it is.
        settings: those in force.
        options: how it is served.
        processes: how many share the work; they read one index, and each picks up what is taken into it.
        worker: arguments of the worker that is kept running beside it, if any; see `policy-rag worker`.
        begun: called when requests are taken.

    Raises:
        UsageError: the address cannot be listened on.
        IndexingError: there is no index, or it cannot be read.
    """
    make_app = partial(_app_of, index, settings, options)
    app = make_app()  # what is wrong is said here, before anything listens
    listening = _listening(options)
    begun()
    signal.signal(signal.SIGTERM, _stop)
    try:
        with _beside(worker):
            if processes == 1:
                uvicorn.Server(_config(options, lambda: app)).run(sockets=[listening])
            else:
                with shared_figures():
                    Multiprocess(_config(options, make_app, processes), sockets=[listening]).run()
    except KeyboardInterrupt:
        pass  # that is how it is stopped
    finally:
        listening.close()


@contextmanager
def _beside(worker: Sequence[str] | None) -> Iterator[None]:
    """Keeps a worker running meanwhile: one that died is started anew, and goes on with what was left."""
    if worker is None:
        yield
        return
    call = [sys.executable, "-m", "policy_rag", "worker", *worker, "--parent", str(os.getpid())]
    over = threading.Event()
    running = [subprocess.Popen(call)]

    def keep() -> None:
        while not over.wait(_LOOKS_EVERY):
            if running[-1].poll() is not None and not over.is_set():
                running.append(subprocess.Popen(call))

    keeper = threading.Thread(target=keep, daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        keeper.join()
        running[-1].terminate()
        try:
            running[-1].wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            running[-1].kill()  # it is in the midst of a job, which the next one begins anew


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def _app_of(index: IndexPlace, settings: Settings, options: ServerOptions) -> FastAPI:
    """The application of one process."""
    log_as_json()
    assistant = PolicyAssistant.open(index, settings=settings)
    atexit.register(assistant.close)
    if options.oidc is not None:
        from policy_rag.offline import keep_offline

        keep_offline(settings, options.oidc.issuer)
    return create_app(assistant, options)


def _config(options: ServerOptions, app: object, processes: int = 1) -> uvicorn.Config:
    """How uvicorn serves. It believes no header on who sends a request: `TrustedProxy` does, where it is told to."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        factory=True,
        host=options.host,
        port=options.port,
        workers=processes,
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_worker_healthcheck=_STARTING_SECONDS,
    )


def _listening(options: ServerOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((options.host, options.port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise UsageError(
            f"cannot listen on {options.host}:{options.port} ({error.strerror}): choose another with --host and --port"
        ) from error
    listening.set_inheritable(True)
    return listening
