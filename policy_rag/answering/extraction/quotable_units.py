"""What can be quoted of a section: its sentences, list items and table rows, each with what it cannot stand without."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from policy_rag.answering.extraction.exceptions import alters, excludes, opposes, restricts
from policy_rag.answering.extraction.leaning import asks, exceeds, leans
from policy_rag.answering.extraction.sentence_tree import Node, sentence_tree
from policy_rag.answering.presentation.readable import table_cells
from policy_rag.records.search import Hit
from policy_rag_parsers.blocks.line_wording import introduces, is_terminal
from policy_rag_parsers.blocks.notes import marks_in
from policy_rag_parsers.records import BlockKind
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, in_all
from policy_rag_parsers.text.sentences import Span

TABLE_CHARS = 450
"""A table up to this length is quoted whole."""
_OPEN_CHARS = 450  # so is a list whose items end without a mark,
_LED_CHARS = 400  # any list below a line that leads into it,
_CLAUSE_CHARS = 250  # and a numbered paragraph;
_COLUMN_CHARS, _COLUMN_ROWS = 900, 8  # of a table up to this size each column may answer;
_ABOVE_CHARS = 300  # a table brings the paragraph before it up to this length;
_LIST_CHARS = 1200  # a list of conditions or steps up to this length
_EXCLUDED_CHARS = 400  # what follows a sentence and excludes something comes with it up to this length,
_LIMITED_CHARS = 200  # and what else limits it up to this
_OF_ALL = any_word(in_all("of_all"))  # leads into a list of which no item can be left out
_STEPS = any_word(in_all("steps"))  # and into one that is followed from the first to the last
# "If" and "provided that" lead on, and "provided" may just be a participle.
_IF = (word for one in LEXICONS.values() for at, word in enumerate(one.if_.split("|")) if not at or " " in word)
_JOINED = re.compile(
    rf"(?:;|,)?\s*{any_word(*map(in_all, ('and_', 'or_', 'except_')), *_IF).pattern}\s*[;,:]?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RowKey:
    """What a row of a table is about.

    Attributes:
        column: the name of the table's first column.
        value: the row's first cell; where that is empty, that of the row above.
        spans: what the row cannot stand without, and not the whole of its table.
    """

    column: str
    value: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that may be quoted.

    Attributes:
        text: what it says, its introduction first, a row behind its header row, a column as its name and its cells,
            each behind the first of its row; this is compared with a question.
        start: first character of its own words, in the document.
        end: one past its last.
        spans: the ranges that it cannot stand without, in order: what introduces it, then itself, then what limits it.
        also: ranges that are quoted with it so that nothing is torn apart: its short list or numbered paragraph, the
            paragraph above its table, the notes to which it leads.
        table: where its table begins, in the document; None for what is no row and no column.
        key: of a row below one header row, what it is about.
        is_column: whether it is a column of its table: it begins with the table and ends with it.
        is_list: whether it is a list that is never taken apart.
    """

    text: str
    start: int
    end: int
    spans: tuple[Span, ...]
    table: int | None = None
    key: RowKey | None = None
    is_list: bool = False
    is_column: bool = False
    also: tuple[Span, ...] = ()

    @property
    def quoted(self) -> tuple[Span, ...]:
        """The ranges to quote, in order, the longer first of two that begin together."""
        return tuple(sorted({*self.spans, *self.also}, key=lambda span: (span[0], -span[1])))

    @property
    def length(self) -> int:
        """Characters that it is counted with: of a table that is quoted whole, what leads into the row, and the row."""
        return min(len(self.text), sum(end - start for start, end in self.spans))


def units(hit: Hit) -> list[Unit]:
    """What may be quoted of a hit, in order; the columns of a table come behind its rows.

    Left out are headings, lines that only rule off, leads into nothing, questions without an answer in their paragraph,
    and tables of contents.

    A list item brings every line that leads into it, on each level, and what limits the list behind it; items that
    are joined by "and" or "or" are one unit while their list is short, and so are items without punctuation; a line
    that ends without a full stop brings what reads on from it. A sentence brings those that follow it in its
    paragraph and limit it; they are quoted with it and not compared with the question. The rest of a short list or
    numbered paragraph is `also` quoted. Of a small table the columns are units beside the rows: a question that names
    no row ("who approves it?") is answered by a column. They are quoted with the whole table.
    """
    nodes = sentence_tree(hit)
    return _Quoter(hit, nodes).siblings([node for node in nodes if node.parent is None])


