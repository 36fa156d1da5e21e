"""From sections to what a search can hit and what an embedder reads."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from policy_rag_parsers.blocks.contents import before_contents
from policy_rag_parsers.chunking.token_splitter import CountTokens, fit_spans
from policy_rag_parsers.records import Block, Chunk, Passage, Section, SourceText
from policy_rag_parsers.text.sentences import Span, sentence_spans, trimmed

# "The first lines of what is under it": enough to say what a part is about, too little to pass for its clauses.
_FOLLOWING_CHARS = 300


class BareHeading(StrEnum):
    """What becomes of a heading without a body.

    `alone` and `with-following` make it a passage, embedded by itself or with the first sentences under it; `in-path`
    makes none, since its title stands in the path of all that is under it.
    """

    ALONE = "alone"
    WITH_FOLLOWING = "with-following"
    IN_PATH = "in-path"


def section_passages(
    source: SourceText,
    sections: Sequence[Section],
    *,
    count_tokens: CountTokens,
    max_tokens: int,
    hit_chars: int,
    prefix: Callable[[Section], str] | None = None,
    bare: BareHeading = BareHeading.WITH_FOLLOWING,
    blocks: Sequence[Block] = (),
) -> tuple[Passage, ...]:
    """One passage a section that has text, cut into chunks that the embedder reads whole.

    Args:
        source: the document.
        sections: of that document, in order.
        count_tokens: the tokens of each text, without the tokenizer's special ones; called a few times, with many
            texts at once.
        max_tokens: the most tokens of a chunk together with its prefix and its `context`. Of a prefix that takes
            more than half of it, half counts: whoever embeds has to shorten such a prefix.
        hit_chars: a section longer than this gives each of its chunks as a passage of its own.
        prefix: what the embedder will see in front of the chunks of a section, its path as a rule.
        bare: what a heading without a body is embedded with.
        blocks: what the sections consist of, in order, where that is known: a table of contents at the end of a section
            names what stands elsewhere and is left out, unless the document has nothing else.

    Returns:
        Passages in order of `start`, trimmed of blanks, not overlapping; together they hold every non-blank character
        of the sections, but for bare headings that are `in-path` and tables of contents. A section of nothing but
        blanks gives none.

    Raises:
        ValueError: `max_tokens` is less than 2.
    """
    if max_tokens < 2:
        raise ValueError(f"max_tokens={max_tokens}: a chunk needs at least 2 tokens")
    text = source.text
    kept = _with_text(text, sections, blocks) or _with_text(text, sections, ())
    if bare is BareHeading.IN_PATH:
        kept = [(section, span) for section, span in kept if not _is_bare(text, section)]
    rooms = token_budgets([section for section, _ in kept], count_tokens, max_tokens, prefix)
    cut = fit_spans(source, [span for _, span in kept], rooms, count_tokens)
    if bare is BareHeading.WITH_FOLLOWING:
        cut = _with_following(text, [section for section, _ in kept], cut, rooms, count_tokens)
    passages: list[Passage] = []
    for (section, (start, end)), chunks in zip(kept, cut, strict=True):
        if end - start > hit_chars:
            passages += [Passage(section.section_id, chunk.start, chunk.end, (chunk,)) for chunk in chunks]
        else:
            passages.append(Passage(section.section_id, start, end, chunks))
    return tuple(passages)


def _with_text(text: str, sections: Sequence[Section], blocks: Sequence[Block]) -> list[tuple[Section, Span]]:
    """The sections that have text before a table of contents at their end, and where that text is."""
    spans = [trimmed(text, section.start, before_contents(text, section, blocks)) for section in sections]
    return [(section, span) for section, span in zip(sections, spans, strict=True) if span[0] < span[1]]


def token_budgets(
    sections: Sequence[Section],
    count_tokens: CountTokens,
    max_tokens: int,
    prefix: Callable[[Section], str] | None,
) -> list[int]:
    """The tokens left for a chunk of each section, and its context, behind the prefix; at least half of all."""
    if prefix is None or not sections:
        return [max_tokens] * len(sections)
    prefixes = [prefix(section) for section in sections]
    different = list(dict.fromkeys(prefixes))
    counts = dict(zip(different, count_tokens(different), strict=True))
    return [max_tokens - min(int(counts[p]), max_tokens // 2) for p in prefixes]


def _with_following(
    text: str,
    sections: Sequence[Section],
    cut: list[tuple[Chunk, ...]],
    rooms: Sequence[int],
    count_tokens: CountTokens,
) -> list[tuple[Chunk, ...]]:
    """The chunks, those of a bare heading with the first sentences under it as context, as many as fit."""
    bare = [index for index, section in enumerate(sections) if len(cut[index]) == 1 and _is_bare(text, section)]
    first = {index: _first_sentences(text, sections[index]) for index in bare}
    texts = [sentence for index in bare for sentence in (text[slice(*_only(cut[index]))], *first[index])]
    counts = iter(count_tokens(texts) if texts else ())
    result = list(cut)
    for index in bare:
        left = rooms[index] - int(next(counts))
        sizes = [int(next(counts)) for _ in first[index]]
        taken: list[str] = []
        for sentence, size in zip(first[index], sizes, strict=True):
            left -= size + 1  # a tokenizer may count one more where two texts meet
            if left < 0:
                break
            taken.append(sentence)
        start, end = _only(cut[index])
        result[index] = (Chunk(start, end, "\n".join(taken)),)
    return result


def _only(chunks: tuple[Chunk, ...]) -> tuple[int, int]:
    return chunks[0].start, chunks[0].end


def _is_bare(text: str, section: Section) -> bool:
    start, end = trimmed(text, section.body, section.end)
    return start == end and section.subtree_end > section.end


def _first_sentences(text: str, section: Section) -> list[str]:
    """Sentences under a heading, from the first, of together about `_FOLLOWING_CHARS` characters."""
    end = min(section.subtree_end, section.end + 4 * _FOLLOWING_CHARS)
    taken: list[str] = []
    length = 0
    for a, b in sentence_spans(text, section.end, end):
        if taken and length + b - a > _FOLLOWING_CHARS:
            break
        sentence = " ".join(text[a : min(b, a + _FOLLOWING_CHARS)].split())
        taken.append(sentence)
        length += len(sentence)
    return taken
