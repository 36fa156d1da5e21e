"""Work in the background: documents to be taken in or out, one job after the other, by whichever worker there is."""

import datetime as dt
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy_rag.server.callers import Caller
from policy_rag.server.state import Row, ServiceState, record_of

MOST_ATTEMPTS = 3

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    caller TEXT NOT NULL,
    label TEXT NOT NULL,
    given TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    step TEXT NOT NULL DEFAULT '',
    share REAL NOT NULL DEFAULT 0,
    ended TEXT,
    report TEXT,
    error TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state);
"""


class JobKind(StrEnum):
    """What is to be done: files that were uploaded be taken in, or a folder of the server; documents be taken out."""

    UPLOAD = "upload"
    FOLDER = "folder"
    REMOVAL = "removal"


class JobState(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job.

    Attributes:
        number: counts up with each.
        id: its name.
        kind: what is to be done.
        at: when it was given.
        caller: who gave it, by unique name.
        label: who gave it, as people say.
        given: with what; see `uploads` and `worker`.
        state: how far it is.
        attempts: how often it was begun.
        step: what is being done: `read`, `extract` or `embed`.
        share: how much of the step is done, 0 to 1.
        ended: when it ended, or None.
        report: an `IngestReport` in its JSON form, or None.
        error: why it failed, in a line, or None.
    """

    number: int
    id: str
    kind: JobKind
    at: dt.datetime
    caller: str
    label: str
    given: Mapping[str, Any]
    state: JobState
    attempts: int
    step: str
    share: float
    ended: dt.datetime | None
    report: Mapping[str, Any] | None
    error: str | None


class JobQueue:
    """The jobs of a service, in the order in which they were given."""

    def __init__(self, state: ServiceState) -> None:
        self._state = state
        state.add_tables(_SCHEMA)

    def add(
        self, kind: JobKind, caller: Caller, given: Mapping[str, Any], now: dt.datetime, *, job_id: str | None = None
    ) -> str:
        """Gives a job; its id."""
        made = job_id or uuid.uuid4().hex
        row = (made, kind.value, now.isoformat(), caller.name, caller.label or caller.name, json.dumps(given))
        with self._state.changing() as db:
            db.execute(
                "INSERT INTO jobs (id, kind, at, caller, label, given, state) VALUES (?, ?, ?, ?, ?, ?, 'queued')", row
            )
        return made

    def one(self, job_id: str) -> Job | None:
        """A job by its id; None where there is none."""
        with self._state.reading() as db:
            row = db.execute("SELECT * FROM jobs WHERE id = ?", (job_id,)).fetchone()
        return _job(row) if row is not None else None

    def latest(self, limit: int = 50) -> tuple[Job, ...]:
        """The jobs that were given last, latest first."""
        with self._state.reading() as db:
            rows = db.execute("SELECT * FROM jobs ORDER BY number DESC LIMIT ?", (limit,)).fetchall()
        return tuple(_job(row) for row in rows)

    def begin_next(self) -> Job | None:
        """Begins the job that waits longest; None where none waits. For the one worker that there is."""
        with self._state.changing() as db:
            row = db.execute(
                "UPDATE jobs SET state = 'running', attempts = attempts + 1, step = '', share = 0 WHERE number = "
                "(SELECT min(number) FROM jobs WHERE state = 'queued') RETURNING *"
            ).fetchone()
        return _job(row) if row is not None else None

    def tell(self, job_id: str, step: str, share: float) -> None:
        """Says how far a job is."""
        with self._state.changing() as db:
            db.execute("UPDATE jobs SET step = ?, share = ? WHERE id = ?", (step, share, job_id))

    def end(
        self, job_id: str, now: dt.datetime, *, report: Mapping[str, Any] | None = None, error: str | None = None
    ) -> None:
        """Ends a job: it failed where there is an error, else it is done."""
        state = JobState.DONE if error is None else JobState.FAILED
        with self._state.changing() as db:
            db.execute(
                "UPDATE jobs SET state = ?, ended = ?, report = ?, error = ? WHERE id = ?",
                (state.value, now.isoformat(), None if report is None else json.dumps(report), error, job_id),
            )

    def give_back(self, now: dt.datetime) -> None:
        """Lets begin anew what a worker left that is no more; what was begun too often has failed."""
        with self._state.changing() as db:
            db.execute(
                "UPDATE jobs SET state = 'failed', ended = ?, error = ? WHERE state = 'running' AND attempts >= ?",
                (now.isoformat(), f"it ended the worker {MOST_ATTEMPTS} times: see the worker's log", MOST_ATTEMPTS),
            )
            db.execute("UPDATE jobs SET state = 'queued', step = '', share = 0 WHERE state = 'running'")


def _job(row: Row) -> Job:
    return record_of(Job, row, "given", "report")
