"""What one caller may do by the tools: the assistant, asked in the caller's name."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from anyio.to_thread import run_sync as in_thread

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.maintenance.excerpt import Excerpt
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.answer import Answer
from policy_rag.records.search import SearchResult

if TYPE_CHECKING:
    from policy_rag.settings import SearchChanges


class Policies(Protocol):
    """The policies as one caller sees them. What the assistant raises, these raise."""

    async def search(
        self, question: str, *, where: Sequence[str], as_of: dt.date | None, top_k: int | None
    ) -> SearchResult:
        """The hits for a question."""
        ...

    async def ask(self, question: str, *, where: Sequence[str], as_of: dt.date | None) -> Answer:
        """The answer to a question."""
        ...

    async def show(self, document: str, *, place: str | None, span: tuple[int, int] | None) -> Excerpt:
        """Text of a document."""
        ...

    async def documents(self) -> tuple[DocumentInfo, ...]:
        """The documents that the caller may read."""
        ...


@dataclass(frozen=True, slots=True)
class OwnPolicies:
    """For the one user of this machine, over stdio.

    Attributes:
        assistant: on the index.
        groups: the access groups that the user asks as a member of.
    """

    assistant: PolicyAssistant
    groups: tuple[str, ...] = ()

    async def search(
        self, question: str, *, where: Sequence[str], as_of: dt.date | None, top_k: int | None
    ) -> SearchResult:
        """See `PolicyAssistant.search`."""
        changes: SearchChanges = {} if top_k is None else {"top_k": top_k}
        return await in_thread(
            lambda: self.assistant.search(question, where=where, groups=self.groups, as_of=as_of, **changes)
        )

    async def ask(self, question: str, *, where: Sequence[str], as_of: dt.date | None) -> Answer:
        """See `PolicyAssistant.ask`."""
        return await in_thread(partial(self.assistant.ask, question, where=where, groups=self.groups, as_of=as_of))

    async def show(self, document: str, *, place: str | None, span: tuple[int, int] | None) -> Excerpt:
        """See `PolicyLibrary.show`."""
        return await in_thread(partial(self.assistant.show, document, place=place, span=span, groups=self.groups))

    async def documents(self) -> tuple[DocumentInfo, ...]:
        """See `PolicyLibrary.documents`."""
        return await in_thread(partial(self.assistant.documents, groups=self.groups))
