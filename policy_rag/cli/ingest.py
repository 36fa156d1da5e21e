"""`policy-rag ingest`: files or folders into an index."""

from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import console, notice, print_json, progress_bar
from policy_rag.records import IngestReport


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("ingest")(ingest)


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders of policies.")],
    index: IndexOption = Path(".policy_rag"),
    embedding: Annotated[str | None, typer.Option(metavar="NAME", help="Embedding model: a name or a folder.")] = None,
    chunker: Annotated[str | None, typer.Option(metavar="NAME", help="How documents are cut.")] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Heading profile; detected by default.")
    ] = None,
    access: Annotated[
        list[str] | None, typer.Option(metavar="GROUP", help="Access group of documents that declare none.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove documents of these folders whose file is gone.")
    ] = False,
    offline: OfflineOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Take files or folders into an index; run again after changes."""
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.settings import load_settings

    settings = load_settings(
        {
            "embedding": embedding,
            "chunker": chunker,
            "profile": profile,
            "access": tuple(access) if access else None,
            "offline": offline or None,
        }
    )
    with PolicyAssistant.open(index, create=True, settings=settings) as assistant, progress_bar() as progress:
        report = assistant.ingest(paths, prune=prune, progress=progress)
    for skipped in report.skipped:
        notice(f"{'failed' if skipped.failed else 'skipped'}: {skipped.file}: {skipped.reason}")
    for note in report.notes:
        notice(f"note: {note}")
    if json:
        print_json(report)
    else:
        console().print(summary(report, index), markup=False)


def summary(report: IngestReport, index: Path) -> str:
    """What an ingest did, in two lines."""
    counts = ", ".join(
        f"{count} {name}"
        for count, name in (
            (report.added, "added"),
            (report.updated, "updated"),
            (report.unchanged, "unchanged"),
            (report.removed, "removed"),
        )
        if count
    )
    failed = sum(skipped.failed for skipped in report.skipped)
    failures = f", {failed} failed" if failed else ""
    return (
        f"{report.taken_in} documents in {index} ({counts}{failures}): {report.sections} sections, "
        f"{report.chunks} chunks, {report.embedded} embedded\n"
        f"{report.seconds['total']:.1f} s: {report.seconds['read']:.1f} s reading and cutting, "
        f"{report.seconds['embed_and_write']:.1f} s embedding and writing"
    )
