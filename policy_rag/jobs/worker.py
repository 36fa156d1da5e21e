"""A worker: does the jobs of an index in Postgres, beside any number of others."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import IndexingError, PolicyRagError
from policy_rag.index.ingest.staged_documents import StagedDocuments
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.jobs.queue import PREPARE, TAKE_IN, configure_connection, require_queue
from policy_rag.records.ingest import IngestReport
from policy_rag_parsers.loaders.discovery import FoundFile

if TYPE_CHECKING:
    from procrastinate import App, JobContext
    from procrastinate.jobs import Job

MOST_ATTEMPTS: Final = 5
"""How often a job is begun; behind failed ones the next begins 2, 4, 8 and 16 seconds later."""

_LOOKS_AGAIN: Final = 1  # seconds, whether all documents of an ingest are prepared
_RETURNS: Final = 5.0  # seconds, to a database that does not answer

_UNPREPARED = (
    "SELECT count(*) AS count FROM procrastinate_jobs "
    "WHERE status IN ('todo', 'doing') AND task_name = %(task)s AND args ->> 'ingest' = %(ingest)s"
)
_UNFINISHED = "SELECT count(*) AS count FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"

_log = logging.getLogger(__name__)


class IngestWorker:
    """Does jobs until it is stopped. One that is killed has its job given to another.

    Args:
        address: where the jobs are.
        opened: the assistant on the index, under settings that a job names.
        tell: is told of each job that is done, in a line or several.
        gone_after: seconds without a sign of life after which a worker counts as dead.
    """

    def __init__(
        self,
        address: PostgresAddress,
        opened: Callable[[Mapping[str, Any]], PolicyAssistant],
        tell: Callable[[str], None],
        *,
        gone_after: float = 30.0,
    ) -> None:
        self._address = address
        self._opened = opened
        self._tell = tell
        self._gone_after = gone_after
        self._assistants: dict[str, PolicyAssistant] = {}
        self._given_up = 0

    def run(self, *, until_empty: bool = False) -> None:
        """Works until the process gets SIGTERM or SIGINT, or, with `until_empty`, until no job is left.

        Raises:
            IndexingError: the database has no tables for jobs, or the login may not use them; in the end, that jobs
                were given up.
        """
        require_queue(self._address)
        try:
            asyncio.run(self._run(until_empty=until_empty))
        finally:
            for assistant in self._assistants.values():
                assistant.close()
        if self._given_up:
            raise IndexingError(
                f"{self._given_up} jobs were given up, as told above: mend it and ingest with --queue again"
            )

    def _give_up(self, job: "Job", reason: str) -> None:
        self._given_up += 1
        self._tell(f"given up: {_named(job)}: {reason}")

    async def _run(self, *, until_empty: bool) -> None:
        import psycopg
        from procrastinate import App, PsycopgConnector
        from procrastinate.exceptions import ConnectorException

        for name in ("procrastinate", "psycopg.pool"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what fails is told below
        connector = PsycopgConnector(
            conninfo=self._address.url, configure=configure_connection, min_size=1, max_size=4, timeout=10
        )
        app = App(connector=connector)
        app.task(name=PREPARE, retry=_retries(self._give_up))(self._prepare)
        app.task(name=TAKE_IN, pass_context=True, retry=_retries(self._give_up))(self._take_in)
        async with app.open_async():
            while True:
                try:
                    await self._work(app, until_empty=until_empty)
                except (ConnectorException, psycopg.OperationalError) as error:
                    _log.warning("the database does not answer (%s): tried again in %s s", error, _RETURNS)
                    await asyncio.sleep(_RETURNS)
                    continue
                if not until_empty or not await _count(app, _UNFINISHED):
                    return
                await asyncio.sleep(_LOOKS_AGAIN)

    async def _work(self, app: "App", *, until_empty: bool) -> None:
        reviving = asyncio.create_task(self._revive(app))
        try:
            await app.run_worker_async(
                wait=not until_empty,
                fetch_job_polling_interval=_LOOKS_AGAIN,
                update_heartbeat_interval=self._gone_after / 3,
                stalled_worker_timeout=self._gone_after,
                delete_jobs="successful",
            )
        finally:
            reviving.cancel()
            with suppress(asyncio.CancelledError):
                await reviving

    async def _revive(self, app: "App") -> None:
        """Gives jobs of dead workers back; what was begun too often has failed."""
        from procrastinate.exceptions import ConnectorException
        from procrastinate.jobs import Status

        manager = app.job_manager
        while True:
            with suppress(ConnectorException):  # another gave it back first, or the database is away
                for job in await manager.get_stalled_jobs(seconds_since_heartbeat=self._gone_after):
                    if job.attempts + 1 < MOST_ATTEMPTS:
                        await manager.retry_job(job)
                    else:
                        self._give_up(job, f"it has ended {MOST_ATTEMPTS} workers")
                        await manager.finish_job(job, Status.FAILED, delete_job=False)
            await asyncio.sleep(self._gone_after / 3)

    async def _prepare(
        self,
        *,
        ingest: str,  # noqa: ARG002 - by this the last job finds it
        changes: Mapping[str, Any],
        root: str,
        file: str,
    ) -> None:
        """Prepares one document."""
        found = FoundFile(Path(root, file), Path(root), file)
        done = await asyncio.to_thread(self._stage, changes, found)
        if done:
            self._tell(f"prepared {file}")

    async def _take_in(
        self, context: "JobContext", *, ingest: str, changes: Mapping[str, Any], paths: Sequence[str], prune: bool
    ) -> None:
        """Takes in what was prepared, once all of it is."""
        if await _count(context.app, _UNPREPARED, task=PREPARE, ingest=ingest):
            await _later(context.app, context.job)
            return
        report = await asyncio.to_thread(self._ingest, changes, paths, prune)
        counts = {name: getattr(report, name) for name in ("added", "updated", "unchanged", "removed")}
        done = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        self._tell(f"taken in: {done or 'nothing'}; {report.documents} documents in all")
        for skipped in report.skipped:
            if skipped.failed:
                self._tell(f"failed: {skipped.file}: {skipped.reason}")

    def _stage(self, changes: Mapping[str, Any], file: FoundFile) -> bool:
        assistant = self._assistant(changes)
        return assistant.ingest_pipeline().stage(file, _staged(assistant))

    def _ingest(self, changes: Mapping[str, Any], paths: Sequence[str], prune: bool) -> IngestReport:
        assistant = self._assistant(changes)
        staged = _staged(assistant)
        report = assistant.ingest_pipeline(staged=staged).ingest([Path(path) for path in paths], prune=prune)
        staged.forget_taken_in()
        return report

    def _assistant(self, changes: Mapping[str, Any]) -> PolicyAssistant:
        """That of these settings; its models stay in memory from job to job."""
        key = json.dumps(changes, sort_keys=True)
        if key not in self._assistants:
            self._assistants[key] = self._opened(changes)
        return self._assistants[key]


def _staged(assistant: PolicyAssistant) -> StagedDocuments:
    from policy_rag.index.store.postgres.truth import PostgresTruth

    truth = assistant.index.truth
    if not isinstance(truth, PostgresTruth):
        raise TypeError("an index that is not in Postgres")
    return StagedDocuments(truth)


async def _count(app: "App", query: Any, **values: str) -> int:
    row = await app.connector.execute_query_one_async(query, **values)
    return int(row["count"])


async def _later(app: "App", job: "Job") -> None:
    """Gives the same job again, for in a second; the one under way then ends."""
    from procrastinate.exceptions import AlreadyEnqueued

    again = app.configure_task(
        TAKE_IN,
        lock=job.lock,
        queueing_lock=job.queueing_lock,
        priority=job.priority,
        schedule_in={"seconds": _LOOKS_AGAIN},
    )
    with suppress(AlreadyEnqueued):
        await again.defer_async(**job.task_kwargs)


def _named(job: "Job") -> str:
    """What a job is about: its file, or the paths of its ingest."""
    given: dict[str, Any] = dict(job.task_kwargs)
    return str(given["file"]) if "file" in given else ", ".join(given["paths"])


def _retries(give_up: "Callable[[Job, str], None]") -> Any:
    """What may go better later is begun again, later and later; what is wrong with a file or a call stays wrong."""
    from procrastinate import BaseRetryStrategy, RetryDecision

    class _Retries(BaseRetryStrategy):
        def get_retry_decision(self, *, exception: BaseException, job: "Job") -> RetryDecision | None:
            if isinstance(exception, FileNotFoundError):
                give_up(job, "it is not on this machine: workers need the files under the same paths")
                return None
            lasting = isinstance(exception, PolicyRagError) and not isinstance(exception, IndexingError)
            if lasting and job.task_name == PREPARE:  # the last job tells of it
                return None
            if lasting or job.attempts + 1 >= MOST_ATTEMPTS:
                give_up(job, str(exception))
                return None
            _log.warning("begun again in %d s: %s: %s", 2 ** (job.attempts + 1), _named(job), exception)
            return RetryDecision(retry_in={"seconds": 2 ** (job.attempts + 1)})

    return _Retries()
