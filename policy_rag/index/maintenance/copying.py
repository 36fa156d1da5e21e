"""A whole index copied into an empty one, from a folder into Postgres or back, with nothing embedded again."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from policy_rag.errors import IndexingError
from policy_rag.index.store.database import Database
from policy_rag.index.store.manifest import read_manifest
from policy_rag.index.store.store import Index

_BATCH = 500  # rows written at once

_TABLES = {
    "manifest": ("key, value", "key"),
    "documents": (
        (
            "doc_key, doc_id, root, file, title, format, language, version, effective_from, effective_to, supersedes, "
            "access, extra, content_hash, source_hash, text, pages, metadata, recipes, digest, linked"
        ),
        "doc_key",
    ),
    "sections": (
        (
            "doc_key, position, section_id, number, number_key, title, level, path, parent, start, "
            '"end", body, subtree_end, page, metadata'
        ),
        "doc_key, position",
    ),
    "blocks": ('doc_key, position, kind, start, "end", parent, marker', "doc_key, position"),
    "edges": ('doc_key, position, section_id, target, kind, start, "end"', "doc_key, position"),
    "links": (
        'doc_key, target_key, section_id, target, kind, start, "end"',
        "doc_key, start, \"end\", target_key, coalesce(section_id, ''), coalesce(target, ''), kind",
    ),
    "passages": ('passage_key, doc_key, section, start, "end", text_hash', "passage_key"),
    "chunks": ('passage_key, start, "end", context, vector_hash', "passage_key, start"),
    "vectors": ("hash, crc, vector", "hash"),
}
"""Columns of each table and what puts its rows in one order; a table comes after those that it refers to."""

_OWN = ("format", "transaction", "token", "milvus")  # of the manifest: what each index has for itself


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds.

    Attributes:
        documents: how many.
        vectors: how many.
        digest: SHA-256 of all rows, the same of both indexes.
    """

    documents: int
    vectors: int
    digest: str


def copy_index(source: Index, target: Index) -> Copied:
    """Copies all rows in one transaction, which is undone unless both indexes then have the same hash.

    Keys are kept, so that each document's own hash holds too. Derived files are made from the copied rows.

    Raises:
        IndexingError: the source is empty, the target is not, or what arrived differs from what was sent.
    """
    with source.reading() as old, target.writer() as new:
        manifest = read_manifest(old)
        if manifest is None:
            raise IndexingError(f"the index in {source.name} is empty: run `policy-rag ingest PATH` first")
        if read_manifest(new) is not None:
            raise IndexingError(f"there is an index in {target.name} already: name an empty folder or database")
        sent = index_digest(old)

        def change(db: Database) -> Copied:
            for table, (columns, _) in _TABLES.items():
                row = ", ".join("?" * (columns.count(",") + 1))
                for rows in _batches(old, table):
                    db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({row})", rows)
            if index_digest(db) != sent:
                raise IndexingError(
                    f"what arrived in {target.name} differs from what was sent, and is undone: run "
                    f"`policy-rag verify` on {source.name}, then this again"
                )
            return Copied(_count(db, "documents"), _count(db, "vectors"), sent)

        return target.rewrite(new, manifest, change)


def index_digest(db: Database) -> str:
    """SHA-256 of all rows of an index, whichever database holds them, but for its transaction's number and token."""
    digest = hashlib.sha256()
    for table in _TABLES:
        digest.update(table.encode())
        for row in _rows(db, table):
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _rows(db: Database, table: str) -> Iterator[tuple[Any, ...]]:
    columns, order = _TABLES[table]
    for row in db.execute(f"SELECT {columns} FROM {table} ORDER BY {order}"):
        if table != "manifest" or row[0] not in _OWN:
            yield tuple(row)


def _batches(db: Database, table: str) -> Iterator[Sequence[tuple[Any, ...]]]:
    rows = _rows(db, table)
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _count(db: Database, table: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
