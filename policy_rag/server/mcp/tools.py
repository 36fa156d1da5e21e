"""The four tools as an MCP server. An error of ours is an error of the tool, with our line; never an empty list."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Unpack

from anyio.to_thread import run_sync as in_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field

from policy_rag import __version__
from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.index.maintenance.excerpt import Excerpt
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.answer import Answer
from policy_rag.records.search import SearchResult
from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import Day
from policy_rag.server.asking import QuestionRequest, answer_of
from policy_rag.server.reading import DocumentAccess


@dataclass(frozen=True, slots=True)
class OwnPolicies:
    """For the one user of this machine, over stdio; each method is the assistant's of that name.

    Attributes:
        assistant: on the index.
        groups: the access groups that the user asks as a member of.
    """

    assistant: PolicyAssistant
    groups: tuple[str, ...] = ()

    def search(
        self, question: str, *, where: Sequence[str], as_of: dt.date | None, **changes: Unpack["SearchChanges"]
    ) -> SearchResult:
        """The hits for a question."""
        return self.assistant.search(question, where=where, groups=self.groups, as_of=as_of, **changes)

    async def ask(self, question: str, *, where: Sequence[str], as_of: dt.date | None) -> Answer:
        """The answer to a question."""
        return await in_thread(partial(self.assistant.ask, question, where=where, groups=self.groups, as_of=as_of))

    def show(self, document: str, *, place: str | None, span: tuple[int, int] | None) -> Excerpt:
        """Text of a document."""
        return self.assistant.show(document, place=place, span=span, groups=self.groups)

    def documents(self) -> tuple[DocumentInfo, ...]:
        """The documents that the user may read."""
        return self.assistant.documents(groups=self.groups)


class ServedPolicies(DocumentAccess):
    """For a caller of the service."""

    async def ask(self, question: str, *, where: Sequence[str], as_of: dt.date | None) -> Answer:
        """The answer to a question, which is taken down as at every other route."""
        asked = QuestionRequest(text=question, where=tuple(where), as_of=as_of)
        return (await answer_of(self.service, self.caller, asked)).answer


Policies: TypeAlias = OwnPolicies | ServedPolicies


if TYPE_CHECKING:
    from policy_rag.settings import SearchChanges

MOST_SHOWN = 20_000
"""Characters of a document in one reply: a model's window is no place for a whole handbook."""

_INSTRUCTIONS = (
    "The organisation's policies. `ask` answers a question from them with citations: repeat its `[n]` marks. When "
    "its status is refused, uncertain or clarify, say so rather than answer from elsewhere. `search` finds sections, "
    "`show` reads a document or the place of a citation, `documents` lists what there is to read."
)
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

_Question: TypeAlias = Annotated[str, Field(description="The question, as it would be asked of a person.")]
_Where: TypeAlias = Annotated[
    list[str] | None,
    Field(description="Filters, all of which must hold: KEY=A, KEY=A,B, KEY>=VALUE or KEY<=VALUE; doc_id=leave.md."),
]
_AsOf: TypeAlias = Annotated[Day, Field(description="The day whose rules are asked for, YYYY-MM-DD; today without it.")]
_TopK: TypeAlias = Annotated[int | None, Field(ge=1, description="Hits that are returned.")]
_Document: TypeAlias = Annotated[str, Field(description="A document's id, file or title.")]
_Place: TypeAlias = Annotated[
    str | None,
    Field(description='A section as a citation names it: its number or title ("4.2(b)"), "line 41" or "page 3".'),
]
_Start: TypeAlias = Annotated[int | None, Field(ge=0, description="First character to show, instead of a place.")]
_End: TypeAlias = Annotated[int | None, Field(ge=0, description="One past the last character; needs `start`.")]


