"""`GET /metrics`: the figures for Prometheus."""

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from policy_rag.server.callers import CallerIs
from policy_rag.server.problems import RequestProblem
from policy_rag.server.service import ServiceIs

GROUP = "metrics"
"""Who is in this group may read the figures, besides administrators."""

router = APIRouter()


@router.get("/metrics", include_in_schema=False)
def metrics(caller: CallerIs, service: ServiceIs) -> Response:
    """The figures, for administrators and callers in the group `metrics`; others are told that nothing is here."""
    if not caller.admin and GROUP not in caller.groups:
        raise RequestProblem(404, "there is nothing here")
    return Response(service.watch.metrics.text(), media_type=CONTENT_TYPE_LATEST)
