"""What stands around a sentence, item or row and is quoted with it, so that a reader sees what it is a part of."""

from collections.abc import Iterator

from policy_rag.records.search import Hit
from policy_rag_parsers.records import Block, BlockKind
from policy_rag_parsers.text.sentences import Span

_WHOLE_CHARS = 900  # a paragraph, list or table up to this length is quoted whole
_WHOLE_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.TABLE})


def surroundings(hit: Hit, span: Span) -> Span:
    """The short paragraph, list or table of which a range is a part, with the line that leads into it, else itself."""
    best = span
    for start, end in _wholes(hit, span):
        is_around = hit.start <= start <= best[0] and best[1] <= end <= hit.end
        if is_around and end - start <= _WHOLE_CHARS:
            best = start, end
    return _stripped(hit, *best)


def _wholes(hit: Hit, span: Span) -> Iterator[Span]:
    """What a range is a part of, the smaller before the larger."""
    blocks = {block.start: block for block in hit.blocks}
    inside = [b for b in hit.blocks if b.start <= span[0] and span[1] <= b.end and b.kind in _WHOLE_KINDS]
    for block in sorted(inside, key=lambda one: one.end - one.start):
        yield block.start, block.end
    item = max((b for b in inside if b.kind is BlockKind.ITEM), key=lambda one: one.start, default=None)
    while item is not None:
        family = _family(hit, item)
        lead = blocks.get(item.parent) if item.parent is not None else None
        yield family
        if lead is not None:
            yield lead.start, family[1]
        item = lead if lead is not None and lead.kind is BlockKind.ITEM else None


def _family(hit: Hit, item: Block) -> Span:
    """An item with its neighbours in the list, and what stands under them."""
    run: list[Block] = []
    for block in sorted(hit.blocks, key=lambda one: one.start):
        if (block.kind is BlockKind.ITEM and block.parent == item.parent) or block.parent in {b.start for b in run}:
            run.append(block)
        elif item in run:
            break
        else:
            run = []
    return run[0].start, max(block.end for block in run)


def _stripped(hit: Hit, start: int, end: int) -> Span:
    text = hit.text[start - hit.start : end - hit.start]
    return start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
