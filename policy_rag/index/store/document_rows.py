"""Rows of SQLite to records and back; nothing else knows the columns."""

import datetime as dt
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.database import Database
from policy_rag.index.store.metadata import decode_document, decode_section, encode_document, encode_section
from policy_rag.index.store.stored_documents import AccessStatus, DocumentInfo, PreparedDocument, encode_extra
from policy_rag.index.store.supersession import Edition, superseded_from
from policy_rag_parsers.metadata.extraction_results import SectionMetadata
from policy_rag_parsers.records import Block, BlockKind, Edge, EdgeKind, FileFormat, PageMark, Section
from policy_rag_parsers.structure.numbering import number_key

_DOCUMENT = (
    "doc_key, doc_id, root, file, title, format, language, version, effective_from, effective_to, supersedes, access, "
    "extra, content_hash, source_hash, text, pages, metadata, recipes"
)
_SECTION = 'section_id, number, title, level, path, parent, start, "end", body, subtree_end, page'
_NO_END = 2**62


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage with its section, as a hit shows it; `pages` are those of its document."""

    passage_key: int
    doc_key: int
    section_id: str
    number: str | None
    title: str
    path: tuple[str, ...]
    start: int
    end: int
    text: str
    metadata: SectionMetadata | None = None
    path_numbers: tuple[str | None, ...] = ()
    line: int = 1
    pages: tuple[PageMark, ...] = ()


def text_hash(text: str) -> str:
    """SHA-256 of a text; unpaired surrogates are kept."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _date(value: str | None) -> dt.date | None:
    return dt.date.fromisoformat(value) if value else None


def read_documents(db: Database) -> tuple[DocumentInfo, ...]:
    """All documents in order of `doc_id`, each with the day from which another takes its place."""
    rows = db.execute(
        "SELECT doc_key, doc_id, root, file, title, format, language, version, effective_from, effective_to, "
        "supersedes, access, extra, (SELECT count(*) FROM sections s WHERE s.doc_key = d.doc_key), "
        "metadata FROM documents d ORDER BY doc_id"
    ).fetchall()
    statuses = [AccessStatus.decoded(r[11]) for r in rows]
    ends = superseded_from(read_editions(db))
    return tuple(
        DocumentInfo(
            doc_key=r[0],
            doc_id=r[1],
            root=r[2],
            file=r[3],
            title=r[4],
            format=FileFormat(r[5]),
            language=r[6],
            version=r[7],
            effective_from=_date(r[8]),
            effective_to=_date(r[9]),
            supersedes=tuple(json.loads(r[10])),
            superseded_from=ends.get(r[0]),
            access=status.groups,
            extra={key: tuple(value) if isinstance(value, list) else value for key, value in json.loads(r[12]).items()},
            sections=r[13],
            metadata=decode_document(r[14]),
            withheld=status.withheld,
        )
        for r, status in zip(rows, statuses, strict=True)
    )


def read_editions(db: Database) -> list[Edition]:
    """What is known of each document's place among its editions, in order of `doc_id`."""
    rows = db.execute(
        "SELECT doc_key, root, file, title, version, effective_from, supersedes FROM documents ORDER BY doc_id"
    )
    return [
        Edition(key, root, file, title, version, _date(begins), tuple(json.loads(supersedes)))
        for key, root, file, title, version, begins, supersedes in rows
    ]


def read_sections(db: Database, doc_key: int) -> tuple[Section, ...]:
    """The sections of a document in order."""
    rows = db.execute(f"SELECT {_SECTION} FROM sections WHERE doc_key = ? ORDER BY position", (doc_key,)).fetchall()
    ids = [row[0] for row in rows]
    return tuple(
        Section(
            section_id=r[0],
            number=r[1],
            title=r[2],
            level=r[3],
            path=tuple(json.loads(r[4])),
            parent=r[5],
            previous=ids[i - 1] if i else None,
            next=ids[i + 1] if i + 1 < len(ids) else None,
            start=r[6],
            end=r[7],
            body=r[8],
            subtree_end=r[9],
            page=r[10],
        )
        for i, r in enumerate(rows)
    )


