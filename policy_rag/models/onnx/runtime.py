"""ONNX Runtime, imported here and nowhere else: what switches its telemetry off is read when it is imported."""

from typing import Any

from policy_rag_parsers.telemetry import silence_telemetry


def onnx_runtime() -> Any:
    """The module `onnxruntime`, with its telemetry off.

    Raises:
        ImportError: it is not installed.
    """
    silence_telemetry()
    import onnxruntime  # noqa: TID251 - the one place

    return onnxruntime
