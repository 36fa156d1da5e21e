"""`policy-rag documents` and `policy-rag remove`: what the index holds, and taking documents out."""

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json
from policy_rag.index.documents import DocumentInfo


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("documents")(documents)
    app.command("remove")(remove)


def documents(
    groups: opt.GroupsOption = None,
    index: opt.IndexOption = Path(".policy_rag"),
    offline: opt.OfflineOption = False,  # noqa: ARG001 - nothing here leaves the machine
    debug: opt.DebugOption = False,  # noqa: ARG001 - read by `run`
    json: opt.JsonOption = False,
) -> None:
    """List the documents in the index that you may read."""
    from policy_rag.assistant import PolicyAssistant

    with PolicyAssistant.open(index) as assistant:
        found = assistant.documents(groups=tuple(groups or ()))
    if json:
        print_json([_row(document) for document in found])
        return
    from rich.table import Column, Table
    from rich.text import Text

    columns = (Column("document", no_wrap=True), "title", "version", "in force", "access", "sections")
    table = Table(*columns, box=None, header_style="bold")
    for document in found:
        cells = (document.doc_id, document.title, document.version or "", _period(document), ", ".join(document.access))
        table.add_row(*(Text(cell) for cell in cells), Text(str(document.sections), justify="right"))
    console().print(table)


def remove(
    documents: Annotated[list[str], typer.Argument(metavar="DOC...", help="Documents' ids or files.")],
    groups: opt.GroupsOption = None,
    index: opt.IndexOption = Path(".policy_rag"),
    offline: opt.OfflineOption = False,
    debug: opt.DebugOption = False,  # noqa: ARG001 - read by `run`
    json: opt.JsonOption = False,
) -> None:
    """Take documents out of the index: from search, from disk, from the keyword statistics."""
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.settings import load_settings

    settings = load_settings({"offline": offline or None})
    with PolicyAssistant.open(index, settings=settings) as assistant:
        removed = assistant.remove(documents, groups=tuple(groups or ()))
    if json:
        print_json({"removed": removed})
    else:
        console().print(f"{removed} documents removed from {index}", markup=False)


def _row(document: DocumentInfo) -> dict[str, object]:
    names = (
        "doc_id", "file", "title", "version", "format", "language", "effective_from", "effective_to", "supersedes",
        "superseded_from", "access", "extra", "sections",
    )  # fmt: skip
    extracted = document.metadata
    told = {"document_title": extracted.title, "document_summary": extracted.summary} if extracted else {}
    metadata = {name: value for name, value in told.items() if value}
    row: dict[str, object] = {name: getattr(document, name) for name in names}
    return row | ({"metadata": metadata} if metadata else {})


def _period(document: DocumentInfo) -> str:
    ends = [document.effective_to] if document.effective_to else []
    if document.superseded_from == dt.date.min:
        return "superseded"  # by one that says no first day
    if document.superseded_from:
        ends.append(document.superseded_from - dt.timedelta(days=1))
    last = min(ends, default=None)
    first = document.effective_from.isoformat() if document.effective_from else ""
    if not first and last is None:
        return ""
    return f"{first} to {last.isoformat() if last else ''}".strip()
