"""What can be quoted of a section: its sentences, list items and table rows, each with what it cannot stand without."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from policy_rag.answering.extraction.block_tree import Node, outline
from policy_rag.answering.extraction.blocks import Kind, is_terminal, pieces
from policy_rag.answering.extraction.exceptions import excludes, restricts
from policy_rag.answering.extraction.toc_filter import without_contents
from policy_rag.records.search import Hit
from policy_rag.retrieval.expansion.footnotes import mark_of, marks_in
from policy_rag_parsers.text.sentences import Span

_TABLE_CHARS = 450  # a table up to this length is quoted whole,
_OPEN_CHARS = 450  # and so is a list whose items end without a mark,
_LED_CHARS = 400  # any list below a line that leads into it,
_CLAUSE_CHARS = 250  # and a numbered paragraph;
_ABOVE_CHARS = 300  # a table brings the paragraph before it up to this length;
_LIST_CHARS = 1200  # a list of conditions up to this length
_EXCLUDED_CHARS = 400  # what follows a sentence and excludes something comes with it up to this length,
_LIMITED_CHARS = 200  # and what else limits it up to this
_JOINED = re.compile(r"(?:;|,)?\s*\b(?:and|or|und|oder|unless|except|if|provided that)\s*[;,:]?$", re.IGNORECASE)
_LEANS = re.compile(
    r"(?:they|them|it|he|she|these|those|this|that|such|both|in (?:this|that|these|such) (?:case|cases|event)|"
    r"sie|er|es|diese[rsmn]?|dies|dabei|hierzu)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(  # "Laptops of your own may not.": what they may not stands before
    r"\b(?:may|must|shall|should|can|will|do|does|is|are|darf|dürfen|muss|müssen|kann|können|gilt)"
    r"(?:\s+(?:not|too|also|so|nicht|auch))?[.!]\W*\Z|\bcannot[.!]\W*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that may be quoted.

    Attributes:
        text: what it says, its introduction first; this is what is compared with a question.
        start: first character of its own words, in the document.
        end: one past its last.
        spans: the ranges that it cannot stand without, in order: what introduces it, then itself, then what limits it.
        also: ranges that are quoted with it so that nothing is torn apart: its short list or numbered paragraph, the
            paragraph above its table, the notes to which it leads.
        table: where its table begins, in the document; None for what is no row.
        is_list: whether it is a list that is never taken apart.
    """

    text: str
    start: int
    end: int
    spans: tuple[Span, ...]
    table: int | None = None
    is_list: bool = False
    also: tuple[Span, ...] = ()

    @property
    def quoted(self) -> tuple[Span, ...]:
        """The ranges to quote, in order, the longer first of two that begin together."""
        return tuple(sorted({*self.spans, *self.also}, key=lambda span: (span[0], -span[1])))

    @property
    def length(self) -> int:
        """Characters that it is counted with: of a table that is quoted whole, what leads into the row, and the row."""
        return min(len(self.text), sum(end - start for start, end in self.spans))


def units(hit: Hit, titles: Collection[str] = ()) -> list[Unit]:
    """What may be quoted of a hit, in order.

    Left out are headings, lines that only rule off, leads into nothing, and tables of contents.

    A list item brings every line that leads into it, on each level, and what limits the list behind it; a table row
    the header row; items that are joined by "and" or "or" are one unit while their list is short, and so are items
    without punctuation; a line that ends without a full stop brings what reads on from it. A sentence brings those that
    follow it in its paragraph and limit it; they are quoted with it and not compared with the question. The rest of a
    short list or numbered paragraph is `also` quoted.

    Args:
        hit: the section.
        titles: those of its document's sections that are known, as `pieces.plain` writes them.
    """
    nodes = outline(hit.text, without_contents(hit.text, pieces(hit), titles))
    quoter = _Quoter(hit, nodes)
    return quoter.siblings([node for node in nodes if node.above is None])


