"""Vectors searched by pgvector, under row-level security: `policy_rag.embeddings`, a row a chunk, in 16 bits a number.

The rows are written with the transaction that writes the chunks. What is nearest is weighed anew by the vectors of the
truth, in 32 bits.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from policy_rag.errors import IndexingError
from policy_rag.index.store.database import Database
from policy_rag.index.store.postgres.connection import DatabaseCaller, PostgresDatabase
from policy_rag.index.store.postgres.weighed_search import WeighedSearch

OLDEST = (0, 8)
"""The oldest pgvector: with iterative scans."""

EXACT_MOST = 100_000
"""Chunks up to which all that may be found are compared; where there are more the graph is asked, if there is one."""

GRAPH = {"hnsw.iterative_scan": "relaxed_order", "hnsw.ef_search": "200", "hnsw.max_scan_tuples": "200000"}
"""How the graph is followed."""

_BATCH = 2000  # rows that are written at once
_COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"

_WITHOUT_ROW = (
    "SELECT c.passage_key, c.start, p.doc_key, v.vector FROM chunks c JOIN passages p USING (passage_key) "
    "JOIN vectors v ON v.hash = c.vector_hash WHERE NOT EXISTS "
    "(SELECT 1 FROM embeddings e WHERE e.passage_key = c.passage_key AND e.start = c.start)"
)


def has_embeddings(db: Database) -> bool:
    """Whether this index is searched by pgvector."""
    row = db.execute("SELECT to_regclass('policy_rag.embeddings') IS NOT NULL").fetchone()
    return bool(row[0])


def add_missing(db: PostgresDatabase) -> None:
    """Writes a row for each chunk that has none; inside a transaction. Rows go with their passages."""
    rows = db.execute(_WITHOUT_ROW).fetchall()
    if rows:  # COPY does not write where row-level security may have a say
        columns = "passage_key, start, doc_key, embedding"
        db.execute(f"CREATE TEMPORARY TABLE new_rows ON COMMIT DROP AS SELECT {columns} FROM embeddings LIMIT 0")
        db.copy_in(f"COPY pg_temp.new_rows ({columns}) FROM STDIN (FORMAT binary)", _copy_rows(rows))
        db.execute(f"INSERT INTO embeddings ({columns}) SELECT {columns} FROM pg_temp.new_rows")
        db.execute("DROP TABLE pg_temp.new_rows")


def _copy_rows(rows: Sequence[tuple[int, int, int, bytes]]) -> Iterator[bytes]:
    """Rows in the binary form of COPY: each value behind its length, numbers with the highest byte first."""
    yield _COPY_HEAD
    dimension = len(rows[0][3]) // 4
    kind = np.dtype(
        [
            ("values", ">i2"),
            *((("l1", ">i4"), ("passage_key", ">i8"), ("l2", ">i4"), ("start", ">i4"))),
            *((("l3", ">i4"), ("doc_key", ">i8"), ("l4", ">i4"))),
            *((("dimension", ">i2"), ("unused", ">i2"), ("embedding", ">f2", (dimension,)))),
        ]
    )
    for i in range(0, len(rows), _BATCH):
        part = rows[i : i + _BATCH]
        made = np.zeros(len(part), dtype=kind)
        made["values"], made["l1"], made["l2"], made["l3"], made["l4"] = 4, 8, 4, 8, 4 + 2 * dimension
        made["passage_key"], made["start"], made["doc_key"] = ([row[k] for row in part] for k in range(3))
        made["dimension"] = dimension
        made["embedding"] = np.frombuffer(b"".join(row[3] for row in part), dtype="<f4").reshape(-1, dimension)
        yield made.tobytes()
    yield _COPY_END


def mean_embedding(db: Database) -> NDArray[np.float32]:
    """The mean of all rows, `(dimension,)`."""
    schema = _schema(db)
    row = db.execute(f"SELECT {schema}.avg(embedding::{schema}.vector)::text FROM embeddings").fetchone()
    return np.array(json.loads(row[0]) if row[0] else [], dtype=np.float32)


def _schema(db: Database) -> str:
    """Where the extension is, as a statement names it."""
    row = db.execute(
        "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
        "WHERE e.extname = 'vector'"
    ).fetchone()
    return str(row[0])


class PgVectorSearch(WeighedSearch):
    """See `weighed_search.WeighedSearch`.

    Up to `EXACT_MOST` allowed rows all are compared. Above, where `policy-rag migrate --vectors pgvector-hnsw` made a
    graph, its nearest are followed until there are enough that the caller may see.
    """

    @cached_property
    def _schema(self) -> str:
        return _schema(self._own)

    @cached_property
    def _has_graph(self) -> bool:
        row = self._own.execute("SELECT to_regclass('policy_rag.embeddings_graph') IS NOT NULL").fetchone()
        return bool(row[0])

    def _nearest(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: NDArray[np.bool_] | None,
        documents: Sequence[int] | None,
    ) -> Sequence[NDArray[np.int64]]:
        most = len(self._chunks) if allowed is None else int(np.count_nonzero(allowed))
        by_graph = most > EXACT_MOST and self._has_graph
        return [self._nearest_to(query, n, documents, by_graph=by_graph) for query in queries]

    def _nearest_to(
        self, query: NDArray[np.float32], n: int, documents: Sequence[int] | None, *, by_graph: bool
    ) -> NDArray[np.int64]:
        """Rows by pgvector's own order."""
        operator = f"OPERATOR({self._schema}.<#>)"
        asked = f"?::{self._schema}.halfvec"
        within = "" if documents is None else "WHERE e.doc_key = ANY(?) "
        if by_graph:
            self._own.execute(
                "SELECT " + ", ".join("set_config(?, ?, true)" for _ in GRAPH),
                [text for pair in GRAPH.items() for text in pair],
            )
        # the graph is of rows of one length: what is not asked as such is compared with each
        column = f"(e.embedding::{self._schema}.halfvec({len(query)}))" if by_graph else "e.embedding"
        found = self._db.execute(
            f"SELECT e.passage_key, e.start FROM embeddings e {within}ORDER BY {column} {operator} {asked} LIMIT ?",
            [*([] if documents is None else [list(documents)]), _written(query), n],
        ).fetchall()
        return self._rows_of(found)

    def _rows_of(self, places: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        """The rows of chunks by passage key and start."""
        if not places:
            return np.zeros(0, dtype=np.int64)
        passages = np.searchsorted(self._passages[:, 0], [key for key, _ in places])
        rows = np.searchsorted(self._chunks[:, 0], passages, "left")
        ends = np.searchsorted(self._chunks[:, 0], passages, "right")
        for i in np.flatnonzero(ends - rows > 1).tolist():
            rows[i] += np.searchsorted(self._chunks[rows[i] : ends[i], 1], places[i][1])
        return rows


def _written(query: NDArray[np.float32]) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(f"{float(value):.7g}" for value in query) + "]"


def make_embeddings(raw: Any, *, graph: bool) -> bool:
    """Makes the table and fills it, and with `graph` the graph of all vectors; in the transaction of a migration.

    The graph is of vectors of one length: where there is none yet, none is made.

    Args:
        raw: a connection as a login that may make the extension `vector`, or of a database that has it.
        graph: whether to make the graph, for more than `EXACT_MOST` chunks.

    Returns:
        Whether there is what was asked for.

    Raises:
        IndexingError: the extension is older than `OLDEST`.
    """
    from policy_rag.index.store.postgres.connection import SharedConnection

    raw.execute(b"CREATE EXTENSION IF NOT EXISTS vector")
    schema, version = raw.execute(
        "SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
        "WHERE extname = 'vector'"
    ).fetchone()
    if tuple(map(int, version.split(".")[:2])) < OLDEST:
        raise IndexingError(f"pgvector {version} is too old: install {OLDEST[0]}.{OLDEST[1]} or newer on the server")
    if not raw.execute("SELECT to_regclass('policy_rag.embeddings') IS NOT NULL").fetchone()[0]:
        raw.execute(sql.SQL(_TABLE).format(schema=sql.Identifier(schema)))
    own = PostgresDatabase(SharedConnection(raw), DatabaseCaller())
    add_missing(own)
    row = own.execute("SELECT vector FROM vectors LIMIT 1").fetchone()
    raw.execute("RESET ROLE; RESET search_path")
    raw.execute(b"ANALYZE policy_rag.embeddings")
    if graph and row is not None:
        raw.execute(b"SET LOCAL maintenance_work_mem = '1GB'")  # a graph that does not fit takes many times as long
        size = sql.Literal(len(row[0]) // 4)
        raw.execute(sql.SQL(_GRAPH_INDEX).format(schema=sql.Identifier(schema), size=size))
    elif not graph:
        raw.execute(b"DROP INDEX IF EXISTS policy_rag.embeddings_graph")
    return not graph or row is not None


def drop_embeddings(raw: Any) -> None:
    """Vectors are searched in files again."""
    raw.execute(b"DROP TABLE IF EXISTS policy_rag.embeddings")


# IN, as PostgreSQL scans a table under EXISTS on one processor alone.
_TABLE = """
CREATE TABLE policy_rag.embeddings (
    passage_key bigint NOT NULL REFERENCES policy_rag.passages ON DELETE CASCADE,
    start integer NOT NULL,
    doc_key bigint NOT NULL REFERENCES policy_rag.documents ON DELETE CASCADE,
    embedding {schema}.halfvec NOT NULL,
    PRIMARY KEY (passage_key, start)
);
CREATE INDEX embeddings_by_document ON policy_rag.embeddings (doc_key);
GRANT SELECT ON policy_rag.embeddings TO policy_rag_reader;
GRANT SELECT, INSERT, DELETE ON policy_rag.embeddings TO policy_rag_keeper;
GRANT USAGE ON SCHEMA {schema} TO policy_rag_reader, policy_rag_keeper;
CREATE POLICY read ON policy_rag.embeddings FOR SELECT TO policy_rag_reader USING (
    doc_key IN (SELECT d.doc_key FROM policy_rag.documents d)
);
CREATE POLICY keep ON policy_rag.embeddings TO policy_rag_keeper USING ((SELECT policy_rag.is_granted()));
ALTER TABLE policy_rag.embeddings ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_rag.embeddings FORCE ROW LEVEL SECURITY;
"""
_GRAPH_INDEX = """
CREATE INDEX IF NOT EXISTS embeddings_graph ON policy_rag.embeddings
USING hnsw ((embedding::{schema}.halfvec({size})) {schema}.halfvec_ip_ops)
"""
