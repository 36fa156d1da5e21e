"""Which words of a PDF are raised: note marks, powers, numbers of sentences."""

from typing import Final

_DESCENT: Final = 0.22  # of a font's size lies, about, below its baseline
_SMALLER: Final = 0.9  # of the size of the text, at most, has what is raised in it
_RAISED: Final = 0.15  # of the size of the text, at least, lies between the two baselines


def baseline(bottom: float, size: float) -> float:
    """About where the baseline lies of text of this size that reaches down to `bottom`; y runs downwards."""
    return bottom - _DESCENT * size


def is_raised(bottom: float, size: float, text_bottom: float, text_size: float) -> bool:
    """Whether something is set smaller and higher than the text beside it.

    >>> is_raised(bottom=5, size=6.4, text_bottom=10, text_size=11), is_raised(9.2, 7, 10, 11)
    (True, False)
    """
    above = baseline(text_bottom, text_size) - baseline(bottom, size)
    return size <= _SMALLER * text_size and above > _RAISED * text_size
