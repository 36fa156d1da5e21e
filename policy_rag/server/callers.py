"""Who is asking: the one thing that every route is given before it does anything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import Depends, Request

from policy_rag.server.problems import RequestProblem


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who was let in.

    Attributes:
        name: unique and stable: a key's name, or the subject that the issuer gives.
        groups: the access groups that decide what is found, shown, previewed, counted and logged.
        admin: whether documents may be taken in and everybody's questions be seen.
        label: what people call them.
    """

    name: str
    groups: tuple[str, ...] = ()
    admin: bool = False
    label: str = ""


Authenticator: TypeAlias = Callable[[Request], Caller | None]
"""Tells who sends a request, or None where it cannot tell; the first of the service's that can tell decides."""

EVERYBODY = Caller("everybody", admin=True, label="everybody on this machine")


def caller_of(request: Request) -> Caller:
    """Who sends a request, which counts towards how many they may send.

    Raises:
        Problem: 401, nobody that is known here; 429, too many requests.
    """
    service = request.app.state.service
    authenticators: Sequence[Authenticator] = service.authenticators
    now: float = service.clock().timestamp()
    for authenticator in authenticators:
        if (found := authenticator(request)) is not None:
            request.state.caller = found  # for what is told of the request when it is over
            service.rates.take(found.name, now)
            return found
    service.rates.take(f"address:{request.client.host if request.client else ''}", now)
    raise RequestProblem(401, "sign in, or send a key as `Authorization: Bearer KEY`")


def admin_of(caller: "CallerIs") -> Caller:
    """The same, where only administrators may go on. Others are told what a path that is not there tells.

    Raises:
        Problem: 404, the caller is no administrator.
    """
    if not caller.admin:
        raise RequestProblem(404, "there is nothing here")
    return caller


CallerIs: TypeAlias = Annotated[Caller, Depends(caller_of)]
AdminIs: TypeAlias = Annotated[Caller, Depends(admin_of)]
