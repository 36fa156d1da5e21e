"""An answer's text as somebody hears it: piece by piece, each once."""

from collections.abc import Callable


class Heard:
    """Tells a text that only grows to one who wants each new piece of it.

    >>> pieces = []
    >>> hear = Heard(pieces.append)
    >>> for text in ("Leave is 25 days [1].", "Leave is 25 days [1].", "Leave is 25 days [1]. Ask HR [2]."):
    ...     hear(text)
    >>> pieces
    ['Leave is 25 days [1].', ' Ask HR [2].']

    Args:
        on_text: is given each piece; together they are the text.
    """

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._heard = 0

    def __call__(self, text: str) -> None:
        """Takes the text so far, which begins with what it was before."""
        piece, self._heard = text[self._heard :], len(text)
        if piece:
            self._on_text(piece)
