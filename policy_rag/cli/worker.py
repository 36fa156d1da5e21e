"""`policy-rag worker`: takes in what administrators of a service give it."""

import datetime as dt
import os
import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import notice
from policy_rag.errors import UsageError

_LOOKS_EVERY = 1.0  # seconds


def worker(
    state: Annotated[
        Path | None, typer.Option("--state", metavar="DIR", help="Folder of the service's state; beside the index.")
    ] = None,
    parent: Annotated[int | None, typer.Option("--parent", hidden=True, help="Ends with this process.")] = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Take in what is uploaded to a service, one job after the other. `policy-rag serve` starts one by itself."""
    try:
        from policy_rag.server.options import state_beside
        from policy_rag.server.state import ServiceState
        from policy_rag.server.worker import Worker
    except ImportError as error:
        raise UsageError(f"{error.name} is not installed: run `pip install 'policy-rag[serve]'`") from error

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    if parent is None:
        notice("policy-rag worker waits for what is to be taken in, until Ctrl-C")
    else:
        threading.Thread(target=_end_with, args=(parent, stop), daemon=True).start()
    made = ServiceState(state or state_beside(common.index))
    Worker(made, lambda: common.open(create=True), lambda: dt.datetime.now(dt.UTC)).run(stop)


def _end_with(parent: int, stop: threading.Event) -> None:
    """Stops where the process that started this one is no more."""
    while not stop.wait(_LOOKS_EVERY):
        if os.getppid() != parent:
            stop.set()