def read_blocks(
    db: Database, doc_key: int, start: int = 0, end: int | None = None, *, kind: BlockKind | None = None
) -> tuple[Block, ...]:
    """The blocks of a document that share a character with `[start, end)`, in order; those of one `kind` if named."""
    rows = db.execute(
        'SELECT kind, start, "end", parent, marker FROM blocks WHERE doc_key = ? AND "end" > ? AND start < ? '
        "AND kind LIKE ? ORDER BY position",
        (doc_key, start, _NO_END if end is None else end, kind.value if kind else "%"),
    )
    return tuple(Block(BlockKind(name), *places) for name, *places in rows)


def read_edges(db: Database, doc_key: int, *, target: str | None = None) -> tuple[Edge, ...]:
    """The edges between a document's sections, in order of `start`; those to one section where it is named."""
    to, given = ("", (doc_key,)) if target is None else (" AND target = ?", (doc_key, target))
    rows = db.execute(
        f'SELECT section_id, target, kind, start, "end" FROM edges WHERE doc_key = ?{to} ORDER BY position', given
    )
    return tuple(Edge(home, to, EdgeKind(name), *places) for home, to, name, *places in rows)


def read_text(db: Database, doc_key: int) -> str:
    """The text of a document."""
    return str(db.execute("SELECT text FROM documents WHERE doc_key = ?", (doc_key,)).fetchone()[0])


def read_pages(db: Database, doc_key: int) -> tuple[PageMark, ...]:
    """Where the pages of a document begin, in order; none where its format has none."""
    return _pages(db.execute("SELECT pages FROM documents WHERE doc_key = ?", (doc_key,)).fetchone()[0])


@lru_cache(maxsize=1 << 10)
def _pages(stored: str) -> tuple[PageMark, ...]:
    return tuple(PageMark(start, number) for start, number in json.loads(stored))


def line_at(text: str, at: int) -> int:
    """The line on which a character stands, from 1."""
    return text.count("\n", 0, at) + 1


def read_passages(db: Database, keys: Iterable[int]) -> dict[int, PassageRow]:
    """The passages with these keys; a document's text is read once, however many passages stand in it."""
    wanted = sorted(set(keys))
    places: dict[int, list[tuple[Any, ...]]] = {}
    for i in range(0, len(wanted), 500):
        part = wanted[i : i + 500]
        for row in db.execute(
            'SELECT p.doc_key, p.passage_key, s.section_id, s.number, s.title, s.path, p.start, p."end", '
            "s.metadata FROM passages p JOIN sections s ON s.doc_key = p.doc_key AND s.position = p.section "
            f"WHERE p.passage_key IN ({','.join('?' * len(part))})",
            part,
        ):
            places.setdefault(row[0], []).append(row)

    @cache
    def above(doc_key: int, section_id: str) -> tuple[str | None, str | None]:
        """The number and the parent of a section."""
        number, parent = db.execute(
            "SELECT number, parent FROM sections WHERE doc_key = ? AND section_id = ?", (doc_key, section_id)
        ).fetchone()
        return number, parent

    found: dict[int, PassageRow] = {}
    for doc_key, rows in places.items():
        document, stored = db.execute("SELECT text, pages FROM documents WHERE doc_key = ?", (doc_key,)).fetchone()
        pages = _pages(stored)
        for _, key, section_id, number, title, path, start, end, metadata in rows:
            found[key] = PassageRow(
                key, doc_key, section_id, number, title, _path(path), start, end, document[start:end],
                decode_section(metadata), path_numbers(section_id, len(_path(path)), partial(above, doc_key)),
                line_at(document, start), pages,
            )  # fmt: skip
    return found


@lru_cache(maxsize=1 << 14)
def _path(stored: str) -> tuple[str, ...]:
    """The same sections are read for many questions."""
    return tuple(json.loads(stored))


def path_numbers(
    section_id: str, steps: int, of: Callable[[str], tuple[str | None, str | None]]
) -> tuple[str | None, ...]:
    """The number of each step of a section's path, or None, from the document's title down.

    Args:
        section_id: whose path it is.
        steps: how many steps it has.
        of: the number and the parent of a section.

    >>> sections = {"2.1": ("2.1", "2"), "2": ("2", None)}
    >>> path_numbers("2.1", 3, lambda section_id: sections[section_id])
    (None, '2', '2.1')
    """
    numbers: list[str | None] = []
    name: str | None = section_id
    while name is not None and len(numbers) < steps - 1:
        number, name = of(name)
        numbers.insert(0, number)
    return (*(None,) * (steps - len(numbers)), *numbers)


