"""`policy-rag eval report`: a run of the tracking store as Markdown and HTML."""

from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import console, notice, print_json


def report(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A sweep or a configuration, by id or name; or the newest.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for report.md and report.html.")] = Path(
        "report"
    ),
    index: IndexOption = Path(".policy_rag"),
    offline: OfflineOption = False,  # noqa: ARG001 - a server that is named may be reached
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Write a report of a kept evaluation, from the tracking store alone."""
    from policy_rag_eval.reports.report import run_report, sweep_report
    from policy_rag_eval.tracking import Runs, StoredSweep, reading_store

    store, away = reading_store(index)
    if away:
        notice(away)
    found = Runs(store).find(run)
    made = sweep_report(found) if isinstance(found, StoredSweep) else run_report(found)
    markdown, page = made.write(out)
    if json:
        print_json({"run_id": found.run_id, "name": found.name, "markdown": str(markdown), "html": str(page)})
    else:
        console().print(f"{page} and {markdown}: {found.name} (run {found.run_id})", markup=False)
