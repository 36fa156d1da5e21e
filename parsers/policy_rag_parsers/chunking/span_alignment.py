"""Where the texts that a splitter returned stand in the document that it was given.

LlamaIndex looks for each node's text from just behind the start of the node before, which finds the wrong place where
a sentence repeats, and finds nothing where the splitter changed a blank. Here blanks are left out of the comparison,
and a place is taken only if the texts behind it can be placed as well, without a gap up to the document's end.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from policy_rag_parsers.errors import PolicyRagError
from policy_rag_parsers.text.sentences import Span

_INK = re.compile(r"\S+")
# Going back is needed only where a text repeats itself for pages; then one of many right answers is enough.
_MOST_STEPS_BACK = 10_000


def locate(
    text: str, start: int, pieces: Sequence[str], *, overlaps: Callable[[str], bool] | None = None
) -> list[Span]:
    """The range of each piece in `text[start:]`, its text equal to the piece's up to blanks.

    Args:
        text: the document.
        start: where the part begins that was split.
        pieces: what the splitter returned, in order; blank ones are left out of the answer.
        overlaps: whether a text is short enough to be what one piece repeats of the piece before; None where pieces
            never overlap.

    Returns:
        Ranges with rising starts, trimmed, one a piece that is not blank.

    Raises:
        PolicyRagError: a piece is not in the document: the splitter changed more than blanks.
    """
    ink = _Ink(text, start)
    wanted = ["".join(piece.split()) for piece in pieces]
    wanted = [piece for piece in wanted if piece]
    may_repeat = None if overlaps is None else lambda a, b: overlaps(text[slice(*ink.span(a, b))])
    places = _places(ink, wanted, may_repeat)
    if places is None:
        places = _in_order(ink.text, wanted)
    return [ink.span(a, b) for a, b in places]


class _Ink:
    """The non-blank characters of a text in a row, and the way back to their places."""

    def __init__(self, text: str, start: int) -> None:
        self._from: list[int] = []
        self._to: list[int] = []
        words: list[str] = []
        length = 0
        for word in _INK.finditer(text, start):
            self._from.append(length)
            self._to.append(word.start())
            words.append(word.group())
            length += len(words[-1])
        self.text = "".join(words)

    def span(self, a: int, b: int) -> Span:
        return self._place(a), self._place(b - 1) + 1

    def begins_word(self, at: int) -> bool:
        word = bisect_right(self._from, at) - 1
        return self._from[word] == at

    def _place(self, at: int) -> int:
        word = bisect_right(self._from, at) - 1
        return self._to[word] + at - self._from[word]


def _places(ink: _Ink, pieces: Sequence[str], may_repeat: Callable[[int, int], bool] | None) -> list[Span] | None:
    """Depth-first, longest overlap first: splitters repeat as much as they are allowed to. None: there is no way."""
    placed: list[Span] = []
    untried: list[list[int]] = []
    back = 0
    while len(placed) < len(pieces) or (placed and placed[-1][1] != len(ink.text)):
        index = len(placed)
        if index == len(pieces):
            placed.pop()
            continue
        if len(untried) == index:
            untried.append(_candidates(ink, pieces[index], placed, may_repeat))
        if untried[index]:
            at = untried[index].pop()
            placed.append((at, at + len(pieces[index])))
            continue
        back += 1
        untried.pop()
        if not placed or back > _MOST_STEPS_BACK:
            return None
        placed.pop()
    return placed


def _candidates(
    ink: _Ink, piece: str, placed: Sequence[Span], may_repeat: Callable[[int, int], bool] | None
) -> list[int]:
    """Where a piece may begin, the best last: at the beginning of a word, as early as may be."""
    if not placed:
        return [0] if ink.text.startswith(piece) else []
    before_start, before_end = placed[-1]
    found = [before_end] if ink.text.startswith(piece, before_end) else []
    if may_repeat is None:
        return found
    at = ink.text.rfind(piece, before_start + 1, before_end - 1 + len(piece))
    while at >= 0 and may_repeat(at, before_end):
        found.append(at)
        at = ink.text.rfind(piece, before_start + 1, at - 1 + len(piece))
    return sorted(found, key=lambda place: (ink.begins_word(place), -place))


def _in_order(ink: str, pieces: Sequence[str]) -> list[Span]:
    """Each piece at its first place behind the start of the one before, gaps allowed."""
    placed: list[Span] = []
    at = 0
    for piece in pieces:
        place = ink.find(piece, at)
        if place < 0:
            raise PolicyRagError(
                f"a chunk beginning {piece[:40]!r} is not in its document: the splitter changed the text; "
                "use --chunker section"
            )
        placed.append((place, place + len(piece)))
        at = place + 1
    return placed
