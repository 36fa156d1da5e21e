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
        self._pool = ThreadPoolExecutor(1)
        if len(blocks) > 1:
            self._blocks = [self._pool.submit(embed, block) for block in blocks]
        else:
            self._blocks = [_done(embed(block)) for block in blocks]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def rows(self, begin: int, end: int) -> NDArray[np.float32]:
        """The rows of the questions `[begin, end)`, `(end - begin, dimension)`; waits for them. Not empty."""
        first, last = begin // BATCH, (end - 1) // BATCH
        found = np.concatenate([block.result() for block in self._blocks[first : last + 1]])
        return found[begin - first * BATCH : end - first * BATCH]


def _done(rows: NDArray[np.float32]) -> Future[NDArray[np.float32]]:
    made: Future[NDArray[np.float32]] = Future()
    made.set_result(rows)
    return made
