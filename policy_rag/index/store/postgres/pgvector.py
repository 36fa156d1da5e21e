"""Vectors searched by pgvector, under row-level security: `policy_rag.embeddings`, a row a chunk.

The rows are written with the transaction that writes the chunks, in 32 bits a number as the truth has them. The graph
has 16; what it finds is put in order by all 32. Each row has who may read its document, and when: security that asks
the documents looks through all of them for each search, and a graph is followed in less time than that takes. A trigger
on the documents keeps both the same.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql
from psycopg.adapt import Dumper
from psycopg.pq import Format

from policy_rag.errors import IndexingError
from policy_rag.index.search import vector_search
from policy_rag.index.search.vector_search import AllowedRows
from policy_rag.index.store.database import Database
from policy_rag.index.store.postgres.connection import DatabaseCaller, PostgresDatabase, SharedConnection

OLDEST = (0, 8)
"""The oldest pgvector: with iterative scans."""

GRAPH = {"hnsw.iterative_scan": "relaxed_order", "hnsw.ef_search": "200", "hnsw.max_scan_tuples": "200000"}
"""How the graph is followed: settings of each connection."""

_BATCH = 2000  # rows that are written at once
_COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"
_START_BITS = 31  # of a number in which a passage key stands above a start
_HEAD = 4  # bytes that say how long a vector is

_WITHOUT_ROW = (
    "SELECT c.passage_key, c.start, p.doc_key, v.vector FROM chunks c JOIN passages p USING (passage_key) "
    "JOIN vectors v ON v.hash = c.vector_hash WHERE NOT EXISTS "
    "(SELECT 1 FROM embeddings e WHERE e.passage_key = c.passage_key AND e.start = c.start)"
)

_COUNTS = (
    "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM embeddings), "
    "(SELECT count(*) FROM embeddings e JOIN documents d USING (doc_key) "
    "WHERE (e.readers, e.begins, e.ends) IS DISTINCT FROM (d.readers, d.begins, d.ends))"
)


def has_embeddings(db: Database) -> bool:
    """Whether this index is searched by pgvector."""
    return bool(db.execute(f"SELECT {_IS_MADE}").fetchone()[0])


def add_missing(db: PostgresDatabase) -> None:
    """Writes a row for each chunk that has none; inside a transaction. Rows go with their passages."""
    rows = db.execute(_WITHOUT_ROW).fetchall()
    if rows:  # COPY does not write where row-level security may have a say
        columns = "passage_key, start, doc_key, embedding"
        db.execute(f"CREATE TEMPORARY TABLE new_rows ON COMMIT DROP AS SELECT {columns} FROM embeddings LIMIT 0")
        db.copy_in(f"COPY pg_temp.new_rows ({columns}) FROM STDIN (FORMAT binary)", _copy_rows(rows))
        db.execute(
            f"INSERT INTO embeddings ({columns}, readers, begins, ends) "
            f"SELECT {columns}, readers, begins, ends FROM pg_temp.new_rows JOIN documents USING (doc_key)"
        )
        db.execute("DROP TABLE pg_temp.new_rows")


def faults(db: Database) -> Iterator[str]:
    """Rows that are missing, and rows that are not shown to whom their document is: as where a trigger was off."""
    chunks, rows, other = db.execute(_COUNTS).fetchone()
    if chunks != rows:
        yield f"pgvector has {rows} of {chunks} vectors"
    if other:
        yield f"pgvector has {other} vectors with other readers or days than their documents"


def _copy_rows(rows: Sequence[tuple[int, int, int, bytes]]) -> Iterator[bytes]:
    """Rows in the binary form of COPY: each value behind its length, numbers with the highest byte first."""
    yield _COPY_HEAD
    dimension = len(rows[0][3]) // 4
    kind = np.dtype(
        [
            ("values", ">i2"),
            *((("l1", ">i4"), ("passage_key", ">i8"), ("l2", ">i4"), ("start", ">i4"))),
            *((("l3", ">i4"), ("doc_key", ">i8"), ("l4", ">i4"))),
            *((("dimension", ">i2"), ("unused", ">i2"), ("embedding", ">f4", (dimension,)))),
        ]
    )
    for i in range(0, len(rows), _BATCH):
        part = rows[i : i + _BATCH]
        made = np.zeros(len(part), dtype=kind)
        made["values"], made["l1"], made["l2"], made["l3"], made["l4"] = 4, 8, 4, 8, 4 + 4 * dimension
        made["passage_key"], made["start"], made["doc_key"] = ([row[k] for row in part] for k in range(3))
        made["dimension"] = dimension
        made["embedding"] = np.frombuffer(b"".join(row[3] for row in part), dtype="<f4").reshape(-1, dimension)
        yield made.tobytes()
    yield _COPY_END


def mean_embedding(db: Database) -> NDArray[np.float32]:
    """The mean of all rows, `(dimension,)`."""
    row = db.execute(f"SELECT {schema_of(db)}.avg(embedding)::text FROM embeddings").fetchone()
    return np.array(json.loads(row[0]) if row[0] else [], dtype=np.float32)


def schema_of(db: Database) -> str:
    """Where the extension is, as a statement names it."""
    row = db.execute(
        "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
        "WHERE e.extname = 'vector'"
    ).fetchone()
    return str(row[0])


def has_graph(db: Database) -> bool:
    """Whether there is a graph."""
    return bool(db.execute("SELECT to_regclass('policy_rag.embeddings_graph') IS NOT NULL").fetchone()[0])


def places_of(passages: NDArray[np.int64], chunks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Passage key and start of each chunk in one number, rising; see `snapshot_files.Derived`."""
    places: NDArray[np.int64] = passages[chunks[:, 0], 0] << _START_BITS | chunks[:, 1]
    return places


