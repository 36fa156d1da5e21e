"""What the reader has to say of the hits that an answer may come from."""

from collections.abc import Sequence

from policy_rag.models.reader import Reader, Reading
from policy_rag.models.reader_language import is_english
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import QUOTED_HITS


def readings(
    question: str, hits: Sequence[Hit], reader: Reader | None, *, most: int = QUOTED_HITS
) -> tuple[Reading, ...]:
    """A reading for each of the first `most` hits, behind its titles; none without a reader that knows the language."""
    if reader is None or not is_english(question):
        return ()
    return reader.read(question, [read_text(hit) for hit in hits[:most]], spans=1)


def read_text(hit: Hit) -> str:
    """What is read of a hit: the titles above it in a line of their own, then its text."""
    return " > ".join(hit.path) + "\n" + hit.text
