"""Cutting ranges of a text into chunks that an embedder can read whole."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from policy_rag_parsers.blocks.table_blocks import find_tables, header_text, table_rows
from policy_rag_parsers.chunking.bin_packing import pack
from policy_rag_parsers.records import Chunk, SourceText, TableMark
from policy_rag_parsers.text.sentences import Span, sentence_spans, trimmed

CountTokens = Callable[[Sequence[str]], Sequence[int]]

# Prose has 3 to 6 characters a token. Above this the text is cut before it is counted: a tokenizer takes long over a
# line of 10 MB, and may call a word of any length one unknown token.
_MOST_CHARS_PER_TOKEN = 12
# How far from the middle of an overlong sentence a place to cut it is looked for.
_REACH = 400
_CLAUSE_END = re.compile(r"[;:,—–](?=\s)|\s(?=\((?:[a-z]{1,4}|\d{1,2})\)\s)")
_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is not cut further: a sentence, a row, a table, or a part of one that is too long.

    `context` is what a chunk that begins here has to repeat.
    """

    start: int
    end: int
    context: str = ""


def fit_spans(
    source: SourceText, spans: Sequence[Span], rooms: Sequence[int], count_tokens: CountTokens
) -> list[tuple[Chunk, ...]]:
    """The chunks of each span, each within the span's room.

    A span that fits stays whole. Others are cut at sentence ends into as few chunks as possible, evenly filled. A
    table is cut only where it does not fit, between rows, and each further chunk of it carries the header row as
    `context`, which counts. A sentence that does not fit is cut near its middle, at the end of a clause, else between
    words, else anywhere, until its parts fit.

    Args:
        source: the document; its tables are looked for once.
        spans: trimmed ranges of its text, in any order, not empty.
        rooms: for each span the most tokens a chunk may have, at least 1.
        count_tokens: the tokens of each text, without the tokenizer's special ones. Called a few times, with many
            texts at once.

    Returns:
        For each span its chunks, in order; together they cover it up to blanks and do not overlap.
    """
    text = source.text
    whole = [index for index, (a, b) in enumerate(spans) if b - a <= rooms[index] * _MOST_CHARS_PER_TOKEN]
    counts = _counted(count_tokens, [text[slice(*spans[index])] for index in whole])
    fits = {index for index, count in zip(whole, counts, strict=True) if count <= rooms[index]}
    long = [index for index in range(len(spans)) if index not in fits]
    result: list[tuple[Chunk, ...]] = [(Chunk(a, b),) for a, b in spans]
    if long:
        cut = _Fitter(source, count_tokens).cut([spans[i] for i in long], [rooms[i] for i in long])
        for index, chunks in zip(long, cut, strict=True):
            result[index] = chunks
    return result


def _counted(count_tokens: CountTokens, texts: Sequence[str]) -> list[int]:
    return [int(count) for count in count_tokens(texts)] if texts else []


