"""One or thousands of questions over one index: both searches, fusion, reranking, hits."""

import datetime as dt
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.derived import Derived
from policy_rag.index.documents import DocumentInfo
from policy_rag.index.index import Index, Snapshot
from policy_rag.index.keywords import best_rows
from policy_rag.index.rows import PassageRow, read_passages
from policy_rag.index.tokens import terms
from policy_rag.records import Found, Hit, Search, SearchRequest, SearchResult
from policy_rag.retrieval.clauses import ClausePlace, asked_places
from policy_rag.retrieval.filters import known_keys, matching, parse_filter
from policy_rag.retrieval.fusion import Candidates, Ranking, fuse
from policy_rag.retrieval.fusion.weighted import MEAN_SHARE
from policy_rag.retrieval.nearest import nearest_passages

CLAUSE = "clause"
RERANKER = "reranker"


class QueryEmbedder(Protocol):
    """What a search needs of an embedding model."""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of norm 1, `(len(texts), dimension)`."""
        ...


class Reranker(Protocol):
    """What a search needs of a reranker."""

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A score a text, higher is better."""
        ...


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; see `policy_rag.settings.Settings` for what each means."""

    search: Search = Search.WEIGHTED
    candidates: int = 50
    top_k: int = 5
    vector_weight: float = 0.8
    pair_weight: float = 0.25


@dataclass(frozen=True, slots=True)
class _Place:
    """A hit before it has its text."""

    passage: int
    score: float
    found_by: Mapping[str, Found]
    chunk: tuple[int, int]


class Searcher:
    """Searches one index. Safe for many threads.

    Args:
        index: where to search.
        embedder: the model that the index was made with.
        reranker: or None.
    """

    def __init__(self, index: Index, embedder: QueryEmbedder, reranker: Reranker | None = None) -> None:
        self._index = index
        self._embedder = embedder
        self._reranker = reranker

    def search_many(
        self, requests: Sequence[SearchRequest], options: SearchOptions, *, today: dt.date
    ) -> tuple[SearchResult, ...]:
        """The hits for each request, in order of the requests.

        All questions are embedded in one pass, and requests that see the same documents are searched in one FAISS
        call. `timings_ms` of a result is its share of the whole.

        Raises:
            UsageError: a filter that is none, or names a key that no document has.
            IndexingError: the index is empty or damaged.
        """
        if not requests:
            return ()
        started = time.perf_counter()
        vectors = self._vectors(requests, options)
        embedded = time.perf_counter()
        with self._index.snapshot() as snapshot:
            groups: dict[tuple[object, ...], list[int]] = {}
            for i, request in enumerate(requests):
                groups.setdefault((request.where, request.groups, request.as_of), []).append(i)
            results: dict[int, SearchResult] = {}
            share = {"embed": (embedded - started) * 1000 / len(requests)}
            for members in groups.values():
                view = _View.of(snapshot, requests[members[0]], today)
                results.update(self._search_group(view, members, requests, vectors, options, share))
        return tuple(results[i] for i in range(len(requests)))

    def _vectors(self, requests: Sequence[SearchRequest], options: SearchOptions) -> NDArray[np.float32] | None:
        if options.search is Search.KEYWORD:
            return None
        return self._embedder.embed_queries([request.question for request in requests])

    def _search_group(
        self,
        view: "_View",
        members: Sequence[int],
        requests: Sequence[SearchRequest],
        vectors: NDArray[np.float32] | None,
        options: SearchOptions,
        share: Mapping[str, float],
    ) -> dict[int, SearchResult]:
        started = time.perf_counter()
        queries = None if vectors is None else vectors[list(members)]
        near = nearest_passages(view.snapshot.derived, queries, options.candidates, view.rows, len(members))
        vector_ms = (time.perf_counter() - started) * 1000 / len(members)
        results = {}
        for place, i in enumerate(members):
            begun = time.perf_counter()
            question = requests[i].question
            query = None if queries is None else queries[place]
            candidates = _candidates(view, near[place], query, question, options)
            ranking = fuse(candidates, options.search, vector_weight=options.vector_weight)
            found = time.perf_counter()
            hits = self._hits(view, question, candidates, ranking, options)
            done = time.perf_counter()
            results[i] = SearchResult(
                question=question,
                hits=hits,
                timings_ms={
                    **share,
                    "vector": vector_ms,
                    "keyword_and_fusion": (found - begun) * 1000,
                    "rerank_and_hits": (done - found) * 1000,
                },
                notices=view.notices(hits, options),
            )
        return results

    def _hits(
        self, view: "_View", question: str, candidates: Candidates, ranking: Ranking, options: SearchOptions
    ) -> tuple[Hit, ...]:
        places = [
            _place(view.snapshot.derived, candidates, p, s) for p, s in zip(ranking.order, ranking.scores, strict=True)
        ]
        keys = view.snapshot.derived.passages
        db = view.snapshot.db
        if self._reranker is not None and places:
            places = _reranked(
                self._reranker, question, places, read_passages(db, (int(keys[p.passage, 0]) for p in places)), keys
            )
        clauses = asked_places(question, db, view.documents, [int(keys[p.passage, 1]) for p in places])
        first = _clause_places(view, clauses, places)
        taken = {place.passage for place in first}
        shown = [*first, *(place for place in places if place.passage not in taken)][: options.top_k]
        rows = read_passages(db, (int(keys[place.passage, 0]) for place in shown))
        return tuple(
            _hit(rank, place, rows[int(keys[place.passage, 0])], view.documents) for rank, place in enumerate(shown, 1)
        )


@dataclass(frozen=True, slots=True)
class _View:
    """What one request may see of a snapshot: `rows` is `(passages,)`, None where all may be seen."""

    snapshot: Snapshot
    documents: Mapping[int, DocumentInfo]
    rows: NDArray[np.bool_] | None

    @classmethod
    def of(cls, snapshot: Snapshot, request: SearchRequest, today: dt.date) -> "_View":
        readable = tuple(d for d in snapshot.documents if d.open_to(request.groups))
        held = tuple(d for d in readable if d.in_force(request.as_of or today))
        filters = tuple(parse_filter(text) for text in request.where)
        seen = matching(held, filters, known=known_keys(readable))
        documents = {document.doc_key: document for document in seen}
        if len(documents) == len(snapshot.documents):
            return cls(snapshot, documents, None)
        keys = np.fromiter(documents, dtype=np.int64, count=len(documents))
        return cls(snapshot, documents, np.isin(snapshot.derived.passages[:, 1], keys))

    def notices(self, hits: Sequence[Hit], options: SearchOptions) -> tuple[str, ...]:
        if hits:
            return ()
        if not self.documents:
            return ("no document that you may read and that is in force on that day matches the filters",)
        if options.search is Search.AND:
            return ("both searches together found nothing: try --search or",)
        return ("nothing was found",)


def _candidates(
    view: _View,
    near: NDArray[np.int64],
    query: NDArray[np.float32] | None,
    question: str,
    options: SearchOptions,
) -> Candidates:
    """Both lists of one question, and both scores of everything on either."""
    derived = view.snapshot.derived
    scores, asked = np.zeros(len(derived.passages), dtype=np.float32), 0.0
    listed = np.zeros(0, dtype=np.int64)
    if options.search is not Search.VECTOR:
        scores, asked = keyword_scores(derived, question, pair_weight=options.pair_weight)
        if view.rows is not None:
            scores = np.where(view.rows, scores, np.float32(0))
        listed = best_rows(scores, options.candidates)
    rows = np.union1d(near, listed).astype(np.int64)
    if query is None:
        query = np.zeros(len(derived.mean), dtype=np.float32)
    vector, centred, chunks = best_chunks(derived, rows, query)
    return Candidates(
        rows=rows,
        vector=vector,
        keyword=scores[rows],
        centred=centred,
        asked=asked,
        vector_rank=_ranks(rows, near),
        keyword_rank=_ranks(rows, listed),
        chunks=chunks,
    )


def keyword_scores(derived: Derived, question: str, *, pair_weight: float) -> tuple[NDArray[np.float32], float]:
    """The keyword score of every passage, and what it could be at best.

    A question is stemmed in each language that the index holds; a passage takes the best of these.
    """
    stemmed = dict.fromkeys(tuple(terms(question, language)) for language in derived.languages)
    scores = np.zeros(len(derived.passages), dtype=np.float32)
    for asked in stemmed:
        scores = np.maximum(scores, derived.keywords.scores(asked, pair_weight=pair_weight))
    return scores, max((derived.keywords.weight(asked) for asked in stemmed), default=0.0)


def best_chunks(
    derived: Derived, rows: NDArray[np.int64], query: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
    """The highest cosine over the chunks of each passage, the same centred, and that chunk's row.

    All are `(len(rows),)`; of equal chunks the first counts.
    """
    if not len(rows):
        return np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int64)
    of_chunk = derived.chunks[:, 0]
    first, last = np.searchsorted(of_chunk, rows, "left"), np.searchsorted(of_chunk, rows, "right")
    counts = last - first
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
    chunks = np.arange(counts.sum()) - np.repeat(offsets, counts) + np.repeat(first, counts)
    vectors = derived.vectors.vectors(chunks)
    cosines = vectors @ query
    best = np.maximum.reduceat(cosines, offsets)
    position = np.arange(len(chunks))
    winners = np.minimum.reduceat(np.where(cosines == np.repeat(best, counts), position, len(chunks)), offsets)
    centred = best - np.float32(MEAN_SHARE) * (vectors[winners] @ derived.mean)
    return best.astype(np.float32), centred.astype(np.float32), chunks[winners].astype(np.int64)


def _ranks(rows: NDArray[np.int64], listed: NDArray[np.int64]) -> NDArray[np.int64]:
    ranks = np.zeros(len(rows), dtype=np.int64)
    ranks[np.searchsorted(rows, listed)] = np.arange(1, len(listed) + 1)
    return ranks


def _place(derived: Derived, candidates: Candidates, position: int, score: float) -> _Place:
    found = {}
    if candidates.vector_rank[position]:
        found["vector"] = Found(int(candidates.vector_rank[position]), float(candidates.vector[position]))
    if candidates.keyword_rank[position]:
        found["keyword"] = Found(int(candidates.keyword_rank[position]), float(candidates.keyword[position]))
    _, start, end = derived.chunks[candidates.chunks[position]].tolist()
    row = int(candidates.rows[position])
    # Without a vector search no chunk is better than another: the whole passage was found.
    return _Place(row, float(score), found, (start, end) if candidates.vector[position] else (-1, -1))


def _reranked(
    reranker: Reranker,
    question: str,
    places: Sequence[_Place],
    rows: Mapping[int, PassageRow],
    keys: NDArray[np.int64],
) -> list[_Place]:
    texts = [rows[int(keys[place.passage, 0])] for place in places]
    scores = reranker.score(question, [" > ".join(row.path) + "\n" + row.text for row in texts])
    order = sorted(range(len(places)), key=lambda i: (-scores[i], i))
    return [
        replace(
            places[i], score=float(scores[i]), found_by={**places[i].found_by, RERANKER: Found(rank, float(scores[i]))}
        )
        for rank, i in enumerate(order, 1)
    ]


def _clause_places(view: _View, clauses: Sequence[ClausePlace], places: Sequence[_Place]) -> list[_Place]:
    """The passages that hold the clauses asked for, scored above all others."""
    best = max((place.score for place in places), default=0.0)
    known = {place.passage: place for place in places}
    keys = view.snapshot.derived.passages[:, 0]
    first: list[_Place] = []
    for clause in clauses:
        key = view.snapshot.db.execute(
            'SELECT passage_key FROM passages WHERE doc_key = ? AND start <= ? AND "end" > ? '
            "ORDER BY start DESC LIMIT 1",
            (clause.doc_key, clause.start, clause.start),
        ).fetchone()
        if key is None:
            continue
        row = int(np.searchsorted(keys, key[0]))
        if any(place.passage == row for place in first):
            continue
        rank = len(first) + 1
        old = known.get(row)
        first.append(
            _Place(
                passage=row,
                score=best + len(clauses) + 1 - rank,
                found_by={**(old.found_by if old else {}), CLAUSE: Found(rank, 1.0)},
                chunk=(clause.start, clause.end),
            )
        )
    return first


def _hit(rank: int, place: _Place, row: PassageRow, documents: Mapping[int, DocumentInfo]) -> Hit:
    document = documents[row.doc_key]
    inside = row.start <= place.chunk[0] < place.chunk[1]
    return Hit(
        rank=rank,
        score=place.score,
        doc_id=document.doc_id,
        version=document.version,
        file=document.file,
        section_id=row.section_id,
        number=row.number,
        title=row.title,
        path=row.path,
        start=row.start,
        end=row.end,
        chunk_start=place.chunk[0] if inside else row.start,
        chunk_end=min(place.chunk[1], row.end) if inside else row.end,
        page=row.page,
        text=row.text,
        found_by=place.found_by,
    )
