"""The events of a question as server-sent events, in whatever words a route gives them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from typing import TypeAlias

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from policy_rag.errors import PolicyRagError
from policy_rag.server.asking import Event
from policy_rag.server.problems import RequestProblem, problem_document, problem_of

MEDIA_TYPE = "text/event-stream"
_HEAD_START = 1.0  # seconds in which an error still becomes the response's own status
_SILENCE = 15.0  # seconds after which a comment keeps what is between from hanging up

Problem: TypeAlias = Mapping[str, str | int]
"""A problem document."""


def server_sent(data: str, name: str | None = None) -> str:
    r"""One event, of any number of lines.

    >>> server_sent("a\nb", "text")
    'event: text\ndata: a\ndata: b\n\n'
    """
    head = f"event: {name}\n" if name else ""
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return f"{head}{lines}\n"


async def streamed(stream: AsyncGenerator[Event], shown: Callable[[Event | Problem], str]) -> Response:
    """The events as they come. What is wrong with the question itself is raised, for a response of its own.

    Args:
        stream: what `asking.events` gives.
        shown: an event, or what went wrong later, as `server_sent` writes it.

    Raises:
        PolicyRagError: the first that happens, if it does at once.
    """
    first = asyncio.ensure_future(anext(stream))
    await asyncio.wait({first}, timeout=_HEAD_START)
    if first.done():
        first.result()
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_lines(first, stream, shown), media_type=MEDIA_TYPE, headers=headers)


async def until_gone(request: Request) -> None:
    """Returns when the sender of a request, all of which was read, does not wait for the response any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _lines(
    next_event: "asyncio.Future[Event]", stream: AsyncGenerator[Event], shown: Callable[[Event | Problem], str]
) -> AsyncIterator[str]:
    try:
        while True:
            await asyncio.wait({next_event}, timeout=_SILENCE)
            if not next_event.done():
                yield ": the answer is being worked on\n\n"
                continue
            try:
                event = next_event.result()
            except StopAsyncIteration:
                return
            except PolicyRagError as error:
                yield shown(problem_document(problem_of(error)))
                return
            except Exception:  # the status is sent already: this is the last place where it can be said
                yield shown(problem_document(RequestProblem(500, "the question could not be answered: ask again")))
                raise
            yield shown(event)
            next_event = asyncio.ensure_future(anext(stream))
    finally:
        next_event.cancel()
        await asyncio.wait({next_event})
        await stream.aclose()
