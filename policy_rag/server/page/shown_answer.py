"""An answer as a page lays it out: what answers first, then what belongs to it, then what contradicts it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby, pairwise
from typing import Any

from policy_rag.answering.presentation.readable import CELL_SEPARATOR, header_rows
from policy_rag.answering.presentation.wording import ALL_WORDS, says_nearest
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.records.search import Hit
from policy_rag.server.state import record_of

_MARK = re.compile(r"\s*\[(\d{1,4})\]")
_CONFLICT = re.compile(rf"(?:{'|'.join(one.otherwise for one in ALL_WORDS)}) \((.*?)\): (?=\S)")


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """Words, or the number of a citation."""

    text: str
    n: int | None = None


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of an answer, or a table, which then is all there is of it but for its citations.

    Attributes:
        pieces: its words and citations, of a table the citations alone.
        header: the header row of a table; none where it is not known.
        rows: its other rows, all as wide as the widest.
    """

    pieces: tuple[ShownPiece, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Against:
    """What another policy says against an answer, and in what they differ."""

    reason: str
    line: ShownLine


@dataclass(frozen=True, slots=True)
class ShownPart:
    """The answer to a question, or to a part of it.

    Attributes:
        question: the part, where there are several.
        uncertain: whether it is only the nearest text.
        leading: what answers by itself.
        rest: what belongs to it.
        against: what other policies say against it.
    """

    question: str
    uncertain: bool
    leading: tuple[ShownLine, ...]
    rest: tuple[ShownLine, ...]
    against: tuple[Against, ...]


def shown_parts(answer: Answer) -> tuple[ShownPart, ...]:
    """The parts of an answer's text, in order; one where the question had no parts."""
    known = {citation.n for citation in answer.citations}
    blocks = [block.split("\n") for block in answer.answer.split("\n\n") if block.strip()]
    parts: list[list[list[str]]] = []
    for block in blocks:
        if not parts or _is_question(block, answer):
            parts.append([])
        parts[-1].append(block)
    headers = frozenset(row for one in answer.citations for row in header_rows(one.quote, one.file))
    return tuple(_part(part, answer, known, headers) for part in parts)


def answer_of(kept: Mapping[str, Any]) -> Answer:
    """An answer from its JSON form, as the log keeps it; what that lacks is empty."""
    own = {field.name for field in fields(Answer)}
    given = {name: value for name, value in kept.items() if name in own}
    given |= {
        "status": Status(kept["status"]),
        "citations": tuple(record_of(Citation, one) for one in kept["citations"]),
        "nearest": tuple(record_of(Hit, one) for one in kept["nearest"]),
        "notices": tuple(kept.get("notices", ())),
        "filters": tuple(kept.get("filters", ())),
    }
    return Answer(**given)


def _is_question(block: Sequence[str], answer: Answer) -> bool:
    """Whether a block begins with a part of the question, as answers to several parts do."""
    return len(block) > 1 and block[0].endswith("?") and not _MARK.search(block[0]) and answer.question != block[0]


def _part(blocks: Sequence[Sequence[str]], answer: Answer, known: set[int], headers: Collection[str]) -> ShownPart:
    first = list(blocks[0])
    question = first.pop(0) if _is_question(first, answer) else ""
    uncertain = bool(first) and says_nearest(first[0])
    if uncertain:
        first.pop(0)
    rest = [line for block in blocks[1:] for line in block]
    at = next((i for i, line in enumerate(rest) if _CONFLICT.match(line)), len(rest))
    return ShownPart(
        question,
        uncertain,
        tuple(_lines(first, known, headers)),
        tuple(_lines(rest[:at], known, headers)),
        tuple(_against(rest[at:], known)),
    )


def _against(lines: Sequence[str], known: set[int]) -> Iterator[Against]:
    """Each begins with the line that says in what it differs."""
    starts = [i for i, line in enumerate(lines) if _CONFLICT.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        said = " ".join(lines[start:end])
        found = _CONFLICT.match(said)
        if found:
            yield Against(found[1], ShownLine(tuple(_pieces(said[found.end() :], known))))


def _lines(lines: Sequence[str], known: set[int], headers: Collection[str]) -> Iterator[ShownLine]:
    """Lines as they are, but for rows that follow each other, which are a table; a header row begins one."""
    for is_row, group in groupby(lines, key=lambda line: CELL_SEPARATOR in line):
        found = list(group)
        starts = [i for i, line in enumerate(found) if i == 0 or _MARK.sub("", line) in headers]
        for start, end in pairwise([*starts, len(found)]):
            rows = found[start:end]
            if is_row and len(rows) > 1:
                yield _table(rows, known, headers)
            else:
                yield from (ShownLine(tuple(_pieces(line, known))) for line in rows)


def _table(lines: Sequence[str], known: set[int], headers: Collection[str]) -> ShownLine:
    numbers = dict.fromkeys(int(found) for line in lines for found in _MARK.findall(line))
    marks = [ShownPiece("", n) for n in numbers if n in known]
    bare = [_MARK.sub("", line) for line in lines]
    width = max(line.count(CELL_SEPARATOR) for line in bare) + 1
    rows = [tuple(cell.strip() for cell in line.split(CELL_SEPARATOR)) for line in bare]
    header, *others = [row + ("",) * (width - len(row)) for row in rows]
    if bare[0] in headers:
        return ShownLine(tuple(marks), header, tuple(others))
    return ShownLine(tuple(marks), rows=(header, *others))


def _pieces(line: str, known: set[int]) -> Iterator[ShownPiece]:
    at = 0
    for found in _MARK.finditer(line):
        if int(found[1]) in known:
            yield ShownPiece(line[at : found.start()])
            yield ShownPiece("", int(found[1]))
            at = found.end()
    if line[at:]:
        yield ShownPiece(line[at:])
