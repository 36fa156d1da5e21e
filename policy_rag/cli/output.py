"""What the command line prints: results on standard output, all else on standard error."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from policy_rag.records import to_json

if TYPE_CHECKING:
    from rich.console import Console

_STEPS = {"read": "Reading files", "embed": "Embedding"}


def console() -> "Console":
    """For results that people read."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def notice_console() -> "Console":
    """For notices and progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def error_line(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write("error: " + " ".join(message.split()) + "\n")


def notice(message: str) -> None:
    """One line on standard error that is no error."""
    sys.stderr.write(" ".join(message.split()) + "\n")


def print_json(record: object, *, one_line: bool = False) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(to_json(record), ensure_ascii=False, indent=None if one_line else 2) + "\n")
    sys.stdout.flush()


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar a step on standard error, with the time left; nothing where standard error is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notice_console(), disable=not sys.stderr.isatty()) as bar:
        tasks = {name: bar.add_task(text, total=None, visible=False) for name, text in _STEPS.items()}

        def show(step: str, done: int, total: int) -> None:
            bar.update(tasks[step], completed=done, total=total, visible=total > 0)

        yield show
