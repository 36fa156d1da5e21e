"""Questions from the command line or from a file, each with what it is asked under."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from policy_rag.cli.options import SearchArguments
from policy_rag.errors import UsageError
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.request import day_of


def read_requests(question: str | None, file: Path | None, under: SearchArguments) -> tuple[SearchRequest, ...]:
    """The questions to ask: the one given, or those of a file.

    In a file a line is a question; where it is a JSON object it is a row of a data set's `queries.jsonl`, whose
    `where`, `doc_id`, `as` and `as_of` are used on top of those of the options (`under`).

    Raises:
        UsageError: neither or both are given, or a line cannot be read.
    """
    lines = read_lines(question, file, "question")
    base = SearchRequest("", tuple(under.where or ()), tuple(under.groups or ()), day_of(under.as_of))
    return tuple(_of_line(line, base, place) for place, line in lines)


def read_lines(given: str | None, file: Path | None, what: str) -> tuple[tuple[str, str], ...]:
    """What was given in the call, else the lines of a file that hold anything, each behind its place ("" in the call).

    Args:
        given: in the call.
        file: instead; `-` is standard input.
        what: is given, for messages.

    Raises:
        UsageError: neither or both are given, or the file cannot be read or holds nothing.
    """
    if (given is None) == (file is None):
        raise UsageError(f"give a {what}, or --from FILE with {what}s")
    if file is None:
        return (("", given or ""),)
    piped = file == Path("-")
    name = "standard input" if piped else str(file)
    try:
        data = sys.stdin.buffer.read() if piped else file.read_bytes()
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name} cannot be read ({error}): give a text file with a {what} a line") from error
    found = tuple((f"{name}:{i}", line.strip()) for i, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise UsageError(f"{name} holds no {what}: write one a line")
    return found


def json_line(line: str, place: str, wrong: str) -> dict[str, Any] | None:
    """The JSON object that a line is; None where it is text, as every line without a place is.

    Args:
        line: without blanks around it.
        place: see `read_lines`.
        wrong: the message for a line that is other JSON, or begun like an object and is none.

    Raises:
        UsageError: it is such a line.
    """
    if not place or line[:1] not in {"{", "[", '"'}:
        return None
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        if line.startswith("{"):
            raise UsageError(f"{place} {wrong}") from error
        return None  # "Force majeure": what is it?
    if not isinstance(row, dict):
        raise UsageError(f"{place} {wrong}")
    return row


def _of_line(line: str, base: SearchRequest, place: str) -> SearchRequest:
    row = json_line(line, place, 'is no question: a JSON line is an object with "text"')
    if row is None:
        return replace(base, question=line)
    text, document, as_of = row.get("text"), row.get("doc_id"), row.get("as_of")
    if not isinstance(text, str):
        raise UsageError(f'{place} is no question: a JSON line needs "text", a string')
    for name, value in (("doc_id", document), ("as_of", as_of)):
        if not isinstance(value, str | None):
            raise UsageError(f'{place} is no question: "{name}" is a string')
    try:
        day = day_of(as_of)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error
    return SearchRequest(
        question=text,
        where=(*base.where, *_listed(row, "where", place), *((f"doc_id={document}",) if document else ())),
        groups=(*base.groups, *_listed(row, "as", place)),
        as_of=day or base.as_of,
    )


def _listed(row: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
    """The strings of a field that is left out, one, or a list of them."""
    value = row.get(name)
    values = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise UsageError(f'{place} is no question: "{name}" is a string or a list of strings')
    return tuple(one for one in values if one)
