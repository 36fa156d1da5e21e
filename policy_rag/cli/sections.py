"""`policy-rag sections`: the parser alone."""

from pathlib import Path
from typing import Annotated, Any

import typer

from policy_rag.cli.options import CommonOptions
from policy_rag.cli.output import console, error_line, notice, print_json
from policy_rag.errors import LoadError, UsageError

_FIELDS = ("start", "end", "section_id", "number", "title", "path", "level", "parent", "page")


def sections(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files or folders.")],
    profile: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Heading profile; detected by default.")
    ] = None,
    *,
    common: CommonOptions,
) -> None:
    """Show the sections that the parser finds in files."""
    from policy_rag.index.ingest.file_reader import FileReader
    from policy_rag_parsers.document_metadata.declarations import read_sidecar
    from policy_rag_parsers.loaders.discovery import discover

    rows: list[dict[str, Any]] = []
    failed = 0
    given = discover(files)
    for left in given.skipped:
        notice(f"skipped: {left.path}: {left.reason}")
    if not given.files:
        raise UsageError("there is no file to be read: name a .md, .txt, .html, .docx or .pdf, or a folder with such")
    with FileReader(common.settings().parsing) as reader:
        for file in given.files:
            try:
                found = reader.sections(file, read_sidecar(file.path.parent), profile)
            except LoadError as error:
                failed += 1
                error_line(str(error))
                continue
            rows.extend({"file": file.relative, **{name: getattr(one, name) for name in _FIELDS}} for one in found)
    if failed and not rows:
        raise LoadError(f"none of the {failed} files could be read: see the lines above")
    if common.json:
        print_json(rows)
        return
    out = console()
    for row in rows:
        if row["start"] == 0 or row["level"] == 0:
            out.print(row["file"], style="bold")
        title = " ".join(filter(None, (row["number"], row["title"] or "(no title)")))
        out.print(f"{'  ' * row['level']}{title}  [{row['start']}:{row['end']}]")