class _Quoter:
    """Makes units of the nodes of a hit."""

    def __init__(self, hit: Hit, nodes: Sequence[Node]) -> None:
        self._text = hit.text
        self._offset = hit.start
        self._before = {id(after): before for before, after in pairwise(nodes)}
        self._from = {before.piece.end: (before, after) for before, after in pairwise(nodes)}
        self._clauses = _clauses(hit, nodes)
        self._notes = _notes(hit.text, nodes)

    def siblings(self, nodes: Sequence[Node]) -> list[Unit]:
        """The units of nodes that stand under one line, or under none."""
        found: list[Unit] = []
        at = 0
        while at < len(nodes):
            run = self._run(nodes, at)
            found.extend(self._rows(run) if run[0].piece.kind is Kind.ROW else self._list(run))
            at += len(run)
        return found

    def _run(self, nodes: Sequence[Node], at: int) -> Sequence[Node]:
        """The rows of a table, the items of a list, or one sentence."""
        after = at + 1
        kind = nodes[at].piece.kind
        if kind is Kind.PROSE and nodes[at].above is None:
            return nodes[at:after]
        while after < len(nodes) and nodes[after].piece.kind is kind:
            after += 1
        return nodes[at:after]

    def _list(self, items: Sequence[Node]) -> list[Unit]:
        whole = items[0].piece.start, items[-1].last.end
        ends = [self._text[item.last.last : item.last.end] for item in items[:-1]]
        under = items[0].above
        joined = any(map(_JOINED.search, ends)) and whole[1] - whole[0] <= _LIST_CHARS
        if joined and (under is not None or all(end.endswith((";", ",")) or _JOINED.search(end) for end in ends)):
            return [self._joined(items[0], whole)]
        found = self._items(items)
        if not all(map(is_terminal, ends)) and whole[1] - whole[0] <= _OPEN_CHARS:
            return [self._with_whole(unit, items[0], whole) for unit in found]
        if under is not None and whole[1] - whole[0] <= _LED_CHARS:
            return [replace(unit, also=(*unit.also, *self._moved([whole]))) for unit in found]
        return found

    def _items(self, items: Sequence[Node]) -> list[Unit]:
        """The units of a list's items; one that cannot stand without the next comes with it."""
        found: list[Unit] = []
        at = 0
        while at < len(items):
            after = at + 1
            while after < len(items) and self._leans_on_next(items[after - 1]):
                if items[after].last.end - items[at].piece.start > _LIST_CHARS:
                    break
                after += 1
            if after - at > 1:
                found.append(self._unit(items[at], (items[at].piece.start, items[after - 1].last.end)))
            else:
                found.extend(self._of_node(items[at]))
            at = after
        return found

    def _leans_on_next(self, item: Node) -> bool:
        end = self._text[item.last.last : item.last.end]
        return _JOINED.search(end) is not None or (item.leads and not item.below)

    def _of_node(self, node: Node) -> list[Unit]:
        below = self.siblings(node.below)
        if node.leads:
            return below
        return [self._unit(node, node.piece.span), *below]

    def _unit(self, node: Node, own: Span) -> Unit:
        """A unit of `own`, which begins at `node`, with what leads into it and what limits it."""
        chain = node.chain
        lead = [one.piece.span for one in chain] or self._leaning(node)
        tail = [piece.span for piece in (chain[0] if chain else node).tail]
        made = self._made([*lead, own, *tail], own)
        limited = replace(made, spans=tuple(sorted([*made.spans, *self._moved(self._restricting(own))])))
        return self._with(self._clauses.get(own[0], ()), limited)

    def _with(self, also: Sequence[Span], unit: Unit) -> Unit:
        """A unit that brings more ranges, and the notes to which its words lead."""
        with_these = replace(unit, also=(*unit.also, *self._moved(also)))
        quoted = " ".join(self._text[start - self._offset : end - self._offset] for start, end in with_these.quoted)
        notes = [self._notes[mark] for mark in marks_in(quoted) if mark in self._notes]
        return replace(with_these, also=(*with_these.also, *self._moved(notes)))

    def _restricting(self, own: Span) -> list[Span]:
        """The sentences right behind a quotation, in its paragraph, that limit it, while they are short."""
        found: list[Span] = []
        before, after = self._from.get(own[1], (None, None))
        while before and after and self._goes_on(before, after) and restricts(self._line(after)):
            if after.piece.end - own[1] > (_EXCLUDED_CHARS if excludes(self._line(after)) else _LIMITED_CHARS):
                break
            found.append(after.piece.span)
            before, after = self._from.get(after.piece.end, (None, None))
        return found

    def _goes_on(self, before: Node, after: Node) -> bool:
        """Whether a sentence stands in the paragraph of what is before it; below a bullet's line it does not."""
        if after.piece.kind is not Kind.PROSE or after.leads or before.piece.kind in (Kind.ROW, Kind.HEADING):
            return False
        is_clause = before.piece.mark is None or len(before.piece.mark.parts) > 1
        return ("\n\n" if is_clause else "\n") not in self._text[before.piece.end : after.piece.start]

    def _joined(self, first: Node, whole: Span) -> Unit:
        """A unit of a whole list, in one range with the line that leads into it."""
        unit = replace(self._unit(first, whole), is_list=True)
        if first.above is None or not first.above.leads:
            return unit
        lead = first.above.piece.start + self._offset
        spans = tuple((lead, end) if start == unit.start else (start, end) for start, end in unit.spans)
        return replace(unit, spans=tuple(span for span in spans if span[0] != lead or span[1] >= unit.end))

    def _leaning(self, node: Node) -> list[Span]:
        """The sentence before one that cannot stand alone.

        Such is one that says "they" or "this", that leaves out its verb, that excludes somebody from what was said, or
        that answers a question.
        """
        before = self._before.get(id(node))
        start = node.piece.start
        if before is None or node.piece.kind is not Kind.PROSE:
            return []
        line = self._line(node)
        answers = self._line(before).endswith("?")
        if not (answers or _LEANS.match(line) or _ELLIPTIC.search(line) or excludes(line)):
            return []
        if "\n\n" in self._text[before.piece.end : start] or before.piece.kind in (Kind.ROW, Kind.HEADING):
            return []
        return [*(one.piece.span for one in before.chain), before.piece.span]

    def _with_whole(self, unit: Unit, first: Node, whole: Span) -> Unit:
        """A unit of a list that is quoted whole."""
        spans = [one.piece.span for one in first.chain]
        tail = [piece.span for piece in (first.chain[0] if first.chain else first).tail]
        return replace(unit, spans=self._moved([*spans, whole, *tail]))

    def _rows(self, rows: Sequence[Node]) -> list[Unit]:
        """The rows of a table, each with what leads into it and the header row; a small table is quoted whole."""
        lead = [one.piece.span for one in rows[0].chain]
        above = [] if lead else self._above(rows[0])
        tail = [piece.span for piece in (rows[0].chain[0] if rows[0].chain else rows[-1]).tail]
        header, body = ([rows[0].piece.span], rows[1:]) if len(rows) > 1 else ([], rows)
        made = [self._made([*lead, *header, row.piece.span, *tail], row.piece.span) for row in body]
        whole = (lead or [rows[0].piece.span])[0][0], rows[-1].piece.end
        if whole[1] - whole[0] <= _TABLE_CHARS:
            made = [replace(unit, spans=self._moved([whole, *tail])) for unit in made]
        table = rows[0].piece.start + self._offset
        return [self._with(above, replace(unit, table=table)) for unit in made]

    def _above(self, row: Node) -> list[Span]:
        """The paragraph right before a table, while it is short: it says what the table is of."""
        found: list[Span] = []
        after, before = row, self._before.get(id(row))
        while before is not None and before.piece.kind in (Kind.PROSE, Kind.ITEM):
            between = self._text[before.piece.end : after.piece.start]
            if between.count("\n") > (2 if after is row else 1) or row.piece.start - before.piece.start > _ABOVE_CHARS:
                break
            found.insert(0, before.piece.span)
            after, before = before, self._before.get(id(before))
        return found

    def _made(self, spans: Sequence[Span], own: Span) -> Unit:
        return Unit(
            text=" ".join(self._text[start:end] for start, end in spans),
            start=own[0] + self._offset,
            end=own[1] + self._offset,
            spans=self._moved(spans),
        )

    def _line(self, node: Node) -> str:
        return self._text[slice(*node.piece.span)]

    def _moved(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple((start + self._offset, end + self._offset) for start, end in spans)


def _clauses(hit: Hit, nodes: Sequence[Node]) -> dict[int, list[Span]]:
    """The sentences of each short paragraph with a number of its own, by where each starts: half is half a rule.

    The only paragraph of a numbered section has the section's.
    """
    found: dict[int, list[Span]] = {}
    alone = hit.number is not None and all(node.piece.kind is Kind.PROSE for node in nodes)
    for place, first in enumerate(nodes):
        if not (alone and place == 0) and not (first.piece.mark and first.piece.mark.parts):
            continue
        clause = [first]
        for node in nodes[place + 1 :]:
            between = hit.text[clause[-1].piece.end : node.piece.start]
            if node.piece.kind is not Kind.PROSE or "\n\n" in between:
                break
            clause.append(node)
        if alone and len(clause) < len(nodes):
            break
        short = clause[-1].piece.end - first.piece.start <= _CLAUSE_CHARS
        if short and len(clause) > 1 and not any(node.leads for node in clause):
            found.update((node.piece.start, [one.piece.span for one in clause]) for node in clause)
    return found


def _notes(text: str, nodes: Sequence[Node]) -> dict[str, Span]:
    """The notes below a text by their marks; a sign that begins several lines is a bullet and no mark."""
    marked = [(mark, node.piece.span) for node in nodes if (mark := mark_of(text[slice(*node.piece.span)]))]
    counts = Counter(mark for mark, _ in marked)
    return {mark: span for mark, span in marked if counts[mark] == 1}
