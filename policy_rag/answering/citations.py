"""A citation of what a hit says: the words, how a reader sees them, and where they stand."""

from policy_rag.answering.presentation.readable import readable
from policy_rag.records.answer import Citation
from policy_rag.records.locations import first_ink
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_parsed_blocks
from policy_rag_parsers.records import page_at


def cite(n: int, hit: Hit, start: int, end: int) -> Citation:
    """The citation `[n]` of the characters `[start, end)` of the document, which lie inside the hit."""
    quote = hit.text[start - hit.start : end - hit.start]
    ink = first_ink(quote, start)
    return Citation(
        n=n,
        quote=quote,
        doc_id=hit.doc_id,
        version=hit.version,
        file=hit.file,
        section_id=hit.section_id,
        path=hit.path,
        start=start,
        end=end,
        page=page_at(hit.pages, ink) if hit.pages else hit.page,
        path_numbers=hit.path_numbers,
        text=readable(with_parsed_blocks((hit,))[0], start, end),
        document=hit.path[0] if hit.path else hit.file,
        number=hit.number,
        title=hit.title,
        line=None if hit.line is None else hit.line + hit.text.count("\n", 0, ink - hit.start),
        effective_from=hit.effective_from,
        effective_to=hit.effective_to,
    )
