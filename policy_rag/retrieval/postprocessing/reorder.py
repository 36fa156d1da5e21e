"""The order in which a language model is given hits: the best at both ends, the weakest in the middle.

Models use the beginning and the end of a long context more than its middle (Liu et al., "Lost in the Middle",
TACL 2024).
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def ends_first(ranked: Sequence[T]) -> tuple[T, ...]:
    """The best first, the second best last, and so on towards the middle.

    >>> ends_first([1, 2, 3, 4, 5])
    (1, 3, 5, 4, 2)
    """
    return (*ranked[::2], *reversed(ranked[1::2]))
