"""The jobs of an ingest: one a document, which prepares it, and one for all of them, which takes them in.

What a job of a document makes is kept beside the index. The last job is an ordinary ingest that finds it there: one
transaction, with all that an ingest looks into (renamed files, doubts about access, links). Until it commits readers
see the old state. A document that no job could prepare is read by the last one, which tells what is wrong with it.
"""

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import IndexingError, UsageError
from policy_rag.index.store.place import IndexPlace
from policy_rag.index.store.postgres.address import PostgresAddress

if TYPE_CHECKING:
    from procrastinate import App
    from psycopg import AsyncConnection, Connection

PREPARE, TAKE_IN = "prepare", "take in"
"""The two tasks."""

_LATER: Final = -1  # priority of the last job: documents that wait come first

_FAILED: Final = """
SELECT args, attempts, (SELECT max(at) FROM procrastinate_events WHERE job_id = job.id)
FROM procrastinate_jobs job WHERE status = 'failed' ORDER BY id
"""
_FORGET_FAILED: Final = """
DELETE FROM procrastinate_jobs WHERE status = 'failed' AND (lock = ANY(%(files)s) OR args -> 'paths' = %(paths)s::jsonb)
"""


@dataclass(frozen=True, slots=True)
class HandedOver:
    """What was left to the workers.

    Attributes:
        waiting: documents that have a job now.
        unchanged: files that the index holds as they are.
    """

    waiting: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job that was given up and not handed over again since.

    Attributes:
        file: what was to be prepared; None for the job that takes all of an ingest in.
        paths: what was ingested.
        attempts: how often it was begun.
        at: when it was given up.
    """

    file: str | None
    paths: tuple[str, ...]
    attempts: int
    at: dt.datetime


def database_of(place: IndexPlace) -> PostgresAddress:
    """The database that keeps the jobs of an index.

    Raises:
        UsageError: the index is a folder, which has none.
    """
    if isinstance(place, PostgresAddress):
        return place
    raise UsageError("only an index in Postgres has a queue: give --index postgresql://USER@HOST/DATABASE")


def hand_over(
    assistant: PolicyAssistant,
    address: PostgresAddress,
    paths: Sequence[Path],
    *,
    prune: bool = False,
    changes: Mapping[str, Any] | None = None,
) -> HandedOver:
    """Leaves an ingest to the workers; they must find the files under the same paths.

    Args:
        assistant: on the index, under the settings of the ingest.
        address: of its database.
        paths: files or folders.
        prune: see `PolicyAssistant.ingest`.
        changes: the settings that differ from those that a worker has itself, as JSON has them.

    Raises:
        UsageError: a path is not there.
        IndexingError: the index was made with other settings, or has no tables for jobs.
    """
    from procrastinate.exceptions import AlreadyEnqueued

    places = [path.resolve() for path in paths]
    files, unchanged = assistant.ingest_pipeline().changed_files(places)
    ingest = uuid4().hex
    given: dict[str, Any] = {"ingest": ingest, "changes": dict(changes or {})}
    with _open(address) as app:
        app.connector.execute_query(
            _FORGET_FAILED,
            files=[f"{file.root}/{file.relative}" for file, _ in files],
            paths=json.dumps([str(place) for place in places]),
        )
        for file, digest in files:
            # Two jobs of one file are never done at once; nor does one wait twice for the same content.
            place: dict[str, Any] = {"root": str(file.root), "file": file.relative}
            job = app.configure_task(PREPARE, lock=f"{file.root}/{file.relative}", queueing_lock=digest)
            try:
                job.defer(**given, **place)
            except AlreadyEnqueued:
                continue
        last: dict[str, Any] = {"paths": [str(place) for place in places], "prune": prune}
        app.configure_task(TAKE_IN, lock=TAKE_IN, queueing_lock=ingest, priority=_LATER).defer(**given, **last)
    return HandedOver(len(files), unchanged)


def failed_jobs(address: PostgresAddress) -> tuple[FailedJob, ...]:
    """The jobs that were given up, in the order in which they were handed over.

    Raises:
        IndexingError: the database has no tables for jobs, or the login may not use them.
    """
    with _connected(address) as raw:
        rows = raw.execute(_FAILED).fetchall()
    return tuple(
        FailedJob(given.get("file"), tuple(given.get("paths") or [given["root"]]), attempts, at)
        for given, attempts, at in rows
    )


def require_queue(address: PostgresAddress) -> None:
    """Refuses a database without tables for jobs, or whose login may not use them.

    Raises:
        IndexingError: saying what to run.
    """
    with _connected(address) as raw:
        raw.execute("SELECT FROM procrastinate_jobs LIMIT 0")


@contextmanager
def _connected(address: PostgresAddress) -> "Iterator[Connection[tuple[Any, ...]]]":
    """A connection among the tables of the jobs."""
    import psycopg

    from policy_rag.index.store.postgres.job_tables import require_job_tables

    try:
        with psycopg.connect(address.url, connect_timeout=10) as raw:
            require_job_tables(raw, str(address))
            raw.execute(*_among_jobs())
            yield raw
    except psycopg.Error as error:
        raise IndexingError(_unusable(address, error)) from error


def _unusable(address: PostgresAddress, error: BaseException) -> str:
    import psycopg

    from policy_rag.index.store.postgres.pool import first_line

    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return f"the login of {address} may not use the queue: let its owner run `policy-rag migrate --grant LOGIN`"
    return f"the queue in {address} cannot be used ({first_line(error)}): see to the database"


@contextmanager
def _open(address: PostgresAddress) -> "Iterator[App]":
    from procrastinate import App, SyncPsycopgConnector
    from procrastinate.exceptions import ConnectorException

    def configure(raw: "Connection[tuple[Any, ...]]") -> None:
        raw.execute(*_among_jobs())
        raw.commit()

    require_queue(address)
    connector = SyncPsycopgConnector(conninfo=address.url, configure=configure, min_size=1, max_size=1)
    try:
        with App(connector=connector).open() as app:
            yield app
    except ConnectorException as error:
        raise IndexingError(_unusable(address, error.__cause__ or error)) from error


async def configure_connection(raw: "AsyncConnection[tuple[Any, ...]]") -> None:
    """Has a connection of a worker find the tables of the jobs."""
    await raw.execute(*_among_jobs())
    await raw.commit()


def _among_jobs() -> tuple[bytes, tuple[str]]:
    from policy_rag.index.store.postgres.job_tables import SCHEMA

    return b"SELECT set_config('search_path', %s, false)", (SCHEMA,)
