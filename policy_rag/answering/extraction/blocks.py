"""The pieces of a section that quotations are made of: sentences with what limits them, list items, table rows."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from policy_rag.answering.extraction.exceptions import limits
from policy_rag.answering.extraction.list_nesting import Mark
from policy_rag.answering.extraction.plain_tables import aligned_tables
from policy_rag.records.search import Hit
from policy_rag_parsers.text.sentences import LIST_MARK, Span, sentence_spans, trimmed

_RULE = re.compile(r"[\s|:=_*~-]+")
_MARKUP = re.compile(r"[\s#*_|>]+")
_NUMBERED = frozenset(
    ("part", "chapter", "section", "article", "rule", "schedule", "annex", "appendix", "guidance", "note", "notes")
)
# What makes a line without a full stop a clause, and what of a title changes the meaning of the list below it.
_GOVERNS = re.compile(
    r"\b(?:may|must|shall|should|will|can|cannot|is|are|be|has|have|do|does|not|never|no|only|if|unless|except|where|"
    r"when|without|prohibited|forbidden|banned|allowed|permitted|excluded|exempt|exceptions?|"
    r"darf|dürfen|muss|müssen|soll|sollen|kann|können|wird|werden|ist|sind|nicht|kein\w*|nie|nur|wenn|falls|außer|"
    r"verboten|erlaubt|ausgenommen|ausnahmen?)\b|\b(?:by|for|of|to|in|with|from|that|which|and|or)\W*$",
    re.IGNORECASE,
)
_TITLE_WORDS = 4
_LABEL_WORDS = 4  # a run-in heading: "4.4 Working meals.", "**Buyers.**"
_TERMINAL = re.compile(r"[.!?…:;。！？][\"'”’»)\]*_]*$")


class Kind(StrEnum):
    """What a piece is."""

    HEADING = "heading"
    ITEM = "item"
    ROW = "row"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a section that is quoted whole or not at all.

    Attributes:
        kind: what it is.
        start: first character, in the section.
        end: one past its last.
        last: where its last sentence begins; `start` but for a sentence that brings what limits it.
        mark: what an item begins with, or None.
    """

    kind: Kind
    start: int
    end: int
    last: int
    mark: Mark | None = None

    @property
    def span(self) -> Span:
        """`(start, end)`."""
        return self.start, self.end


def pieces(hit: Hit) -> list[Piece]:
    """The pieces of a hit in order; lines that only rule off are left out.

    A run-in heading and its first sentence are one piece, and so are a sentence and the exceptions that follow it in
    its paragraph. A number that stands alone marks the paragraph below it.
    """
    text = hit.text
    rows = [span for table in aligned_tables(text) for span in table]
    in_table = frozenset(rows)
    found: list[Piece] = []
    for place, span in enumerate(_spans(text, rows)):
        piece = _piece(hit, span, place, in_table=span in in_table)
        if found and _is_one_with(text, found[-1], piece):
            found[-1] = replace(found[-1], end=piece.end, last=piece.start)
        else:
            found.append(piece)
    return _marked_from_above(text, found)


def is_terminal(line: str) -> bool:
    """Whether a line ends in a mark that closes a sentence, an item or a lead.

    >>> is_terminal("(a) it pays;"), is_terminal("Staff must not")
    (True, False)
    """
    return _TERMINAL.search(line) is not None


def introduces(line: str) -> bool:
    """Whether a line ends in a colon or a dash."""
    return line.rstrip("*_ ").endswith((":", "—", "–"))


def governs(line: str) -> bool:
    """Whether a line without a full stop says how a list below it is meant.

    >>> governs("Staff must not"), governs("Prohibited items"), governs("Travel costs")
    (True, True, False)
    """
    return _GOVERNS.search(line) is not None


def plain(line: str) -> str:
    """A line without markup and punctuation, in small letters, as titles are compared."""
    words = re.sub(r"[^\w\s.()]", " ", _MARKUP.sub(" ", line)).casefold()
    return " ".join(part.strip(".()") for part in words.split()).strip()


def _spans(text: str, rows: Sequence[Span]) -> list[Span]:
    """The sentences outside the tables that blanks draw, and the rows of those, in order."""
    spans: list[Span] = list(rows)
    starts = [start for start, _ in rows]
    for start, end in sentence_spans(text, 0, len(text)):
        at = start
        for row in rows[max(0, bisect_right(starts, start) - 1) : bisect_right(starts, end)]:
            if row[0] < end and at < row[1]:
                spans.append(trimmed(text, at, max(at, row[0])))
                at = row[1]
        spans.append(trimmed(text, min(at, end), end))
    return sorted(span for span in spans if span[0] < span[1] and not _RULE.fullmatch(text, *span))


