"""One or thousands of questions over one index: both searches, fusion, reranking, hits."""

import datetime as dt
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.store import Index, Snapshot
from policy_rag.index.store.tables import PassageRow, read_passages
from policy_rag.records.options import Search
from policy_rag.records.search import Query, SearchRequest, SearchResult
from policy_rag.retrieval.candidates.collector import Taken, take
from policy_rag.retrieval.candidates.prefetch import TOGETHER, Ahead
from policy_rag.retrieval.candidates.query_fusion import across
from policy_rag.retrieval.clause_lookup.lookup import AskedPlaces, ClausePlace, asked_places
from policy_rag.retrieval.expansion.exceptions import Limiting
from policy_rag.retrieval.expansion.related_sections import Expander
from policy_rag.retrieval.hits import hits_of
from policy_rag.retrieval.ranked_passages import Place, clause_places, kept, places_of, reranked
from policy_rag.retrieval.self_query.rules import Reader, narrow
from policy_rag.retrieval.visibility import View
from policy_rag.settings import SearchOptions
from policy_rag_parsers.references.clause_query import asked_numbers

Queries: TypeAlias = tuple[Query, ...]
Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]


class QueryEmbedder(Protocol):
    """What a search needs of an embedding model."""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of norm 1, `(len(texts), dimension)`."""
        ...


class Reranker(Protocol):
    """What a search needs of a reranker."""

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> Sequence[Sequence[float]]:
        """For each question a score a text, higher is better; scores compare within a question."""
        ...


class Take(Protocol):
    """Where a search has its candidates from: `candidates.collector.take`, or what keeps what that gave."""

    def __call__(
        self, view: View, requests: Sequence[SearchRequest], queries: NDArray[np.float32] | None, options: SearchOptions
    ) -> Sequence[Taken]:
        """The candidates of each request, in order; all requests have the same view."""
        ...


@dataclass(slots=True)
class _Asked:
    """A question on its way to its result; `first` are the places of the clauses that it asks for."""

    request: SearchRequest
    queries: Queries
    places: list[Place]
    notices: tuple[str, ...]
    clauses: tuple[ClausePlace, ...]
    vector_ms: float
    keyword_ms: float
    first: list[Place] = field(default_factory=list)


class Searcher:
    """Searches one index. Safe for many threads.

    Args:
        index: where to search.
        embedder: the model that the index was made with; where it has `embed`, that embeds queries which are worded
            like passages.
        reranker: or None.
        take: where the candidates of both searches come from.
    """

    def __init__(
        self,
        index: Index,
        embedder: QueryEmbedder,
        reranker: Reranker | None = None,
        *,
        take: Take = take,
    ) -> None:
        self._index = index
        self._embedder = embedder
        self._embed_passages: Embed = getattr(embedder, "embed", embedder.embed_queries)
        self._reranker = reranker
        self._take = take
        self._expander = Expander()
        self.limiting = Limiting()

    def without_reranker(self) -> "Searcher":
        """The same search in the order of its fusion."""
        return Searcher(self._index, self._embedder, take=self._take)

    def search_many(
        self,
        requests: Sequence[SearchRequest],
        options: SearchOptions,
        *,
        today: dt.date,
        reader: Reader | None = None,
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
            reader: reads filters out of the questions; None takes them as they are.
            queries: for each request what is searched instead of its question alone, see `candidates.query_fusion`;
                clauses and reranking go by the first of them, the question or its rewriting.

        Raises:
            UsageError: a filter that is none, or names a key that no document has.
            IndexingError: the index is empty or damaged.
        """
        if not requests:
            return ()
        with self._index.snapshot() as snapshot:
            if reader is not None:
                return self._narrowed(snapshot, requests, options, today, reader, queries)
            groups: dict[tuple[object, ...], list[int]] = {}
            for i, request in enumerate(requests):
                groups.setdefault((request.where, request.groups, request.as_of), []).append(i)
            # What does not fit together is refused before anything is embedded.
            views = [View.of(snapshot, requests[members[0]], today) for members in groups.values()]
            order = [i for members in groups.values() for i in members]
            searched = queries or [(Query(request.question),) for request in requests]
            results: dict[int, SearchResult] = {}
            with self._ahead([query for i in order for query in searched[i]], options) as ahead:
                begin = 0
                for view, members in zip(views, groups.values(), strict=True):
                    for start in range(0, len(members), TOGETHER):
                        part = members[start : start + TOGETHER]
                        asked = [(requests[i], searched[i]) for i in part]
                        found = self._search_part(view, asked, ahead, begin, options)
                        results.update(zip(part, found, strict=True))
                        begin += sum(len(searched[i]) for i in part)
        return tuple(results[i] for i in range(len(requests)))

    def _narrowed(
        self,
        snapshot: Snapshot,
        requests: Sequence[SearchRequest],
        options: SearchOptions,
        today: dt.date,
        reader: Reader,
        queries: Sequence[Queries] | None,
    ) -> tuple[SearchResult, ...]:
        """The same under what the questions themselves ask under; results say so."""
        started = time.perf_counter()
        narrowed = [narrow(snapshot, request, reader, today) for request in requests]
        ms = (time.perf_counter() - started) * 1000 / len(requests)
        asked = [replace(one.request, question=one.asked) for one in narrowed]
        results = self.search_many(asked, options, today=today, queries=queries)
        return tuple(
            replace(
                result,
                question=one.request.question,
                asked=one.asked,
                filters=one.added,
                notices=(*one.notices, *one.told_of((hit.doc_id for hit in result.hits), today), *result.notices),
                timings_ms={"self_query": ms, **result.timings_ms},
            )
            for result, one in zip(results, narrowed, strict=True)
        )

    def _ahead(self, queries: Sequence[Query], options: SearchOptions) -> Ahead[Query]:
        return Ahead(self._embed, [] if options.search is Search.KEYWORD else queries)

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
        view: View,
        requests: Sequence[tuple[SearchRequest, Queries]],
        ahead: Ahead[Query],
        begin: int,
        options: SearchOptions,
    ) -> list[SearchResult]:
        """The results of requests with the same view, in order; their queries begin at `begin` of `ahead`."""
        started = time.perf_counter()
        each_query = [replace(request, question=query.text) for request, queries in requests for query in queries]
        vectors = None if options.search is Search.KEYWORD else ahead.rows(begin, begin + len(each_query))
        embedded = time.perf_counter()
        taken = self._take(view, each_query, vectors, options)
        asked, end = [], 0
        for request, queries in requests:
            own = slice(end, end := end + len(queries))
            vector = None if vectors is None else vectors[own.start]
            asked.append(self._ask(view, request, queries, taken[own], vector, options))
        fused = time.perf_counter()
        rows = self._rerank(view, asked)
        reranked_at = time.perf_counter()
        for one in asked:
            one.first = clause_places(view.snapshot.db, view.snapshot.derived, one.clauses, one.places)
        if options.merge_duplicates is not None:
            rows |= read_passages(view.snapshot.db, _keys(asked) - rows.keys())
        for one in asked:
            one.places = _shown(view, one, options, rows)
        rows |= read_passages(view.snapshot.db, _keys(asked) - rows.keys())
        results = [self._result(view, one, options, rows) for one in asked]
        each = {
            "embed": (embedded - started) * 1000 / len(asked),
            "rerank": (reranked_at - fused) * 1000 / len(asked),
            "hits": (time.perf_counter() - reranked_at) * 1000 / len(asked),
        }
        return [
            replace(result, timings_ms={**each, "vector": one.vector_ms, "keyword_and_fusion": one.keyword_ms})
            for result, one in zip(results, asked, strict=True)
        ]

    def _ask(
        self,
        view: View,
        request: SearchRequest,
        queries: Queries,
        taken: Sequence[Taken],
        vector: NDArray[np.float32] | None,
        options: SearchOptions,
    ) -> _Asked:
        started = time.perf_counter()
        each = [one.candidates for one in taken]
        candidates, ranking, also = across(view, queries, each, vector, options)
        notices: tuple[str, ...] = ()
        if options.search is Search.AND and options.and_fallback and not len(ranking.order) and len(candidates):
            candidates, ranking, also = across(view, queries, each, vector, options.changed({"search": Search.OR}))
            notices = ("no section was found by both searches: these were found by one of them",)
        derived = view.snapshot.derived
        clauses = AskedPlaces()
        question = queries[0].text  # as asked, or its rewriting
        if asked_numbers(question):
            ranked = derived.passages[candidates.rows[ranking.order], 1].tolist()
            clauses = asked_places(question, view.snapshot.db, view.documents, ranked)
        # A reranker, the choice among candidates, and what was found of a clause look at all of them.
        all_of_them = (
            self._reranker is not None
            or options.mmr is not None
            or options.merge_duplicates is not None
            or bool(clauses.places)
        )
        places = places_of(derived, candidates, ranking, None if all_of_them else options.top_k, also)
        places = [] if clauses.nowhere else places
        keyword_ms = sum(one.keyword_ms + one.together_ms for one in taken) + (time.perf_counter() - started) * 1000
        vector_ms = sum(one.vector_ms for one in taken)
        notices = (*notices, *clauses.notices)
        return _Asked(request, queries, places, notices, clauses.places, vector_ms, keyword_ms)

    def _rerank(self, view: View, asked: Sequence[_Asked]) -> dict[int, PassageRow]:
        """Reranks all questions in one pass; gives the passages that it read for that."""
        if self._reranker is None:
            return {}
        rows = read_passages(view.snapshot.db, _keys(asked))
        pairs = [
            (one.queries[0].text, [_reranked_text(rows[place.key]) for place in one.places])
            for one in asked
            if one.places
        ]
        scores = iter(self._reranker.score_many(pairs) if pairs else ())
        for one in asked:
            if one.places:
                one.places = reranked(one.places, next(scores))
        return rows

    def _result(self, view: View, one: _Asked, options: SearchOptions, rows: Mapping[int, PassageRow]) -> SearchResult:
        hits = hits_of(one.places, rows, view.documents, options.metadata_use)
        brought = self._expander.brought(view, hits, options.expand) if options.expand and hits else ()
        return SearchResult(
            question=one.request.question,
            hits=hits,
            timings_ms={},
            notices=one.notices if hits or one.notices else _why_nothing(view, options),
            brought=brought,
            queries=() if one.queries == (Query(one.request.question),) else one.queries,
        )


