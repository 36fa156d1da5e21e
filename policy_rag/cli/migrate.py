"""`policy-rag migrate`: the tables of an index in Postgres."""

from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json
from policy_rag.errors import UsageError
from policy_rag.index.store.place import migrate_tables


def migrate(
    grant: Annotated[
        str | None, typer.Option("--grant", metavar="LOGIN", help="A login of the database that may use the index.")
    ] = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Make the tables of an index in Postgres, or bring them up to date; the first ingest does it where it may."""
    place = common.index
    if isinstance(place, Path):
        raise UsageError("only an index in Postgres has migrations: give --index postgresql://USER@HOST/DATABASE")
    migrate_tables(place, grant=grant)
    if common.json:
        print_json({"index": str(place), "granted": grant})
    else:
        console().print(f"{place} has the tables of this version", markup=False)
