"""Embedding thousands of questions while the first of them are already searched for."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

BATCH = 512
Text = TypeVar("Text")


class EmbeddingPrefetch(Generic[Text]):
    """Rows of questions, made block by block in a thread of its own; models compute outside Python's lock.

    Up to one block is embedded at once, without a thread.

    Args:
        embed: questions to rows, `(len(questions), dimension)`.
        questions: in the order in which their rows are wanted.
    """

    def __init__(self, embed: Callable[[Sequence[Text]], NDArray[np.float32]], questions: Sequence[Text]) -> None:
        blocks = [questions[i : i + BATCH] for i in range(0, len(questions), BATCH)]
        self._pool = ThreadPoolExecutor(1) if len(blocks) > 1 else None
        if self._pool is None:
            self._ready: list[NDArray[np.float32]] = [embed(block) for block in blocks]
            self._coming: list[Future[NDArray[np.float32]]] = []
        else:
            self._ready = []
            self._coming = [self._pool.submit(embed, block) for block in blocks]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def rows(self, begin: int, end: int) -> NDArray[np.float32]:
        """The rows of the questions `[begin, end)`, `(end - begin, dimension)`; waits for them. Not empty."""
        while len(self._ready) * BATCH < end and len(self._ready) < len(self._coming):
            self._ready.append(self._coming[len(self._ready)].result())
        first, last = begin // BATCH, (end - 1) // BATCH
        found = np.concatenate(self._ready[first : last + 1])
        return found[begin - first * BATCH : end - first * BATCH]
