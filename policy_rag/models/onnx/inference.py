"""A model that ONNX Runtime runs on the CPU, no more often at once than the processors have room for."""

import os
from collections.abc import Mapping, Sequence
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from policy_rag.models.onnx.runtime import onnx_runtime

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def processors() -> int:
    """Those that this process may use, where the system tells; else all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InferenceSession:
    """A loaded graph. Safe for many threads.

    A run keeps several processors busy by itself, and the memory that it took is kept for the next one. Runs beyond
    what the processors have room for would take as much memory again, some hundred megabytes each, and be no faster:
    they wait.

    Args:
        graph: the model's bytes, or the path of its file.
        threads: processors of a run; None: as many as ONNX Runtime chooses, one run at a time.

    Raises:
        ImportError: ONNX Runtime is not installed.
        Exception: ONNX Runtime cannot load the graph; its errors have no common base.
    """

    def __init__(self, graph: bytes | str, threads: int | None = None) -> None:
        onnxruntime = onnx_runtime()
        options = onnxruntime.SessionOptions()
        if threads is not None:
            options.intra_op_num_threads = threads
        # Threads that wait do not spin: that would take the processor from whatever else runs on it.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._room = BoundedSemaphore(max(1, processors() // threads) if threads is not None else 1)
        self.inputs: tuple[str, ...] = tuple(one.name for one in self._session.get_inputs())

    def run(
        self, inputs: "Mapping[str, NDArray[Any]]", outputs: Sequence[str] | None = None
    ) -> "list[NDArray[np.float32]]":
        """What the graph gives for one batch.

        Args:
            inputs: an array for each of `self.inputs`.
            outputs: which to give, in this order; all of them when None.
        """
        with self._room:
            made: list[NDArray[np.float32]] = self._session.run(outputs, dict(inputs))
            return made
