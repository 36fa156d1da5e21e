"""For administrators: documents are taken in by upload or from a folder of the server, or out; what became of it."""

import uuid
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query, Request
from pydantic import ConfigDict, Field
from starlette.datastructures import FormData, UploadFile

from policy_rag.errors import MissingError, UsageError
from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import Body
from policy_rag.server.callers import AdminIs, Caller
from policy_rag.server.jobs import Job, JobKind, JobState
from policy_rag.server.observability.audit import Activity
from policy_rag.server.reading import DocumentAccess, ReadingIs
from policy_rag.server.service import Service, ServiceIs
from policy_rag.server.uploads import FIELDS, MOST_FILES, said_of

router = APIRouter(tags=["administration"])
# What is uploaded is read only once it is known who sends it: it is described here, not in the signature.
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                        "access": {"type": "array", "items": {"type": "string"}, "description": "Groups."},
                        "open_to_all": {"type": "boolean", "description": "Instead of groups."},
                        **{name: {"type": "string", "description": "Of one file."} for name in FIELDS},
                    },
                }
            }
        },
    }
}


@router.post("/uploads", status_code=202, openapi_extra=_BODY)
async def upload(request: Request, caller: AdminIs, service: ServiceIs) -> dict[str, str]:
    """Has files taken in, for the groups that are named or for everybody; the job that does it."""
    async with request.form(max_files=MOST_FILES, max_fields=MOST_FILES) as form:
        return {"id": await to_thread.run_sync(partial(take_upload, service, caller, form))}


def take_upload(service: Service, caller: Caller, form: FormData) -> str:
    """Keeps the files of a form and gives the job of taking them in; its id.

    Raises:
        UsageError: a name or what is declared of the files is wrong.
    """
    files = [one for one in form.getlist("files") if isinstance(one, UploadFile) and one.filename]
    access = [one for one in form.getlist("access") if isinstance(one, str)]
    fields = {name: value for name in FIELDS if isinstance(value := form.get(name), str) and value.strip()}
    if fields and len(files) > 1:
        raise UsageError(f"{next(iter(fields))} is of one file: upload the files one by one, or leave it out")
    said = said_of(access, open_to_all=form.get("open_to_all") in {"true", "on", "1"}, fields=fields)
    made = uuid.uuid4().hex
    names = service.uploads.stage(made, [(file.filename or "", file.file) for file in files])
    service.watch.touched(caller, "upload", names, Activity.CREATE)
    given = {"names": list(names), "said": said, "groups": list(caller.groups)}
    return service.jobs.add(JobKind.UPLOAD, caller, given, service.clock(), job_id=made)


class FolderBody(Body):
    """A folder of the server."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"folder": "/srv/policies", "prune": True}]})

    folder: str = Field(max_length=4096, description="One that the service was started with.")
    prune: bool = Field(False, description="Whether documents of it are removed whose file is gone.")


@router.post("/ingests", status_code=202)
def ingest(body: FolderBody, caller: AdminIs, service: ServiceIs) -> dict[str, str]:
    """Has a folder of the server taken in; the job that does it."""
    return {"id": take_folder(service, caller, body.folder, prune=body.prune)}


def take_folder(service: Service, caller: Caller, folder: str, *, prune: bool) -> str:
    """Gives the job of taking a folder in; its id.

    Raises:
        UsageError: it is none of those that the service was started with.
    """
    if Path(folder) not in service.options.folders:
        raise UsageError(f"{folder!r} is no folder that may be taken in: start the service with --folder for it")
    service.watch.touched(caller, "ingest", [folder], Activity.UPDATE)
    return service.jobs.add(JobKind.FOLDER, caller, {"folder": folder, "prune": prune}, service.clock())


@router.delete("/documents/{doc_id:path}", status_code=202)
def remove(doc_id: str, _: AdminIs, reading: ReadingIs) -> dict[str, str]:
    """Has a document taken out of the index, and its file where it was uploaded; the job that does it.

    A document of a folder comes back with the folder's next ingest, unless its file is taken away too.
    """
    return {"id": take_out(reading, doc_id)}


def take_out(reading: DocumentAccess, doc_id: str) -> str:
    """Gives the job of taking a document out; its id.

    Raises:
        MissingError: there is none, or none that the caller may read.
    """
    service, caller = reading.service, reading.caller
    document = reading.document(doc_id, operation="remove", activity=Activity.DELETE)
    given = {"documents": [document.doc_id], "groups": list(caller.groups)}
    return service.jobs.add(JobKind.REMOVAL, caller, given, service.clock())


@router.get("/folders")
def folders(_: AdminIs, service: ServiceIs) -> list[str]:
    """The folders of the server that may be taken in."""
    return [str(folder) for folder in service.options.folders]


@router.get("/jobs")
def jobs(caller: AdminIs, service: ServiceIs, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> Any:
    """What was given to be taken in, latest first."""
    return [job_json(job, service, caller) for job in service.jobs.latest(limit)]


@router.get("/jobs/{job_id}")
def one_job(job_id: str, caller: AdminIs, service: ServiceIs) -> Any:
    """How far a job is, and what became of it."""
    found = service.jobs.one(job_id)
    if found is None:
        raise MissingError("there is no such job: GET /api/v1/jobs lists those there are")
    return job_json(found, service, caller)


def job_json(job: Job, service: Service, viewer: Caller) -> Mapping[str, Any]:
    """A job as an administrator may see it.

    Whoever may read every document that the index holds sees all of it. For others names and counts of documents that
    they may not read could stand in it: of their own uploads and removals they see what became of them, of other jobs
    how they end.
    """
    shown: dict[str, Any] = to_json(job)
    del shown["caller"]
    shown["given"].pop("groups", None)
    documents = service.assistant.index.documents()
    hidden = [document for document in documents if not document.open_to(viewer.groups)]
    own = job.caller == viewer.name
    if not hidden and (own or _is_for(viewer, job)):
        return shown
    names = {text for document in hidden for text in (document.doc_id, document.file, document.title, document.root)}
    if not own:
        shown["given"] = {}
    if not own or job.kind is JobKind.FOLDER:
        shown["share"] = float(job.state is JobState.DONE)
    if job.error is not None:
        shown["error"] = _without(job.error, names) if own else _ELSEWHERE
    if job.report is not None:
        shown["report"] = _own_report(job.report, names) if own and job.kind is not JobKind.FOLDER else None
    return shown


def _is_for(viewer: Caller, job: Job) -> bool:
    """Whether a job may be told whole to somebody who may read all documents that are left: others may be gone."""
    access = job.given.get("said", {}).get("access", ())
    return job.kind is not JobKind.REMOVAL and (not access or not set(access).isdisjoint(viewer.groups))


_ELSEWHERE = "it failed; who may read all documents sees why"


def _without(text: str, names: Collection[str]) -> str:
    """A line, unless it names what may not be read."""
    return _ELSEWHERE if any(name and name in text for name in names) else text


def _own_report(report: Mapping[str, Any], names: Collection[str]) -> Mapping[str, Any]:
    """What became of one's own files or documents, and nothing of others."""
    skipped = [{**one, "reason": _without(one["reason"], names)} for one in report["skipped"]]
    return {**{name: report[name] for name in ("added", "updated", "unchanged", "removed")}, "skipped": skipped}
