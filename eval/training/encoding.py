"""Groups as token ids: windows that hold the answer, batches of like length."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.examples import PairGroup, SupportLabel, TrainingTask

WINDOW = 256
_QUESTION = 64
_AT_ONCE = 500  # groups
_STEP = 32  # rows are padded to a multiple: few shapes, so few kernels are made
_LABELS = {
    SupportLabel.ENTAILED: 0,
    SupportLabel.CONTRADICTED: 1,
    SupportLabel.NEUTRAL: 2,
    SupportLabel.NOT_ENTAILED: 3,
}


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A pair as the network reads it; a label of -1 is not known. `start`, `end` are tokens, 0 for no answer."""

    ids: tuple[int, ...]
    first: int
    relevant: int
    answerable: int
    start: int
    end: int
    support: int


@dataclass(frozen=True, slots=True)
class EncodedGroup:
    """The rows of a group; `width` is what they are padded to."""

    task: TrainingTask
    rows: tuple[EncodedPair, ...]

    @property
    def width(self) -> int:
        """The longest row, rounded up."""
        return padded(max(len(row.ids) for row in self.rows))


class Encoder:
    """Turns groups into rows with the base's own tokenizer."""

    def __init__(self, folder: Path, window: int = WINDOW) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._window = window
        self._cls = self._tokenizer.token_to_id("[CLS]")
        self._sep = self._tokenizer.token_to_id("[SEP]")

    def rows(self, groups: Sequence[PairGroup], rng: random.Random) -> list[EncodedGroup]:
        """The groups' rows. A passage that is too long is cut to a window, at random around its answer."""
        made = []
        for some in (groups[i : i + _AT_ONCE] for i in range(0, len(groups), _AT_ONCE)):
            texts = [text for group in some for text in (group.text, *(pair.passage for pair in group.pairs))]
            encoded = iter(self._tokenizer.encode_batch(texts, add_special_tokens=False))
            made += [self._group(group, [next(encoded) for _ in range(1 + len(group.pairs))], rng) for group in some]
        return made

    def _group(self, group: PairGroup, encoded: Sequence[Any], rng: random.Random) -> EncodedGroup:
        asked, *passages = encoded
        question = [self._cls, *asked.ids[:_QUESTION], self._sep]
        room = self._window - len(question) - 1
        made = []
        for pair, passage in zip(group.pairs, passages, strict=True):
            span = _tokens(passage.offsets, pair.span) if pair.span else None
            cut = _window(len(passage.ids), room, span, rng)
            ids = (*question, *passage.ids[cut : cut + room], self._sep)
            start = end = 0 if pair.answerable is False else -1
            if span is not None:
                start, end = (min(max(place - cut, 0), room - 1) + len(question) for place in span)
            made.append(
                EncodedPair(
                    ids,
                    len(question),
                    -1 if pair.relevant is None else int(pair.relevant),
                    -1 if pair.answerable is None else int(pair.answerable),
                    start,
                    end,
                    -1 if pair.support is None else _LABELS[pair.support],
                )
            )
        return EncodedGroup(group.task, tuple(made))


def _tokens(offsets: Sequence[tuple[int, int]], span: tuple[int, int]) -> tuple[int, int] | None:
    """The first and last token that touch the span; None where none does.

    >>> _tokens([(0, 3), (4, 7), (8, 9)], (4, 9))
    (1, 2)
    """
    inside = [i for i, (start, end) in enumerate(offsets) if start < span[1] and end > span[0] and end > start]
    return (inside[0], inside[-1]) if inside else None


def _window(length: int, room: int, span: tuple[int, int] | None, rng: random.Random) -> int:
    """Where the window begins."""
    if length <= room:
        return 0
    if span is None:
        return 0 if rng.random() < 0.7 else rng.randrange(length - room + 1)
    lowest = max(0, min(span[1] - room + 1, length - room))
    highest = max(lowest, min(span[0], length - room))
    return rng.randint(lowest, highest)


def padded(length: int) -> int:
    """A row's length with its padding.

    >>> padded(33)
    64
    """
    return -(-length // _STEP) * _STEP


def batches(groups: Sequence[EncodedGroup], tokens: int, rng: random.Random) -> Iterator[list[EncodedGroup]]:
    """Groups of like width together, whatever their task, about `tokens`, each row padded; in random order."""
    places = list(range(len(groups)))
    rng.shuffle(places)
    places.sort(key=lambda place: groups[place].width)
    made: list[list[EncodedGroup]] = []
    batch: list[EncodedGroup] = []
    held = 0
    for place in places:
        group = groups[place]
        size = sum(padded(len(row.ids)) for row in group.rows)
        if batch and held + size > tokens:
            made.append(batch)
            batch, held = [], 0
        batch.append(group)
        held += size
    if batch:
        made.append(batch)
    rng.shuffle(made)
    yield from made


def tensors(batch: Sequence[EncodedGroup]) -> dict[str, torch.Tensor]:
    """What the network takes and the labels of its rows, the longest first; `group` tells rows of one group."""
    rows = [(place, row) for place, group in enumerate(batch) for row in group.rows]
    rows.sort(key=lambda one: -len(one[1].ids))
    width = padded(len(rows[0][1].ids))
    ids, mask, types = (np.zeros((len(rows), width), dtype=np.int64) for _ in range(3))
    for i, (_, row) in enumerate(rows):
        n = len(row.ids)
        ids[i, :n], mask[i, :n], types[i, row.first : n] = row.ids, 1, 1
    made = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    for name in ("relevant", "answerable", "start", "end", "support", "first"):
        made[name] = np.array([getattr(row, name) for _, row in rows], dtype=np.int64)
    made["group"] = np.array([place for place, _ in rows], dtype=np.int64)
    return {name: torch.from_numpy(array) for name, array in made.items()}


def parts(lengths: Sequence[int], most: int = 3) -> list[slice]:
    """Rows that are read in one go, `most` parts at most: each is padded to its own longest row.

    >>> parts([250, 240, 60, 60, 30])
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    widths = [padded(length) for length in lengths]
    cuts = sorted(range(1, len(widths)), key=lambda i: widths[i] - widths[i - 1])[: most - 1]
    edges = [0, *sorted(i for i in cuts if widths[i] < widths[i - 1]), len(widths)]
    return [slice(a, b) for a, b in pairwise(edges)]
