"""`policy-rag ui`: MLflow's UI over the project's own tracking store."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import notice, print_json
from policy_rag.errors import PolicyRagError, UsageError


def ui(
    index: IndexOption = Path(".policy_rag"),
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine.")] = 5000,
    offline: OfflineOption = False,  # noqa: ARG001 - the UI never leaves the machine
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Open MLflow's UI on the evaluations kept beside the index; Ctrl-C ends it."""
    from policy_rag.models.offline import silence_telemetry
    from policy_rag_eval.tracking import STORE, URI_VARIABLE, chosen_store, local_store

    store, away = chosen_store(index)
    if away:
        notice(away)
    if store.uri.startswith(("http://", "https://")):
        raise UsageError(f"{URI_VARIABLE} names a server that has a UI of its own: open {store.uri} in a browser")
    if store == local_store(index) and not (index / STORE).is_file():
        raise UsageError(
            f"nothing is kept in {index} yet: run `policy-rag eval retrieval DATASET --index {index}` first"
        )
    address = f"http://127.0.0.1:{port}"
    if json:
        print_json({"url": address, "store": store.uri}, one_line=True)
    else:
        notice(f"MLflow's UI over {store.uri}: open {address} in a browser, Ctrl-C ends it")
    silence_telemetry()
    # A viewer needs none of the workers that MLflow keeps ready for jobs.
    environment = {**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", store.uri]
    command += ["--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    if store.artifacts is not None:
        command += ["--default-artifact-root", store.artifacts.as_uri()]
    try:
        # Its log goes to standard error, so that --json stays alone on standard output.
        status = subprocess.run(command, stdout=sys.stderr, env=environment, check=False).returncode
    except KeyboardInterrupt:
        return
    if status not in {0, 130, -2, -15}:
        raise PolicyRagError(f"MLflow's UI ended with status {status}: see above; is port {port} taken? Try --port")
