"""The blocks of a hit as a tree of sentences, list items and table rows: what may be quoted, and under what."""

import re
from dataclasses import dataclass, field

from policy_rag.answering.extraction.leaning import asks, opens_answer
from policy_rag.records.search import Hit
from policy_rag_parsers.blocks.line_wording import introduces, is_terminal, limits, points_on
from policy_rag_parsers.blocks.markers import marker_parts
from policy_rag_parsers.records import Block, BlockKind
from policy_rag_parsers.text.lexicon import in_all
from policy_rag_parsers.text.markdown_lines import is_template
from policy_rag_parsers.text.sentences import LIST_MARK, Span, sentence_spans, trimmed
from policy_rag_parsers.text.unit_words import UNIT_WORDS, words_pattern

_LABEL_WORDS = 4  # a run-in heading: "4.4 Working meals.", "Art. 5 Meals.", "**Buyers.**"
_WORDED_MARK = re.compile(
    rf"(?i:{words_pattern(UNIT_WORDS)}|{in_all('references')})\.?[ \t]{{1,3}}(?:\d[\w.()]{{0,15}}|[IVXLC]{{1,7}}\.?)"
    r"[ \t](?=[A-ZÀ-Þ])"
)


@dataclass(slots=True, eq=False)
class Node:
    """A sentence with what limits it, the first sentence of a list item, a table row, or a heading that governs a list.

    Attributes:
        block: the block in which it ends.
        kind: that of its block; a paragraph's where it is a further sentence of an item or a note.
        start: first character, in the hit's text.
        end: one past the last.
        last: where its last sentence begins.
        parent: what it stands under, or None.
        children: what stands under it, in order.
        leads: whether it leads into what follows.
        flush: sentences behind a list that belong to all of it, in order.
        table: where its table begins, for a row.
        labelled: whether it begins with a run-in heading.
    """

    block: Block
    kind: BlockKind
    start: int
    end: int
    last: int
    parent: "Node | None" = None
    children: "list[Node]" = field(default_factory=list)
    leads: bool = False
    flush: list[Span] = field(default_factory=list)
    table: int | None = None
    labelled: bool = False

    @property
    def span(self) -> Span:
        """`(start, end)`."""
        return self.start, self.end

    @property
    def is_prose(self) -> bool:
        """Whether it is a sentence, and neither the beginning of an item, nor a row, nor a heading."""
        return self.kind in (BlockKind.PARAGRAPH, BlockKind.NOTE)

    @property
    def marker_parts(self) -> list[str]:
        """The numbers and letters of an item's marker."""
        return marker_parts(self.block.marker) if self.kind is BlockKind.ITEM else []

    @property
    def deepest(self) -> "Node":
        """The last node of all that stand under it."""
        return self.children[-1].deepest if self.children else self

    @property
    def leading(self) -> "tuple[Node, ...]":
        """What it stands under, outermost first, from the first line that leads into anything."""
        above: list[Node] = []
        node = self.parent
        while node is not None:
            above.append(node)
            node = node.parent
        while above and not above[-1].leads:
            above.pop()
        return tuple(reversed(above))


def sentence_tree(hit: Hit) -> list[Node]:
    """The nodes of a hit in order, those at the top and those under others; places count from the hit's beginning.

    Left out are headings that govern no list, lines that only rule off, and tables of contents. A run-in heading and
    its first sentence are one node, and so are a sentence and the exceptions that follow it in its paragraph, and a
    question or a bare "no" and what follows it there.
    """
    builder = _Builder(hit)
    for block in hit.blocks:
        builder.add(block)
    builder.say_what_leads()
    return builder.nodes


