"""Quotations of what was chosen, and the answer that they make: what answers first, then what belongs to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from policy_rag.answering.citations import cite
from policy_rag.answering.confidence.probability import UNWEIGHED, FirstQuotation
from policy_rag.answering.extraction.quotable_units import Unit
from policy_rag.answering.extraction.selection import QuoteCandidate
from policy_rag.answering.extraction.surroundings import surroundings
from policy_rag.answering.presentation.readable import readable
from policy_rag.records.answer import Citation, Said, as_text
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_parsed_blocks
from policy_rag_parsers.records import BlockKind
from policy_rag_parsers.text.sentences import Span

_JOINTS = " \t\n|:-"  # between table rows, a Markdown rule may stand


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation: `text` is exactly `[start, end)` of the document, and lies inside `hit`.

    `said` are the ranges in it that answer; none where all of it does.
    """

    text: str
    start: int
    end: int
    hit: Hit
    said: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Extract:
    """An answer that is quotations.

    Attributes:
        quotes: in order.
        said: what is said by them.
        citations: in order of `n`.
        first: what is known of the first of them.
    """

    quotes: tuple[Quote, ...]
    said: tuple[Said, ...]
    citations: tuple[Citation, ...]
    first: FirstQuotation = UNWEIGHED

    @property
    def text(self) -> str:
        """What is said, as people read it."""
        return as_text(self.said)


def answering_spans(unit: Unit) -> tuple[Span, ...]:
    """The ranges that answer by themselves: a unit's own words, and what leads into them."""
    return tuple(span for span in unit.spans if span[0] < unit.end)


def compose(quotes: Sequence[Quote], lead: Sequence[Span] = ()) -> Extract:
    """The answer that quotations make.

    Args:
        quotes: best first.
        lead: ranges of the first one's document that answer by themselves: they are said first, and what else is
            quoted after them. What goes on behind them in their paragraph comes before what stands in front of it.
    """
    first = [
        _said(one.hit, n, [span], leads=True)
        for n, one in enumerate(quotes, 1)
        if one.hit.doc_id == quotes[0].hit.doc_id
        for span in _common(_ranges(one), lead)
    ]
    others = []
    for n, one in enumerate(quotes, 1):
        left = _ranges(one)
        if one.hit.doc_id == quotes[0].hit.doc_id:
            left = _going_on_first(one.hit, _without(one.hit, left, lead), lead)
        if left:
            others.append(_said(one.hit, n, left))
    citations = tuple(cite(n, one.hit, one.start, one.end) for n, one in enumerate(quotes, 1))
    return Extract(tuple(quotes), (*first, *others), citations)


def _said(hit: Hit, n: int, spans: Sequence[Span], *, leads: bool = False) -> Said:
    (parsed,) = with_parsed_blocks((hit,))
    quote = "\n".join(hit.text[start - hit.start : end - hit.start] for start, end in spans)
    return Said("\n".join(readable(parsed, *span) for span in spans), n, leads, quote)


def _ranges(one: Quote) -> Sequence[Span]:
    return one.said or ((one.start, one.end),)


def _common(ranges: Sequence[Span], lead: Sequence[Span]) -> list[Span]:
    """What the ranges share with what leads, those that meet as one."""
    shared = [(max(a, c), min(b, d)) for a, b in ranges for c, d in lead if max(a, c) < min(b, d)]
    return _merged(shared, lambda last, start: start <= last)


def _merged(ranges: Sequence[Span], are_one: Callable[[int, int], bool]) -> list[Span]:
    """Ranges, sorted here; neighbours become one where `are_one(end of the one, start of the next)`."""
    found: list[Span] = []
    for start, end in sorted(ranges):
        if found and are_one(found[-1][1], start):
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _without(hit: Hit, ranges: Sequence[Span], lead: Sequence[Span]) -> list[Span]:
    """What is left of the ranges beside what leads, as far as anything is written there."""
    left = list(ranges)
    for first, last in lead:
        left = [piece for a, b in left for piece in ((a, min(b, first)), (max(a, last), b)) if piece[0] < piece[1]]
    return [(a, b) for a, b in left if hit.text[a - hit.start : b - hit.start].strip(_JOINTS)]


def _going_on_first(hit: Hit, left: Sequence[Span], lead: Sequence[Span]) -> list[Span]:
    """What is left, what stands behind a lead in its paragraph first: "this" and "they" speak of that."""
    ends = [
        (last, block.end)
        for _, last in lead
        for block in hit.blocks
        if block.kind is not BlockKind.TABLE and block.start < last < block.end
    ]
    return sorted(left, key=lambda span: not any(last <= span[0] < end for last, end in ends))


@dataclass
class _Range:
    """A range that is quoted, and the ranges in it that are said."""

    hit: Hit
    start: int
    end: int
    said: list[Span]

    def quote(self) -> Quote:
        """The quotation: what is said of it, in order of place, neighbours as one."""
        text = self.hit.text[self.start - self.hit.start : self.end - self.hit.start]
        return Quote(text, self.start, self.end, self.hit, tuple(_merged(self.said, partial(_adjacent, self.hit))))


def quotes_of(chosen: Sequence[QuoteCandidate], *, alone: bool = False) -> tuple[Quote, ...]:
    """The chosen with what they bring, as quotations in the order of choice; neighbours of one hit are joined.

    What stands in a short paragraph, list or table is quoted with the whole of it, and only what was chosen is said.

    Args:
        chosen: best first.
        alone: whether each is quoted without what is around it.
    """
    made: list[_Range] = []
    for one in chosen:
        for span in one.unit.quoted:
            if any(r.hit.doc_id == one.hit.doc_id and _within(span, r.said) for r in made):
                continue
            start, end = span if alone else surroundings(one.hit, span)
            touched = [r for r in made if _joins(r, one.hit, (start, end))]
            if touched:
                first = touched[0]
                first.hit = one.hit
                first.start = min(start, *(r.start for r in touched))
                first.end = max(end, *(r.end for r in touched))
                first.said = [span, *(said for r in touched for said in r.said)]
                made = [r for r in made if r is first or r not in touched]
            else:
                made.append(_Range(one.hit, start, end, [span]))
    return tuple(r.quote() for r in made)


def _joins(made: _Range, hit: Hit, span: Span) -> bool:
    """Whether a quotation of the same hit meets a span, or one of an overlapping hit lies in it."""
    if made.hit is hit:
        return _meet(hit, (made.start, made.end), span)
    return made.hit.doc_id == hit.doc_id and span[0] <= made.start and made.end <= span[1]


def _within(span: Span, others: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def _meet(hit: Hit, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether nothing of worth stands between two ranges of a hit."""
    (_, last), (start, _) = sorted((one, other))
    return _adjacent(hit, last, start)


def _adjacent(hit: Hit, last: int, start: int) -> bool:
    return start <= last or not hit.text[last - hit.start : start - hit.start].strip(_JOINTS)
