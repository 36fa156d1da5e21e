"""Which texts run through a graph together."""

from collections.abc import Sequence

_TOKENS_AT_ONCE = 2048  # padding included: a batch then stays in the processor's cache
_TEXTS_AT_ONCE = 64
_LEAST_SHARE = 0.85
"""Of the longest of a batch. What is shorter is cheaper in the next one: padding costs as much as text."""


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Positions put together by length, longest first, each batch padded to its first.

    A batch has at most 64 texts and 2,048 tokens with its padding, or is one text; none is shorter than 0.85 of the
    first. Equal lengths keep their order.

    Args:
        lengths: in tokens.

    >>> batches([95, 1500, 100, 1000, 80])
    [[1], [3], [2, 0], [4]]
    """
    made: list[list[int]] = []
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        longest = lengths[batch[0]] if batch else 0
        full = len(batch) == _TEXTS_AT_ONCE or (len(batch) + 1) * longest > _TOKENS_AT_ONCE
        if batch and (full or lengths[i] < _LEAST_SHARE * longest):
            made.append(batch)
            batch = []
        batch.append(i)
    return [*made, batch] if batch else made