class _Fitter:
    """Cuts spans that do not fit, with one call of the tokenizer a step for all of them together."""

    def __init__(self, source: SourceText, count_tokens: CountTokens) -> None:
        self._text = source.text
        self._count = count_tokens
        self._tables = find_tables(source)
        self._table_starts = [table.start for table in self._tables]
        headers = list(dict.fromkeys(header_text(source.text, table) for table in self._tables))
        self._headers = dict(zip(headers, _counted(count_tokens, headers), strict=True))

    def cut(self, spans: Sequence[Span], rooms: Sequence[int]) -> list[tuple[Chunk, ...]]:
        pieces = self._small_tables(spans, rooms)
        sized = self._refined(pieces, rooms)
        chunks = [self._packed(row, room) for row, room in zip(sized, rooms, strict=True)]
        return self._checked(chunks, sized, rooms)

    def _tables_in(self, span: Span) -> Sequence[TableMark]:
        first = bisect_left(self._table_starts, span[0])
        if first and self._tables[first - 1].end > span[0]:
            first -= 1
        return self._tables[first : bisect_right(self._table_starts, span[1] - 1)]

    def _small_tables(self, spans: Sequence[Span], rooms: Sequence[int]) -> list[list[_Piece]]:
        """Sentences, tables that fit, and the rows of tables that do not."""
        inside = [
            (index, table, _clipped(self._text, table.start, table.end, span))
            for index, span in enumerate(spans)
            for table in self._tables_in(span)
        ]
        short = [entry for entry in inside if _length(entry[2]) <= rooms[entry[0]] * _MOST_CHARS_PER_TOKEN]
        counts = _counted(self._count, [self._text[slice(*span)] for _, _, span in short])
        fits = {(i, table) for (i, table, _), count in zip(short, counts, strict=True) if count <= rooms[i]}
        pieces: list[list[_Piece]] = []
        for index, span in enumerate(spans):
            row: list[_Piece] = []
            at = span[0]
            for table in self._tables_in(span):
                start, end = _clipped(self._text, table.start, table.end, span)
                row += self._sentences(at, start)
                row += [_Piece(start, end)] if (index, table) in fits else self._rows(table, span, rooms[index])
                at = max(at, end)
            row += self._sentences(at, span[1])
            pieces.append(row)
        return pieces

    def _sentences(self, start: int, end: int) -> list[_Piece]:
        return [_Piece(a, b) for a, b in sentence_spans(self._text, start, end)]

    def _rows(self, table: TableMark, span: Span, room: int) -> list[_Piece]:
        header = header_text(self._text, table)
        # A header that would fill half of every chunk tells less than the rows that it would push out.
        context = header if 2 * self._headers[header] <= room else ""
        clipped = [_clipped(self._text, a, b, span) for a, b in table_rows(self._text, table)]
        head = _clipped(self._text, table.start, table.header_end, span)
        rows = [_Piece(a, b, context) for a, b in clipped if a < b]
        return [_Piece(*head), *rows] if _length(head) else rows

    def _refined(self, pieces: list[list[_Piece]], rooms: Sequence[int]) -> list[list[tuple[_Piece, int]]]:
        """Every piece with its tokens, those that do not fit cut until they do."""
        small = [
            [part for piece in row for part in self._shortened(piece, room * _MOST_CHARS_PER_TOKEN)]
            for row, room in zip(pieces, rooms, strict=True)
        ]
        sized = self._sized(small)
        while True:
            finer = [
                [part for piece, count in row for part in self._within(piece, count, room)]
                for row, room in zip(sized, rooms, strict=True)
            ]
            if all(len(new) == len(old) for new, old in zip(finer, sized, strict=True)):
                return sized
            known = {piece: count for row in sized for piece, count in row}
            sized = self._sized(finer, known)

    def _sized(
        self, pieces: list[list[_Piece]], known: dict[_Piece, int] | None = None
    ) -> list[list[tuple[_Piece, int]]]:
        counts = dict(known or {})
        new = [piece for row in pieces for piece in row if piece not in counts]
        found = _counted(self._count, [self._text[p.start : p.end] for p in new])
        for piece, count in zip(new, found, strict=True):
            # One unknown token for a word of any length would let a chunk grow without end.
            counts[piece] = max(count, -(-(piece.end - piece.start) // _MOST_CHARS_PER_TOKEN))
        return [[(piece, counts[piece]) for piece in row] for row in pieces]

    def _within(self, piece: _Piece, count: int, room: int) -> list[_Piece]:
        if count + self._opening(piece) <= room or piece.end - piece.start < 2:
            return [piece]
        return self._halves(piece)

    def _shortened(self, piece: _Piece, most: int) -> list[_Piece]:
        """The piece in parts of at most `most` characters."""
        done: list[_Piece] = []
        waiting = [piece]
        while waiting:
            current = waiting.pop()
            if current.end - current.start <= max(most, 1):
                done.append(current)
            else:
                waiting.extend(reversed(self._halves(current)))
        return done

    def _halves(self, piece: _Piece) -> list[_Piece]:
        cut = _cut_near_middle(self._text, piece.start, piece.end)
        parts = (trimmed(self._text, piece.start, cut), trimmed(self._text, cut, piece.end))
        return [replace(piece, start=a, end=b) for a, b in parts if a < b]

    def _opening(self, piece: _Piece) -> int:
        return self._headers.get(piece.context, 0) if piece.context else 0

    def _packed(self, sized: list[tuple[_Piece, int]], room: int) -> tuple[Chunk, ...]:
        runs = pack([count for _, count in sized], [self._opening(piece) for piece, _ in sized], room)
        return tuple(Chunk(sized[a][0].start, sized[b - 1][0].end, sized[a][0].context) for a, b in runs)

    def _checked(
        self, chunks: list[tuple[Chunk, ...]], sized: list[list[tuple[_Piece, int]]], rooms: Sequence[int]
    ) -> list[tuple[Chunk, ...]]:
        """The same, packed more loosely where a tokenizer counts more for a text than for its parts."""
        result = list(chunks)
        left = dict(enumerate(rooms))
        waiting = [index for index, row in enumerate(result) if len(sized[index]) > len(row)]
        while waiting:
            texts = [(i, f"{c.context}\n{self._text[c.start : c.end]}") for i in waiting for c in result[i]]
            over: dict[int, int] = {}
            for (index, _), count in zip(texts, _counted(self._count, [t for _, t in texts]), strict=True):
                over[index] = max(over.get(index, 0), count - rooms[index])
            waiting = [index for index in waiting if over[index] > 0 and left[index] > 1]
            for index in waiting:
                left[index] = max(1, left[index] - over[index])
                result[index] = self._packed(sized[index], left[index])
            waiting = [index for index in waiting if len(sized[index]) > len(result[index])]
        return result


def _length(span: Span) -> int:
    return span[1] - span[0]


def _clipped(text: str, start: int, end: int, span: Span) -> Span:
    start, end = max(start, span[0]), min(end, span[1])
    return trimmed(text, start, end) if start < end else (start, start)


def _cut_near_middle(text: str, start: int, end: int) -> int:
    """Where to cut `text[start:end]`: behind a clause, else at a blank, else in the middle; never at an end."""
    middle = (start + end) // 2
    reach = min(_REACH, (end - start) // 4)
    for pattern in (_CLAUSE_END, _BLANK):
        places = [found.end() for found in pattern.finditer(text, middle - reach, middle + reach)]
        if places:
            return min(places, key=lambda place: abs(place - middle))
    return max(middle, start + 1)
