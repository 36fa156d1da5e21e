"""From a request to its result: transforms, filters in the question, search, exceptions, evidence."""

import datetime as dt
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from policy_rag.index.store.store import Index, Snapshot
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.llm.metering import Calls
from policy_rag.records.choices import Transform
from policy_rag.records.search import DeclaredValidity, Hit, Query, SearchRequest, SearchResult
from policy_rag.retrieval.expansion.whole_document import whole_document
from policy_rag.retrieval.hit_blocks import QUOTED_HITS, with_stored_blocks
from policy_rag.retrieval.missing import Missing, missing_of
from policy_rag.retrieval.ranked_passages import CLAUSE, MENTION
from policy_rag.retrieval.searched_trace import as_document, hits_by_name, tell_hits
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.self_query.narrowing import narrow
from policy_rag.retrieval.self_query.question_filters import FilterReader
from policy_rag.retrieval.self_query.validity_questions import DECLARED, declared_validity
from policy_rag.retrieval.spelling import respell
from policy_rag.retrieval.support_evidence import ONE_SEARCH, with_evidence
from policy_rag.retrieval.transforms.aliases import aliases_of
from policy_rag.retrieval.transforms.chain import TransformedQuestion, transform
from policy_rag.retrieval.transforms.rewriting import rewrite
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions
from policy_rag.tracing import Trace

_OWN_HITS = 5  # of a part; the other hits that are quoted from are those of the whole question
_HEAD = 3  # sections of a document in which a line may say which version this is


@dataclass(frozen=True, slots=True)
class SearchPipeline:
    """How questions are searched; `today` is the day of requests that name none."""

    index: Index
    searcher: Searcher
    options: SearchOptions
    today: dt.date
    transforms: tuple[Transform, ...] = ()
    self_query: FilterReader | None = None
    reranks: bool = False

    def search_many(
        self, requests: Sequence[SearchRequest], calls: Callable[[], Calls | None] = lambda: None
    ) -> tuple[SearchResult, ...]:
        """The hits for each request, in order, its question transformed first.

        `calls` makes the LLM of one question; it is asked for only where something is transformed.
        """
        if not self.transforms:
            return self._search(requests)
        return self.search_transformed(requests, [self.transform(request, calls()) for request in requests])

    def search(self, request: SearchRequest) -> SearchResult:
        """The same for one request, without an LLM."""
        return self.search_many([request])[0]

    def search_transformed(
        self, requests: Sequence[SearchRequest], transformed: Sequence[TransformedQuestion]
    ) -> tuple[SearchResult, ...]:
        """The hits for requests whose questions are transformed already."""
        results = self._search(requests, [one.queries for one in transformed])
        pairs = zip(results, transformed, strict=True)
        return tuple(replace(result, notices=(*one.notices, *result.notices)) for result, one in pairs)

    def transform(self, request: SearchRequest, calls: Calls | None) -> TransformedQuestion:
        """What is searched for one request; names are taken from documents that it may see, and no others."""
        with self.index.snapshot() as snapshot:
            view = Visibility.of(snapshot, request, self.today)
            return transform(request.question, self.transforms, aliases=lambda: aliases_of(view), calls=calls)

    def _search(
        self, requests: Sequence[SearchRequest], queries: Sequence[tuple[Query, ...]] | None = None
    ) -> tuple[SearchResult, ...]:
        """The hits under the filters that the questions themselves hold; results say so."""
        if self.self_query is None or not requests:
            return self.searcher.search_many(requests, self.options, today=self.today, queries=queries)
        started = time.perf_counter()
        with self.index.snapshot() as snapshot:
            narrowed = [narrow(snapshot, request, self.self_query, self.today) for request in requests]
            ms = (time.perf_counter() - started) * 1000 / len(requests)
            asked = [replace(one.request, question=one.asked) for one in narrowed]
            results = self.searcher.search_many(asked, self.options, today=self.today, queries=queries)
            return tuple(
                replace(
                    result,
                    question=one.request.question,
                    asked=one.asked,
                    filters=one.added,
                    notices=(
                        *one.notices,
                        *one.other_editions((h.doc_id for h in result.hits), self.today),
                        *result.notices,
                    ),
                    timings_ms={"self_query": ms, **result.timings_ms},
                    declared=tuple(_declared(document, request, snapshot, self.today) for document in one.declared),
                )
                for request, result, one in zip(requests, results, narrowed, strict=True)
            )


def _declared(document: DocumentInfo, request: SearchRequest, snapshot: Snapshot, today: dt.date) -> DeclaredValidity:
    """What a document declares, with its head where the request may see it."""
    head = whole_document(Visibility.of(snapshot, request, today), document)[:_HEAD]
    return DeclaredValidity(declared_validity(document, request.question), head)


def _with_beside(own: SearchResult, whole: SearchResult) -> SearchResult:
    """What was found for a part, its sixth to eighth hit those of the whole question that are not among its first five.

    Nothing is added where the two were searched under different filters (the part asks for last year's rules); a
    clause that the whole asks for by number is nothing that the part asks for.
    """
    if own.filters != whole.filters or not own.hits:
        return own
    first = own.hits[:_OWN_HITS]
    taken = {(one.doc_id, one.start) for one in first}
    unnumbered = [one for one in whole.hits if not one.found_by.keys() & {CLAUSE, MENTION}]
    others = [one for one in unnumbered if (one.doc_id, one.start) not in taken][: QUOTED_HITS - _OWN_HITS]
    taken |= {(one.doc_id, one.start) for one in others}
    rest = [one for one in own.hits[_OWN_HITS:] if (one.doc_id, one.start) not in taken]
    hits = (replace(one, rank=rank) for rank, one in enumerate((*first, *others, *rest), 1))
    return replace(own, hits=tuple(hits))


