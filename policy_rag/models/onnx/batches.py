"""Which texts run through a graph together."""

from collections.abc import Sequence

_TOKENS_AT_ONCE = 512  # padding included: a batch then stays in a processor's own cache
_TEXTS_AT_ONCE = 64
_LEAST_SHARE = 0.85
"""Of the longest of a batch. What is shorter is cheaper in the next one: padding costs as much as text."""


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Positions put together by length, longest first, each batch padded to its first.

    A batch has at most 64 texts and 512 tokens with its padding, or is one text; none is shorter than 0.85 of the
    first. Equal lengths keep their order. Lengths are in tokens.

    >>> batches([95, 450, 100, 600, 80])
    [[3], [1], [2, 0], [4]]
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
