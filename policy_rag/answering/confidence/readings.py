"""What the reader has to say of the hits that an answer may come from."""

from collections.abc import Sequence

from policy_rag.models.reader import Reader, Reading
from policy_rag.models.reader_language import is_english
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import QUOTED_HITS

SPANS = 5
"""Spans of a hit that are looked at."""


def readings(
    question: str, hits: Sequence[Hit], reader: Reader | None, *, most: int = QUOTED_HITS
) -> tuple[Reading, ...]:
    """A reading for each of the first `most` hits; none without a reader that knows the language.

    Of a long section the chunk that was found is read, which is what a reranker of the same model has read already.
    """
    if reader is None or not is_english(question):
        return ()
    found = [heading(hit) + hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start] for hit in hits[:most]]
    return reader.read(question, found, spans=SPANS)


def read_text(hit: Hit) -> str:
    """What is read of a hit: the titles above it in a line of their own, then its text."""
    return heading(hit) + hit.text


def heading(hit: Hit) -> str:
    """The line of titles that stands before what is read."""
    return " > ".join(hit.path) + "\n"
