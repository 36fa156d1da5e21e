"""`policy-rag sections`: the parser alone."""

from pathlib import Path
from typing import Annotated, Any

import typer

from policy_rag.cli.options import CommonOptions
from policy_rag.cli.output import console, error_line, print_json
from policy_rag.errors import LoadError

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
    rows: list[dict[str, Any]] = []
    failed = 0
    for path, name in _files(files):
        try:
            rows.extend(section_rows(path, name, profile))
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


def _files(paths: list[Path]) -> list[tuple[Path, str]]:
    from policy_rag_parsers.loaders.discovery import discover

    return [(found.path, found.relative) for found in discover(paths).files]


def section_rows(path: Path, name: str, profile: str | None) -> list[dict[str, Any]]:
    """The sections of one file, as the command prints them.

    Raises:
        PolicyRagError: the file or the profile cannot be read.
    """
    from policy_rag_parsers.document_metadata.declarations import declared, read_sidecar
    from policy_rag_parsers.loaders import load
    from policy_rag_parsers.structure.heading_profiles import load_profile
    from policy_rag_parsers.structure.sections import parse_document

    source = load(path)
    title = declared(source, name, read_sidecar(path.parent)).title
    chosen = load_profile(profile) if profile else None
    found = parse_document(source, title=title, otherwise=path.stem, profile=chosen).sections
    return [{"file": name, **{field: getattr(section, field) for field in _FIELDS}} for section in found]