@dataclass(frozen=True, slots=True)
class TracedSearch:
    """What one asker's question and its parts are searched with; each search is a step of the trace.

    Attributes:
        pipeline: how.
        request: the question, and what it is asked under.
        calls: its LLM, or None.
        trace: where its steps are kept.
    """

    pipeline: SearchPipeline
    request: SearchRequest
    calls: Calls | None
    trace: Trace

    def documents(self) -> tuple[DocumentInfo, ...]:
        """The documents that the request may see, in order of `doc_id`."""
        with self.pipeline.index.snapshot() as snapshot:
            return tuple(Visibility.of(snapshot, self.request, self.pipeline.today).documents.values())

    def missing(self, question: str) -> Missing:
        """What is missing of what a question asks for, as far as the request goes."""
        with self.pipeline.index.snapshot() as snapshot:
            request = replace(self.request, question=rewrite(question))
            return missing_of(snapshot, request, self.pipeline.today)

    def search(self, question: str, where: tuple[str, ...] = (), part_of: SearchResult | None = None) -> SearchResult:
        """The hits for a question, under further filters, with exceptions to them and evidence of support.

        `part_of` is what was found for the question of which it is a part: some places are found by its whole alone.

        Greetings, thanks and politeness are no part of what is asked (`transforms.rewriting`), and a word that no
        document has is spelt as one has it (`spelling`): the question is searched and measured so, whatever
        transforms are on.
        """
        request = replace(self.request, question=rewrite(question), where=(*self.request.where, *where))
        with self.pipeline.index.snapshot() as snapshot:
            respelled = respell(request.question, Visibility.of(snapshot, request, self.pipeline.today))
        request = replace(request, question=respelled.question)
        transformed = self._transform(request)
        with self.trace.span("search") as span:
            if transformed is None:
                result = self.pipeline.search(request)
            else:
                (result,) = self.pipeline.search_transformed([request], [transformed])
            if request.question != question:
                span.texts["asked"] = request.question
                notices = (*respelled.notices, *result.notices)
                result = replace(result, question=question, asked=result.asked or request.question, notices=notices)
            span.attributes["where"] = [*request.where, *result.filters]
            tell_hits(span, result.hits)
        if self.pipeline.reranks:
            ms = result.timings_ms["rerank"]
            begin = span.end_ns - int((ms + result.timings_ms["hits"]) * 1e6)
            self.trace.add("rerank", begin_ns=begin, ms=ms, hits=len(result.hits))
        if result.declared:  # answers, and need not be told beside the answer
            result = replace(result, notices=tuple(n for n in result.notices if not n.startswith(DECLARED)))
        if part_of is not None:
            result = _with_beside(result, part_of)
        result = self.pipeline.searcher.with_exceptions(request, result, self.pipeline.today)
        result = self._with_evidence(request, result)
        with self.pipeline.index.snapshot() as snapshot:
            quoted = with_stored_blocks(snapshot, result.hits[:QUOTED_HITS])
        return replace(result, hits=(*quoted, *result.hits[QUOTED_HITS:]))

    def _transform(self, request: SearchRequest) -> TransformedQuestion | None:
        """What is searched for a request; None where no transform is on."""
        if not self.pipeline.transforms:
            return None
        with self.trace.span("transform") as span:
            transformed = self.pipeline.transform(request, self.calls)
            span.attributes["transforms"] = [name.value for name in self.pipeline.transforms]
            span.texts["queries"] = [
                {"by": query.by.value if query.by else "question", "text": query.text} for query in transformed.queries
            ]
        return transformed

    def _with_evidence(self, request: SearchRequest, result: SearchResult) -> SearchResult:
        """The result with what support is weighed by; see `policy_rag.retrieval.support_evidence`."""
        pipeline = self.pipeline
        if not result.hits or not (pipeline.reranks or pipeline.options.search in ONE_SEARCH):
            return result
        with self.trace.span("evidence") as span:
            (result,) = with_evidence(
                pipeline.searcher,
                [request],
                [result],
                pipeline.options,
                today=pipeline.today,
                reranked=pipeline.reranks,
            )
            span.attributes["hits"] = hits_by_name(result.evidence)
        return result

    def whole(self, where: tuple[str, ...]) -> tuple[Hit, ...]:
        """The sections of the one document that the filters leave; nothing where they leave several or none."""
        request = replace(self.request, where=(*self.request.where, *where))
        with self.trace.span("read") as span, self.pipeline.index.snapshot() as snapshot:
            view = Visibility.of(snapshot, request, self.pipeline.today)
            documents = list(view.documents.values())
            hits = whole_document(view, documents[0]) if len(documents) == 1 else ()
            span.attributes |= {"read": [document.doc_id for document in documents], "sections": len(hits)}
            span.details["documents"] = [as_document(hit) for hit in hits]
        return hits
