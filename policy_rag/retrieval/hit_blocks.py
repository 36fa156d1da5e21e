"""What the text of a hit consists of: read from the index, or found in a text that comes from elsewhere."""

from collections.abc import Sequence
from dataclasses import replace

from policy_rag.index.store.document_rows import read_blocks
from policy_rag.index.store.store import Snapshot
from policy_rag.records.search import Hit
from policy_rag_parsers.blocks.section_blocks import text_blocks
from policy_rag_parsers.loaders import format_of
from policy_rag_parsers.records import Block, FileFormat

QUOTED_HITS = 8
"""Hits from the top of which an answer is quoted; of others nobody asks what they consist of."""


def with_stored_blocks(snapshot: Snapshot, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits of an index with the blocks that were found when their documents were taken in."""
    keys = {document.doc_id: document.doc_key for document in snapshot.documents}
    return tuple(
        replace(hit, blocks=read_blocks(snapshot.db, keys[hit.doc_id], hit.start, hit.end))
        if hit.doc_id in keys  # else it was taken out of the index since the search
        else hit
        for hit in hits
    )


def with_parsed_blocks(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits that come from elsewhere, with the blocks of their texts; those that have some keep them."""
    titles: dict[str, set[str]] = {}
    for hit in hits:
        titles.setdefault(hit.doc_id, set()).update((*hit.path, hit.title))
    return tuple(hit if hit.blocks else replace(hit, blocks=_parsed(hit, sorted(titles[hit.doc_id]))) for hit in hits)


def _parsed(hit: Hit, titles: Sequence[str]) -> tuple[Block, ...]:
    markdown = format_of(hit.file) is FileFormat.MARKDOWN
    found = text_blocks(hit.text, number=hit.number, title=hit.title, titles=titles, markdown=markdown)
    return tuple(
        replace(
            block,
            start=block.start + hit.start,
            end=block.end + hit.start,
            parent=None if block.parent is None else block.parent + hit.start,
        )
        for block in found
    )