class _ExactServer(MCPServer[Any]):
    """One that refuses arguments which a tool does not have: a filter by another name would find everything."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """The tool's result; see the base.

        Raises:
            ToolError: among others, for an argument that the tool does not have.
        """
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        known = schemas[name]["properties"] if name in schemas else arguments
        unknown = sorted(arguments.keys() - known.keys())
        if unknown:
            has = f"use {', '.join(known)}" if known else "it takes none"
            raise ToolError(f"`{name}` has no argument {', '.join(unknown)}: {has}")
        return await super().call_tool(name, arguments, context)


def mcp_server(policies_of: Callable[[Context[Any, Any]], Policies]) -> MCPServer[Any]:
    """The server; how it is reached is for who runs it.

    Args:
        policies_of: the policies as the caller of a tool sees them.
    """
    server = _ExactServer(
        "policy_rag",
        title="Policies",
        version=__version__,
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
    )

    @server.tool(annotations=_READS)
    async def search(
        ctx: Context[Any, Any], question: _Question, where: _Where = None, as_of: _AsOf = None, top_k: _TopK = None
    ) -> dict[str, Any]:
        """Finds the sections of the policies that bear on a question, best first, each word for word with its place."""
        with _told():
            changes: SearchChanges = {} if top_k is None else {"top_k": top_k}
            found = await in_thread(
                lambda: policies_of(ctx).search(question, where=where or (), as_of=as_of, **changes)
            )
        return _with_notices(found)

    @server.tool(annotations=_READS)
    async def ask(
        ctx: Context[Any, Any], question: _Question, where: _Where = None, as_of: _AsOf = None
    ) -> dict[str, Any]:
        """Answers a question from the policies, or says that they do not.

        `answer` has `[n]` marks; `citations` has for each `n` the quote and its document, section and page. `status` is
        answered, uncertain (the nearest text, which may not answer), refused (the policies are silent) or clarify.
        """
        with _told():
            answer = await policies_of(ctx).ask(question, where=where or (), as_of=as_of)
        return _with_notices(answer)

    @server.tool(annotations=_READS)
    async def show(
        ctx: Context[Any, Any], document: _Document, place: _Place = None, start: _Start = None, end: _End = None
    ) -> dict[str, Any]:
        """Shows a document's text, or a section of it, word for word. Of a long one `next` says where to read on."""
        with _told():
            if end is not None and start is None:
                raise UsageError("`end` needs `start` beside it: give both, or a place")
            span = None if start is None or end is None else (start, end)
            found = await in_thread(partial(policies_of(ctx).show, document, place=place, span=span))
            return _from(to_json(found), found.start if start is None else start)

    @server.tool(annotations=_READS)
    async def documents(ctx: Context[Any, Any]) -> dict[str, Any]:
        """Lists the documents that may be read, with title, version and the days on which they are in force."""
        with _told():
            found = await in_thread(policies_of(ctx).documents)
        return {"documents": [to_json(document.as_row()) for document in found]}

    return server


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong is said to the model in our line."""
    try:
        yield
    except PolicyRagError as error:
        raise ToolError(" ".join(str(error).split())) from error


def _with_notices(record: Any) -> dict[str, Any]:
    """A record as the command line prints it, with the notices that people would be shown beside it."""
    return {**to_json(record), "notices": list(record.notices)}


def _from(excerpt: dict[str, Any], start: int) -> dict[str, Any]:
    """An excerpt from a character on, of no more than is shown in one reply; `next` is where the rest begins.

    Raises:
        UsageError: it has no such character.
    """
    begin, end = excerpt["start"], excerpt["end"]
    if start != begin and not begin <= start < end:
        raise UsageError(f"the text has {end} characters: give a `start` below that")
    shown = min(end, start + MOST_SHOWN)
    if (start, shown) == (begin, end):
        return excerpt
    text = excerpt["text"][start - begin : shown - begin]
    around = {"before": excerpt["before"] if start == begin else "", "after": excerpt["after"] if shown == end else ""}
    return {**excerpt, **around, "text": text, "start": start, "end": shown} | ({"next": shown} if shown < end else {})
