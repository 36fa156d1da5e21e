"""What must hold of an index, check by check. Nothing here changes anything; `verify` puts the checks together."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from policy_rag.errors import IndexingError
from policy_rag.index.store import snapshot_files as derived_files
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import document_digest, read_sections, read_text, text_hash
from policy_rag.index.store.embedded_text import chunk_text
from policy_rag.index.store.links import links_digest
from policy_rag.index.store.manifest import Manifest, token, transaction
from policy_rag.index.store.metadata import read_added
from policy_rag.index.store.snapshot_files import Derived
from policy_rag.index.store.truth import Truth
from policy_rag.records.choices import read_kinds
from policy_rag_parsers.loaders.front_matter import find_front_matter
from policy_rag_parsers.records import FileFormat, Section

_NORM = 1e-3  # how far from 1 a vector's length may lie
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


class IndexCheck(StrEnum):
    """The checks, in the order in which they are made."""

    DATABASE = "database"
    ORPHANS = "orphans"
    DOCUMENT = "document"
    VECTORS = "vectors"
    LINKS = "links"
    DERIVED = "derived"
    LEFTOVERS = "leftovers"


@dataclass(frozen=True, slots=True)
class IndexProblem:
    """Something that does not hold.

    Attributes:
        check: which check found it.
        doc_id: the document that it is in, or None.
        message: what is wrong.
        repaired: whether it was mended.
        remedy: what to do about it; empty before that is known, and once it is repaired.
    """

    check: IndexCheck
    doc_id: str | None
    message: str
    repaired: bool = False
    remedy: str = ""


def check_database(truth: Truth, db: Database) -> Iterator[IndexProblem]:
    """The database's own checks, and rows that belong to no other."""
    for orphans, message in truth.faults(db):
        yield IndexProblem(IndexCheck.ORPHANS if orphans else IndexCheck.DATABASE, None, message)


def check_document(db: Database, manifest: Manifest, doc_key: int) -> Iterator[IndexProblem]:
    """The rows of one document against their hash, and what they say of its text."""
    doc_id, file_format, sealed = db.execute(
        "SELECT doc_id, format, digest FROM documents WHERE doc_key = ?", (doc_key,)
    ).fetchone()
    if document_digest(db, doc_key) != sealed:
        yield IndexProblem(IndexCheck.DOCUMENT, doc_id, "what is stored of it differs from its hash")
        return
    text, sections = read_text(db, doc_key), read_sections(db, doc_key)
    for message in (
        *_section_faults(text, FileFormat(file_format), sections),
        *_passage_faults(db, doc_key, manifest, text, sections),
    ):
        yield IndexProblem(IndexCheck.DOCUMENT, doc_id, message)


def check_links(db: Database) -> Iterator[IndexProblem]:
    """The links of each document to others against their hash."""
    for doc_id, doc_key, linked in db.execute(
        "SELECT doc_id, doc_key, linked FROM documents ORDER BY doc_id"
    ).fetchall():
        if linked.rpartition(" ")[2] != links_digest(db, doc_key):
            yield IndexProblem(IndexCheck.LINKS, doc_id, "its links to other documents differ from their hash")


def _blank(text: str) -> bool:
    return not text.strip().strip(_INVISIBLE + " \t\n")


def _section_faults(text: str, file_format: FileFormat, sections: Sequence[Section]) -> Iterator[str]:
    matter = find_front_matter(text) if file_format in {FileFormat.MARKDOWN, FileFormat.TEXT} else None
    place = matter.body_start if matter else 0
    ids = {section.section_id for section in sections}
    for section in sections:
        name = section.section_id
        if not 0 <= section.start <= section.body <= section.end <= section.subtree_end <= len(text):
            yield f"section {name} has a range that is none"
            return
        if section.start < place:
            yield f"section {name} begins inside the one before it"
        elif not _blank(text[place : section.start]):
            yield f"the text before section {name} ({place}:{section.start}) belongs to no section"
        if section.parent is not None and section.parent not in ids:
            yield f"section {name} lies under {section.parent}, which is not there"
        place = max(place, section.end)
    if not _blank(text[place:]):
        yield f"the text from {place} on belongs to no section"


def _passage_faults(
    db: Database, doc_key: int, manifest: Manifest, text: str, sections: Sequence[Section]
) -> Iterator[str]:
    passages = db.execute(
        'SELECT passage_key, section, start, "end", text_hash FROM passages WHERE doc_key = ? ORDER BY start',
        (doc_key,),
    ).fetchall()
    added = read_added(db, doc_key, read_kinds(manifest.embed_metadata))
    for key, position, start, end, digest in passages:
        if not 0 <= start < end <= len(text) or not 0 <= position < len(sections):
            yield f"a passage ({start}:{end}) lies outside its document"
            continue
        section = sections[position]
        if text_hash(text[start:end]) != digest:
            yield f"the passage {start}:{end} differs from its hash"
        if not section.start <= start < max(section.end, section.start + 1):
            yield f"the passage {start}:{end} does not begin in its section {section.section_id}"
        yield from _chunk_faults(db, key, manifest, section, text, (start, end), added.get(position, ""))


