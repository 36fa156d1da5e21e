"""`policy-rag sections`: the parser alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.cli.options import CommonOptions
from policy_rag.cli.output import console, error_line, print_json
from policy_rag.errors import LoadError

if TYPE_CHECKING:
    from policy_rag.index.ingest.file_reader import FileReader
    from policy_rag_parsers.loaders.discovery import FoundFile

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
    from policy_rag_parsers.loaders.discovery import discover

    rows: list[dict[str, Any]] = []
    failed = 0
    with FileReader(common.settings().parsing) as reader:
        for file in discover(files).files:
            try:
                rows.extend(section_rows(reader, file, profile))
            except LoadError as error:
                failed += 1
                error_line(str(error))
    if failed and not rows:
        raise LoadError(f"none of the {failed} files could be read: see the lines above")
    if common.json:
        print_json(rows)
        return
    out = console()
    for row in rows:
        if row["start"] == 0 or row["level"] == 0:
            out.print(row["file"], style="bold", markup=False)
        title = " ".join(filter(None, (row["number"], row["title"] or "(no title)")))
        out.print(f"{'  ' * row['level']}{title}  [{row['start']}:{row['end']}]", markup=False)


def section_rows(reader: "FileReader", file: "FoundFile", profile: str | None) -> list[dict[str, Any]]:
    """The sections of one file, as the command prints them.

    Raises:
        PolicyRagError: the file or the profile cannot be read.
    """
    from policy_rag_parsers.document_metadata.declarations import read_sidecar

    found = reader.sections(file, read_sidecar(file.path.parent), profile)
    return [{"file": file.relative, **{field: getattr(section, field) for field in _FIELDS}} for section in found]
