"""The index checked against its own hashes, and what can be mended, mended."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from policy_rag.errors import IndexingError
from policy_rag.index.maintenance.checks import (
    IndexCheck,
    IndexProblem,
    check_database,
    check_derived,
    check_document,
    check_links,
    check_vectors,
    faulty_vectors,
)
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_sections, read_text, text_hash, write_vectors
from policy_rag.index.store.embedded_text import chunk_text
from policy_rag.index.store.manifest import Manifest, read_manifest
from policy_rag.index.store.metadata import read_added
from policy_rag.index.store.store import Index, TextEmbedder
from policy_rag.records.choices import read_kinds

_REPAIR = "run `policy-rag verify --repair`"
_REMEDIES = {
    IndexCheck.DATABASE: "restore the index from a copy, or run `policy-rag ingest PATH --index NEW_FOLDER`",
    IndexCheck.DOCUMENT: f"{_REPAIR}, then `policy-rag ingest PATH` to take its file in anew",
    IndexCheck.LEFTOVERS: f"{_REPAIR}; the next ingest removes it too",
}
_HIDDEN = "a document that you may not read"


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of an index found.

    Attributes:
        ok: nothing is wrong any more.
        documents: those checked.
        vectors: those stored, for the documents that may be named.
        spare_vectors: those of an ingest that was broken off; it goes on with them when it is run again. None are told
            to who may not read every document.
        problems: in order of the checks, then of the document.
    """

    ok: bool
    documents: int
    vectors: int
    spare_vectors: int
    problems: tuple[IndexProblem, ...]


def verify(
    index: Index,
    *,
    repair: bool = False,
    embedder: Callable[[Manifest], TextEmbedder] | None = None,
    groups: Sequence[str] | None = None,
) -> Verification:
    """Checks all that an index holds against its hashes, and with `repair` mends what can be mended.

    Derived files are made again from the rows, vectors that are missing or wrong are embedded again from the stored
    text, indexes of SQLite and rows that belong to nothing are put in order. A document whose own rows were changed
    cannot be mended from the index: it is marked, and the next ingest of its file takes it in anew.

    Args:
        index: what to check.
        repair: whether to mend.
        embedder: gives the model that the index was made with; asked only when vectors are to be made again.
        groups: whose documents are named in the problems; None names all.

    Raises:
        IndexingError: the repair cannot write, or the embedding model is another.
    """
    with index.reading() as db:
        found = list(_problems(db, index))
        visible = _visible(index, groups)
    left = found
    if repair and found:
        _repair(index, found, embedder)
        with index.reading() as db:
            left = list(_problems(db, index))
    remaining = {(problem.check, problem.doc_id, problem.message) for problem in left}
    all_problems = [*found, *(problem for problem in left if problem not in found)]
    outcomes = tuple(_outcome(p, visible, open_=(p.check, p.doc_id, p.message) in remaining) for p in all_problems)
    with index.reading() as db:
        documents, vectors, spare = _counts(index, db, visible)
    return Verification(not left, documents, vectors, spare, outcomes)


def _problems(db: Database, index: Index) -> Iterator[IndexProblem]:
    try:
        yield from check_database(index.truth, db)
        manifest = read_manifest(db)
        if manifest is None:
            return
        for (doc_key,) in db.execute("SELECT doc_key FROM documents ORDER BY doc_id").fetchall():
            yield from check_document(db, manifest, doc_key)
        yield from check_vectors(db, manifest.dimension)
        yield from check_links(db)
        yield from check_derived(index.truth, db, manifest)
    except index.truth.errors as error:
        yield IndexProblem(IndexCheck.DATABASE, None, f"the database: {error}")
    except (ValueError, KeyError) as error:
        yield IndexProblem(IndexCheck.DATABASE, None, f"a stored value cannot be read ({error})")


def _visible(index: Index, groups: Sequence[str] | None) -> frozenset[str] | None:
    """Ids of the documents that may be named; None for all."""
    if groups is None:
        return None
    try:
        return frozenset(d.doc_id for d in index.documents() if d.open_to(groups))
    except (IndexingError, ValueError, KeyError):
        return frozenset()


