"""`policy-rag eval send`: runs and traces that were kept locally go to the MLflow server."""

from typing import Annotated

import typer

from policy_rag.cli.output import console, notice, print_json
from policy_rag_eval.commands.options import StoreOptions


def send(
    texts: Annotated[
        bool | None,
        typer.Option("--texts/--no-texts", help="Send words of questions and answers; by default as `log_texts` says."),
    ] = None,
    *,
    common: StoreOptions,
) -> None:
    """Send kept runs and traces to a server of MLflow.

    Those beside the index go to the server that MLFLOW_TRACKING_URI names, each of them once.
    """
    from policy_rag.errors import UsageError
    from policy_rag.settings import load_settings
    from policy_rag_eval.tracking import STORE, local_store, server_store
    from policy_rag_eval.tracking import send as send_runs

    server = server_store()
    if not (common.index / STORE).is_file():
        raise UsageError(f"nothing is kept in {common.index}: give the --index of an evaluation")
    may = load_settings({"log_texts": texts}).run.log_texts
    done = send_runs(local_store(common.index), server, texts=may, on_run=lambda name: notice(f"sending {name}"))
    for path in done.left_out:
        notice(f"left out, since it may hold texts: {path}")
    if common.json:
        runs = [{"name": name, "run_id": run_id} for name, run_id in done.sent]
        print_json(
            {"server": server.shown, "sent": runs, "copied": done.runs, "before": done.before, "traces": done.traces}
        )
        return
    out = console()
    for name, run_id in done.sent:
        out.print(f"sent {name} as run {run_id}", markup=False)
    known = f", {done.before} had been sent before" if done.before else ""
    traced = f", {done.traces} traces" if done.traces else ""
    out.print(
        f"{len(done.sent)} sent to {server.shown} ({done.runs} runs with their children{traced}){known}", markup=False
    )
