"""One or thousands of questions over one index: both searches, fusion, reranking, hits."""

import datetime as dt
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.document_rows import PassageRow, read_passages
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Search
from policy_rag.records.search import Query, SearchRequest, SearchResult
from policy_rag.retrieval.candidates.collector import CandidateList, collect_candidates
from policy_rag.retrieval.candidates.prefetch import BATCH, EmbeddingPrefetch
from policy_rag.retrieval.candidates.query_fusion import fuse_queries
from policy_rag.retrieval.clause_lookup.lookup import ClausePlace, look_up_clauses
from policy_rag.retrieval.expansion.limiting_sections import limiting_sections
from policy_rag.retrieval.expansion.read_documents import ReadDocuments
from policy_rag.retrieval.expansion.related_sections import related_sections
from policy_rag.retrieval.filters import parse_filter, unknown_value
from policy_rag.retrieval.hits import hits_of
from policy_rag.retrieval.postprocessing.postprocess import postprocess
from policy_rag.retrieval.ranked_passages import RankedPassage, clause_passages, ranked_passages, reranked
from policy_rag.retrieval.visibility import Visibility, readable_by
from policy_rag.settings import SearchOptions

Queries: TypeAlias = tuple[Query, ...]
Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]


class QueryEmbedder(Protocol):
    """What a search needs of an embedding model."""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of norm 1, `(len(texts), dimension)`."""
        ...


class Reranker(Protocol):
    """What a search needs of a reranker."""

    @property
    def blend(self) -> float:
        """The share of its scores in the order, against those of the search, 0 to 1."""
        ...

    @property
    def depth(self) -> int | None:
        """Candidates from the top that it reads; None: all of them."""
        ...

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> Sequence[Sequence[float]]:
        """For each question a score a text, higher is better; scores compare within a question."""
        ...


@dataclass(slots=True)
class _Pending:
    """A question on its way to its result; `clauses` are those that it asks for, which are shown first."""

    request: SearchRequest
    queries: Queries
    passages: list[RankedPassage]
    notices: tuple[str, ...]
    clauses: tuple[ClausePlace, ...]
    vector_ms: float
    keyword_ms: float
    first: list[RankedPassage] = field(default_factory=list)


class Searcher:
    """Searches one index. Safe for many threads.

    Args:
        index: where to search.
        embedder: the model that the index was made with; where it has `embed`, that embeds queries which are worded
            like passages.
        reranker: or None.
    """

    def __init__(self, index: Index, embedder: QueryEmbedder, reranker: Reranker | None = None) -> None:
        self._index = index
        self._embedder = embedder
        self._embed_passages: Embed = getattr(embedder, "embed", embedder.embed_queries)
        self._reranker = reranker
        self._documents = ReadDocuments()

    def without_reranker(self) -> "Searcher":
        """The same search in the order of its fusion."""
        return Searcher(self._index, self._embedder)

    def with_exceptions(self, request: SearchRequest, result: SearchResult, today: dt.date) -> SearchResult:
        """A result with exceptions to its hits, and rules to which they are one; see `expansion.limiting_sections`."""
        if not result.hits:
            return result
        with self._index.snapshot() as snapshot:
            exceptions = limiting_sections(self._documents, Visibility.of(snapshot, request, today), result.hits)
        present = {(one.doc_id, one.section_id) for one in result.related}
        new = (one for one in exceptions if (one.doc_id, one.section_id) not in present)
        return replace(result, related=(*result.related, *new))

    def search_many(
        self,
        requests: Sequence[SearchRequest],
        options: SearchOptions,
        *,
        today: dt.date,
        queries: Sequence[Queries] | None = None,
    ) -> tuple[SearchResult, ...]:
        """The hits for each request, in order of the requests.

        Questions are embedded, searched for in FAISS, reranked and read from the disk 512 at a time, those that see
        the same documents together; while one lot is searched for, the next is embedded. `timings_ms` of a result is
        its share of the whole, `embed` the time that was waited for vectors.

        Args:
            requests: what is asked.
            options: how to search.
            today: the day of requests that name none.
            queries: for each request what is searched instead of its question alone, see `candidates.query_fusion`;
                clauses and reranking go by the first of them, the question or its rewriting.

        Raises:
            UsageError: a filter that is none, or names a key that no document has.
            IndexingError: the index is empty or damaged.
        """
        if not requests:
            return ()
        with self._index.snapshot() as snapshot:
            groups: dict[tuple[object, ...], list[int]] = {}
            for i, request in enumerate(requests):
                groups.setdefault((request.where, request.groups, request.as_of), []).append(i)
            # What does not fit together is refused before anything is embedded.
            views = [Visibility.of(snapshot, requests[members[0]], today) for members in groups.values()]
            order = [i for members in groups.values() for i in members]
            searched = queries or [(Query(request.question),) for request in requests]
            results: dict[int, SearchResult] = {}
            embedded = [] if options.search is Search.KEYWORD else [query for i in order for query in searched[i]]
            with EmbeddingPrefetch(self._embed, embedded) as prefetch:
                begin = 0
                for view, members in zip(views, groups.values(), strict=True):
                    for start in range(0, len(members), BATCH):
                        part = members[start : start + BATCH]
                        asked = [(requests[i], searched[i]) for i in part]
                        results.update(zip(part, self._search_part(view, asked, prefetch, begin, options), strict=True))
                        begin += sum(len(searched[i]) for i in part)
        return tuple(results[i] for i in range(len(requests)))

    def _embed(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        passages = [i for i, query in enumerate(queries) if query.passage]
        if not passages:
            return self._embedder.embed_queries([query.text for query in queries])
        questions = [i for i, query in enumerate(queries) if not query.passage]
        blocks = [self._embed_passages([queries[i].text for i in passages])]
        if questions:
            blocks.append(self._embedder.embed_queries([queries[i].text for i in questions]))
        rows: NDArray[np.float32] = np.concatenate(blocks)
        return rows[np.argsort(np.array(passages + questions))]

    def _search_part(
        self,
        view: Visibility,
        requests: Sequence[tuple[SearchRequest, Queries]],
        prefetch: EmbeddingPrefetch[Query],
        begin: int,
        options: SearchOptions,
    ) -> list[SearchResult]:
        """The results of requests with the same view, in order; their queries begin at `begin` of `prefetch`."""
        started = time.perf_counter()
        each_query = [replace(request, question=query.text) for request, queries in requests for query in queries]
        vectors = None if options.search is Search.KEYWORD else prefetch.rows(begin, begin + len(each_query))
        embedded = time.perf_counter()
        lists = collect_candidates(view, each_query, vectors, options)
        pending, end = [], 0
        for request, queries in requests:
            own = slice(end, end := end + len(queries))
            vector = None if vectors is None else vectors[own.start]
            pending.append(self._fuse(view, request, queries, lists[own], vector, options))
        fused = time.perf_counter()
        rows = self._rerank(view, pending)
        reranked_at = time.perf_counter()
        for one in pending:
            one.first = clause_passages(view.snapshot.db, view.snapshot.derived, one.clauses, one.passages)
        if options.merge_duplicates is not None:
            rows |= read_passages(view.snapshot.db, _keys(pending) - rows.keys())
        for one in pending:
            one.passages = _shown(view, one, options, rows)
        rows |= read_passages(view.snapshot.db, _keys(pending) - rows.keys())
        results = [self._result(view, one, options, rows) for one in pending]
        each = {
            "embed": (embedded - started) * 1000 / len(pending),
            "rerank": (reranked_at - fused) * 1000 / len(pending),
            "hits": (time.perf_counter() - reranked_at) * 1000 / len(pending),
        }
        return [
            replace(result, timings_ms={**each, "vector": one.vector_ms, "keyword_and_fusion": one.keyword_ms})
            for result, one in zip(results, pending, strict=True)
        ]

    def _fuse(
        self,
        view: Visibility,
        request: SearchRequest,
        queries: Queries,
        lists: Sequence[CandidateList],
        vector: NDArray[np.float32] | None,
        options: SearchOptions,
    ) -> _Pending:
        """One ranking of what all queries of a question found, and the clauses that it asks for by number."""
        started = time.perf_counter()
        each = [one.candidates for one in lists]
        candidates, ranking, also = fuse_queries(view, queries, each, vector, options)
        notices: tuple[str, ...] = ()
        if options.search is Search.AND and options.and_fallback and not len(ranking.order) and len(candidates):
            either = options.changed({"search": Search.OR})
            candidates, ranking, also = fuse_queries(view, queries, each, vector, either)
            notices = ("no section was found by both searches: these were found by one of them",)
        derived = view.snapshot.derived
        documents = derived.passages[candidates.rows[ranking.order], 1].tolist()
        question = queries[0].text  # as asked, or its rewriting
        clauses = look_up_clauses(question, view.snapshot.db, view.documents, documents)
        # A reranker, the choice among candidates, and what was found of a clause look at all of them.
        look_at_all = self._reranker is not None or options.mmr is not None or options.merge_duplicates is not None
        most = None if look_at_all or clauses.places else options.top_k
        passages = [] if clauses.nowhere else ranked_passages(derived, candidates, ranking, most, also)
        keyword_ms = sum(one.keyword_ms for one in lists) + (time.perf_counter() - started) * 1000
        vector_ms = sum(one.vector_ms for one in lists)
        notices = (*notices, *clauses.notices)
        return _Pending(request, queries, passages, notices, clauses.places, vector_ms, keyword_ms)

    def _rerank(self, view: Visibility, pending: Sequence[_Pending]) -> dict[int, PassageRow]:
        """Reranks all questions in one pass; gives the passages that it read for that."""
        if self._reranker is None:
            return {}
        depth = self._reranker.depth
        rows = read_passages(view.snapshot.db, _keys(pending))
        pairs = [
            (one.queries[0].text, [_read_text(passage, rows[passage.key]) for passage in one.passages[:depth]])
            for one in pending
            if one.passages
        ]
        scores = iter(self._reranker.score_many(pairs) if pairs else ())
        for one in pending:
            if one.passages:
                one.passages = reranked(one.passages, next(scores), self._reranker.blend)
        return rows

    def _result(
        self, view: Visibility, one: _Pending, options: SearchOptions, rows: Mapping[int, PassageRow]
    ) -> SearchResult:
        hits = hits_of(one.passages, rows, view.documents, options.metadata_use)
        related = related_sections(self._documents, view, hits, options.expand) if options.expand and hits else ()
        return SearchResult(
            question=one.request.question,
            hits=hits,
            timings_ms={},
            notices=one.notices if hits or one.notices else _why_nothing(view, one.request, options),
            related=related,
            queries=() if one.queries == (Query(one.request.question),) else one.queries,
        )


def _keys(pending: Sequence[_Pending]) -> set[int]:
    """The passages of all questions, and those merged into them."""
    return {key for one in pending for passage in one.passages for key in (passage.key, *passage.same)}


def _read_text(passage: RankedPassage, row: PassageRow) -> str:
    """What is read of a passage: its titles, and of a long section the chunk that was found."""
    start, end = passage.chunk
    inside = row.start <= start < end <= row.end
    return " > ".join(row.path) + "\n" + (row.text[start - row.start : end - row.start] if inside else row.text)


def _shown(
    view: Visibility, one: _Pending, options: SearchOptions, rows: Mapping[int, PassageRow]
) -> list[RankedPassage]:
    """What is shown: the clauses asked for, then what the options leave of the rest."""
    first = one.first[: options.top_k]
    taken = {passage.key for passage in first}
    rest = [passage for passage in one.passages if passage.key not in taken]
    vectors: dict[int, NDArray[np.float32]] = {}
    if options.mmr is not None:
        chunk_rows = np.array([passage.chunk_row for passage in rest], dtype=np.int64)
        vectors = dict(zip(chunk_rows.tolist(), view.snapshot.vectors.vectors(chunk_rows), strict=True))
    return [*first, *postprocess(rest, options, options.top_k - len(first), vectors=vectors, rows=rows)]


def _why_nothing(view: Visibility, request: SearchRequest, options: SearchOptions) -> tuple[str, ...]:
    if not view.documents and request.where:
        unknown = unknown_value(
            readable_by(view.snapshot, request.groups), [parse_filter(one) for one in request.where]
        )
        return (unknown or "no document that you may read and that is in force on that day matches the filters",)
    if not view.documents:
        return ("there is no document that you may read and that is in force on that day",)
    if options.min_score is not None:
        return (f"nothing was found with a score of {options.min_score:g} or more: lower the setting min_score",)
    if options.search is Search.AND:
        return ("both searches together found nothing: try --search or",)
    return ("nothing was found",)
