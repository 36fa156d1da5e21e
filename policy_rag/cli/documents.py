"""`policy-rag documents` and `policy-rag remove`: what the index holds, and taking documents out."""

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, notice, print_json
from policy_rag.index.store.stored_documents import DocumentInfo

if TYPE_CHECKING:
    from rich.table import Table

_WIDEST = 100_000  # of a line that is not folded


def documents(
    groups: opt.GroupsOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """List the documents in the index that you may read."""
    with common.open() as assistant:
        found = assistant.documents(groups=groups or ())
    if common.json:
        print_json([document.as_row() for document in found])
        return
    if not found:
        notice("there is no document here that you may read: --as GROUP asks as a member of a group")
        return
    print_documents(found)


def print_documents(found: Sequence[DocumentInfo]) -> None:
    """A row a document. Where it is too wide for the terminal, titles stand under names; else nothing is folded."""
    from rich.measure import Measurement

    out = console()
    table = _table(found, narrow=False)
    width = Measurement.get(out, out.options.update(max_width=_WIDEST), table).maximum
    if not out.is_terminal:
        out.width = width
    out.print(table if width <= out.width else _table(found, narrow=True))


def _table(found: Sequence[DocumentInfo], *, narrow: bool) -> "Table":
    from rich.table import Column, Table
    from rich.text import Text

    name = ("document and title",) if narrow else ("document", "title")
    rest = ("version", "in force", "access", "sections")
    columns = [Column(header, overflow="fold", no_wrap=header == "in force") for header in (*name, *rest)]
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for document in found:
        named = [f"{document.doc_id}\n  {document.title}"] if narrow else [document.doc_id, document.title]
        period = _period(document)
        cells = [
            *named,
            document.version or "",
            period.replace(" to ", "\nto ") if narrow else period,
            (",\n" if narrow else ", ").join(document.access),
        ]
        table.add_row(*(Text(cell) for cell in cells), Text(str(document.sections), justify="right"))
    return table


def remove(
    documents: Annotated[list[str], typer.Argument(metavar="DOC...", help="Documents' ids or files.")],
    groups: opt.GroupsOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Take documents out of the index.

    They go from search, from disk and from the keyword statistics.
    """
    with common.open() as assistant:
        removed = assistant.remove(documents, groups=groups or ())
    if common.json:
        print_json({"removed": removed})
    else:
        console().print(f"{removed} document{'' if removed == 1 else 's'} removed from {common.index}")


def _period(document: DocumentInfo) -> str:
    if document.superseded_from == dt.date.min:
        return "superseded"  # by one that says no first day
    first, last = document.effective_from, document.last_day
    if last is None:
        return f"from {first}" if first else ""
    return f"{first or ''} to {last}".strip()
