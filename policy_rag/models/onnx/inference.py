"""A model that ONNX Runtime runs on the CPU, a batch a processor."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any, TypeVar

from policy_rag.models.onnx.runtime import onnx_runtime

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Batch = TypeVar("_Batch")
_SLOWER = ("SkipLayerNormFusion", "BiasGeluFusion")
"""Steps that ONNX Runtime 1.31 puts together and is slower for: a sum and its normalisation take 4.5 ms, 0.9 apart."""
_LONG = 1024  # tokens of a text, of which the memory for attention grows with the square


def processors() -> int:
    """Those that this process may use, where the system tells; else all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class InferenceSession:
    """A loaded graph. Safe for many threads.

    A run keeps one processor busy, and as many runs go on at once as there are processors: that takes a fifth less of
    them than to share out the steps of each run. Further runs wait; of long texts there is one at a time, for its
    memory.

    Raises:
        ImportError: ONNX Runtime is not installed.
        Exception: ONNX Runtime cannot load the graph; its errors have no common base.
    """

    def __init__(self, graph: bytes | str) -> None:
        onnxruntime = onnx_runtime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(
            graph, options, providers=["CPUExecutionProvider"], disabled_optimizers=list(_SLOWER)
        )
        self._at_once = processors()
        self._room, self._long = BoundedSemaphore(self._at_once), Lock()
        self.inputs: tuple[str, ...] = tuple(one.name for one in self._session.get_inputs())

    def run(
        self, inputs: "Mapping[str, NDArray[Any]]", outputs: Sequence[str] | None = None
    ) -> "list[NDArray[np.float32]]":
        """What the graph gives for one batch.

        Args:
            inputs: an array for each of `self.inputs`, `(texts, tokens)`.
            outputs: which to give, in this order; all of them when None.
        """
        long = next(iter(inputs.values())).shape[1] > _LONG
        with self._long if long else nullcontext(), self._room:
            made: list[NDArray[np.float32]] = self._session.run(outputs, dict(inputs))
            return made

    def run_all(
        self,
        batches: Sequence[_Batch],
        inputs: "Callable[[_Batch], Mapping[str, NDArray[Any]]]",
        outputs: Sequence[str] | None = None,
    ) -> "Iterator[list[NDArray[np.float32]]]":
        """What `run` gives for each batch, in order, on all processors.

        `inputs` gives what `run` takes for a batch, in other threads.
        """
        if len(batches) < 2 or self._at_once == 1:
            yield from (self.run(inputs(batch), outputs) for batch in batches)
            return
        with ThreadPoolExecutor(min(len(batches), self._at_once)) as pool:
            yield from pool.map(lambda batch: self.run(inputs(batch), outputs), batches)
