"""What the trace of a question keeps of a search: the hits by name, and as documents for a trace in MLflow."""

from collections.abc import Sequence

from policy_rag.records.search import Hit, SearchResult
from policy_rag.tracing import Span, Trace


def tell_hits(span: Span, hits: Sequence[Hit]) -> None:
    """Puts hits into the span of the step that found them."""
    span.attributes["hits"] = hits_by_name(hits)
    span.details["documents"] = [as_document(hit) for hit in hits]


def hits_by_name(hits: Sequence[Hit]) -> list[dict[str, object]]:
    """Hits without their words."""
    return [{"file": hit.file, "section_id": hit.section_id, "score": hit.score} for hit in hits]


def as_document(hit: Hit) -> dict[str, object]:
    """A hit as MLflow and others take a document: `id`, `page_content` and `metadata`."""
    metadata = {
        "doc_uri": hit.file,
        "chunk_id": hit.section_id,
        "title": " > ".join(hit.path),
        "start": hit.start,
        "end": hit.end,
        "score": hit.score,
        "rank": hit.rank,
    }
    return {"id": f"{hit.file}#{hit.section_id}", "page_content": hit.text, "metadata": metadata}


def with_search(trace: Trace, result: SearchResult, given: Sequence[Hit]) -> Trace:
    """The trace of an answer with the search before it that was made apart, as long as that took.

    The answer was made from the hits `given`.
    """
    ms = sum(result.timings_ms.values())
    search = Span("search", trace.begin_ns - int(ms * 1e6), ms, {"where": list(result.filters)})
    tell_hits(search, given)
    spans = [search, *trace.spans]
    if result.timings_ms.get("rerank"):
        last = result.timings_ms["rerank"] + result.timings_ms.get("hits", 0.0)
        begin = search.end_ns - int(last * 1e6)
        spans.append(Span("rerank", begin, result.timings_ms["rerank"], {"hits": len(result.hits)}))
    return Trace.of(search.begin_ns, spans)
