"""Where documents point to each other, worked out anew for what a transaction changed.

Which document a text means follows from the titles and file names of all of them, so links are no part of a document:
they are made when a transaction ends, from rows that stand. A document keeps a hash of all that its links depend on,
and of the links; where both still hold nothing is read again.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import astuple, dataclass

from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_edges, read_editions, read_sections, read_text, text_hash
from policy_rag.index.store.supersession import successions
from policy_rag_parsers.records import EdgeKind, FileFormat, SourceText
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library
from policy_rag_parsers.references.section_edges import find_links

_COLUMNS = 'doc_key, target_key, section_id, target, kind, start, "end"'


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A place `[start, end)` of a document that points to another document.

    Attributes:
        doc_key: the document that points.
        target_key: the one that it points to.
        section_id: the section that points; None where the document declares that it supersedes the other.
        target: the section that it points to; None for the document as a whole.
        kind: what is said of it.
    """

    doc_key: int
    target_key: int
    section_id: str | None
    target: str | None
    kind: EdgeKind
    start: int
    end: int


def read_links(db: Database, doc_key: int) -> tuple[StoredLink, ...]:
    """The links of a document to others, in order of `start`."""
    return tuple(_read(db, "doc_key", doc_key))


def read_links_to(db: Database, doc_key: int) -> tuple[StoredLink, ...]:
    """The links of others to a document, in order of their documents, then of `start`."""
    return tuple(_read(db, "target_key", doc_key))


def read_pointing(db: Database, doc_key: int, visible: Container[int]) -> tuple[StoredLink, ...]:
    """What a document points to, in itself and in others, in order of `start`.

    Where a mention leads to a document that is visible it leads nowhere in its own; `visible` are the keys of those
    that may be told of.
    """
    links = [link for link in read_links(db, doc_key) if link.target_key in visible]
    spans = sorted((link.start, link.end) for link in links)
    own = [
        StoredLink(doc_key, doc_key, edge.section_id, edge.target, edge.kind, edge.start, edge.end)
        for edge in read_edges(db, doc_key)
        if not _overlaps(spans, edge.start, edge.end)
    ]
    return tuple(sorted((*own, *links), key=lambda link: (link.start, link.end)))


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_left(spans, (end, 0))
    return any(last > start for _, last in spans[max(0, at - 2) : at])


def _read(db: Database, column: str, doc_key: int) -> Iterator[StoredLink]:
    order = 'doc_key, start, "end", target_key, target'
    for row in db.execute(f"SELECT {_COLUMNS} FROM links WHERE {column} = ? ORDER BY {order}", (doc_key,)):
        home, to, section_id, target, kind, start, end = row
        yield StoredLink(home, to, section_id, target, EdgeKind(kind), start, end)


def relink(db: Database) -> None:
    """Works out the links of each document that has changed, or that names one which has; inside a transaction."""
    rows = db.execute("SELECT doc_id, doc_key, title, file, format, digest, linked FROM documents").fetchall()
    keys = {row[0]: row[1] for row in rows}
    digests = {row[0]: row[5] for row in rows}
    names = {doc_id: document_names(title, file) for doc_id, _, title, file, *_ in rows}
    library = Library(names, lambda doc_id: read_sections(db, keys[doc_id]))
    replaced = _replaced(db)
    for doc_id, key, _, _, file_format, digest, linked in rows:
        text = read_text(db, key)
        named = {name: documents for name, documents in library.named(text, doc_id).items() if documents != (doc_id,)}
        depends = [(name, [(one, digests[one]) for one in documents]) for name, documents in named.items()]
        state = text_hash(repr((doc_id, digest, depends, replaced.get(key))))
        if linked == f"{state} {links_digest(db, key)}":
            continue
        db.execute("DELETE FROM links WHERE doc_key = ?", (key,))
        found = [StoredLink(key, old, None, None, EdgeKind.SUPERSEDES, 0, 0) for old in replaced.get(key, ())]
        if named:
            source = SourceText(text, FileFormat(file_format))
            for link in find_links(source, read_sections(db, key), library, doc_id):
                to = keys[link.document]
                found.append(StoredLink(key, to, link.section_id, link.target, link.kind, link.start, link.end))
        db.executemany(f"INSERT INTO links ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", map(astuple, found))
        db.execute("UPDATE documents SET linked = ? WHERE doc_key = ?", (f"{state} {links_digest(db, key)}", key))


def links_digest(db: Database, doc_key: int) -> str:
    """SHA-256 of the links of a document to others."""
    return text_hash(repr(read_links(db, doc_key)))


def _replaced(db: Database) -> Mapping[int, tuple[int, ...]]:
    """The keys of the documents that each declares to supersede."""
    found: dict[int, dict[int, None]] = defaultdict(dict)
    for successor, old in successions(read_editions(db)):
        found[successor.key][old.key] = None
    return {key: tuple(old) for key, old in found.items()}
