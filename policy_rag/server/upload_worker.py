"""The worker: does the jobs, one after the other. Of all workers of a service only one works at a time."""

import datetime as dt
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.records.ingest import IngestReport
from policy_rag.records.serialization import to_json
from policy_rag.server.jobs import Job, JobKind, JobQueue
from policy_rag.server.state import ServiceState
from policy_rag.server.uploads import UPLOADED, UploadedFiles

_LOOKS_EVERY = 0.5  # seconds
_TELLS_EVERY = 0.02  # of a step

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Worker:
    """What works.

    Attributes:
        state: where the jobs are.
        files: those that were uploaded.
        opened: opens the index for one job; models are not kept in memory between jobs.
        clock: the time, with its zone.
    """

    state: ServiceState
    files: UploadedFiles
    opened: Callable[[], AbstractContextManager[PolicyAssistant]]
    clock: Callable[[], dt.datetime]

    def run(self, stop: threading.Event, *, until_empty: bool = False) -> None:
        """Works until it is told to stop; meanwhile another may, and goes on when that one is no more.

        What is no fault of a job's own ends the worker; the next one begins the job anew, but not for ever. Told to
        stop it does the job that is under way; with `until_empty` it ends where no job waits.
        """
        queue = JobQueue(self.state)
        while not stop.is_set():
            self.files.fetch()
            with self.state.working_alone() as alone:
                if alone:
                    queue.give_back(self.clock())
                    self._work(queue, stop, until_empty=until_empty)
                    return
            stop.wait(_LOOKS_EVERY)

    def _work(self, queue: JobQueue, stop: threading.Event, *, until_empty: bool) -> None:
        while not stop.is_set():
            job = queue.begin_next()
            if job is not None:
                self._do(queue, job)
            elif until_empty:
                return
            else:
                stop.wait(_LOOKS_EVERY)

    def _do(self, queue: JobQueue, job: Job) -> None:
        try:
            report = self._removed(job) if job.kind is JobKind.REMOVAL else self._ingested(queue, job)
        except (PolicyRagError, OSError) as error:
            _log.warning("job %s failed: %s", job.id, error)
            queue.end(job.id, self.clock(), error=" ".join(str(error).split()))
            self.files.drop(job.id)
        else:
            queue.end(job.id, self.clock(), report=to_json(report))

    def _ingested(self, queue: JobQueue, job: Job) -> IngestReport:
        given: Mapping[str, Any] = job.given
        told = ("", 0.0)

        def progress(step: str, done: int, total: int) -> None:
            nonlocal told
            share = done / total if total else 1.0
            if step != told[0] or share - told[1] >= _TELLS_EVERY or share >= 1:
                told = (step, share)
                queue.tell(job.id, step, share)

        with self.opened() as assistant:
            if job.kind is JobKind.FOLDER:
                return assistant.ingest([given["folder"]], prune=given["prune"], progress=progress)
            names: Sequence[str] = given["names"]
            ids = {name: f"{UPLOADED}/{name}" for name in names}
            held = {document.doc_id: document for document in assistant.index.documents()}
            if any(one in held and not held[one].open_to(given["groups"]) for one in ids.values()):
                raise UsageError("a file cannot be taken in under its name: give it another, and upload it again")
            places = self.files.take_over(job.id, names, given["said"])
            return assistant.ingest(places, doc_ids=ids, progress=progress)

    def _removed(self, job: Job) -> IngestReport:
        """Takes documents out; what is out already, since a worker was ended behind that, stays so."""
        given: Sequence[str] = job.given["documents"]
        with self.opened() as assistant:
            held = {document.doc_id for document in assistant.index.documents()}
            wanted = [doc_id for doc_id in given if doc_id in held]
            removed = assistant.remove(wanted, groups=job.given["groups"]) if wanted else 0
            documents = len(assistant.index.documents())
        for doc_id in given:
            self.files.remove(doc_id)
        return IngestReport(0, 0, 0, removed, 0, 0, 0, {}, documents=documents)