def numbers_in(section: Section, sections: Mapping[str, Section]) -> tuple[str | None, ...]:
    """The same of a section among all of its document, by their ids."""
    return path_numbers(
        section.section_id, len(section.path), lambda name: (sections[name].number, sections[name].parent)
    )


def write_document(db: Database, document: PreparedDocument, vector_hashes: Sequence[Sequence[str]]) -> None:
    """Writes a document in place of the one of the same `doc_id`; passages whose text stays keep their keys.

    Args:
        db: inside a transaction.
        document: what to write.
        vector_hashes: for each passage, the vector's hash of each of its chunks.
    """
    old = db.execute("SELECT doc_key FROM documents WHERE doc_id = ?", (document.doc_id,)).fetchone()
    doc_key, kept = (old[0], _passage_keys(db, old[0])) if old else (None, {})
    if doc_key is not None:
        db.execute("DELETE FROM documents WHERE doc_key = ?", (doc_key,))
    declared = document.declaration
    key = _insert(
        db,
        f"documents ({_DOCUMENT})",
        doc_key,
        (
            document.doc_id,
            document.root,
            document.file,
            document.title,
            document.source.format.value,
            document.language,
            declared.version or None,
            declared.effective_from.isoformat() if declared.effective_from else None,
            declared.effective_to.isoformat() if declared.effective_to else None,
            json.dumps(declared.supersedes),
            AccessStatus(declared.access).encoded(),
            encode_extra(declared.extra),
            document.content_hash,
            document.source_hash,
            document.source.text,
            json.dumps([(mark.start, mark.number) for mark in document.source.pages]),
            encode_document(document.metadata),
            json.dumps(dict(document.recipes)),
        ),
    )
    extracted = _by_section(document)
    rows = [
        (
            key, i, number_key(s.number) if s.number else None, s.section_id, s.number, s.title, s.level,
            json.dumps(s.path, ensure_ascii=False), s.parent, s.start, s.end, s.body, s.subtree_end, s.page,
            encode_section(extracted.get(s.section_id)),
        )
        for i, s in enumerate(document.sections)
    ]  # fmt: skip
    columns = f"doc_key, position, number_key, {_SECTION}, metadata"
    db.executemany(f"INSERT INTO sections ({columns}) VALUES ({', '.join('?' * 15)})", rows)
    blocks = [(key, i, b.kind.value, b.start, b.end, b.parent, b.marker) for i, b in enumerate(document.blocks)]
    db.executemany("INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?)", blocks)
    edges = [(key, i, e.section_id, e.target, e.kind.value, e.start, e.end) for i, e in enumerate(document.edges)]
    db.executemany("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)", edges)
    _write_passages(db, key, document, vector_hashes, kept)
    seal_document(db, key)


def _insert(db: Database, into: str, key: int | None, values: Sequence[Any]) -> int:
    """Writes a row under its key, the first of the columns, or under the next that is free; answers the key."""
    if key is not None:
        db.execute(f"INSERT INTO {into} VALUES ({', '.join('?' * (len(values) + 1))})", (key, *values))
        return key
    table, _, columns = into.partition(" (")
    name, _, rest = columns.partition(", ")
    row = db.execute(
        f"INSERT INTO {table} ({rest} VALUES ({', '.join('?' * len(values))}) RETURNING {name}", values
    ).fetchone()
    return int(row[0])


def _by_section(document: PreparedDocument) -> dict[str, SectionMetadata]:
    return {section.section_id: section for section in document.metadata.sections} if document.metadata else {}