@dataclass(frozen=True, slots=True)
class VectorParameter:
    """A vector as a value of a statement, which casts it to pgvector's `vector` first."""

    values: NDArray[np.float32]


class _VectorDumper(Dumper):
    """In pgvector's binary form: how many numbers, nothing, and the numbers with the highest byte first."""

    format = Format.BINARY

    def dump(self, obj: VectorParameter) -> bytes:
        return len(obj.values).to_bytes(2, "big") + bytes(2) + obj.values.astype(">f4").tobytes()


psycopg.adapters.register_dumper(VectorParameter, _VectorDumper)


@dataclass(frozen=True, slots=True, eq=False)
class PgVectorSearch:
    """See `vector_search.VectorSearch`; for one caller in one transaction, each search one statement.

    Up to `vector_search.EXACT_MOST` allowed rows all are compared. Above, where `policy-rag migrate --vectors
    pgvector-hnsw` made a graph, its nearest are followed until there are enough that the caller may see.

    Attributes:
        db: the caller's view.
        places: see `places_of`.
        schema: see `schema_of`.
        graph: whether there is one.
    """

    db: Database
    places: NDArray[np.int64]
    schema: str
    graph: bool

    def search(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: AllowedRows | None,
        documents: Sequence[int] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The `n` nearest rows of each query that row-level security shows the caller and the bitmap allows."""
        scores = np.full((len(queries), n), -np.inf, dtype=np.float32)
        rows = np.full((len(queries), n), -1, dtype=np.int64)
        most = len(self.places) if allowed is None else allowed.count
        by_graph = self.graph and most > vector_search.EXACT_MOST
        for i, query in enumerate(queries if most else ()):
            distances, found = self._nearest(query, n, documents, by_graph=by_graph)
            if allowed is not None:
                visible = allowed.mask[found]
                distances, found = distances[visible], found[visible]
            scores[i, : len(found)], rows[i, : len(found)] = -distances, found
        return scores, rows

    def _nearest(
        self, query: NDArray[np.float32], n: int, documents: Sequence[int] | None, *, by_graph: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Distances and rows, in order of both."""
        operator, kind = f"OPERATOR({self.schema}.<#>)", f"{self.schema}.vector"
        asked: Any = VectorParameter(query)
        source, values = "embeddings", [asked]
        if documents is not None:
            source = "(SELECT * FROM embeddings WHERE doc_key = ANY(?)) told"
            values.append(list(documents))
        if by_graph:  # it is of rows of one length: what is not asked as such is compared with each
            half = f"{self.schema}.halfvec({len(query)})"
            source = f"(SELECT * FROM {source} ORDER BY embedding::{half} {operator} ?::{kind}::{half} LIMIT {n}) near"
            values.append(asked)
        found = self.db.execute(
            f"SELECT passage_key, start, embedding {operator} ?::{kind} AS distance FROM {source} "
            f"ORDER BY distance, passage_key, start LIMIT {n}",
            values,
        ).fetchall()
        places = np.array([key << _START_BITS | start for key, start, _ in found], dtype=np.int64)
        return np.array([distance for _, _, distance in found]), np.searchsorted(self.places, places)

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The stored vectors of rows that the caller may see."""
        if not len(rows):
            return np.zeros((0, 0), dtype=np.float32)
        places = self.places[rows]
        of_passages = self.db.execute(
            "SELECT passage_key, start, embedding FROM embeddings WHERE passage_key = ANY(?)",
            (np.unique(places >> _START_BITS).tolist(),),
        )
        found = {key << _START_BITS | start: vector[_HEAD:] for key, start, vector in of_passages}
        joined = b"".join(found[place] for place in places.tolist())
        return np.frombuffer(joined, dtype=">f4").reshape(len(rows), -1).astype(np.float32)


def make_embeddings(raw: Any, *, graph: bool) -> bool:
    """Makes the table and fills it, and with `graph` the graph of all vectors; in the transaction of a migration.

    The graph is of vectors of one length: where there is none yet, none is made.

    Args:
        raw: a connection as a login that may make the extension `vector`, or of a database that has it.
        graph: whether to make the graph, for more than `vector_search.EXACT_MOST` chunks.

    Returns:
        Whether there is what was asked for.

    Raises:
        IndexingError: the extension is older than `OLDEST`.
    """
    raw.execute(b"CREATE EXTENSION IF NOT EXISTS vector")
    schema, version = raw.execute(
        "SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
        "WHERE extname = 'vector'"
    ).fetchone()
    if tuple(map(int, version.split(".")[:2])) < OLDEST:
        raise IndexingError(f"pgvector {version} is too old: install {OLDEST[0]}.{OLDEST[1]} or newer on the server")
    if not raw.execute(f"SELECT {_IS_MADE}").fetchone()[0]:
        drop_embeddings(raw)
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
    raw.execute(b"DROP FUNCTION IF EXISTS policy_rag.pass_on_readers CASCADE")


_IS_MADE = "to_regprocedure('policy_rag.pass_on_readers()') IS NOT NULL"

# The policy is that of the documents. `open` is at hand, as it is asked of each row; CASE lets the planner guess that
# half of them are seen: where it takes them for few, it looks through all instead of following the graph.
_TABLE = """
CREATE TABLE policy_rag.embeddings (
    passage_key bigint NOT NULL REFERENCES policy_rag.passages ON DELETE CASCADE,
    start integer NOT NULL,
    doc_key bigint NOT NULL REFERENCES policy_rag.documents ON DELETE CASCADE,
    begins date,
    ends date,
    readers text[] COLLATE "C",
    open boolean GENERATED ALWAYS AS (readers = '{{}}') STORED,
    embedding {schema}.vector NOT NULL,
    PRIMARY KEY (passage_key, start)
);
CREATE INDEX embeddings_by_document ON policy_rag.embeddings (doc_key);
GRANT SELECT ON policy_rag.embeddings TO policy_rag_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON policy_rag.embeddings TO policy_rag_keeper;
GRANT USAGE ON SCHEMA {schema} TO policy_rag_reader, policy_rag_keeper;
CREATE POLICY read ON policy_rag.embeddings FOR SELECT TO policy_rag_reader USING (
    (SELECT policy_rag.is_granted())
    AND CASE WHEN open THEN (SELECT policy_rag.caller_groups()) IS NOT NULL
        ELSE readers && (SELECT policy_rag.caller_groups()) END
    AND CASE WHEN (SELECT policy_rag.caller_day()) IS NULL THEN TRUE
        ELSE (SELECT policy_rag.caller_day()) BETWEEN begins AND ends END
);
CREATE POLICY keep ON policy_rag.embeddings TO policy_rag_keeper USING ((SELECT policy_rag.is_granted()));
ALTER TABLE policy_rag.embeddings ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_rag.embeddings FORCE ROW LEVEL SECURITY;
CREATE FUNCTION policy_rag.pass_on_readers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE policy_rag.embeddings SET readers = NEW.readers, begins = NEW.begins, ends = NEW.ends
    WHERE doc_key = NEW.doc_key;
    RETURN NULL;
END
$$;
CREATE TRIGGER pass_on_readers AFTER UPDATE OF readers, begins, ends ON policy_rag.documents FOR EACH ROW
WHEN ((OLD.readers, OLD.begins, OLD.ends) IS DISTINCT FROM (NEW.readers, NEW.begins, NEW.ends))
EXECUTE FUNCTION policy_rag.pass_on_readers();
"""
_GRAPH_INDEX = """
CREATE INDEX IF NOT EXISTS embeddings_graph ON policy_rag.embeddings
USING hnsw ((embedding::{schema}.halfvec({size})) {schema}.halfvec_ip_ops)
"""