class _Builder:
    """The nodes so far, and for each block the one under which its list stands."""

    def __init__(self, hit: Hit) -> None:
        self._text = hit.text
        self._hit = hit
        self._parents = {block.parent for block in hit.blocks}
        self._leads: dict[int, Node] = {}
        self._tables: dict[int, Block] = {}
        self.nodes: list[Node] = []

    def add(self, block: Block) -> None:
        """Adds what of a block may be quoted."""
        span = max(block.start - self._hit.start, 0), min(block.end, self._hit.end) - self._hit.start
        match block.kind:
            case BlockKind.CONTENTS:
                pass
            case BlockKind.TABLE:
                self._tables[block.start] = block
            case BlockKind.HEADER_ROW | BlockKind.ROW:
                table = self._tables.get(block.parent if block.parent is not None else -1)
                above = self._leads.get(table.parent) if table and table.parent is not None else None
                self._node(block, span, above).table = block.parent
            case BlockKind.HEADING:
                if block.start in self._parents:
                    self._heading(block, span)
            case BlockKind.FLUSH if block.parent in self._leads:
                self._leads[block.parent].flush.extend(sentence_spans(self._text, *span, soft=True))
            case _:
                self._sentences(block, span)

    def say_what_leads(self) -> None:
        """Says of each node whether it leads into what stands under it."""
        for node in self.nodes:
            line = self._text[node.last : node.end]
            ends_block = node.end == min(node.block.end, self._hit.end) - self._hit.start
            followed = any(child.kind is not BlockKind.PARAGRAPH for child in node.children)
            node.leads = node.kind is BlockKind.HEADING or (
                node.table is None
                and (
                    (ends_block and (introduces(line) or (followed and (asks(line) or not is_terminal(line)))))
                    or (followed and points_on(line))
                )
            )

    def _heading(self, block: Block, span: Span) -> None:
        """A heading without its markup."""
        line = self._text[slice(*span)]
        bare = line.strip("#*_ \t")
        at = span[0] + line.index(bare)
        self._leads[block.start] = self._node(block, trimmed(self._text, at, at + len(bare)), None)

    def _sentences(self, block: Block, span: Span) -> None:
        """The sentences of a paragraph, an item or a note; an item stays whole up to its first full stop."""
        above = self._leads.get(block.parent) if block.parent is not None else self._asked(block)
        first: Node | None = None
        found = [one for one in sentence_spans(self._text, *span, soft=True) if not is_template(self._text, *one)]
        for place, sentence in enumerate(found):
            kind = BlockKind.PARAGRAPH if place or block.kind is BlockKind.FLUSH else block.kind
            before = self.nodes[-1] if self.nodes else None
            if before and kind is BlockKind.PARAGRAPH and self._is_one_with(before, sentence):
                before.labelled = before.labelled or _is_label(self._text, (before.last, before.end))
                before.last, before.end, before.block = sentence[0], sentence[1], block
                self._leads[block.start] = before
                first = first or before
                continue
            node = self._node(block, sentence, first if first and block.kind is BlockKind.ITEM else above, kind)
            first = first or node
            if not self._leads_on(block, sentence):
                self._leads[block.start] = node
        if first and block.kind is BlockKind.ITEM and not introduces(self._text[slice(*span)]):
            self._leads[block.start] = first

    def _asked(self, block: Block) -> Node | None:
        """The question right in front of a list that stands under nothing else."""
        top = self.nodes[-1] if self.nodes and block.kind is BlockKind.ITEM else None
        while top and top.parent:
            top = top.parent
        return top if top and top.is_prose and asks(self._text[slice(*top.span)]) else None

    def _leads_on(self, block: Block, sentence: Span) -> bool:
        """Whether what stands under a paragraph belongs to a sentence of it that stands before this one."""
        known, line = self._leads.get(block.start), self._text[slice(*sentence)]
        if known is None or block.kind is not BlockKind.PARAGRAPH or introduces(line) or not is_terminal(line):
            return False
        return points_on(self._text[known.last : known.end]) and not points_on(line)

    def _node(self, block: Block, span: Span, parent: Node | None, kind: BlockKind | None = None) -> Node:
        node = Node(block, kind or block.kind, *span, last=span[0], parent=parent)
        if parent is not None:
            parent.children.append(node)
        self.nodes.append(node)
        return node

    def _is_one_with(self, before: Node, sentence: Span) -> bool:
        """Whether a sentence belongs to the one before: behind a run-in heading, or as what limits it."""
        if before.kind is BlockKind.HEADING or before.table is not None:
            return False
        text = self._text
        if _is_label(text, (before.last, before.end)):
            return True
        if opens_answer(text[before.last : before.end]) and "\n\n" not in text[before.end : sentence[0]]:
            return True
        if before.kind is BlockKind.ITEM and "\n" in text[before.end : sentence[0]]:
            return False
        following = text[slice(*sentence)]
        return limits(following) or (not is_terminal(text[before.last : before.end]) and following[:1].islower())


def _is_label(text: str, span: Span) -> bool:
    """Whether a sentence is a numbered or bold name for what follows it in the same line."""
    line = text[slice(*span)]
    mark = LIST_MARK.match(line) or _WORDED_MARK.match(line)
    if mark is None and not line.startswith("**"):
        return False
    words = line[mark.end() if mark else 0 :].split()
    bullet_or_letter = mark is not None and not mark[0][0].isalpha() and sum(char.isdigit() for char in mark[0]) < 2
    behind = text[span[1] : span[1] + 2]
    goes_on = behind[:1] != "\n" if bullet_or_letter else "\n\n" not in behind
    return len(words) <= _LABEL_WORDS and line.rstrip("* ").endswith(".") and goes_on