class _Quoter:
    """Makes units of the nodes of a hit."""

    def __init__(self, hit: Hit, nodes: Sequence[Node]) -> None:
        self._text, self._file = hit.text, hit.file
        self._offset = hit.start
        self._before = {id(after): before for before, after in pairwise(nodes)}
        self._at = {node.start: node for node in nodes}
        self._from = {before.end: (before, after) for before, after in pairwise(nodes)}
        self._clauses = _clauses(hit, nodes)
        notes = [node for node in nodes if node.kind is BlockKind.NOTE]
        self._notes = {node.block.marker: (node.start, min(node.block.end, hit.end) - hit.start) for node in notes}

    def siblings(self, nodes: Sequence[Node]) -> list[Unit]:
        """The units of nodes that stand under one line, or under none."""
        found: list[Unit] = []
        at = 0
        while at < len(nodes):
            run = self._run(nodes, at)
            found.extend(self._list(run) if run[0].table is None else self._rows(run))
            at += len(run)
        return found

    def _run(self, nodes: Sequence[Node], at: int) -> Sequence[Node]:
        """The rows of a table, the items of a list, or one sentence."""
        first, after = nodes[at], at + 1
        if first.is_prose and first.parent is None:
            return nodes[at:after]
        while after < len(nodes) and _are_alike(first, nodes[after]):
            after += 1
        return nodes[at:after]

    def _list(self, items: Sequence[Node]) -> list[Unit]:
        whole = items[0].start, items[-1].deepest.end
        ends = [self._text[item.deepest.last : item.deepest.end] for item in items[:-1]]
        under = items[0].parent
        lead = self._text[under.last : under.end] if under is not None and under.leads else ""
        length = whole[1] - whole[0]
        joined = (_OF_ALL.search(lead) or any(map(_JOINED.search, ends))) and length <= _LIST_CHARS
        if joined and (under is not None or all(end.endswith((";", ",")) or _JOINED.search(end) for end in ends)):
            return [self._joined(items[0], whole)]
        found = self._items(items)
        is_open = not all(map(is_terminal, ends)) and length <= _OPEN_CHARS
        if is_open or (_STEPS.search(lead) and length <= _LIST_CHARS):
            return [self._with_whole(unit, items[0], whole) for unit in found]
        if under is not None and length <= _LED_CHARS:
            return [replace(unit, also=(*unit.also, *self._moved([whole]))) for unit in found]
        return found

    def _items(self, items: Sequence[Node]) -> list[Unit]:
        """The units of a list's items; one that cannot stand without the next comes with it."""
        found: list[Unit] = []
        at = 0
        while at < len(items):
            after = at + 1
            while after < len(items) and self._leans_on_next(items[after - 1]):
                if items[after].deepest.end - items[at].start > _LIST_CHARS:
                    break
                after += 1
            if after - at > 1:
                found.append(self._unit(items[at], (items[at].start, items[after - 1].deepest.end)))
            else:
                found.extend(self._of_node(items[at]))
            at = after
        return found

    def _leans_on_next(self, item: Node) -> bool:
        end = self._text[item.deepest.last : item.deepest.end]
        return _JOINED.search(end) is not None or (item.leads and not item.children)

    def _of_node(self, node: Node) -> list[Unit]:
        below = self.siblings(node.children)
        if node.leads:
            return [*self._with_table(node), *below]
        if node.is_prose and asks(self._line(node)):
            return below
        return [self._unit(node, node.span), *below]

    def _with_table(self, node: Node) -> Iterator[Unit]:
        """A whole sentence that leads into a table, with all of it: it answers what no row names."""
        rows = [child for child in node.children if child.table is not None]
        if rows and self._is_sentence(node) and rows[-1].end - rows[0].start <= _COLUMN_CHARS:
            whole = rows[0].start, rows[-1].end
            yield replace(self._made([node.span, whole], (node.start, whole[1])), text=self._line(node))

    def _is_sentence(self, lead: Node) -> bool:
        return is_terminal(line := self._line(lead)) and not introduces(line)

    def _unit(self, node: Node, own: Span) -> Unit:
        """A unit of `own`, which begins at `node`, with what leads into it and what limits it."""
        chain = node.leading
        lead = [one.span for one in chain] or self._leaning(node)
        flush = (chain[0] if chain else node).flush
        made = self._made([*lead, own, *flush], own)
        limited = replace(made, spans=tuple(sorted([*made.spans, *self._moved(self._restricting(own))])))
        return self._with(self._clauses.get(own[0], ()), limited)

    def _with(self, also: Sequence[Span], unit: Unit) -> Unit:
        """A unit that brings more ranges, and the notes to which its words lead."""
        with_these = replace(unit, also=(*unit.also, *self._moved(also)))
        quoted = " ".join(self._text[start - self._offset : end - self._offset] for start, end in with_these.quoted)
        notes = [self._notes[mark] for mark in marks_in(quoted) if mark in self._notes]
        return replace(with_these, also=(*with_these.also, *self._moved(notes)))

    def _restricting(self, own: Span) -> list[Span]:
        """The sentences beside a quotation, in its paragraph, that limit it, while they are short.

        Behind it these are all up to the first that does not, then those that give its figure anew; in front of it the
        one that says the contrary.
        """
        found = self._contrary(own)
        said, altered = self._text[slice(*own)], False
        before, after = self._from.get(own[1], (None, None))
        while before and after and self._goes_on(before, after):
            line = self._line(after)
            limited = not altered and (restricts(line) or opposes(said, line))
            altered = altered or not limited
            most = _EXCLUDED_CHARS if excludes(line) else _LIMITED_CHARS
            if not (limited or alters(said, line)) or after.end - own[1] > most:
                break
            found.append(after.span)
            before, after = self._from.get(after.end, (None, None))
        return found

    def _contrary(self, own: Span) -> list[Span]:
        """The sentence right in front of a quotation, in its paragraph, that says the contrary of it."""
        node = self._at.get(own[0])
        before = self._before.get(id(node)) if node else None
        if not (node and before) or before.leads or not before.is_prose or not self._goes_on(before, node):
            return []
        fits = own[0] - before.start <= _LIMITED_CHARS
        return [before.span] if fits and opposes(self._line(before), self._text[slice(*own)]) else []

    def _goes_on(self, before: Node, after: Node) -> bool:
        """Whether a sentence goes on in the paragraph of what is before it; below a bullet's line it does not.

        Nor does one with a heading of its own.
        """
        if not after.is_prose or after.leads or after.labelled:
            return False
        if before.table is not None or before.kind is BlockKind.HEADING:
            return False
        is_clause = before.kind is not BlockKind.ITEM or len(before.marker_parts) > 1
        return ("\n\n" if is_clause else "\n") not in self._text[before.end : after.start]

    def _joined(self, first: Node, whole: Span) -> Unit:
        """A unit of a whole list, in one range with the line that leads into it."""
        unit = replace(self._unit(first, whole), is_list=True)
        if first.parent is None or not first.parent.leads:
            return unit
        lead = first.parent.start + self._offset
        spans = tuple((lead, end) if start == unit.start else (start, end) for start, end in unit.spans)
        return replace(unit, spans=tuple(span for span in spans if span[0] != lead or span[1] >= unit.end))

    def _leaning(self, node: Node) -> list[Span]:
        """The sentence before one that cannot stand alone.

        Such is one that says "they" or "this", that leaves out its verb, that excludes somebody from what was said, or
        that tells what holds beyond it.
        """
        before = self._before.get(id(node))
        start = node.start
        if before is None or not node.is_prose:
            return []
        line = self._line(node)
        if not (leans(line) or excludes(line) or exceeds(self._line(before), line)):
            return []
        if "\n\n" in self._text[before.end : start] or before.table is not None or before.kind is BlockKind.HEADING:
            return []
        return [*(one.span for one in before.leading), before.span]

    def _with_whole(self, unit: Unit, first: Node, whole: Span) -> Unit:
        """A unit of a list that is quoted whole."""
        spans = [one.span for one in first.leading]
        flush = (first.leading[0] if first.leading else first).flush
        return replace(unit, spans=self._moved([*spans, whole, *flush]))

    def _rows(self, rows: Sequence[Node]) -> list[Unit]:
        """The rows of a table, each with what leads into it; a small table is quoted whole.

        The header row is compared with the question and never quoted alone: a row is shown with the names of its cells.
        What leads into it is compared with it unless that is a sentence, which is a unit of its own.
        """
        lead = [one.span for one in rows[0].leading]
        named = [] if rows[0].parent and self._is_sentence(rows[0].parent) else lead
        above = [] if lead else self._above(rows[0])
        flush = (rows[0].leading[0] if rows[0].leading else rows[-1]).flush
        header = [row.span for row in rows if row.kind is BlockKind.HEADER_ROW]
        body = [row for row in rows if row.kind is BlockKind.ROW]
        whole = (lead or [rows[0].span])[0][0], rows[-1].end
        made: list[Unit] = []
        for row in body:
            spans = self._moved([*lead, row.span, *flush])
            key = self._key(header, row, spans, made[-1].key if made else None)
            made.append(replace(self._made([*named, *header, row.span, *flush], row.span), spans=spans, key=key))
        if len(header) == 1 < len(body) <= _COLUMN_ROWS and body[-1].end - header[0][0] <= _COLUMN_CHARS:
            made += self._columns(header[0], body, lead or above)
        if whole[1] - whole[0] <= TABLE_CHARS:
            made = [replace(unit, spans=self._moved([whole, *flush])) for unit in made]
        return [self._with(above, replace(unit, table=rows[0].table)) for unit in made]

    def _key(self, header: Sequence[Span], row: Node, spans: tuple[Span, ...], above: RowKey | None) -> RowKey | None:
        if len(header) != 1:
            return None
        column, value = (table_cells(self._text, span, header[0], self._file)[0] for span in (header[0], row.span))
        return RowKey(column, value or (above.value if above else ""), spans)

    def _columns(self, header: Span, body: Sequence[Node], intro: Sequence[Span]) -> Iterator[Unit]:
        """The columns of a table behind the first, each with what introduces the table; it is quoted whole."""
        names, *cells = (
            table_cells(self._text, span, header, self._file) for span in (header, *(b.span for b in body))
        )
        if any(len(row) != len(names) for row in cells):
            return
        whole = header[0], body[-1].end
        lead = [self._text[slice(*span)] for span in intro]
        for column, name in enumerate(names):
            told = "; ".join(f"{row[0]}: {row[column]}" for row in cells if row[column])
            if column and name and told:
                yield replace(
                    self._made([*intro, whole], whole), text=" ".join([*lead, f"{name}: {told}"]), is_column=True
                )

    def _above(self, row: Node) -> list[Span]:
        """The paragraph right before a table, while it is short: it says what the table is of."""
        found: list[Span] = []
        after, before = row, self._before.get(id(row))
        while before is not None and before.table is None and before.kind is not BlockKind.HEADING:
            between = self._text[before.end : after.start]
            if between.count("\n") > (2 if after is row else 1) or row.start - before.start > _ABOVE_CHARS:
                break
            found.insert(0, before.span)
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
        return self._text[slice(*node.span)]

    def _moved(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple((start + self._offset, end + self._offset) for start, end in spans)


def _are_alike(one: Node, other: Node) -> bool:
    """Whether two nodes are rows of one table, items, or sentences."""
    if one.table is not None:
        return one.table == other.table
    return one.kind == other.kind or (one.is_prose and other.is_prose)


def _clauses(hit: Hit, nodes: Sequence[Node]) -> dict[int, list[Span]]:
    """The sentences of each short paragraph with a number of its own, by where each starts: half is half a rule.

    The only paragraph of a numbered section has the section's.
    """
    found: dict[int, list[Span]] = {}
    alone = hit.number is not None and all(node.is_prose for node in nodes)
    for place, first in enumerate(nodes):
        if not (alone and place == 0) and not first.marker_parts:
            continue
        clause = [first]
        for node in nodes[place + 1 :]:
            between = hit.text[clause[-1].end : node.start]
            if not node.is_prose or "\n\n" in between:
                break
            clause.append(node)
        if alone and len(clause) < len(nodes):
            break
        short = clause[-1].end - first.start <= _CLAUSE_CHARS
        if short and len(clause) > 1 and not any(node.leads for node in clause):
            found.update((node.start, [one.span for one in clause]) for node in clause)
    return found
