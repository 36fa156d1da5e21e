"""What of a section stands under what: lists below their leads, lists within lists, and what limits a whole list."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from policy_rag.answering.extraction.blocks import Kind, Piece, governs, introduces, is_terminal
from policy_rag.answering.extraction.exceptions import limits
from policy_rag.answering.extraction.list_nesting import Mark, depth_of
from policy_rag_parsers.text.sentences import trimmed

_DEEPEST = 12  # lists inside lists; what claims to be deeper stands beside the innermost
_GOES_ON = (";", ",", " and", " or", " und", " oder")


@dataclass(slots=True, eq=False)
class Node:
    """A piece with what stands under it.

    Attributes:
        piece: the piece itself.
        above: what it stands under, or None.
        below: what stands under it, in order.
        leads: whether it leads into what follows.
        tail: sentences behind a list that limit all of it, in order; with the outermost lead.
    """

    piece: Piece
    above: "Node | None" = None
    below: "list[Node]" = field(default_factory=list)
    leads: bool = False
    tail: list[Piece] = field(default_factory=list)

    @property
    def last(self) -> Piece:
        """The last piece of all that stands under it."""
        return self.below[-1].last if self.below else self.piece

    @property
    def chain(self) -> "tuple[Node, ...]":
        """What it stands under, outermost first, from the first line that leads into anything."""
        above: list[Node] = []
        node = self.above
        while node is not None:
            above.append(node)
            node = node.above
        while above and not above[-1].leads:
            above.pop()
        return tuple(reversed(above))


def outline(text: str, pieces: Sequence[Piece]) -> list[Node]:
    """The pieces as nodes, in order; of headings only those that govern the list below them.

    A piece leads into what follows where it ends in a colon or a dash, or where it has no terminal mark and a list
    follows, or one inside its own.

    Args:
        text: the section.
        pieces: its pieces, in order.
    """
    reader = _Reader(text, pieces)
    for place, piece in enumerate(pieces):
        match piece.kind:
            case Kind.HEADING:
                reader.heading(place, piece)
            case Kind.ROW:
                reader.row(piece)
            case Kind.ITEM:
                reader.item(place, piece)
            case Kind.PROSE:
                reader.prose(place, piece)
    return reader.found


class _Reader:
    """The nodes that were read, and those of them that are open."""

    def __init__(self, text: str, pieces: Sequence[Piece]) -> None:
        self._text = text
        self._pieces = pieces
        self._open: list[Node] = []
        self.found: list[Node] = []

    def heading(self, place: int, piece: Piece) -> None:
        """Closes everything; one that says how the list below is meant leads into it."""
        self._open.clear()
        line = self._line(piece)
        bare = line.strip("#*_ \t")
        start, end = trimmed(self._text, piece.start + line.index(bare), piece.start + line.index(bare) + len(bare))
        if self._list_follows(place) and start < end and governs(line):
            self._add(Piece(Kind.HEADING, start, end, start), None, leads=True)

    def row(self, piece: Piece) -> None:
        """A row stands under the line that leads into its table."""
        inner = self._open[-1] if self._open else None
        self._add(piece, inner if inner and inner.leads else None, opens=False)

    def item(self, place: int, piece: Piece) -> None:
        """An item stands where its mark says."""
        mark = piece.mark or Mark("", 0)
        following = self._pieces[place + 1].mark if place + 1 < len(self._pieces) else None
        depth = depth_of([node.piece.mark for node in self._open], mark, following)
        leads = introduces(self._line(piece))
        beside = self._open[depth] if depth < len(self._open) else None
        if beside and beside.leads and beside is self.found[-1] and not mark.parts:
            depth += 1  # a bullet below one that ends in a colon, indented or not
        elif leads and not mark.parts:
            depth = next((at for at, node in enumerate(self._open) if node.leads and node.piece.mark == mark), depth)
        del self._open[depth:]
        above = self._open[-1] if self._open else None
        if above and above is self.found[-1] and not is_terminal(self._line(above.piece)):
            above.leads = True
        self._add(piece, above, leads=leads)

    def prose(self, place: int, piece: Piece) -> None:
        """A sentence goes on in the item before it, limits the list before it, or ends it."""
        before = self.found[-1] if self.found else None
        apart = before is None or "\n" in self._text[before.piece.end : piece.start]
        if before and apart and self._open and self._limits(before, piece):
            top = before.chain[0] if before.chain else before
            top.tail.append(piece)
            return
        unmarked = before is not None and self._lists(before)
        if unmarked and before and not before.leads:
            self._open.pop()
        elif apart and not unmarked:
            self._open.clear()
        line = self._line(piece)
        leads = introduces(line) or (self._list_follows(place) and not is_terminal(line))
        above = self._open[-1] if self._open else None
        self._add(piece, above, leads=leads, opens=leads or unmarked)

    def _limits(self, before: Node, piece: Piece) -> bool:
        """Whether a sentence behind an item limits its list, or ends its sentence."""
        line = self._line(before.piece)
        return not before.leads and (
            limits(self._line(piece)) or (not is_terminal(line) and self._line(piece)[0].islower())
        )

    def _lists(self, before: Node) -> bool:
        """Whether a paragraph is an item without a mark: below a colon, or behind such an item that goes on."""
        if before.piece.kind is not Kind.PROSE or not self._open or before is not self._open[-1]:
            return False
        return before.leads or (before.above is not None and self._line(before.piece).endswith(_GOES_ON))

    def _list_follows(self, place: int) -> bool:
        """Whether an item or a row comes next; a clause's number other than the first of its kind begins no list."""
        following = self._pieces[place + 1] if place + 1 < len(self._pieces) else None
        if following is None or following.kind not in (Kind.ITEM, Kind.ROW):
            return False
        parts = following.mark.parts if following.mark else []
        return len(parts) < 2 or parts[-1] in ("1", "a", "i")

    def _add(self, piece: Piece, above: Node | None, *, leads: bool = False, opens: bool = True) -> None:
        node = Node(piece, above, leads=leads)
        if above is not None:
            above.below.append(node)
        self.found.append(node)
        if opens and len(self._open) < _DEEPEST:
            self._open.append(node)

    def _line(self, piece: Piece) -> str:
        return self._text[piece.start : piece.end]
