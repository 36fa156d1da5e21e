"""What an index costs in Postgres: the same searches beside a folder and beside the bare engines, in one run.

    python -m benchmarks.postgres size DATASET postgresql://USER@HOST/EMPTY_DATABASE [--sections N] [--questions N]
                                  [--milvus URI]
    python -m benchmarks.postgres same DATASET INDEX INDEX [--questions N]

`same` asks the questions of a data set of two indexes, such as a folder and its copy, and tells how far hits and scores
differ. `size` makes sections of the data set's passages: their text, and their vectors with noise. They are taken into
a folder, and copied into Postgres. Callers may read 1, 5, 30 and 100 % of the documents. For each it gives the
milliseconds, at the median and the 95th percentile, of whole searches (by vectors, by both searches) in the folder, in
Postgres with files, and in Postgres with pgvector; of the vector search alone in each beside the bare engines, with
pgvector's graph too (for callers who may find more than 3,000 sections); with `--milvus` also of Milvus; and the share
of the exact 50 passages that each finds. And it gives the megabytes of a process of its own that asks the same, and of
the server. The login must be allowed to make tables, roles and the extension `vector`. How many processes fare at once
is measured by `benchmarks.postgres_processes`.

A bare engine does the work that the search gives its engine, and nothing else: it is asked for as many chunks as the
search asks for (62, as several may be of one of the 50 passages), and orders them by vectors of 32 bits, as hits are.
FAISS has a bitmap at hand, Milvus the documents. pgvector has the groups beside each vector, so that it reads no other
table and takes no role, and is given the query in binary as ours is: `pgvector` compares all; `hnsw` follows a graph of
16 bits and orders what it finds by 32, as pgvector's manual has it. `pgvector 16` and `hnsw 16` leave it at 16 bits:
less work, and other hits. The search beside them has its role and groups set anew each time, as in a transaction of its
own.
"""

import argparse
import datetime as dt
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.index import Vectors, document_of, manifest_of, passages_of, timed
from benchmarks.postgres_memory import EXACT_MOST, GRAPH_FROM, GivenQuestions, of_reader, of_server
from policy_rag.index.maintenance.copying import copy_index
from policy_rag.index.store.place import index_place, migrate_tables
from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
from policy_rag.index.store.postgres.connection import PostgresDatabase
from policy_rag.index.store.postgres.pgvector import GRAPH, VectorParameter
from policy_rag.index.store.store import Index, Snapshot, TextEmbedder
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest, SearchResult
from policy_rag.retrieval.candidates.vector_candidates import nearest_passages
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration

_PER_DOCUMENT = 100
_SHARES = (0.01, 0.05, 0.3, 1.0)
_NOISE = 0.5  # length of what is added to a vector of length 1
_LISTED, _ASKED = 50, 62  # passages wanted, and chunks that the engine is asked for
_EMBEDDED = 500  # passages whose own vectors all others are made of
_DAY = dt.date(2026, 1, 1)
_BY_32_BITS = "SELECT passage FROM near ORDER BY embedding <#> %(query)s::vector"
_Bare = Callable[[float], Callable[[NDArray[np.float32]], object]]
"""A bare engine: for a share of the documents, what searches by a query."""


def perturbed(rows: NDArray[np.float32], count: int, chance: np.random.Generator) -> NDArray[np.float32]:
    """`(count, dimension)` rows of norm 1: each one of `rows` in turn, with noise of one length in any direction."""
    noise = chance.normal(size=(count, rows.shape[1])) / np.sqrt(rows.shape[1])
    made = rows[np.arange(count) % len(rows)] + _NOISE * noise
    found: NDArray[np.float32] = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return found


def group_of(share: float) -> str:
    """The group that may read that share of the documents."""
    return f"share {share:g}"


