"""What one question looks in: the index under its filters, groups and day, with its queries transformed."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from policy_rag.index.store.documents import DocumentInfo
from policy_rag.index.store.store import Index
from policy_rag.llm.metering import Calls
from policy_rag.records.options import Transform
from policy_rag.records.search import Hit, SearchRequest, SearchResult
from policy_rag.retrieval.expansion.whole_document import whole_document
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.self_query.rules import Reader
from policy_rag.retrieval.spelling import respelt
from policy_rag.retrieval.support_evidence import ONE_SEARCH, with_evidence
from policy_rag.retrieval.transforms.aliases import AliasBook
from policy_rag.retrieval.transforms.chain import Transformed, transform
from policy_rag.retrieval.transforms.rewriting import rewrite
from policy_rag.retrieval.visibility import View
from policy_rag.settings import SearchOptions
from policy_rag.tracing import Steps


@dataclass(frozen=True, slots=True)
class Finding:
    """How questions are searched.

    Attributes:
        index: where.
        searcher: over it.
        options: how it searches.
        transforms: what is done to a question first.
        aliases: the names that documents give.
        today: the day of requests that name none.
        reader: reads filters out of questions, or None.
        reranks: whether there is a reranker.
    """

    index: Index
    searcher: Searcher
    options: SearchOptions
    transforms: tuple[Transform, ...]
    aliases: AliasBook
    today: dt.date
    reader: Reader | None = None
    reranks: bool = False

    def search_many(
        self, requests: Sequence[SearchRequest], calls: Callable[[], Calls | None]
    ) -> tuple[SearchResult, ...]:
        """The hits for each request, in order, its question transformed first.

        Args:
            requests: what is asked.
            calls: the LLM of one question, made anew for each; asked for only where something is transformed.
        """
        if not self.transforms:
            return self.searcher.search_many(requests, self.options, today=self.today, reader=self.reader)
        made = [self.transformed(request, calls()) for request in requests]
        return self.searched(requests, made)

    def searched(self, requests: Sequence[SearchRequest], made: Sequence[Transformed]) -> tuple[SearchResult, ...]:
        """The hits for requests whose questions are transformed already."""
        queries = [one.queries for one in made]
        found = self.searcher.search_many(requests, self.options, today=self.today, reader=self.reader, queries=queries)
        both = zip(found, made, strict=True)
        return tuple(replace(result, notices=(*one.notices, *result.notices)) for result, one in both)

    def transformed(self, request: SearchRequest, calls: Calls | None) -> Transformed:
        """What is searched for one request; names are taken from documents that its view shows, and no others."""
        with self.index.snapshot() as snapshot:
            view = View.of(snapshot, request, self.today)
            return transform(request.question, self.transforms, aliases=lambda: self.aliases.of(view), calls=calls)


class Finder:
    """What one asker's question and its parts are looked for in; each search is taken down as a step.

    Args:
        finding: how.
        request: the question, and what it is asked under.
        calls: its LLM, or None.
        steps: where steps are taken down.
    """

    def __init__(self, finding: Finding, request: SearchRequest, calls: Calls | None, steps: Steps) -> None:
        self._finding, self._request, self._calls, self._steps = finding, request, calls, steps

    def documents(self) -> tuple[DocumentInfo, ...]:
        """The documents that the request may see, in order of `doc_id`."""
        with self._finding.index.snapshot() as snapshot:
            view = View.of(snapshot, self._request, self._finding.today)
            return tuple(view.documents.values())

    def search(self, question: str, where: tuple[str, ...] = ()) -> SearchResult:
        """The hits for a question, under further filters.

        Greetings, thanks and politeness are no part of what is asked (`transforms.rewriting`), and a word that no
        document has is spelt as one has it (`respelling`): the question is searched and measured so, whatever
        transforms are on.
        """
        request = replace(self._request, question=rewrite(question), where=(*self._request.where, *where))
        with self._finding.index.snapshot() as snapshot:
            spelt = respelt(request.question, View.of(snapshot, request, self._finding.today))
        asked = spelt.question
        request = replace(request, question=asked)
        made = self._transformed(request)
        with self._steps.step("search") as step:
            result = self._found(request, made)
            if asked != question:
                step.texts["asked"] = asked
                notices = (*spelt.notices, *result.notices)
                result = replace(result, question=question, asked=result.asked or asked, notices=notices)
            step.facts |= {"where": [*request.where, *result.filters], "hits": [_seen(hit) for hit in result.hits]}
        if self._finding.reranks:
            ms = result.timings_ms["rerank"]
            begin = step.end_ns - int((ms + result.timings_ms["hits"]) * 1e6)
            self._steps.add("rerank", begin_ns=begin, ms=ms, hits=len(result.hits))
        return self._with_evidence(request, self._with_limits(request, result))

    def _with_limits(self, request: SearchRequest, result: SearchResult) -> SearchResult:
        """The result with the exceptions to its hits and the rules to which they are one; see `retrieval.limiting`."""
        if not result.hits:
            return result
        with self._finding.index.snapshot() as snapshot:
            limits = self._finding.searcher.limiting.brought(snapshot, request.groups, result.hits)
        held = {(one.doc_id, one.section_id) for one in result.brought}
        return replace(
            result, brought=(*result.brought, *(one for one in limits if (one.doc_id, one.section_id) not in held))
        )

    def _with_evidence(self, request: SearchRequest, result: SearchResult) -> SearchResult:
        """The result with what support is weighed by; see `policy_rag.retrieval.support_evidence`."""
        finding = self._finding
        if finding.options.search not in ONE_SEARCH or not result.hits:
            return result
        with self._steps.step("evidence") as step:
            (result,) = with_evidence(finding.searcher, [request], [result], finding.options, today=finding.today)
            step.facts["hits"] = [_seen(hit) for hit in result.evidence]
        return result

    def _found(self, request: SearchRequest, made: Transformed | None) -> SearchResult:
        if made is None:
            return self._finding.search_many([request], lambda: None)[0]
        return self._finding.searched([request], [made])[0]

    def _transformed(self, request: SearchRequest) -> Transformed | None:
        """What is searched for a request; None where no transform is on."""
        if not self._finding.transforms:
            return None
        with self._steps.step("transform") as step:
            made = self._finding.transformed(request, self._calls)
            step.facts["transforms"] = [name.value for name in self._finding.transforms]
            step.texts["queries"] = [
                {"by": query.by.value if query.by else "question", "text": query.text} for query in made.queries
            ]
        return made

    def whole(self, where: tuple[str, ...]) -> tuple[Hit, ...]:
        """The sections of the one document that the filters leave; nothing where they leave several or none."""
        request = replace(self._request, where=(*self._request.where, *where))
        with self._steps.step("read") as step, self._finding.index.snapshot() as snapshot:
            view = View.of(snapshot, request, self._finding.today)
            documents = list(view.documents.values())
            hits = whole_document(view, documents[0]) if len(documents) == 1 else ()
            step.facts |= {"documents": [document.doc_id for document in documents], "sections": len(hits)}
        return hits


def _seen(hit: Hit) -> dict[str, object]:
    return {"file": hit.file, "section_id": hit.section_id, "score": hit.score}
