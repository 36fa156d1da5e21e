"""Neighbouring pieces stay together while they are about the same matter, as an LLM or an embedder judges."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from policy_rag_parsers.chunking.token_splitter import CountTokens, fit_spans
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.text.sentences import Span, paragraph_spans

Judge = Callable[[str, str], bool]
Embed = Callable[[Sequence[str]], Any]

# A judge reads at most this much of what is together already: its end, where the next piece follows on.
_JUDGED_CHARS = 1500


def context_ranges(
    source: SourceText,
    count_tokens: CountTokens,
    chunk_size: int,
    *,
    judge: Judge | None,
    embed: Embed | None,
    similarity: float,
) -> list[Span]:
    """Ranges of at most `chunk_size` tokens, made of whole paragraphs, list items and table rows.

    A piece joins those before it while they fit together and `judge(text before, piece)` is true. Without a judge it
    joins while its vector's cosine with the mean of theirs is at least `similarity`; one of the two must be given.
    """
    text = source.text
    pieces = paragraph_spans(text, source.body_start, len(text))
    cut = fit_spans(source, pieces, [chunk_size] * len(pieces), count_tokens)
    spans = [(chunk.start, chunk.end) for chunks in cut for chunk in chunks]
    if not spans:
        return []
    texts = [text[a:b] for a, b in spans]
    counts = [int(count) for count in count_tokens(texts)]
    vectors = _unit_rows(np.asarray(embed(texts), dtype=np.float32)) if embed and judge is None else None

    def belongs(first: int, at: int) -> bool:
        """Whether piece `at` joins those from `first` on."""
        if judge is not None:
            end = spans[at - 1][1]
            return judge(text[max(spans[first][0], end - _JUDGED_CHARS) : end], texts[at])
        return vectors is not None and _cosine(vectors[first:at].mean(axis=0), vectors[at]) >= similarity

    result: list[Span] = []
    first = 0
    for at in range(1, len(spans)):
        if sum(counts[first : at + 1]) > chunk_size or not belongs(first, at):
            result.append((spans[first][0], spans[at - 1][1]))
            first = at
    return [*result, (spans[first][0], spans[-1][1])]


def _unit_rows(rows: Any) -> Any:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0, 1, lengths)


def _cosine(a: Any, b: Any) -> float:
    length = float(np.linalg.norm(a))
    return float(a @ b) / length if length else 0.0
