"""`policy-rag copy`: an index from a folder into Postgres, and back."""

from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json


def copy(
    source: Annotated[str, typer.Argument(metavar="INDEX", help="The index: a folder or postgresql://USER@HOST/DB.")],
    target: Annotated[str, typer.Argument(metavar="INDEX", help="An empty folder or database.")],
    *,
    offline: opt.OfflineOption = False,  # noqa: ARG001 - only the two places are used
    debug: opt.DebugOption = False,  # noqa: ARG001 - read by `run`
    json: opt.JsonOption = False,
) -> None:
    """Copy an index from a folder into Postgres, or back.

    Both are compared by their hashes, and nothing is embedded.
    """
    from policy_rag.index.maintenance.copying import copy_index
    from policy_rag.index.store.store import Index

    with Index(source) as old, Index(target, create=True) as new:
        done = copy_index(old, new)
        if json:
            print_json({"source": old.name, "target": new.name, **{k: getattr(done, k) for k in done.__slots__}})
            return
        console().print(
            f"{done.documents} documents and {done.vectors} vectors copied into {new.name}; both have the hash "
            f"{done.digest[:16]}",
        )
