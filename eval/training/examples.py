"""What the reader learns from: groups of pairs, as JSON lines."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from policy_rag.whole_files import written_whole


class TrainingTask(StrEnum):
    """What the pairs of a group teach."""

    RANK = "rank"
    READ = "read"
    SUPPORT = "support"


class SupportLabel(StrEnum):
    """How a passage bears on a statement; `not_entailed` is contradicted or neither, unknown which."""

    ENTAILED = "entailed"
    CONTRADICTED = "contradicted"
    NEUTRAL = "neutral"
    NOT_ENTAILED = "not_entailed"


@dataclass(frozen=True, slots=True)
class Pair:
    """A passage for the group's question or statement, with what is known of the two.

    Attributes:
        passage: its text.
        relevant: whether it is about what is asked; None where that is not known.
        answerable: whether it answers the question; None where that is not known.
        span: the answer's characters in the passage, or None.
        support: how it bears on the statement, or None.
    """

    passage: str
    relevant: bool | None = None
    answerable: bool | None = None
    span: tuple[int, int] | None = None
    support: SupportLabel | None = None


@dataclass(frozen=True, slots=True)
class PairGroup:
    """A question or statement with its passages; `source` and `fold_key` say where it is from.

    >>> group = PairGroup(TrainingTask.READ, "test", "doc", "Who?", (Pair("Ann.", True, True, (0, 3)),))
    >>> PairGroup.from_json(group.to_json()) == group
    True
    """

    task: TrainingTask
    source: str
    fold_key: str
    text: str
    pairs: tuple[Pair, ...]

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "PairGroup":
        """Reads what `to_json` wrote."""
        row: dict[str, Any] = json.loads(line)
        pairs = tuple(
            Pair(
                pair["passage"],
                pair["relevant"],
                pair["answerable"],
                None if pair["span"] is None else (pair["span"][0], pair["span"][1]),
                None if pair["support"] is None else SupportLabel(pair["support"]),
            )
            for pair in row["pairs"]
        )
        return cls(TrainingTask(row["task"]), row["source"], row["fold_key"], row["text"], pairs)


def write_groups(groups: Iterable[PairGroup], file: Path) -> int:
    """Writes a line a group, beside and then in place; returns how many there were."""
    file.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with written_whole(file) as beside, beside.open("w", encoding="utf-8") as out:
        for group in groups:
            out.write(group.to_json() + "\n")
            count += 1
    return count


def read_groups(file: Path) -> tuple[PairGroup, ...]:
    """All groups of a file."""
    with file.open(encoding="utf-8") as lines:
        return tuple(PairGroup.from_json(line) for line in lines)


def json_rows(file: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines, compressed or not.

    Raises:
        FileNotFoundError: there is no such file.
    """
    opened = partial(gzip.open, file, "rt") if file.suffix == ".gz" else partial(file.open, "r")
    with opened(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
