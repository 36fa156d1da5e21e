"""An answer on a terminal while it is being written."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.cli.output import console

if TYPE_CHECKING:
    from rich.console import Console


class LiveAnswer:
    """Prints a question and, piece by piece, the text of its answer, laid out as if it came in one.

    A piece ends with a sentence, the next begins with a blank or on a new line: lines are broken between words only.

    Nothing is printed where standard output is no terminal. As a context it ends the line that it
    was on, whatever happens.

    Args:
        question: as asked.
        wanted: whether it may be printed at all.
        before: called before the first word is printed, to clear the terminal of what is not to stay.
    """

    def __init__(self, question: str, *, wanted: bool = True, before: Callable[[], None] = lambda: None) -> None:
        self._question, self._before = question, before
        self._wanted = wanted and sys.stdout.isatty()
        self._out: Console | None = None
        self._width = 0
        self._text = self._printed = ""

    @property
    def on_text(self) -> Callable[[str], None] | None:
        """The callback for the pieces, or None where nothing is to be printed."""
        return self._print_piece if self._wanted else None

    @property
    def begun(self) -> bool:
        """Whether the question, and a part of the answer, stand on the terminal."""
        return self._out is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._out is not None:
            console().print()  # another one: what Ctrl-C kept ours from forgetting would come again

    def _print_piece(self, piece: str) -> None:
        from rich.text import Text

        if self._out is None:
            self._before()
            self._out = console()
            self._width = self._out.width
            self._out.print(self._question, style="bold")
        self._text += piece
        lines = Text(as_shown(self._text)).wrap(self._out, self._width)
        laid_out = "\n".join(line.plain for line in lines)
        self._out.print(laid_out[len(self._printed) :], end="", soft_wrap=True)
        self._printed = laid_out
