"""Pairs of clauses that were written for this: two sentences of two policies that clash, say the same, or neither.

`training/clauses.jsonl` has a pair a line, `{"first", "second", "label", "kind"}`. Of those that clash most are worded
apart, of those that do not most look as if they did: another group of people, another attribute, a rule with its
exception, two steps of one process.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.examples import Pair, PairGroup, SupportLabel, TrainingTask, json_rows
from training.folds import is_held_out

FILE = Path(__file__).parent / "clauses.jsonl"
CLAUSE_FOLDS = 10
"""A tenth of the pairs is held out."""
_LABELS = {
    "supported": SupportLabel.ENTAILED,
    "contradicted": SupportLabel.CONTRADICTED,
    "neither": SupportLabel.NEUTRAL,
}


@dataclass(frozen=True, slots=True)
class ClausePair:
    """Two clauses; `label`: what the first says of the second; `kind`: in which way."""

    first: str
    second: str
    label: SupportLabel
    kind: str

    @property
    def held_out(self) -> bool:
        """Whether it is kept for measuring."""
        return is_held_out(self.first, CLAUSE_FOLDS)


def read_clauses(file: Path = FILE) -> list[ClausePair]:
    """All pairs, in the file's order."""
    return [ClausePair(row["first"], row["second"], _LABELS[row["label"]], row["kind"]) for row in json_rows(file)]


def clause_groups(pairs: list[ClausePair]) -> Iterator[PairGroup]:
    """Each pair, and where it says the same of both, its turn."""
    for one in pairs:
        turns = [(one.first, one.second)]
        if one.label is not SupportLabel.ENTAILED:
            turns.append((one.second, one.first))
        for passage, statement in turns:
            pair = Pair(passage, support=one.label)
            yield PairGroup(TrainingTask.SUPPORT, "clauses", one.first[:60], statement, (pair,))
