"""The recursive character splitter: paragraphs, then lines, sentences, clauses, words, until the parts fit."""

import re

from policy_rag_parsers.chunking.token_splitter import CountTokens
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.text.sentences import Span, trimmed

# Where a text may be cut, the best first: behind each of these.
_SEPARATORS = tuple(re.compile(p) for p in (r"\n[ \t]*\n\s*", r"\n\s*", r"(?<=[.!?])\s+", r"(?<=[;:,])\s+", r"\s+"))


def recursive_ranges(source: SourceText, count_tokens: CountTokens, chunk_size: int, overlap: int) -> list[Span]:
    """Ranges of at most `chunk_size` tokens, of which at most `overlap` repeat the range before.

    A part that does not fit is cut at the next finer separator, and its neighbours that fit together are put together
    again. A word that is larger than `chunk_size` stays whole.
    """
    start, end = trimmed(source.text, source.body_start, len(source.text))
    return _split(source.text, (start, end), 0, count_tokens, chunk_size, overlap) if start < end else []


def _split(text: str, span: Span, level: int, count_tokens: CountTokens, size: int, overlap: int) -> list[Span]:
    parts = _parts(text, span, level)
    counts = [int(count) for count in count_tokens([text[a:b] for a, b in parts])]
    result: list[Span] = []
    run: list[tuple[Span, int]] = []
    for part, count in zip(parts, counts, strict=True):
        if count <= size:
            run.append((part, count))
            continue
        result += _merged(run, size, overlap)
        run = []
        finer = level + 1 < len(_SEPARATORS)
        result += _split(text, part, level + 1, count_tokens, size, overlap) if finer else [part]
    return result + _merged(run, size, overlap)


def _parts(text: str, span: Span, level: int) -> list[Span]:
    parts: list[Span] = []
    at = span[0]
    for blank in _SEPARATORS[level].finditer(text, *span):
        if at < blank.start():
            parts.append((at, blank.start()))
        at = blank.end()
    if at < span[1]:
        parts.append((at, span[1]))
    return parts


def _merged(run: list[tuple[Span, int]], size: int, overlap: int) -> list[Span]:
    """Neighbours together as long as they fit, each group beginning with the last parts of the one before."""
    result: list[Span] = []
    group: list[tuple[Span, int]] = []
    load = 0
    for part, count in run:
        if group and load + count > size:
            result.append((group[0][0][0], group[-1][0][1]))
            while group and (load > overlap or load + count > size):
                load -= group.pop(0)[1]
        group.append((part, count))
        load += count
    if group:
        result.append((group[0][0][0], group[-1][0][1]))
    return result
