"""Questions from the command line or from a file, each with what it is asked under."""

import json
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
        file: instead.
        what: is given, for messages.

    Raises:
        UsageError: neither or both are given, or the file cannot be read or holds nothing.
    """
    if (given is None) == (file is None):
        raise UsageError(f"give a {what}, or --from FILE with {what}s")
    if file is None:
        return (("", given or ""),)
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read ({error}): give a text file with a {what} a line") from error
    found = tuple((f"{file}:{i}", line.strip()) for i, line in enumerate(lines, 1) if line.strip())
    if not found:
        raise UsageError(f"{file} holds no {what}: write one a line")
    return found


def _of_line(line: str, base: SearchRequest, place: str) -> SearchRequest:
    if not place or not line.startswith("{"):
        return replace(base, question=line)
    try:
        row: dict[str, Any] = json.loads(line)
        text = str(row["text"])
    except (ValueError, KeyError) as error:
        raise UsageError(f'{place} is no question: a JSON line needs "text"') from error
    where = row.get("where") or ()
    document = (f"doc_id={row['doc_id']}",) if row.get("doc_id") else ()
    groups = row.get("as") or ()
    return SearchRequest(
        question=text,
        where=(*base.where, *((where,) if isinstance(where, str) else where), *document),
        groups=(*base.groups, *((groups,) if isinstance(groups, str) else groups)),
        as_of=day_of(row.get("as_of")) or base.as_of,
    )
