"""Documents cut into passages: by section, or by one of the other chunkers for comparison."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from policy_rag_parsers.chunking.chunker_names import Chunker
from policy_rag_parsers.chunking.llama_index_splitters import (
    markdown_ranges,
    semantic_ranges,
    sentence_ranges,
    sentence_window_ranges,
    token_ranges,
)
from policy_rag_parsers.chunking.passages import BareHeading, section_passages, token_budgets
from policy_rag_parsers.chunking.recursive import recursive_ranges
from policy_rag_parsers.chunking.token_splitter import CountTokens, fit_spans
from policy_rag_parsers.chunking.topic_grouping import Embed, Judge, context_ranges
from policy_rag_parsers.errors import UsageError
from policy_rag_parsers.records import Block, Passage, Section, SourceText
from policy_rag_parsers.text.sentences import Span

__all__ = ["Chunker", "cut", "piece_sizes"]


def cut(
    source: SourceText,
    sections: Sequence[Section],
    *,
    chunker: Chunker,
    count_tokens: CountTokens,
    max_tokens: int,
    hit_chars: int = 6000,
    prefix: Callable[[Section], str] | None = None,
    bare: BareHeading = BareHeading.WITH_FOLLOWING,
    blocks: Sequence[Block] = (),
    chunk_size: int | None = None,
    overlap: int | None = None,
    breakpoint_percentile: int = 95,
    similarity: float = 0.4,
    embed: Embed | None = None,
    judge: Judge | None = None,
) -> tuple[Passage, ...]:
    """The passages of a document.

    Args:
        source: the document.
        sections: its sections in order, tiling it from `body_start` on.
        chunker: how to cut. `section` takes `bare` and `blocks`; the others take what follows them.
        count_tokens: the tokens of each text, without the tokenizer's special ones.
        max_tokens: the most tokens of a chunk with its prefix and context; a longer piece of any chunker gets several
            chunks inside its passage.
        hit_chars: a section, or a piece of another chunker, that is longer gives each of its chunks as a passage.
        prefix: what the embedder will see in front of the chunks of a section.
        bare: what a heading without a body is embedded with.
        blocks: what the sections consist of, so that tables of contents at their ends are left out.
        chunk_size: the most tokens of a piece, for `sentence`, `token`, `recursive` and `llm-context`; by default
            three quarters of `max_tokens`, which leaves room for the prefix.
        overlap: tokens that a piece may repeat of the one before, for `sentence`, `token` and `recursive`; less than
            `chunk_size`, by default a tenth of it.
        breakpoint_percentile: for `semantic`, the share of neighbouring sentences that stay together, 0 to 100.
        similarity: for `llm-context` without a judge, the least cosine of what stays together.
        embed: texts to vectors; needed by `semantic`, and by `llm-context` without a judge.
        judge: whether a piece is about the same matter as the text before it, for `llm-context`.

    Returns:
        Passages in order of `start`, trimmed of blanks, none empty. `section_id` is that of the section in which a
        passage starts.

    Raises:
        UsageError: sizes that do not go together, or a chunker without the embedder that it needs.
    """
    if chunker is Chunker.SECTION:
        return section_passages(
            source,
            sections,
            count_tokens=count_tokens,
            max_tokens=max_tokens,
            hit_chars=hit_chars,
            prefix=prefix,
            bare=bare,
            blocks=blocks,
        )
    if not sections:
        return ()
    size, repeated = piece_sizes(max_tokens, chunk_size, overlap)
    match chunker:
        case Chunker.SENTENCE:
            spans = sentence_ranges(source, count_tokens, size, repeated)
        case Chunker.TOKEN:
            spans = token_ranges(source, count_tokens, size, repeated)
        case Chunker.MARKDOWN:
            spans = markdown_ranges(source)
        case Chunker.SENTENCE_WINDOW:
            spans = sentence_window_ranges(source)
        case Chunker.RECURSIVE:
            spans = recursive_ranges(source, count_tokens, size, repeated)
        case Chunker.LLM_CONTEXT if embed or judge:
            spans = context_ranges(source, count_tokens, size, judge=judge, embed=embed, similarity=similarity)
        case Chunker.SEMANTIC if embed:
            spans = semantic_ranges(source, embed, breakpoint_percentile)
        case _:
            raise UsageError(f"chunker {chunker} compares texts by their vectors: give it an embedder, or use section")
    return _passages(source, sections, spans, count_tokens, max_tokens, hit_chars, prefix)


def piece_sizes(max_tokens: int, chunk_size: int | None = None, overlap: int | None = None) -> tuple[int, int]:
    """The most tokens of a piece, and how many of them it may repeat; see `cut`.

    Raises:
        UsageError: sizes that do not go together.

    >>> piece_sizes(256)
    (192, 19)
    """
    size = chunk_size if chunk_size is not None else max(1, max_tokens * 3 // 4)
    repeated = overlap if overlap is not None else size // 10
    if not 0 <= repeated < size:
        raise UsageError(f"overlap {repeated} and chunk size {size}: the overlap must be 0 or more and the smaller")
    return size, repeated


def _passages(
    source: SourceText,
    sections: Sequence[Section],
    spans: list[Span],
    count_tokens: CountTokens,
    max_tokens: int,
    hit_chars: int,
    prefix: Callable[[Section], str] | None,
) -> tuple[Passage, ...]:
    starts = [section.start for section in sections]

    def home(at: int) -> int:
        return max(0, bisect_right(starts, at) - 1)

    budgets = token_budgets(sections, count_tokens, max_tokens, prefix)
    long = [end - start > hit_chars for start, end in spans]
    # The chunks of a long piece are hits of their own, each in front of its own section's prefix.
    rooms = [
        min(budgets[home(start) : home(end - 1) + 1]) if apart else budgets[home(start)]
        for (start, end), apart in zip(spans, long, strict=True)
    ]
    passages: list[Passage] = []
    cut_spans = fit_spans(source, spans, rooms, count_tokens)
    for (start, end), apart, chunks in zip(spans, long, cut_spans, strict=True):
        if apart:
            passages += [Passage(sections[home(c.start)].section_id, c.start, c.end, (c,)) for c in chunks]
        else:
            passages.append(Passage(sections[home(start)].section_id, start, end, chunks))
    return tuple(passages)