def _outcome(problem: IndexProblem, visible: frozenset[str] | None, *, open_: bool) -> IndexProblem:
    named = visible is None or problem.doc_id is None or problem.doc_id in visible
    return IndexProblem(
        check=problem.check,
        doc_id=problem.doc_id if named else None,
        message=problem.message if named else f"{_HIDDEN}: some of it differs from its hash",
        repaired=not open_,
        remedy=_REMEDIES.get(problem.check, _REPAIR) if open_ else "",
    )


def _counts(index: Index, db: Database, visible: frozenset[str] | None) -> tuple[int, int, int]:
    try:
        documents = db.execute("SELECT count(*) FROM documents").fetchone()[0]
        if visible is not None and len(visible) < documents:
            return len(visible), _vectors_of(db, visible), 0
        vectors = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
        spare = db.execute("SELECT count(*) FROM (SELECT hash FROM vectors EXCEPT SELECT vector_hash FROM chunks) AS s")
        return documents, vectors, spare.fetchone()[0]
    except index.truth.errors:
        return 0, 0, 0


def _vectors_of(db: Database, doc_ids: Collection[str]) -> int:
    rows = db.execute(
        "SELECT DISTINCT d.doc_id, c.vector_hash FROM documents d JOIN passages p USING (doc_key) "
        "JOIN chunks c USING (passage_key) WHERE c.vector_hash IN (SELECT hash FROM vectors)"
    )
    return len({digest for doc_id, digest in rows if doc_id in doc_ids})


def _repair(index: Index, found: Sequence[IndexProblem], embedder: Callable[[Manifest], TextEmbedder] | None) -> None:
    """One transaction: all that can be mended, then the derived files anew."""
    manifest = index.manifest
    if manifest is None:
        return
    failures: tuple[type[Exception], ...] = (*index.truth.errors, IndexingError, ValueError, KeyError)
    with index.writer() as db:
        vectors = _vectors_again(db, manifest, embedder) if any(p.check is IndexCheck.VECTORS for p in found) else None

        def change(db: Database) -> None:
            index.truth.mend(db)
            for doc_id in {p.doc_id for p in found if p.check is IndexCheck.DOCUMENT}:
                db.execute("UPDATE documents SET content_hash = '', source_hash = '' WHERE doc_id = ?", (doc_id,))
            if vectors is not None:
                vectors(db)

        try:
            index.rewrite(db, manifest, change)
        except failures:
            # What is still wrong afterwards is found by the second check, which says what to do.
            return
        except OSError as error:
            raise IndexingError(
                f"the repair could not write to {index.name} ({error}): free some disk space, then run it again"
            ) from error


def _vectors_again(
    db: Database, manifest: Manifest, embedder: Callable[[Manifest], TextEmbedder] | None
) -> Callable[[Database], None] | None:
    """Embeds the texts whose vectors are missing or wrong; answers what writes them."""
    if embedder is None:
        return None
    texts = _texts_of(db, manifest, set(faulty_vectors(db, manifest.dimension)))
    if not texts:
        return None
    made = embedder(manifest).embed(list(texts.values()))
    return lambda db: write_vectors(db, list(texts), made)


def _texts_of(db: Database, manifest: Manifest, hashes: set[str]) -> dict[str, str]:
    """Vector hash to the text that it was made from, where the text still has that hash."""
    texts: dict[str, str] = {}
    for (doc_key,) in db.execute("SELECT doc_key FROM documents").fetchall():
        rows = db.execute(
            'SELECT p.section, c.start, c."end", c.context, c.vector_hash FROM passages p '
            "JOIN chunks c USING (passage_key) WHERE p.doc_key = ?",
            (doc_key,),
        ).fetchall()
        if not any(row[4] in hashes for row in rows):
            continue
        text, sections = read_text(db, doc_key), read_sections(db, doc_key)
        added = read_added(db, doc_key, read_kinds(manifest.embed_metadata))
        for position, start, end, context, digest in rows:
            if digest in hashes and position < len(sections):
                made = chunk_text(
                    text,
                    sections[position],
                    start,
                    end,
                    context,
                    with_path=manifest.embed_path,
                    added=added.get(position, ""),
                )
                if text_hash(made) == digest:
                    texts[digest] = made
    return texts