def documents_of(texts: Sequence[str], sections: int) -> Iterator[PreparedDocument]:
    """Documents of 100 sections; the first hundredth is open to all groups, the last 70 % to one."""
    count = -(-sections // _PER_DOCUMENT)
    for i in range(count):
        places = range(i * _PER_DOCUMENT, min(sections, (i + 1) * _PER_DOCUMENT))
        access = tuple(group_of(share) for share in _SHARES if i < share * count)
        made = document_of(f"policy {i}", [f"{k} {texts[k % len(texts)][:400]}".replace("\n", " ") for k in places])
        yield replace(made, declaration=Declaration(access=access))


def measure(
    dataset: Path,
    address: PostgresAddress,
    embedder: TextEmbedder,
    *,
    sections: int,
    questions: int,
    milvus: str | None = None,
) -> dict[str, Any]:
    """Makes both indexes and measures them."""
    passages = [text for _, text in passages_of(dataset) if text.strip()][:_EMBEDDED]
    chance = np.random.default_rng(0)
    real = embedder.embed(passages)
    rows = perturbed(real, sections, chance)
    asked = dict(zip((p[:80] for p in passages), perturbed(real, len(passages), chance), strict=False))
    asked = dict(list(asked.items())[:questions])
    with (
        tempfile.TemporaryDirectory() as home,
        Index(Path(home) / "index", create=True) as folder,
        Index(address, create=True) as database,
    ):
        made = timed(
            lambda: folder.update(list(documents_of(passages, sections)), manifest_of(rows.shape[1]), Vectors(rows))
        )
        copied = timed(lambda: copy_index(folder, database))
        derived = timed(lambda: _open(database))
        with Index(address) as again:
            opened = timed(lambda: _open(again))
        callers = [group_of(share) for share in _SHARES]
        memory: dict[str, Any] = {"folder": of_reader(folder.folder, asked, callers)}
        memory["files"] = of_reader(address, asked, callers) | {"server": of_server(address)}
        given = GivenQuestions(asked)
        places = {"folder": Searcher(folder, given), "postgres": Searcher(database, given)}
        shares = {f"{share:.0%}": _of_share(share, places, asked) for share in _SHARES}
        filled = timed(lambda: migrate_tables(address, vectors=VectorEngine.PGVECTOR))
        parts = []
        with Index(address) as searched, _bare(folder, address) as bare:
            memory["making"] = of_reader(
                address, asked, callers
            )  # of the files of keyword search, as none are there yet
            _open(searched)
            memory["pgvector"] = of_reader(address, asked, callers) | {"server": of_server(address)}
            places = {"folder": places["folder"], "pgvector": Searcher(searched, given)}
            parts.append({f"{share:.0%}": _of_share(share, places, asked) for share in _SHARES})
            exact = {name: bare[name] for name in ("faiss", "pgvector", "pgvector 16")}
            parts.append(_alone({"folder": folder, "files": database, "pgvector": searched}, asked, exact))
            graphed = timed(lambda: migrate_tables(address, vectors=VectorEngine.PGVECTOR_HNSW))
            with Index(address) as graph, patch(EXACT_MOST, GRAPH_FROM):
                followed = {name: bare[name] for name in ("hnsw", "hnsw 16")}
                parts.append(_alone({"folder": folder, "graph": graph}, asked, followed))
            memory["graph"] = of_reader(address, asked, callers, graph=True) | {"server": of_server(address)}
        into_milvus: dict[str, float] = {}
        if milvus is not None:
            migrate_tables(address, vectors=VectorEngine.MILVUS, milvus=milvus)
            with Index(address) as searched:
                into_milvus = {"milvus_filled_seconds": timed(lambda: _search_all(searched, asked))}
                places = {"folder": places["folder"], "milvus": Searcher(searched, given)}
                parts.append({f"{share:.0%}": _of_share(share, places, asked) for share in _SHARES})
                parts.append(_alone({"folder": folder, "milvus": searched}, asked, {"milvus": _bare_milvus(searched)}))
    for part in parts:
        for name, measured in part.items():
            shares[name] = measured | shares[name]  # what was timed beside an engine stays beside it
    return {
        "sections": sections,
        "questions": len(asked),
        "folder_made_seconds": made,
        "copied_seconds": copied,
        "derived_seconds": derived,
        "opened_again_seconds": opened,
        "pgvector_filled_seconds": filled,
        "graph_made_seconds": graphed,
        **into_milvus,
        "megabytes": memory,
        "shares": shares,
    }


def compare(dataset: Path, places: Sequence[str], questions: int | None) -> dict[str, Any]:
    """Whether two indexes give the same hits with the same scores, under the settings in force."""
    from policy_rag.assistant import PolicyAssistant

    lines = (dataset / "queries.jsonl").read_text(encoding="utf-8").splitlines()[:questions]
    asked = [SearchRequest(json.loads(line)["text"]) for line in lines]
    found = []
    for place in places:
        with PolicyAssistant.open(place, today=_DAY) as assistant:
            found.append(assistant.search_many(asked))
    hits = sum(len(result.hits) for result in found[0])
    return {"questions": len(asked), "hits": hits, **_difference(*found)}


def _open(index: Index) -> None:
    with index.snapshot():
        pass


def _search_all(index: Index, asked: dict[str, NDArray[np.float32]]) -> None:
    """One search, which makes the collection first."""
    with index.snapshot() as snapshot:
        snapshot.vectors.search(next(iter(asked.values()))[None], 1, None)


def _of_share(share: float, places: dict[str, Searcher], asked: dict[str, NDArray[np.float32]]) -> dict[str, Any]:
    """Times of each place, by search, and how far their hits differ."""
    found: dict[str, Any] = {}
    for search in (Search.VECTOR, Search.WEIGHTED):
        results: dict[str, list[SearchResult]] = {}
        for name, searcher in places.items():
            options = SearchOptions(search=search)
            calls = [
                partial(searcher.search_many, [SearchRequest(question, groups=(group_of(share),))], options, today=_DAY)
                for question in asked
            ]
            calls[0]()
            results[name] = [call()[0] for call in calls]
            found[f"{name} {search.value}"] = _times(calls)
        found[f"{list(places)[-1]} differs {search.value}"] = _difference(*results.values())
    return found


def _alone(
    indexes: dict[str, Index], asked: dict[str, NDArray[np.float32]], bare: Mapping[str, _Bare] | None = None
) -> dict[str, dict[str, Any]]:
    """Times of the vector search alone in each index, and the share of the first one's passages that it finds.

    All are asked a question before the next, in an order drawn by chance: what one of them leaves in the processor's
    caches, and of its time to the next, helps or harms none.
    """
    chance = random.Random(0)
    found: dict[str, dict[str, Any]] = {}
    queries = list(asked.values())
    for share in _SHARES:
        request = SearchRequest("q", groups=(group_of(share),))
        with ExitStack() as stack:
            calls: dict[str, Callable[[NDArray[np.float32]], object]] = {}
            for name, index in indexes.items():
                snapshot = stack.enter_context(index.snapshot())
                calls[f"{name} alone"] = partial(_listed, snapshot, request)
            calls |= {name: engine(share) for name, engine in (bare or {}).items()}
            lists = {name: [call(query) for query in queries] for name, call in calls.items()}
            taken: dict[str, list[float]] = {name: [] for name in calls}
            for query in queries:
                for name, call in chance.sample(list(calls.items()), len(calls)):
                    taken[name].append(1e3 * timed(partial(call, query)))
        one_share = found[f"{share:.0%}"] = {name: _percentiles(each) for name, each in taken.items()}
        expected: list[Any] = next(iter(lists.values()))
        for name, each in lists.items():
            if not isinstance(each[0], set):  # a bare engine that is exact
                continue
            recall = np.mean([len(a & b) / len(a) for a, b in zip(expected, each, strict=True)])
            one_share[name]["recall"] = float(recall)
    return found


def _listed(snapshot: Snapshot, request: SearchRequest, query: NDArray[np.float32]) -> set[int]:
    """The passages that the vector search finds; both indexes have them in the same order."""
    view = Visibility.of(snapshot, request, _DAY)
    if isinstance(snapshot.db, PostgresDatabase):
        snapshot.db.shared.caller = None  # so that role and groups are set anew, as for each search of its own
    return set(nearest_passages(view, query[None], _LISTED, 1)[0].tolist())


def _difference(ours: Sequence[SearchResult], theirs: Sequence[SearchResult]) -> dict[str, float]:
    """The share of questions with other hits, and the largest difference of a score where they are the same."""
    same = [
        [(h.doc_id, h.start) for h in a.hits] == [(h.doc_id, h.start) for h in b.hits]
        for a, b in zip(ours, theirs, strict=True)
    ]
    scores = [
        abs(x.score - y.score)
        for a, b, equal in zip(ours, theirs, same, strict=True)
        if equal
        for x, y in zip(a.hits, b.hits, strict=True)
    ]
    return {"other_hits": 1 - float(np.mean(same)), "score": max(scores, default=0.0)}


def _times(calls: Sequence[Callable[[], object]]) -> dict[str, float]:
    """Milliseconds of these calls."""
    return _percentiles([1e3 * timed(call) for call in calls])


def _percentiles(taken: Sequence[float]) -> dict[str, float]:
    return {"p50": float(np.percentile(taken, 50)), "p95": float(np.percentile(taken, 95))}


@contextmanager
def _bare(index: Index, address: PostgresAddress) -> Iterator[dict[str, _Bare]]:
    """FAISS and pgvector alone, with the same vectors; whoever asks for a graph has one made of them first."""
    import faiss as untyped_faiss
    import psycopg

    faiss: Any = untyped_faiss
    with index.snapshot() as snapshot:
        access = {d.doc_key: set(d.access) for d in snapshot.documents}
        passages = snapshot.derived.chunks[:, 0]
        keys = snapshot.derived.passages[passages, 1].tolist()
        rows = snapshot.vectors.vectors(np.arange(len(keys)))
        flat = faiss.IndexFlatIP(rows.shape[1])
        flat.add(rows)
    half = f"halfvec({rows.shape[1]})"
    nearest = "SELECT {} FROM public.{} WHERE groups && %(groups)s::text[] ORDER BY {} LIMIT " + str(_ASKED)  # noqa: S608
    with psycopg.connect(address.url, autocommit=True) as db:
        db.execute("CREATE EXTENSION IF NOT EXISTS vector")
        for table, kind in (("bare", f"vector({rows.shape[1]})"), ("bare_16", half)):
            db.execute(f"DROP TABLE IF EXISTS public.{table}".encode())
            db.execute(f"CREATE TABLE public.{table} (passage int, groups text[], embedding {kind})".encode())
            with db.cursor() as cursor, cursor.copy(f"COPY public.{table} FROM STDIN".encode()) as copy:
                for passage, key, row in zip(passages.tolist(), keys, rows, strict=True):
                    copy.write_row((passage, sorted(access[key]), as_text(row)))
            db.execute(f"VACUUM ANALYZE public.{table}".encode())

        def by_faiss(share: float) -> Callable[[NDArray[np.float32]], object]:
            allowed = np.array([group_of(share) in access[key] for key in keys])
            selector = faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
            params = faiss.SearchParameters(sel=selector)
            return lambda query: set(passages[flat.search(query[None], _ASKED, params=params)[1][0, :_LISTED]].tolist())

        def by_pgvector(table: str, kind: str, share: float) -> Callable[[NDArray[np.float32]], object]:
            return partial(
                _passages, db, nearest.format("passage", table, f"embedding <#> %(query)s::vector::{kind}"), share
            )

        def by_graph(table: str, kind: str, share: float) -> Callable[[NDArray[np.float32]], object]:
            db.execute("SET maintenance_work_mem = '1GB'; SET enable_sort = off")  # so that it is followed at any share
            db.execute(
                f"CREATE INDEX IF NOT EXISTS {table}_graph ON public.{table} "
                f"USING hnsw ((embedding::{half}) halfvec_ip_ops)".encode()
            )
            for name, value in GRAPH.items():
                db.execute("SELECT set_config(%s, %s, false)", (name, value))
            distance = f"embedding::{half} <#> %(query)s::vector::{half}"
            if kind == half:
                return partial(_passages, db, nearest.format("passage", table, distance), share)
            near = nearest.format("passage, embedding", table, distance)
            return partial(_passages, db, f"WITH near AS ({near}) {_BY_32_BITS}", share)

        yield {
            "faiss": by_faiss,
            "pgvector": partial(by_pgvector, "bare", "vector"),
            "pgvector 16": partial(by_pgvector, "bare_16", half),
            "hnsw": partial(by_graph, "bare", "vector"),
            "hnsw 16": partial(by_graph, "bare_16", half),
        }
        db.execute("DROP TABLE public.bare, public.bare_16")


def as_text(vector: NDArray[np.float32]) -> str:
    """A vector as COPY gives it to pgvector.

    >>> as_text(np.array([0.5, -1], dtype=np.float32))
    '[0.5,-1]'
    """
    return "[" + ",".join(["%.9g"] * len(vector)) % tuple(vector.tolist()) + "]"


def _passages(db: Any, statement: str, share: float, query: NDArray[np.float32]) -> set[int]:
    found = db.execute(statement, {"groups": [group_of(share)], "query": VectorParameter(query)}).fetchall()
    return {row[0] for row in found[:_LISTED]}


def _bare_milvus(index: Index) -> _Bare:
    """Milvus alone, told the documents at hand."""
    from policy_rag.index.store.postgres.milvus import milvus_place
    from policy_rag.index.store.postgres.milvus_engine import MilvusEngine, among

    with index.snapshot() as snapshot:
        place = milvus_place(snapshot.db)
        documents = snapshot.documents
    if place is None:
        raise ValueError("Milvus does not search this index")
    engine = MilvusEngine(place.uri)
    (name,) = engine.names(place.prefix)

    def by_milvus(share: float) -> Callable[[NDArray[np.float32]], object]:
        keys = np.array([d.doc_key for d in documents if d.open_to((group_of(share),))])
        told = among("document", keys) if share < 1 else ""
        return lambda query: engine.search(name, query[None], _ASKED, told)

    return by_milvus


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    size, same = commands.add_parser("size"), commands.add_parser("same")
    for one in (size, same):
        one.add_argument("dataset", type=Path)
        one.add_argument("--questions", type=int, default=50 if one is size else None)
    size.add_argument("address", type=index_place)
    size.add_argument("--sections", type=int, default=100_000)
    size.add_argument("--milvus", help="where Milvus is, or a file NAME.db of milvus-lite")
    same.add_argument("index", nargs=2)
    given = parser.parse_args()
    if given.command == "same":
        found = compare(given.dataset, given.index, given.questions)
    elif isinstance(given.address, PostgresAddress):
        from policy_rag.models.factory import load_embedder

        found = measure(
            given.dataset,
            given.address,
            load_embedder(),
            sections=given.sections,
            questions=given.questions,
            milvus=given.milvus,
        )
    else:
        parser.error("give the address of an empty database: postgresql://USER@HOST/DATABASE")
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
