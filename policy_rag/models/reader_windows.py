"""A question or statement with a passage as token ids: windows where the passage is long, and batches of them."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Window:
    """Some tokens of a passage behind the question's.

    Attributes:
        pair: position of the pair among those that are read together.
        ids: all tokens: `[CLS] question [SEP] passage [SEP]`.
        first: where the passage's tokens begin in `ids`; they end one before its last.
        offsets: half-open character ranges of the passage's tokens in the passage.
    """

    pair: int
    ids: tuple[int, ...]
    first: int
    offsets: tuple[tuple[int, int], ...]

    @property
    def key(self) -> bytes:
        """All that the network is given: equal keys, equal outputs. A tenth of the memory of `ids`."""
        return array("i", (self.first, *self.ids)).tobytes()


@dataclass(frozen=True, slots=True)
class Pairing:
    """How pairs are put together for the network.

    Attributes:
        tokenizer: of the `tokenizers` library, without truncation and padding.
        asked: most tokens of a question or statement; the rest is not read.
        overlap: tokens that windows of one passage share.
    """

    tokenizer: Any
    asked: int
    overlap: int

    def windows(self, pairs: Sequence[tuple[str, str]], most: int, tokens: int) -> list[Window]:
        """The windows of each pair of a question or statement and a passage, in order, of `tokens` at most.

        A passage without a token has none; of one with more than `most` its first are read.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encoded = dict(zip(texts, self.tokenizer.encode_batch(texts, add_special_tokens=False), strict=True))
        cls, sep = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")
        made: list[Window] = []
        for place, (asked, passage) in enumerate(pairs):
            front = (cls, *encoded[asked].ids[: self.asked], sep)
            room = tokens - len(front) - 1
            read = encoded[passage]
            made.extend(
                Window(
                    place,
                    (*front, *read.ids[start : start + room], sep),
                    len(front),
                    tuple(read.offsets[start : start + room]),
                )
                for start in starts(len(read.ids), room, self.overlap)[:most]
            )
        return made


def starts(length: int, room: int, overlap: int) -> list[int]:
    """Where windows of `room` tokens begin that cover `length` tokens; the last one is full and ends with them.

    >>> starts(5, 10, 4), starts(20, 10, 4), starts(0, 10, 4)
    ([0], [0, 6, 10], [])
    """
    if length <= room:
        return [0] if length else []
    return [*range(0, length - room, max(1, room - overlap)), length - room]


def inputs(windows: Sequence[Window]) -> dict[str, NDArray[Any]]:
    """What the graph takes for a batch: `(len(windows), longest)` arrays."""
    shape = (len(windows), max(len(window.ids) for window in windows))
    ids, mask, types = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for row, window in enumerate(windows):
        n = len(window.ids)
        ids[row, :n], mask[row, :n], types[row, window.first : n] = window.ids, 1, 1
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def best_spans(
    start: NDArray[np.float32], end: NDArray[np.float32], *, most_tokens: int, count: int
) -> list[tuple[int, int, float]]:
    """The best spans that do not overlap, best first: first token, last token, sum of their logits.

    The logits are those that the answer begins and ends at a token of the passage; a span has `most_tokens` at most.

    >>> best_spans(np.array([0, 3, 0, 1.0]), np.array([0, 0, 2, 1.0]), most_tokens=2, count=2)
    [(1, 2, 5.0), (3, 3, 2.0)]
    """
    sums = start[:, None] + end[None, :]
    reach = np.arange(len(end))[None, :] - np.arange(len(start))[:, None]
    sums = np.where((reach >= 0) & (reach < most_tokens), sums, -np.inf)
    found: list[tuple[int, int, float]] = []
    while len(found) < count:
        first, last = divmod(int(np.argmax(sums)), len(end))
        if not np.isfinite(sums[first, last]):
            break
        found.append((first, last, float(sums[first, last])))
        sums[: last + 1, first:] = -np.inf  # whatever touches it
    return found
