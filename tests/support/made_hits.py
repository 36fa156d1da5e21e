"""Hits made from a text, for tests of what is answered from them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.extraction.quotable_units import units
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_parsed_blocks


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


def parsed_hit(text: str, **changes: Any) -> Hit:
    """The same with its blocks, without a title of its own unless one is given."""
    return with_parsed_blocks([made_hit(text, **{"title": "", "path": ("Travel", ""), "number": None, **changes})])[0]


def quoted_spans(hit: Hit) -> list[list[str]]:
    """The ranges that each of a hit's units cannot stand without, as text."""
    return [[hit.text[a - hit.start : b - hit.start] for a, b in unit.spans] for unit in units(hit)]


def flat_idf(stems: Sequence[str]) -> NDArray[np.float32]:
    """Every word weighs 2, one in no text 4."""
    return np.array([4.0 if "\x00" in stem else 2.0 for stem in stems], dtype=np.float32)
