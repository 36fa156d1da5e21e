"""Reading the policies in a caller's name: the one way for the API, the page and MCP, so that all is told."""

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias, Unpack

from fastapi import Depends

from policy_rag.errors import UsageError
from policy_rag.index.maintenance.excerpt import Excerpt
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.search import SearchResult
from policy_rag.server.asking import require_offered
from policy_rag.server.callers import Caller, CallerIs
from policy_rag.server.observability.audit import Activity
from policy_rag.server.service import Service, ServiceIs
from policy_rag.settings import SearchChanges

if TYPE_CHECKING:
    from policy_rag.index.maintenance.compared_texts import ComparedText
    from policy_rag.records.conflict import Conflict
    from policy_rag.records.statement import CheckedStatement


@dataclass(frozen=True, slots=True)
class DocumentAccess:
    """What one caller may read. Each method is the assistant's of that name, under the caller's groups, and is told.

    Attributes:
        service: what is read.
        caller: by whom.
    """

    service: Service
    caller: Caller

    def search(
        self,
        question: str,
        *,
        where: Sequence[str] = (),
        as_of: dt.date | None = None,
        **changes: Unpack[SearchChanges],
    ) -> SearchResult:
        """The hits for a question; of rerankers only those that the service offers."""
        require_offered(self.service, reranker=changes.get("reranker"))
        found = self.service.assistant.search(question, where=where, groups=self.caller.groups, as_of=as_of, **changes)
        self.service.watch.searched(self.caller, question, found)
        return found

    def show(
        self,
        document: str,
        *,
        section: str | None = None,
        span: tuple[int, int] | None = None,
        place: str | None = None,
    ) -> Excerpt:
        """The text that a citation points to."""
        with self._denials("show", document):
            found = self.service.assistant.show(
                document, section=section, span=span, place=place, groups=self.caller.groups
            )
        self.service.watch.touched(self.caller, "show", [found.file])
        return found

    def document(self, doc_id: str, *, operation: str, activity: Activity = Activity.READ) -> DocumentInfo:
        """A document that is given to the caller, whole or at a place, or taken out, as `operation` says."""
        with self._denials(operation, doc_id):
            found = self.service.assistant.document(doc_id, self.caller.groups)
        self.service.watch.touched(self.caller, operation, [found.file], activity)
        return found

    def documents(self) -> tuple[DocumentInfo, ...]:
        """The documents that the caller may read."""
        found = self.service.assistant.documents(groups=self.caller.groups)
        self.service.watch.touched(self.caller, "documents", [document.file for document in found])
        return found

    def compared(self, old: str, new: str) -> tuple["ComparedText", "ComparedText"]:
        """Both sides of a comparison."""
        with self._denials("changes", old):
            before = self.service.assistant.compared(old, self.caller.groups)
        with self._denials("changes", new):
            after = self.service.assistant.compared(new, self.caller.groups)
        self.service.watch.touched(self.caller, "changes", [before.file, after.file])
        return before, after

    def conflicts(self, *, where: Sequence[str] = (), as_of: dt.date | None = None) -> tuple["Conflict", ...]:
        """Where documents contradict each other."""
        found = self.service.assistant.conflicts(where=where, groups=self.caller.groups, as_of=as_of)
        named = [citation.file for conflict in found for citation in conflict.citations]
        self.service.watch.touched(self.caller, "conflicts", named)
        return found

    def check(
        self,
        statement: str,
        *,
        file: str | None = None,
        span: tuple[int, int] | None = None,
        where: Sequence[str] = (),
        as_of: dt.date | None = None,
    ) -> "CheckedStatement":
        """Whether the policies bear a statement out."""
        with self._denials("check", file or ""):
            found = self.service.assistant.check(
                statement, file=file, span=span, where=where, groups=self.caller.groups, as_of=as_of
            )
        self.service.watch.touched(self.caller, "check", [citation.file for citation in found.citations])
        return found

    @contextmanager
    def _denials(self, operation: str, document: str) -> Iterator[None]:
        """Whoever asks for a document that is not for him is told that there is none; the audit knows better."""
        try:
            yield
        except UsageError:
            self.service.watch.denied_document(self.caller, operation, document)
            raise


def reading_of(service: ServiceIs, caller: CallerIs) -> DocumentAccess:
    """What the sender of a request may read."""
    return DocumentAccess(service, caller)


ReadingIs: TypeAlias = Annotated[DocumentAccess, Depends(reading_of)]