def _chunk_faults(
    db: Database, key: int, manifest: Manifest, section: Section, text: str, span: tuple[int, int], added: str
) -> Iterator[str]:
    place = span[0]
    for start, end, context, digest in db.execute(
        'SELECT start, "end", context, vector_hash FROM chunks WHERE passage_key = ? ORDER BY start', (key,)
    ):
        if not span[0] <= start < end <= span[1]:
            yield f"a chunk ({start}:{end}) lies outside its passage {span[0]}:{span[1]}"
        elif start > place and not _blank(text[place:start]):
            yield f"no chunk covers {place}:{start}"
        seen = chunk_text(text, section, start, end, context, with_path=manifest.embed_path, added=added)
        if text_hash(seen) != digest:
            yield f"the vector of {start}:{end} was made from another text"
        place = max(place, end)
    if not _blank(text[place : span[1]]):
        yield f"no chunk covers {place}:{span[1]}"


def faulty_vectors(db: Database, dimension: int) -> dict[str, str]:
    """Hashes of the vectors that are needed and missing or wrong, each with what is wrong."""
    faults: dict[str, str] = {}
    for digest, crc, blob in db.execute(
        "SELECT n.vector_hash, v.crc, v.vector FROM (SELECT DISTINCT vector_hash FROM chunks) n "
        "LEFT JOIN vectors v ON v.hash = n.vector_hash"
    ):
        if blob is None:
            faults[digest] = "missing"
        elif len(blob) != 4 * dimension:
            faults[digest] = "of another dimension"
        elif zlib.crc32(blob) != crc:
            faults[digest] = "changed since it was written"
        elif not abs(float(np.linalg.norm(np.frombuffer(blob, dtype=np.float32))) - 1) <= _NORM:  # NaN fails this too
            faults[digest] = "not of length 1"
    return faults


def check_vectors(db: Database, dimension: int) -> Iterator[IndexProblem]:
    """Every chunk has a whole vector of length 1."""
    for fault, count in sorted(Counter(faulty_vectors(db, dimension).values()).items()):
        yield IndexProblem(IndexCheck.VECTORS, None, f"{count} vectors are {fault}")


def check_derived(truth: Truth, db: Database, manifest: Manifest) -> Iterator[IndexProblem]:
    """The derived files against their hashes, and against what the rows give now.

    Where they are not the index's own, none need be there, and what a killed reader left is the next one's to clear.
    """
    number, folder = transaction(db), truth.folder
    stamp = derived_files.read_stamp(folder, number)
    if not truth.keeps_files and (stamp is None or stamp["token"] != token(db)):
        return
    for path in derived_files.others(folder, number) if truth.keeps_files else ():
        yield IndexProblem(
            IndexCheck.LEFTOVERS, None, f"{path.name} in {derived_files.FOLDER} is left over from a broken write"
        )
    damaged = derived_files.damaged(folder, number)
    if damaged:
        yield IndexProblem(IndexCheck.DERIVED, None, f"{', '.join(damaged)} missing, or not as written")
        return
    own = not truth.searches_vectors(db)
    found = derived_files.load(folder, number, token=token(db), with_vectors=own)
    if found is None:
        yield IndexProblem(IndexCheck.DERIVED, None, "the derived files are another ingest's, or cannot be read")
        return
    try:
        made = derived_files.build(db, manifest, found.keyword, number, truth.vector_mean(db))
    except IndexingError:
        return  # for want of vectors, which is a problem of its own
    different = _differences(found, made)
    if different:
        yield IndexProblem(IndexCheck.DERIVED, None, f"{', '.join(different)} differ from what the rows give")


def _differences(found: Derived, made: Derived) -> list[str]:
    rows = np.arange(len(made.chunks), dtype=np.int64)
    rounded = 1e-6 if made.vectors is not None else 2.5e-4  # pgvector, which may have made it, has 16 bits a number
    same = {
        "passages": np.array_equal(found.passages, made.passages),
        "chunks": np.array_equal(found.chunks, made.chunks),
        "vectors": (found.vectors is None and made.vectors is None)
        or (
            found.vectors is not None
            and made.vectors is not None
            and len(found.vectors) == len(made.vectors)
            and np.array_equal(found.vectors.vectors(rows), made.vectors.vectors(rows))
        ),
        "keywords": found.keywords.same_as(made.keywords),
        "mean": np.allclose(found.mean, made.mean, atol=rounded),
        "languages": found.languages == made.languages,
    }
    return [name for name, equal in same.items() if not equal]
