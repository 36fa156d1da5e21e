"""`policy-rag check`: whether the policies bear a statement out."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json
from policy_rag.cli.question_input import json_line, read_lines
from policy_rag.errors import UsageError
from policy_rag.records.locations import place
from policy_rag.records.statement import CheckedStatement, StatementVerdict

_STYLES = {
    StatementVerdict.SUPPORTED: "green",
    StatementVerdict.DOUBTFUL: "yellow",
    StatementVerdict.UNSUPPORTED: "red",
}


class _Given(NamedTuple):
    """A statement, and where it is said to stand."""

    statement: str
    file: str | None = None
    span: tuple[int, int] | None = None


def check(
    statement: Annotated[str | None, typer.Argument(metavar="[STATEMENT]", help="The statement.")] = None,
    statements: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Statements, one a line, or JSON lines {statement, file, start, end}; - is standard input.",
        ),
    ] = None,
    *,
    where: opt.WhereOption = None,
    groups: opt.GroupsOption = None,
    as_of: opt.AsOfOption = None,
    common: opt.CommonOptions,
) -> None:
    """Hold statements against the policies.

    Each of them is supported, doubtful or unsupported.
    """
    with common.open() as assistant:
        given = [_of_line(line, place) for place, line in read_lines(statement, statements, "statement")]
        for text, file, span in given:
            found = assistant.check(text, file=file, span=span, where=where or (), groups=groups or (), as_of=as_of)
            if common.json:
                print_json(found, one_line=True)
            else:
                print_checked(found)


def print_checked(found: CheckedStatement) -> None:
    """A verdict as people read it: statement, verdict with its score, reason, and where that stands."""
    out = console()
    out.print(found.statement, style="bold")
    out.print(f"  {found.verdict.value} ({found.score:.2f})", style=_STYLES[found.verdict], end="")
    out.print(f": {found.reason}" if found.reason else "")
    for citation in found.citations:
        out.print(f"  [{citation.n}] {place(citation)}", style="cyan")
        out.print(f'      "{" ".join((citation.text or citation.quote).split())}"', style="dim")
    out.print()


def _of_line(line: str, place: str) -> _Given:
    wrong = 'is no statement: a JSON line needs "statement", and "start" with "end"'
    row = json_line(line, place, wrong)
    if row is None:
        return _Given(line)
    statement, file = row.get("statement"), row.get("file")
    if not isinstance(statement, str) or not isinstance(file, str | None):
        raise UsageError(f"{place} {wrong}")
    try:
        span = (int(row["start"]), int(row["end"])) if row.get("end") is not None else None
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{place} {wrong}") from error
    return _Given(statement, file, span)
