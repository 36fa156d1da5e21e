"""Places to hits: the text, and where it stands."""

from collections.abc import Mapping, Sequence

from policy_rag.index.maintenance.excerpt import Excerpt
from policy_rag.index.store.document_rows import PassageRow
from policy_rag.index.store.metadata import added_text, shown
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.choices import MetadataUse
from policy_rag.records.locations import first_ink
from policy_rag.records.search import Hit, Location, SearchRank
from policy_rag.retrieval.ranked_passages import RankedPassage
from policy_rag_parsers.records import page_at


def hits_of(
    passages: Sequence[RankedPassage],
    rows: Mapping[int, PassageRow],
    documents: Mapping[int, DocumentInfo],
    use: MetadataUse | None = None,
) -> tuple[Hit, ...]:
    """A hit for each passage, ranked from 1 in their order; `use` says what of its metadata it shows."""
    return tuple(
        hit_of(
            rows[passage.key],
            documents[passage.doc_key],
            rank=rank,
            score=passage.score,
            found_by=passage.found_by,
            chunk=passage.chunk,
            also_at=tuple(location(rows[key], documents[rows[key].doc_key]) for key in passage.same),
            use=use,
        )
        for rank, passage in enumerate(passages, 1)
    )


def hit_of(
    row: PassageRow,
    document: DocumentInfo,
    *,
    rank: int,
    score: float,
    found_by: Mapping[str, SearchRank],
    chunk: tuple[int, int] = (-1, -1),
    also_at: tuple[Location, ...] = (),
    use: MetadataUse | None = None,
) -> Hit:
    """One hit; a chunk that is not inside the passage gives way to the whole passage."""
    inside = row.start <= chunk[0] < chunk[1]
    return Hit(
        rank=rank,
        score=score,
        doc_id=document.doc_id,
        version=document.version,
        file=document.file,
        section_id=row.section_id,
        number=row.number,
        title=row.title,
        path=row.path,
        start=row.start,
        end=row.end,
        chunk_start=chunk[0] if inside else row.start,
        chunk_end=min(chunk[1], row.end) if inside else row.end,
        page=page_at(row.pages, first_ink(row.text, row.start)),
        text=row.text,
        found_by=found_by,
        also_at=also_at,
        metadata=shown(use.display, document.metadata, row.metadata) if use else None,
        about=added_text(use.llm, document.metadata, row.metadata) if use and use.llm else "",
        path_numbers=row.path_numbers,
        line=row.line if document.has_lines and not row.pages else None,
        effective_from=document.effective_from,
        effective_to=document.last_day,
        pages=row.pages,
    )


def location(row: PassageRow, document: DocumentInfo) -> Location:
    """Where a passage stands."""
    return Location(document.doc_id, document.version, document.file, row.section_id, row.path, row.start, row.end)


def hit_of_excerpt(found: Excerpt) -> Hit:
    """A hit that is a range of a document's text, as if a search had found it alone."""
    number = found.path_numbers[-1] if found.path_numbers else None
    return Hit(
        rank=1,
        score=1.0,
        doc_id=found.doc_id,
        version=found.version,
        file=found.file,
        section_id=found.section_id or "",
        number=number,
        title=found.path[-1],
        path=found.path,
        start=found.start,
        end=found.end,
        chunk_start=found.start,
        chunk_end=found.end,
        page=found.page,
        text=found.text,
        found_by={},
        path_numbers=found.path_numbers,
    )
