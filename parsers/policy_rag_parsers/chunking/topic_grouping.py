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
    joins while its vector's cosine with the mean of theirs is at least `similarity`.

    Raises:
        ValueError: neither `judge` nor `embed` is given.
    """
    text = source.text
    pieces = paragraph_spans(text, source.body_start, len(text))
    cut = fit_spans(source, pieces, [chunk_size] * len(pieces), count_tokens)
    spans = [(chunk.start, chunk.end) for chunks in cut for chunk in chunks]
    if not spans:
        return []
    texts = [text[a:b] for a, b in spans]
    counts = [int(count) for count in count_tokens(texts)]
    groups = _Groups(text, spans, counts, chunk_size)
    if judge is not None:
        ask = judge
        return groups.joined(lambda first, at: ask(text[groups.tail(first, at) : spans[at - 1][1]], texts[at]))
    if embed is None:
        raise ValueError("llm-context needs a judge or an embedder")
    vectors = _unit_rows(np.asarray(embed(texts), dtype=np.float32))
    return groups.joined(lambda first, at: _cosine(vectors[first:at].mean(axis=0), vectors[at]) >= similarity)


class _Groups:
    """Runs of neighbouring pieces within a size."""

    def __init__(self, text: str, spans: Sequence[Span], counts: Sequence[int], size: int) -> None:
        self._text, self._spans, self._counts, self._size = text, spans, counts, size

    def tail(self, first: int, at: int) -> int:
        """Where what a judge reads of pieces `first` to `at - 1` begins."""
        return max(self._spans[first][0], self._spans[at - 1][1] - _JUDGED_CHARS)

    def joined(self, belongs: Callable[[int, int], bool]) -> list[Span]:
        """The groups; `belongs(first, at)` says whether piece `at` joins those from `first` on."""
        result: list[Span] = []
        first, load = 0, self._counts[0]
        for at in range(1, len(self._spans)):
            if load + self._counts[at] <= self._size and belongs(first, at):
                load += self._counts[at]
                continue
            result.append((self._spans[first][0], self._spans[at - 1][1]))
            first, load = at, self._counts[at]
        result.append((self._spans[first][0], self._spans[-1][1]))
        return result


def _unit_rows(rows: Any) -> Any:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0, 1, lengths)


def _cosine(a: Any, b: Any) -> float:
    length = float(np.linalg.norm(a))
    return float(a @ b) / length if length else 0.0
