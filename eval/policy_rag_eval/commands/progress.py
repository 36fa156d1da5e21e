"""A progress bar for work that is counted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(text: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error with the time left, to be told how much is done of how much; none without a terminal."""
    import sys

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from policy_rag.cli.output import notice_console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notice_console(), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(text, total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show
