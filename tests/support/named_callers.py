"""A service that knows its callers by the bearer tokens of a test."""

from collections.abc import Mapping
from dataclasses import replace

from fastapi import FastAPI, Request

from policy_rag.server.callers import Caller


def knowing(app: FastAPI, callers: Mapping[str, Caller]) -> FastAPI:
    """The app, letting in whoever sends one of these tokens, and nobody else."""

    def named(request: Request) -> Caller | None:
        return callers.get(request.headers.get("authorization", "").removeprefix("Bearer "))

    app.state.service = replace(app.state.service, authenticators=(named,))
    return app
