"""Which line of a section stands under which: lists below their leads, lists within lists, words that close a list."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_parsers.blocks.line_wording import governs, introduces, is_terminal, limits, points_on
from policy_rag_parsers.blocks.markers import Marker, depth_of
from policy_rag_parsers.records import BlockKind
from policy_rag_parsers.text.lexicon import JOINING, alternatives
from policy_rag_parsers.text.sentences import Span, sentence_spans, trimmed

_DEEPEST = 12  # lists inside lists; what claims to be deeper stands beside the innermost
_GOES_ON = re.compile(rf"(?:[;,]|\s(?:{alternatives(JOINING)}))\Z")


@dataclass(slots=True, eq=False)
class ListLine:
    """A block on its way: a heading, paragraph, item, note or whole table of a section.

    Attributes:
        kind: what it is.
        start: its first character.
        end: one past its last.
        marker: what an item begins with, or None.
        note: the mark of a note.
        header: the header row of a table, or None.
        rows: the others.
        parent: what it stands under, or None.
        leads: whether it leads into what follows.
    """

    kind: BlockKind
    start: int
    end: int
    marker: Marker | None = None
    note: str = ""
    header: Span | None = None
    rows: Sequence[Span] = ()
    parent: "ListLine | None" = None
    leads: bool = False

    def top(self) -> "ListLine":
        """The outermost line above it that leads into anything, else the line itself."""
        found, line = self, self.parent
        while line is not None:
            found = line if line.leads else found
            line = line.parent
        return found


def nest(text: str, lines: Sequence[ListLine]) -> list[ListLine]:
    """The lines in order, each with its parent; words that belong to a whole list are split off as flush.

    A line leads into what follows where it ends in a colon or a dash, or where it has no terminal mark, or a sentence
    that points on, and a list or a table follows, or an item of a list inside its own. A heading does where its words
    say how the list below is meant.

    Args:
        text: the document.
        lines: of one section, in order; they are given their parents.
    """
    nester = _Nester(text, lines)
    for line in lines:
        match line.kind:
            case BlockKind.HEADING:
                nester.heading(line)
            case BlockKind.TABLE:
                nester.table(line)
            case BlockKind.ITEM:
                nester.item(line)
            case BlockKind.CONTENTS:
                nester.found.append(line)
            case _:
                nester.paragraph(line)
    return nester.found


class _Nester:
    """The lines that were read, and those of them that are open."""

    def __init__(self, text: str, lines: Sequence[ListLine]) -> None:
        self._text = text
        self._lines = [line for line in lines if line.kind is not BlockKind.CONTENTS]
        self._place = {id(line): place for place, line in enumerate(self._lines)}
        self._open: list[ListLine] = []
        self._last: ListLine | None = None
        self.found: list[ListLine] = []

    def heading(self, line: ListLine) -> None:
        """Closes everything; one that says how the list below is meant leads into it."""
        self._open.clear()
        words = self._words(line)
        governing = bool(words.strip("#*_ \t")) and self._list_follows(line) and governs(words)
        self._add(line, None, leads=governing, opens=governing)

    def table(self, line: ListLine) -> None:
        """A table stands under the line that leads into it."""
        inner = self._open[-1] if self._open else None
        self._add(line, inner if inner and inner.leads else None, opens=False)

    def item(self, line: ListLine) -> None:
        """An item stands where its marker says."""
        marker = line.marker or Marker("")
        following = self._following(line)
        depth = depth_of([one.marker for one in self._open], marker, following.marker if following else None)
        leads = introduces(self._words(line))
        beside = self._open[depth] if depth < len(self._open) else None
        if beside and beside.leads and beside is self._last and not marker.parts:
            depth += 1  # a bullet below one that ends in a colon, indented or not
        elif leads and not marker.parts:
            depth = next((at for at, one in enumerate(self._open) if one.leads and one.marker == marker), depth)
        del self._open[depth:]
        above = self._open[-1] if self._open else None
        if above and above is self._last and not is_terminal(self._words(above)):
            above.leads = True
        self._add(line, above, leads=leads)

    def paragraph(self, line: ListLine) -> None:
        """A paragraph goes on in the list before it, closes it, or has nothing to do with it."""
        before = self._last
        if before is not None and self._open and not before.leads:
            line = self._without_flush(before, line)
        if line.start == line.end:
            return
        unmarked = before is not None and self._lists(before)
        if not unmarked:
            self._open.clear()
        elif before and not before.leads:
            self._open.pop()
        words = self._words(line)
        leads = introduces(words) or (
            self._list_follows(line)
            and (not is_terminal(words) or any(points_on(self._text[slice(*one)]) for one in self._sentences(line)))
        )
        self._add(line, self._open[-1] if self._open else None, leads=leads, opens=leads or unmarked)

    def _without_flush(self, before: ListLine, line: ListLine) -> ListLine:
        """The line from its first sentence on that does not limit the list before it, or end its sentence."""
        end = line.start
        open_end = not is_terminal(self._words(before))
        for first, last in self._sentences(line):
            if not (limits(self._text[first:last]) or (open_end and self._text[first].islower())):
                break
            end = last
        if end == line.start:
            return line
        self.found.append(ListLine(BlockKind.FLUSH, line.start, end, parent=before.top()))
        line.start = trimmed(self._text, end, line.end)[0]
        return line

    def _lists(self, before: ListLine) -> bool:
        """Whether a paragraph is an item without a marker: below a colon, or behind such an item that goes on."""
        if before.kind is not BlockKind.PARAGRAPH or not self._open or before is not self._open[-1]:
            return False
        return before.leads or (before.parent is not None and _GOES_ON.search(self._words(before)) is not None)

    def _following(self, line: ListLine) -> ListLine | None:
        place = self._place[id(line)] + 1
        return self._lines[place] if place < len(self._lines) else None

    def _list_follows(self, line: ListLine) -> bool:
        """Whether an item or a table comes next; a clause's number other than the first of its kind begins no list."""
        following = self._following(line)
        if following is None or following.kind not in (BlockKind.ITEM, BlockKind.TABLE):
            return False
        parts = following.marker.parts if following.marker else []
        return len(parts) < 2 or parts[-1] in ("1", "a", "i")

    def _sentences(self, line: ListLine) -> list[Span]:
        return sentence_spans(self._text, line.start, line.end, soft=True)

    def _add(self, line: ListLine, parent: ListLine | None, *, leads: bool = False, opens: bool = True) -> None:
        line.parent, line.leads = parent, leads
        self.found.append(line)
        self._last = line
        if opens and len(self._open) < _DEEPEST:
            self._open.append(line)

    def _words(self, line: ListLine) -> str:
        return self._text[line.start : line.end]
