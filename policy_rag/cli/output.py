"""What the command line prints: results on standard output, all else on standard error."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from policy_rag.answering.presentation.escaping import STEERING, as_shown
from policy_rag.records.search import SEARCHED_UNDER
from policy_rag.records.serialization import to_json

if TYPE_CHECKING:
    from rich.console import Console

# `:100:` of a policy is no picture, and `[b]` no order to print bold.
_VERBATIM: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
_WHO_ANSWERS = "answering "  # how the notice begins that names the LLM, or why there is none
_STEPS = {
    "read": "Reading files",
    "extract": "Extracting metadata",
    "embed": "Embedding",
    "rerank": "Reranking",
    "ask": "Asking",
}


def console() -> "Console":
    """For results that people read, word for word. Text in it never steers the terminal; see `as_shown`."""
    from rich.console import Console
    from rich.segment import Segment

    class ShowingConsole(Console):
        """All that is printed passes through `render`, text of documents and of models with it."""

        def render(self, *arguments: Any, **options: Any) -> Iterator[Segment]:
            for segment in super().render(*arguments, **options):
                yield segment if segment.control else Segment(as_shown(segment.text), segment.style)

    return ShowingConsole(**_VERBATIM, soft_wrap=not sys.stdout.isatty())


def notice_console() -> "Console":
    """For notices and progress."""
    from rich.console import Console

    return Console(**_VERBATIM, stderr=True, soft_wrap=True)


def error_line(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write("error: " + as_shown(" ".join(message.split())) + "\n")


def notice(message: str) -> None:
    """One line on standard error that is no error."""
    sys.stderr.write(as_shown(" ".join(message.split())) + "\n")


class Notices:
    """Notices of one call: who answers is told once, all else once a question.

    Args:
        with_answers: whether answers are printed for people, which then say themselves what they were searched under.
    """

    def __init__(self, *, with_answers: bool = False) -> None:
        self._told: set[str] = set()
        self._with_answers = with_answers

    def next_question(self) -> None:
        """What befell the question before may befall this one too, and is told again."""
        self._told = {message for message in self._told if message.startswith(_WHO_ANSWERS)}

    def tell(self, message: str) -> None:
        """One line on standard error, unless it was told before."""
        if message not in self._told and not (self._with_answers and message.startswith(SEARCHED_UNDER)):
            self._told.add(message)
            notice(message)


def print_json(record: object, *, one_line: bool = False) -> None:
    r"""One JSON document on standard output.

    Characters that steer a terminal stand as `\uXXXX`, so that what is read back is what was there.
    """
    text = json.dumps(to_json(record), ensure_ascii=False, indent=None if one_line else 2)
    sys.stdout.write("".join(_as_json_escape(char) for char in text) + "\n" if STEERING.search(text) else text + "\n")
    sys.stdout.flush()


def _as_json_escape(char: str) -> str:
    return json.dumps(char)[1:-1] if STEERING.match(char) else char


def print_metadata(metadata: Mapping[str, Any] | None, *, indent: str = "", most: int = 2000) -> None:
    """What was extracted, a line a kind of at most `most` characters; it is no text of the document."""
    out = console()
    for name, value in (metadata or {}).items():
        items = [value] if isinstance(value, str) else [_in_a_line(item) for item in value]
        line = " ".join(" | ".join(items).split())
        shortened = f"{line[:most]} ..." if len(line) > most else line
        out.print(f"{indent}{name.replace('_', ' ')}: {shortened}", style="dim")


def _in_a_line(item: Any) -> str:
    """A question or keyword as it is; of an entity its kind and text, of an obligation who must do what by when."""
    if isinstance(item, str):
        return item
    names = ("type", "text") if "type" in item else ("who", "force", "what", "when")
    return " ".join(str(item[name]).replace("-", " ") if name == "force" else str(item[name]) for name in names)


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


@contextmanager
def working(text: str) -> Iterator[Callable[[], None]]:
    """A line on standard error while something is done; nothing where standard error is no terminal.

    It is given what takes the line away before the end.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    with notice_console().status(text) as status:
        yield status.stop
