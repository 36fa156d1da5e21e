"""Tables of contents inside a section: their entries name what stands elsewhere, and answer nothing."""

import re
from collections.abc import Collection, Sequence

from policy_rag.answering.extraction.blocks import Kind, Piece, governs, introduces, is_terminal, plain
from policy_rag_parsers.text.sentences import LIST_MARK

_HEADS = frozenset(
    (
        *("contents", "table of contents", "list of contents", "on this page", "in this document"),
        *("inhalt", "inhaltsverzeichnis", "inhaltsübersicht", "auf dieser seite"),
    )
)
_LED = re.compile(r"(?:\.[ \t]?){4,}[ \t]*(?:\d{1,4}|[ivxl]{1,6})$|[…·_]{2,}[ \t]*\d{1,4}$|…[ \t]*\d{1,4}$")
_PAGE = re.compile(r"(?:\t| {2,})[ \t]*\d{1,4}$")
_ANCHOR = re.compile(r"\[(?P<title>[^\]]{1,200})\]\(#[^)\s]{0,200}\)")
_LONGEST = 300  # characters of an entry with its dots
_MOST_WORDS = 16  # a longer line is no title


def without_contents(text: str, pieces: Sequence[Piece], titles: Collection[str]) -> list[Piece]:
    """The pieces but for those of a table of contents.

    An entry is known by dots that lead to a page, as nothing but a link into its own page, by the line "Contents" that
    it stands below, or as a title of the document. Titles count only where no line leads into their list, for "Paid
    are: hotels, meals" is a rule; and two of them, or half of the list, make all of its lines entries.

    Args:
        text: the section.
        pieces: its pieces, in order.
        titles: those of the document's sections that are known, as `plain` writes them.
    """
    kept: list[Piece] = []
    at = 0
    while at < len(pieces):
        below = _below_head(text, pieces, at)
        after = max(at + 1, below)
        while not below and pieces[at].kind is Kind.ITEM and after < len(pieces) and pieces[after].kind is Kind.ITEM:
            after += 1
        run = [piece for piece in pieces[at:after] if not _is_entry(text, piece)]
        led = at > 0 and _leads(text, pieces[at - 1])
        if not below and (led or not _are_titles(text, run, titles)):
            kept.extend(run)
        at = after
    return kept


def _below_head(text: str, pieces: Sequence[Piece], at: int) -> int:
    """One past the last entry below the line "Contents" at `at`; 0 where there is no such line, or nothing below."""
    after = at + 1
    if plain(text[slice(*pieces[at].span)]) not in _HEADS:
        return 0
    while after < len(pieces) and pieces[after].kind is not Kind.HEADING and _is_like_title(text, pieces[after]):
        after += 1
    return after if after > at + 1 else 0


def _is_entry(text: str, piece: Piece) -> bool:
    """Whether a line is an entry by its form."""
    end = text.find("\n", piece.end, piece.start + _LONGEST)  # dots with blanks between are sentences by themselves
    line = text[piece.start : end if end >= 0 else min(len(text), piece.start + _LONGEST)]
    return _LED.search(line.rstrip()) is not None or _ANCHOR.fullmatch(_body(text[slice(*piece.span)])) is not None


def _are_titles(text: str, run: Sequence[Piece], titles: Collection[str]) -> bool:
    if not all(piece.kind in (Kind.ITEM, Kind.PROSE) and _is_like_title(text, piece) for piece in run):
        return False
    lines = [_PAGE.sub("", line) for line in _lines(text, run)]
    known = sum(bool({plain(line), plain(_body(line))}.intersection(titles)) for line in lines)
    return known > 1 or 2 * known >= len(run) > 0


def _lines(text: str, run: Sequence[Piece]) -> list[str]:
    return [text[slice(*piece.span)] for piece in run]


def _is_like_title(text: str, piece: Piece) -> bool:
    line = text[slice(*piece.span)]
    asks_or_open = line.endswith("?") or not is_terminal(line)
    return asks_or_open and "\n\n" not in line and len(line.split()) <= _MOST_WORDS


def _leads(text: str, before: Piece) -> bool:
    """Whether the piece before a list says how it is meant."""
    line = text[slice(*before.span)]
    if before.kind is Kind.HEADING:
        return governs(line)
    return introduces(line) or not is_terminal(line)


def _body(line: str) -> str:
    """A line without the mark of its list."""
    mark = LIST_MARK.match(line)
    return line[mark.end() :].strip() if mark else line
