"""ONNX Runtime, imported here and nowhere else: what switches its telemetry off is read when it is imported."""

from typing import Any

from policy_rag_parsers.telemetry import silence_telemetry


def onnx_runtime() -> Any:
    """The module `onnxruntime`, with its telemetry off.

    Raises:
        ImportError: it is not installed.
    """
    silence_telemetry()
    import numpy  # noqa: F401, ICN001 - the runtime would import it from C, and take Ctrl-C for a broken NumPy

    try:
        import onnxruntime  # noqa: TID251 - the one place
    except ImportError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # so pybind11 tells of Ctrl-C in what it calls
            raise KeyboardInterrupt from error
        raise
    return onnxruntime
