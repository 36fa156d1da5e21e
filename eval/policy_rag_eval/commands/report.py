"""`policy-rag eval report`: the decision page of a kept evaluation."""

from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli.output import console, print_json
from policy_rag_eval.commands.options import StoreOptions


def report(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A kept evaluation, by id or name; or the newest.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The page, or the folder for it.")] = Path(
        "report"
    ),
    *,
    common: StoreOptions,
) -> None:
    """Write the decision page of an evaluation that was kept.

    It is made from the tracking store alone.
    """
    from policy_rag_eval.reports.decision_page import write_page
    from policy_rag_eval.tracking import kept_page

    run_id, name, page = kept_page(common.reading(), run)
    file = write_page(page, out)
    if common.json:
        print_json({"run_id": run_id, "name": name, "html": str(file)})
    else:
        console().print(f"{file}: {name} (run {run_id})", markup=False)
