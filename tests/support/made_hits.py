"""Hits made from a text, for tests of what is answered from them."""

from typing import Any

from policy_rag.records.search import Hit


def made_hit(text: str, *, rank: int = 1, start: int = 0, file: str = "leave.md", **changes: Any) -> Hit:
    """A hit of a whole section that begins at character `start` of its document."""
    fields: dict[str, Any] = {
        "rank": rank,
        "score": 1.0 / rank,
        "doc_id": file,
        "version": "2.0",
        "file": file,
        "section_id": f"s{rank}",
        "number": str(rank),
        "title": "Leave",
        "path": ("Leave policy", "Leave"),
        "start": start,
        "end": start + len(text),
        "chunk_start": start,
        "chunk_end": start + len(text),
        "page": None,
        "text": text,
        "found_by": {},
    }
    return Hit(**{**fields, **changes})
