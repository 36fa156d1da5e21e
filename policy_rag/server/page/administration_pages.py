"""For administrators: documents are taken in and out; what everybody asked, what was not answered, what was said."""

from functools import partial
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from policy_rag.server.api.jobs import job_json, take_folder, take_out, take_upload
from policy_rag.server.asking import reader_of
from policy_rag.server.callers import AdminIs, Caller
from policy_rag.server.guard import UPLOADS
from policy_rag.server.jobs import JobState
from policy_rag.server.page.rendering import page
from policy_rag.server.page.routing import PageRoute
from policy_rag.server.page.turns import turn_of_log
from policy_rag.server.question_log import OUTCOMES
from policy_rag.server.reading import ReadingIs
from policy_rag.server.review import PATH as REVIEW
from policy_rag.server.service import Service, ServiceIs
from policy_rag.server.unanswered import unanswered
from policy_rag.server.uploads import MOST_FILES

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_SEE_OTHER = 303
_JOBS, _QUESTIONS = 20, 50
_HERE = "/administration"
_WORDS = {"read": "Reading", "extract": "Extracting metadata", "embed": "Indexing"}
_UNDER_WAY = frozenset({JobState.QUEUED.value, JobState.RUNNING.value})


@router.get(_HERE)
def take_in(request: Request, caller: AdminIs, service: ServiceIs) -> Response:
    """What can be taken in, and what was."""
    named = {group for document in service.assistant.documents(groups=caller.groups) for group in document.access}
    context = {
        **_jobs(service, caller),
        "uploads": UPLOADS[1],
        "folders": [str(folder) for folder in service.options.folders],
        "groups": sorted(named | set(caller.groups)),
        "most_files": MOST_FILES,
        "most_megabytes": service.options.upload_megabytes,
        "review": f"{REVIEW}/" if service.options.review else "",
    }
    return page(request, "take_in.html", context, caller=caller)


@router.get(f"{_HERE}/jobs")
def jobs(request: Request, caller: AdminIs, service: ServiceIs) -> Response:
    """How far the jobs are."""
    return page(request, "jobs.html", _jobs(service, caller), caller=caller)


def _jobs(service: Service, caller: Caller) -> dict[str, Any]:
    shown = [job_json(job, service, caller) for job in service.jobs.latest(_JOBS)]
    return {"jobs": shown, "steps": _WORDS, "under_way": any(job["state"] in _UNDER_WAY for job in shown)}


@router.post(UPLOADS[1])
async def upload(request: Request, caller: AdminIs, service: ServiceIs) -> Response:
    """Has uploaded files taken in."""
    async with request.form(max_files=MOST_FILES, max_fields=MOST_FILES) as form:
        await to_thread.run_sync(partial(take_upload, service, caller, _declared(form)))
    return RedirectResponse(_HERE, _SEE_OTHER)


def _declared(form: FormData) -> FormData:
    """The form as the API takes it: a field may name several groups, with commas between."""
    everybody = form.get("readers") == "everybody"
    items = [(name, value) for name, value in form.multi_items() if name not in {"access", "readers"}]
    if everybody:
        return FormData([*items, ("open_to_all", "true")])
    named = [group.strip() for one in form.getlist("access") if isinstance(one, str) for group in one.split(",")]
    return FormData([*items, *(("access", group) for group in named if group)])


@router.post(f"{_HERE}/folders")
def ingest(
    caller: AdminIs, service: ServiceIs, folder: Annotated[str, Form()], prune: Annotated[bool, Form()] = False
) -> Response:
    """Has a folder of the server taken in."""
    take_folder(service, caller, folder, prune=prune)
    return RedirectResponse(_HERE, _SEE_OTHER)


@router.post(f"{_HERE}/removals")
def remove(_: AdminIs, reading: ReadingIs, doc: Annotated[str, Form(max_length=2000)]) -> Response:
    """Has a document taken out."""
    take_out(reading, doc)
    return RedirectResponse(_HERE, _SEE_OTHER)


@router.get(f"{_HERE}/questions")
def questions(
    request: Request,
    caller: AdminIs,
    service: ServiceIs,
    show: Annotated[str, Query(max_length=100)] = "",
    before: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """What everybody asked, latest first; `show` is an outcome, or `feedback`."""
    reader, log = reader_of(service, caller), service.questions
    if show == "feedback":
        found = log.rated(reader, before=before, limit=_QUESTIONS)
    else:
        found = log.recent(reader, outcome=show if show in OUTCOMES else None, before=before, limit=_QUESTIONS)
    context = {
        "turns": [(one.label, turn_of_log(one)) for one in found],
        "show": show,
        "more": found[-1].number if len(found) == _QUESTIONS else None,
    }
    return page(request, "all_questions.html", context, caller=caller)


@router.get(f"{_HERE}/unanswered")
def open_questions(request: Request, caller: AdminIs, service: ServiceIs) -> Response:
    """What the policies did not answer, those of one matter together."""
    found = unanswered(service, reader_of(service, caller))
    return page(request, "unanswered.html", {"groups": found}, caller=caller)
