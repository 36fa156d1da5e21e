"""`policy-rag worker`: does the jobs of an index in Postgres, or takes in what is uploaded to a service."""

import datetime as dt
import os
import shlex
import signal
import threading
from contextlib import closing
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, notice, print_json
from policy_rag.errors import UsageError
from policy_rag.index.store.place import home_of
from policy_rag.index.store.postgres.address import PostgresAddress

_LOOKS_EVERY = 1.0  # seconds


def worker(
    state: opt.StateOption = None,
    uploads: Annotated[
        bool, typer.Option("--uploads", help="Take in what is uploaded to a service on an index in Postgres.")
    ] = False,
    parent: Annotated[int | None, typer.Option("--parent", hidden=True, help="Ends with this process.")] = None,
    until_empty: Annotated[
        bool, typer.Option("--until-empty", help="End when no job of the database is left.")
    ] = False,
    failed: Annotated[bool, typer.Option("--failed", help="List the jobs that were given up, and do none.")] = False,
    *,
    common: opt.CommonOptions,
) -> None:
    """Do the jobs that `ingest --queue` left in Postgres.

    As many workers as you like may run, on any machine.

    With --uploads or --state, or where the index is a folder: take in what is uploaded to a service, one job after the
    other, of several such workers one at a time; `policy-rag serve` starts such a one by itself.
    """
    if state is None and not uploads and isinstance(common.index, PostgresAddress):
        if failed:
            _list_failed(common.index, json=common.json)
        else:
            _do_queue(common, common.index, until_empty=until_empty)
        return
    if until_empty or failed:
        given = "--failed" if failed else "--until-empty"
        raise UsageError(f"{given} is for the jobs of an index in Postgres: leave it, or --state and --uploads, out")
    with opt.service_installed():
        from policy_rag.server.service_options import state_place
        from policy_rag.server.state import open_state
        from policy_rag.server.upload_worker import Worker
        from policy_rag.server.uploads import UploadedFiles

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    if parent is None:
        notice("policy-rag worker waits for what is to be taken in, until Ctrl-C")
    else:
        threading.Thread(target=_end_with, args=(parent, stop), daemon=True).start()
    place = state_place(common.index, state)
    with closing(open_state(place)) as opened:
        files = UploadedFiles(opened, home_of(place))
        Worker(opened, files, lambda: common.open(create=True), lambda: dt.datetime.now(dt.UTC)).run(stop)


def _do_queue(common: opt.CommonOptions, address: PostgresAddress, *, until_empty: bool) -> None:
    from policy_rag.jobs.worker import IngestWorker

    notice(f"policy-rag worker does the jobs of {address}" + ("" if until_empty else ", until Ctrl-C"))
    IngestWorker(address, lambda changes: common.open(changes, create=True), notice).run(until_empty=until_empty)


def _list_failed(address: PostgresAddress, *, json: bool) -> None:
    from policy_rag.jobs.queue import failed_jobs

    found = failed_jobs(address)
    if json:
        print_json(found)
        return
    for job in found:
        paths = " ".join(map(shlex.quote, job.paths))
        console().print(
            f"{job.file or 'taking in'} of {paths}: given up at {job.at.astimezone():%Y-%m-%d %H:%M}, at attempt "
            f"{job.attempts}: mend it and run `policy-rag ingest {paths} --queue --index {shlex.quote(str(address))}`",
            soft_wrap=True,
        )
    if found:
        notice("why a job was given up stands in what its worker said")
    else:
        notice("no job was given up")


def _end_with(parent: int, stop: threading.Event) -> None:
    """Stops where the process that started this one is no more."""
    while not stop.wait(_LOOKS_EVERY):
        if os.getppid() != parent:
            stop.set()
