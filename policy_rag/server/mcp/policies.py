"""What one caller may do by the tools: the assistant, asked in the caller's name. What it raises, these raise."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from anyio.to_thread import run_sync as in_thread

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.maintenance.excerpt import Excerpt
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.answer import Answer
from policy_rag.records.search import SearchResult
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

    def search(self, question: str, **under: Any) -> SearchResult:
        """The hits for a question."""
        return self.assistant.search(question, groups=self.groups, **under)

    async def ask(self, question: str, *, where: Sequence[str], as_of: dt.date | None) -> Answer:
        """The answer to a question."""
        return await in_thread(partial(self.assistant.ask, question, where=where, groups=self.groups, as_of=as_of))

    def show(self, document: str, **place: Any) -> Excerpt:
        """Text of a document."""
        return self.assistant.show(document, groups=self.groups, **place)

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