def _piece(hit: Hit, span: Span, place: int, *, in_table: bool) -> Piece:
    text = hit.text
    if in_table or _is_row(text[slice(*span)]):
        kind = Kind.ROW
    elif _is_heading(hit, span, place):
        kind = Kind.HEADING
    else:
        kind = Kind.PROSE if LIST_MARK.match(text, *span) is None else Kind.ITEM
    return Piece(kind, *span, last=span[0], mark=_mark(text, span) if kind is Kind.ITEM else None)


def _mark(text: str, span: Span) -> Mark | None:
    found = LIST_MARK.match(text, *span)
    before = text[text.rfind("\n", 0, span[0]) + 1 : span[0]]
    return Mark(found[0].strip(), len(before) if not before.strip() else 0) if found else None


def _is_heading(hit: Hit, span: Span, place: int) -> bool:
    """Whether a line is the hit's own heading, or one inside it."""
    line = hit.text[slice(*span)]
    own = {plain(part) for part in (hit.title, hit.number or "", f"{hit.number or ''} {hit.title}") if part.strip()}
    marked = line.startswith("#") or (line.startswith("**") and line.endswith("**"))
    shouted = line.isupper() and not is_terminal(line)
    named = plain(line) in own or plain(line) == "" or (place == 0 and _opens(line, hit))
    return marked or shouted or named or _is_bare(line) or _is_title(hit.text, span)


def _is_title(text: str, span: Span) -> bool:
    """Whether a line of a few words without a full stop stands above text, as a title does."""
    line = text[slice(*span)]
    words = line.split()
    short = len(words) <= _TITLE_WORDS and line[:1].isupper() and not is_terminal(line)
    if not short or not all(word.isalpha() for word in words) or LIST_MARK.match(line) is not None:
        return False
    alone = text[span[0] - 1 : span[0]] == "\n" and text[span[1] : span[1] + 1] == "\n"
    below, end = trimmed(text, span[1], len(text))
    mark = LIST_MARK.match(text, below)
    leads = mark is not None and len(re.findall(r"\w+", mark[0])) < 2  # into a list; "3.2" begins a clause
    return alone and below < end and not leads


def _is_bare(line: str) -> bool:
    """Whether a line is a number without words: "A2.4.Guidance.1.", "(b)"."""
    letters = re.findall(r"[^\W\d_]+", line)
    is_number = any(char.isdigit() for char in line) or LIST_MARK.fullmatch(line) is not None
    return is_number and all(len(word) <= 2 or word.casefold() in _NUMBERED for word in letters)


def _opens(line: str, hit: Hit) -> bool:
    """Whether the first line of a hit is its heading with something around it ("Article 5 - Hotels")."""
    return (
        bool(hit.title)
        and "\n" not in line
        and plain(line).endswith(plain(hit.title))
        and len(line) < len(hit.title) + 30
    )


def _is_row(line: str) -> bool:
    return " | " in line or line.startswith("|") or line.count("\t") > 1


def _is_one_with(text: str, before: Piece, piece: Piece) -> bool:
    """Whether a sentence belongs to the one before: behind a run-in heading, or as what limits it."""
    if piece.kind is not Kind.PROSE or before.kind in (Kind.HEADING, Kind.ROW):
        return False
    if before.last == before.start and _is_label(text, before):
        return True
    between, following = text[before.end : piece.start], text[slice(*piece.span)]
    if before.kind is Kind.ITEM and "\n" in between:
        return False  # it limits the whole list, or stands behind it
    return limits(following) or (not is_terminal(text[before.last : before.end]) and following[:1].islower())


def _is_label(text: str, piece: Piece) -> bool:
    """Whether a piece is a numbered or bold name for what follows it in the same line."""
    line = text[slice(*piece.span)]
    mark = LIST_MARK.match(line)
    if mark is None and not line.startswith("**"):
        return False
    words = line[mark.end() if mark else 0 :].split()
    bullet_or_letter = mark is not None and sum(char.isdigit() for char in mark[0]) < 2
    goes_on = (
        text[piece.end : piece.end + 1] != "\n" if bullet_or_letter else "\n\n" not in text[piece.end : piece.end + 2]
    )
    return len(words) <= _LABEL_WORDS and line.rstrip("* ").endswith(".") and goes_on


def _marked_from_above(text: str, found: Sequence[Piece]) -> list[Piece]:
    """The pieces, those below a list's mark that stands alone as items with that mark."""
    marked: list[Piece] = []
    for piece in found:
        above = marked[-1] if marked else None
        mark = above and above.kind is Kind.HEADING and LIST_MARK.fullmatch(text, *above.span)
        if above and mark and piece.kind is Kind.PROSE:
            marked[-1] = replace(piece, kind=Kind.ITEM, mark=_mark(text, above.span))
        else:
            marked.append(piece)
    return marked