def _keys(asked: Sequence[_Asked]) -> set[int]:
    """The passages of all questions, and those merged into them."""
    return {key for one in asked for place in one.places for key in (place.key, *place.same)}


def _reranked_text(row: PassageRow) -> str:
    return " > ".join(row.path) + "\n" + row.text


def _shown(view: View, one: _Asked, options: SearchOptions, rows: Mapping[int, PassageRow]) -> list[Place]:
    """What is shown: the clauses asked for, then what the options leave of the rest."""
    first = one.first[: options.top_k]
    taken = {place.key for place in first}
    rest = [place for place in one.places if place.key not in taken]
    vectors: dict[int, NDArray[np.float32]] = {}
    if options.mmr is not None:
        chunk_rows = np.array([place.chunk_row for place in rest], dtype=np.int64)
        vectors = dict(zip(chunk_rows.tolist(), view.snapshot.derived.vectors.vectors(chunk_rows), strict=True))
    return [*first, *kept(rest, options, options.top_k - len(first), vectors=vectors, rows=rows)]


def _why_nothing(view: View, options: SearchOptions) -> tuple[str, ...]:
    if not view.documents:
        return ("no document that you may read and that is in force on that day matches the filters",)
    if options.min_score is not None:
        return (f"nothing was found with a score of {options.min_score:g} or more: lower the setting min_score",)
    if options.search is Search.AND:
        return ("both searches together found nothing: try --search or",)
    return ("nothing was found",)


__all__ = ["QueryEmbedder", "Reranker", "SearchOptions", "Searcher"]
