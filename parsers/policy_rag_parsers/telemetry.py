"""The telemetry of dependencies, off: called before one of those that have any is imported, and by every command.

Which dependency has any, and what switches it off, is listed in docs/reference/dependencies.md.
"""

import os
import sys

_OFF = {
    "ORT_DISABLE_TELEMETRY": "1",  # read when ONNX Runtime is imported: switching its events off later is too late
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "DO_NOT_TRACK": "true",  # MLflow reads nothing but "true" here, Hugging Face also "1"
}


def silence_telemetry() -> None:
    """Switch off the telemetry of the dependencies, for this process and those that it starts.

    What a program imported before us has read its variables already: Hugging Face and MLflow are told again, ONNX
    Runtime cannot be.
    """
    os.environ.update(_OFF)
    constants = sys.modules.get("huggingface_hub.constants")
    if constants is not None:
        constants.HF_HUB_DISABLE_TELEMETRY = True  # type: ignore[attr-defined]
    client = sys.modules.get("mlflow.telemetry.client")
    if client is not None and client.get_telemetry_client() is not None:
        client.set_telemetry_client()  # reads the variables anew
