"""`policy-rag ui`: MLflow's UI over the project's own tracking store."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.output import notice, print_json
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.commands.options import StoreOptions

if TYPE_CHECKING:
    from policy_rag_eval.tracking import Store

_ENDED = frozenset({0, 130, 143, -signal.SIGINT, -signal.SIGTERM})
"""Statuses of a server that was told to end."""
_GRACE_S = 5.0


def ui(
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine.")] = 5000,
    *,
    common: StoreOptions,
) -> None:
    """Open MLflow's UI on the evaluations beside the index.

    Ctrl-C ends it.
    """
    from policy_rag_eval.tracking import URI_VARIABLE

    store = common.reading()
    if store.is_server:
        raise UsageError(f"{URI_VARIABLE} names a server that has a UI of its own: open {store.shown} in a browser")
    address = f"http://127.0.0.1:{port}"
    page = f"{address}/#{newest_page(store)}"
    if common.json:
        print_json({"url": address, "page": page, "store": store.shown}, one_line=True)
    else:
        notice(f"MLflow's UI over {store.shown}: open {page} in a browser, Ctrl-C ends it")
    # A viewer needs none of the workers that MLflow keeps ready for jobs.
    environment = {**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", store.uri]
    command += ["--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    if store.artifacts is not None:
        command += ["--default-artifact-root", store.artifacts.as_uri()]
    status = _run(command, environment)
    if status not in _ENDED:
        raise PolicyRagError(f"MLflow's UI ended with status {status}: see above; is port {port} taken? Try --port")


def newest_page(store: "Store") -> str:
    """The page of what was kept last: an experiment's runs, or the traces where it has none.

    Raises:
        TrackingError: the store cannot be read.
    """
    from policy_rag_eval.tracking.stores import open_client, wrapped

    client = open_client(store)
    with wrapped(store):
        known = [experiment.experiment_id for experiment in client.search_experiments()]
        runs = client.search_runs(known, max_results=1, order_by=["attributes.start_time DESC"]) if known else []
        traces = client.search_traces(locations=known, max_results=1, include_spans=False) if known else []
    begun = {run.info.experiment_id: run.info.start_time for run in runs}
    asked = {trace.info.experiment_id: trace.info.request_time for trace in traces}
    if asked and max(asked.values()) > max(begun.values(), default=0) and not asked.keys() & begun.keys():
        return f"/experiments/{next(iter(asked))}/traces"
    return f"/experiments/{next(iter(begun))}/evaluation-runs" if begun else "/experiments"


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs the server until it ends; what ends this process ends it too. Its status."""
    # Its log goes to standard error, so that --json stays alone on standard output.
    with subprocess.Popen(command, stdout=sys.stderr, env=environment) as server:
        before = signal.signal(signal.SIGTERM, lambda number, _: server.send_signal(number))
        try:
            return server.wait()
        except KeyboardInterrupt:  # a terminal sends it to the server as well
            try:
                return server.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                server.terminate()
                return server.wait()
        finally:
            signal.signal(signal.SIGTERM, before)