def same_metadata(db: Database, document: PreparedDocument, doc_id: str) -> bool:
    """Whether the index holds of `doc_id` the metadata that `document` brings, or `document` brings none."""
    if document.metadata is None:
        return True
    row = db.execute("SELECT doc_key, metadata, recipes FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
    if row is None or row[1] != encode_document(document.metadata) or json.loads(row[2]) != dict(document.recipes):
        return False
    rows = db.execute("SELECT section_id, metadata FROM sections WHERE doc_key = ?", (row[0],)).fetchall()
    extracted = _by_section(document)
    return all(text == encode_section(extracted.get(section_id)) for section_id, text in rows)


def document_digest(db: Database, doc_key: int) -> str:
    """SHA-256 of every row that belongs to a document, as they stand in SQLite."""
    digest = hashlib.sha256()
    for query in (
        f"SELECT {_DOCUMENT} FROM documents WHERE doc_key = ?",
        "SELECT * FROM sections WHERE doc_key = ? ORDER BY position",
        "SELECT * FROM blocks WHERE doc_key = ? ORDER BY position",
        "SELECT * FROM edges WHERE doc_key = ? ORDER BY position",
        "SELECT * FROM passages WHERE doc_key = ? ORDER BY passage_key",
        "SELECT c.* FROM chunks c JOIN passages p USING (passage_key) WHERE p.doc_key = ? ORDER BY 1, c.start",
    ):
        for row in db.execute(query, (doc_key,)):
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def seal_document(db: Database, doc_key: int) -> None:
    """Writes the digest of a document's rows beside them; part of the caller's transaction."""
    db.execute("UPDATE documents SET digest = ? WHERE doc_key = ?", (document_digest(db, doc_key), doc_key))


def change_document(db: Database, known_as: str, **columns: str) -> None:
    """Changes columns of a document and its digest; part of the caller's transaction. An unknown one is passed over."""
    row = db.execute("SELECT doc_key FROM documents WHERE doc_id = ?", (known_as,)).fetchone()
    if row is not None:
        changes = ", ".join(f"{name} = ?" for name in columns)
        db.execute(f"UPDATE documents SET {changes} WHERE doc_key = ?", (*columns.values(), row[0]))
        seal_document(db, row[0])


def write_access_status(db: Database, doc_id: str, status: AccessStatus) -> None:
    """Says who may read a document whose text stays; the next ingest reads its file anew.

    Part of the caller's transaction.
    """
    change_document(db, doc_id, access=status.encoded(), content_hash="", source_hash="")


def write_vectors(db: Database, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
    """Writes vectors, each with a checksum; part of the caller's transaction."""
    blobs = [row.tobytes() for row in np.ascontiguousarray(vectors, dtype=np.float32)]
    db.executemany(
        "INSERT INTO vectors VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE "
        "SET crc = excluded.crc, vector = excluded.vector",
        [(digest, zlib.crc32(blob), blob) for digest, blob in zip(hashes, blobs, strict=True)],
    )


def _passage_keys(db: Database, doc_key: int) -> dict[tuple[str, str], list[int]]:
    """Section id and text hash to the passage keys that have them, in order."""
    keys: dict[tuple[str, str], list[int]] = {}
    for passage_key, section_id, digest in db.execute(
        "SELECT p.passage_key, s.section_id, p.text_hash FROM passages p JOIN sections s "
        "ON s.doc_key = p.doc_key AND s.position = p.section WHERE p.doc_key = ? ORDER BY p.passage_key",
        (doc_key,),
    ):
        keys.setdefault((section_id, digest), []).append(passage_key)
    return keys


def _write_passages(
    db: Database,
    doc_key: int,
    document: PreparedDocument,
    vector_hashes: Sequence[Sequence[str]],
    kept: dict[tuple[str, str], list[int]],
) -> None:
    position = {section.section_id: i for i, section in enumerate(document.sections)}
    for passage, hashes in zip(document.passages, vector_hashes, strict=True):
        digest = text_hash(document.source.text[passage.start : passage.end])
        old = kept.get((passage.section_id, digest))
        known = old.pop(0) if old else None
        values = (doc_key, position[passage.section_id], passage.start, passage.end, digest)
        key = _insert(db, 'passages (passage_key, doc_key, section, start, "end", text_hash)', known, values)
        db.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?)",
            [(key, c.start, c.end, c.context, h) for c, h in zip(passage.chunks, hashes, strict=True)],
        )
