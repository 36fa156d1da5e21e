"""A text that grows, given on piece by piece, each once."""

from collections.abc import Callable


class TextStream:
    """Takes a text that only grows, and calls back with each new piece of it.

    >>> pieces = []
    >>> stream = TextStream(pieces.append)
    >>> for text in ("Leave is 25 days [1].", "Leave is 25 days [1].", "Leave is 25 days [1]. Ask HR [2]."):
    ...     stream(text)
    >>> pieces
    ['Leave is 25 days [1].', ' Ask HR [2].']

    Args:
        on_text: is given each piece; together they are the text.
    """

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._sent = 0

    def __call__(self, text: str) -> None:
        """Takes the text so far, which begins with what it was before."""
        piece, self._sent = text[self._sent :], len(text)
        if piece:
            self._on_text(piece)
