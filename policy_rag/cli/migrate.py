"""`policy-rag migrate`: the tables of an index in Postgres."""

from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, notice, print_json
from policy_rag.errors import UsageError
from policy_rag.index.store.place import migrate_tables
from policy_rag.index.store.postgres.address import VectorEngine


def migrate(
    grant: Annotated[
        str | None, typer.Option("--grant", metavar="LOGIN", help="A login of the database that may use the index.")
    ] = None,
    vectors: Annotated[
        VectorEngine | None,
        typer.Option(
            "--vectors",
            help="What searches vectors: files made by each reader (the default), or pgvector in the database; "
            "pgvector-hnsw also makes a graph, for more than 100,000 sections; milvus needs --milvus once.",
        ),
    ] = None,
    milvus: Annotated[
        str | None,
        typer.Option("--milvus", metavar="URI", help="Where Milvus is: http://HOST:19530; MILVUS_TOKEN has its token."),
    ] = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Make or update the tables of an index in Postgres.

    The first ingest does it where it may.
    """
    place = common.index
    if isinstance(place, Path):
        raise UsageError("only an index in Postgres has migrations: give --index postgresql://USER@HOST/DATABASE")
    if milvus is not None and vectors is not VectorEngine.MILVUS:
        raise UsageError("--milvus says where Milvus is, which does not search yet: add --vectors milvus")
    if not migrate_tables(place, grant=grant, vectors=vectors, milvus=milvus):
        notice("pgvector compares all vectors until this is run again behind the first ingest: a graph needs vectors")
    if common.json:
        print_json({"index": str(place), "granted": grant})
    else:
        console().print(f"{place} has the tables of this version")
