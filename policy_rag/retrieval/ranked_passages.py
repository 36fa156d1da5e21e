"""Hits before they have their text: rows of passages with scores, and what is done with them after the search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from policy_rag.index.store.database import Database
from policy_rag.index.store.snapshot_files import Derived
from policy_rag.records.search import SearchRank
from policy_rag.retrieval.clause_lookup.lookup import ClausePlace
from policy_rag.retrieval.fusion import Candidates, Ranking
from policy_rag.retrieval.fusion.blended import blended

CLAUSE = "clause"
MENTION = "mention"
RERANKER = "reranker"
VECTOR = "vector"
KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A hit before it has its text.

    Attributes:
        key: the passage.
        doc_key: its document.
        score: what the list is ordered by.
        found_by: where each search saw it.
        chunk_row: row of the chunk that was found.
        chunk: that chunk's characters; `(-1, -1)` where the whole passage was found.
        same: keys of passages that say the same and are not shown.
    """

    key: int
    doc_key: int
    score: float
    found_by: Mapping[str, SearchRank]
    chunk_row: int
    chunk: tuple[int, int]
    same: tuple[int, ...] = ()


def ranked_passages(
    derived: Derived,
    candidates: Candidates,
    ranking: Ranking,
    most: int | None,
    also: Mapping[int, Mapping[str, SearchRank]] | None = None,
) -> list[RankedPassage]:
    """The first `most` of a ranking (all with None), best first; `also` is who else found a row."""
    order = ranking.order[:most]
    # Plain lists: reading single numbers out of arrays is what takes the time here.
    passages = derived.passages[candidates.rows[order]].tolist()
    chunk_rows = candidates.chunks[order].tolist()
    spans = derived.chunks[candidates.chunks[order]].tolist()
    seen = zip(
        candidates.vector_rank[order].tolist(),
        candidates.vector[order].tolist(),
        candidates.keyword_rank[order].tolist(),
        candidates.keyword[order].tolist(),
        strict=True,
    )
    made = []
    others = [also.get(row, {}) for row in candidates.rows[order].tolist()] if also else [{}] * len(order)
    for (key, doc_key), row, span, score, other, (near, cosine, listed, bm25) in zip(
        passages, chunk_rows, spans, ranking.scores[:most].tolist(), others, seen, strict=True
    ):
        found = dict(other)
        if near:
            found[VECTOR] = SearchRank(near, cosine)
        if listed:
            found[KEYWORD] = SearchRank(listed, bm25)
        # Without a vector search no chunk is better than another: the whole passage was found.
        chunk = (span[1], span[2]) if cosine else (-1, -1)
        made.append(RankedPassage(key, doc_key, score, found, row, chunk))
    return made


def reranked(passages: Sequence[RankedPassage], scores: Sequence[float], blend: float = 1.0) -> list[RankedPassage]:
    """The passages, best first, in the order of a reranker's scores; equal scores keep the order.

    What it did not read follows, scored at most 0; `blend` is the share of its scores, see `fusion.blended`.
    """
    read, rest = passages[: len(scores)], passages[len(scores) :]
    last = min((one.score for one in read), default=0.0)
    unread = [replace(one, score=one.score - last) for one in rest]
    found = blended(scores, [one.score for one in read], blend)
    ranks = {place: rank for rank, place in enumerate(np.argsort(-np.asarray(scores), kind="stable").tolist(), 1)}
    ordered = []
    for i in np.argsort(-found, kind="stable").tolist():
        one, seen = read[i], SearchRank(ranks[i], float(scores[i]))
        where = {**one.found_by, RERANKER: seen}
        # Not `replace`, which takes several times as long and would run for every candidate of every question.
        ordered.append(RankedPassage(one.key, one.doc_key, float(found[i]), where, one.chunk_row, one.chunk, one.same))
    return [*ordered, *unread]


def clause_passages(
    db: Database, derived: Derived, clauses: Sequence[ClausePlace], passages: Sequence[RankedPassage]
) -> list[RankedPassage]:
    """The passages that hold the clauses asked for or mentioned, scored above all others."""
    best = max((passage.score for passage in passages), default=0.0)
    known = {passage.key: passage for passage in passages}
    first: dict[int, RankedPassage] = {}
    for clause in clauses:
        found = db.execute(
            'SELECT passage_key FROM passages WHERE doc_key = ? AND start <= ? AND "end" > ? '
            "ORDER BY start DESC LIMIT 1",
            (clause.doc_key, clause.start, clause.start),
        ).fetchone()
        if found is None or found[0] in first:
            continue
        key, rank = int(found[0]), len(first) + 1
        old = known.get(key)
        row = int(np.searchsorted(derived.passages[:, 0], key))
        first[key] = RankedPassage(
            key=key,
            doc_key=clause.doc_key,
            score=best + len(clauses) + 1 - rank,
            found_by={
                **(old.found_by if old else {}),
                (MENTION if clause.mentioned else CLAUSE): SearchRank(rank, 1.0),
            },
            chunk_row=old.chunk_row if old else int(np.searchsorted(derived.chunks[:, 0], row)),
            chunk=(clause.start, clause.end),
        )
    return list(first.values())
