"""From hits to gold labels, so that one question set scores every way of cutting documents."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from policy_rag_eval.data.dataset import GoldPassage


class Place(Protocol):
    """A range of a file's characters, half-open: a hit is one.

    Attributes:
        file: named as in the data set.
        start: first character.
        end: one past the last.
    """

    @property
    def file(self) -> str: ...  # noqa: D102
    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class _FileGold:
    """The gold passages of one file, by start (then end, then order in the data set).

    `reach[i]` is the largest end among the first `i + 1`, which tells where passages that overlap a range begin.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    labels: tuple[str, ...]
    reach: tuple[int, ...]

    @classmethod
    def of(cls, places: Iterable[tuple[int, int, str]]) -> "_FileGold":
        ordered = sorted(places, key=lambda place: place[:2])
        ends = tuple(end for _, end, _ in ordered)
        starts, labels = tuple(start for start, _, _ in ordered), tuple(label for _, _, label in ordered)
        return cls(starts, ends, labels, tuple(accumulate(ends, max)))

    def overlapping(self, start: int, end: int) -> range:
        """Indices among which all passages that share a character with `[start, end)` are, in file order."""
        first = bisect_left(self.reach, start + 1)
        return range(first, max(first, bisect_left(self.starts, end)))


class GoldPlaces:
    """The places of a data set's gold passages, ready to label many lists of hits.

    Args:
        passages: those without a place are passed over.
    """

    def __init__(self, passages: Iterable[GoldPassage]) -> None:
        by_file: dict[str, list[tuple[int, int, str]]] = {}
        for passage in passages:
            if passage.file is not None and passage.start is not None and passage.end is not None:
                by_file.setdefault(passage.file, []).append((passage.start, passage.end, passage.gold_id))
        self._files: Mapping[str, _FileGold] = {file: _FileGold.of(places) for file, places in by_file.items()}

    def labels(self, hits: Sequence[Place]) -> tuple[str, ...]:
        """The gold ids that a list of hits wins, best first.

        Going down the hits, each is replaced by the labels, in file order, that have a place of which the hits so far
        (the union of their ranges) cover at least half the characters, and that are not listed yet. A hit that adds
        none stays as `file:start-end`. So a hit of a whole document wins all its gold at once, in file order, which
        is worth nothing. Cutting the list at k is left to the measures.

        >>> gold = GoldPlaces([GoldPassage("a", "", file="x.md", start=0, end=10)])
        >>> gold.labels([Range("x.md", 0, 4), Range("x.md", 2, 5), Range("x.md", 5, 9)])
        ('x.md:0-4', 'a', 'x.md:5-9')
        """
        listed: dict[str, None] = {}
        seen: dict[str, _Seen] = {}
        for hit in hits:
            gold = self._files.get(hit.file)
            won = seen.setdefault(hit.file, _Seen(gold)).add(hit.start, hit.end) if gold is not None else []
            new = [label for label in dict.fromkeys(won) if label not in listed]
            listed.update(dict.fromkeys(new or [f"{hit.file}:{hit.start}-{hit.end}"]))
        return tuple(listed)


@dataclass(frozen=True, slots=True)
class Range:
    """A plain `Place`."""

    file: str
    start: int
    end: int


class _Seen:
    """What the hits so far cover of one file: disjoint ranges in order, and characters of each gold passage."""

    def __init__(self, gold: _FileGold) -> None:
        self._gold = gold
        self._ranges: list[tuple[int, int]] = []
        self._covered: dict[int, int] = {}

    def add(self, start: int, end: int) -> list[str]:
        """Adds a range; returns, in file order, the labels of places that it touches and that are now half covered."""
        gold = self._gold
        for new_start, new_end in self._new_parts(start, end):
            for index in gold.overlapping(new_start, new_end):
                shared = min(new_end, gold.ends[index]) - max(new_start, gold.starts[index])
                if shared > 0:
                    self._covered[index] = self._covered.get(index, 0) + shared
        return [
            gold.labels[index]
            for index in gold.overlapping(start, end)
            if 2 * self._covered.get(index, 0) >= gold.ends[index] - gold.starts[index]
        ]

    def _new_parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """The parts of `[start, end)` that no earlier range covers; they are covered from now on."""
        new, position = [], start
        for old_start, old_end in self._ranges:
            if position < old_start and position < end:
                new.append((position, min(old_start, end)))
            position = max(position, old_end)
        if position < end:
            new.append((position, end))
        self._ranges = sorted([*self._ranges, *new])
        return new


def passage_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels of hits that are gold passages themselves: a repeated label keeps its first rank.

    >>> passage_labels(["a", "b", "a"])
    ('a', 'b')
    """
    return tuple(dict.fromkeys(labels))


def shared(passage: GoldPassage, place: Place) -> int:
    """Characters that a gold passage and a place have in common."""
    if passage.file != place.file or passage.start is None or passage.end is None:
        return 0
    return max(0, min(passage.end, place.end) - max(passage.start, place.start))
