"""Many calls that wait for a server, some at a time."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

Counting = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Makes a progress bar of a name: it is called with how much is done, and of how much."""


def uncounted(text: str) -> AbstractContextManager[Callable[[int, int], None]]:  # noqa: ARG001 - nothing is shown
    """No progress bar, where nobody watches one."""
    return nullcontext(lambda *_: None)


def map_parallel(
    function: Callable[[T], R],
    items: Sequence[T],
    *,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    check: Callable[[R], None] | None = None,
) -> list[R]:
    """The results of a function that is safe to call from several threads, in the order of the items.

    No more calls are begun than run at once, so that nothing is sent after a stop: whatever the function, `progress`
    or `check` raises, or an interrupt, ends it.

    Args:
        function: called once an item.
        items: in order.
        workers: how many calls run at a time, at least 1.
        progress: called with how many are done, and of how many.
        check: called with each result, in the order in which they come; it raises to stop.

    >>> map_parallel(str.upper, ["a", "b", "c"], workers=2)
    ['A', 'B', 'C']
    """
    results: dict[int, R] = {}
    waiting: dict[Future[R], int] = {}
    remaining: Iterable[tuple[int, T]] = iter(enumerate(items))
    pool = ThreadPoolExecutor(max_workers=max(1, workers))
    try:
        while True:
            for place, item in islice(remaining, max(1, workers) - len(waiting)):
                waiting[pool.submit(function, item)] = place
            if not waiting:
                break
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(finished, key=lambda one: waiting[one]):
                result = results[waiting.pop(future)] = future.result()
                if progress is not None:
                    progress(len(results), len(items))
                if check is not None:
                    check(result)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return [results[place] for place in range(len(items))]
