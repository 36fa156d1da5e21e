"""The space that `eval tune` searches: settings, each with the values it may take."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import UsageError
from policy_rag.settings import ALL_SETTINGS
from policy_rag_eval.data.yaml_files import read_yaml

if TYPE_CHECKING:
    from optuna import Trial


@dataclass(frozen=True, slots=True)
class Choices:
    """One of some values, told apart by how they are written."""

    values: tuple[Any, ...]

    def suggest(self, trial: "Trial", name: str) -> Any:
        """The value that the trial takes."""
        written = {str(value): value for value in self.values}
        return written[str(trial.suggest_categorical(name, list(written)))]

    @property
    def ends(self) -> tuple[Any, ...]:
        """Values that must be possible if all of them are to be."""
        return self.values


@dataclass(frozen=True, slots=True)
class Range:
    """A number from `low` to `high`, both possible.

    Attributes:
        low: the least value.
        high: the greatest.
        step: the distance of the values tried, or None for any.
        log: whether it is searched by its logarithm.
        whole: whether only whole numbers are tried.
    """

    low: float
    high: float
    step: float | None = None
    log: bool = False
    whole: bool = False

    def suggest(self, trial: "Trial", name: str) -> float | int:
        """The value that the trial takes; binary fractions are rounded away."""
        if self.whole:
            step = 1 if self.step is None else int(self.step)
            return trial.suggest_int(name, int(self.low), int(self.high), step=step, log=self.log)
        return round(trial.suggest_float(name, self.low, self.high, step=self.step, log=self.log), 6)

    @property
    def ends(self) -> tuple[Any, ...]:
        """Values that must be possible if all of them are to be."""
        return (int(self.low), int(self.high)) if self.whole else (self.low, self.high)


Space = Mapping[str, Choices | Range]

DEFAULT_SPACE: Space = {
    "search": Choices(("weighted", "rrf", "or", "and", "vector", "keyword")),
    "vector_weight": Range(0.0, 1.0, step=0.05),
    "pair_weight": Range(0.0, 0.5, step=0.05),
    "candidates": Choices((20, 50, 100)),
    "bm25_k1": Choices((0.6, 0.9, 1.2, 1.6)),
    "bm25_b": Choices((0.4, 0.6, 0.75, 0.9)),
}
"""What can be tuned without embedding anything again."""


def read_space(file: Path) -> Space:
    """Reads a space: YAML of settings, each with a list of values or `{low: A, high: B}` with `step` or `log`.

    Raises:
        UsageError: the file cannot be read, or a setting or what is said of it is wrong.
    """
    loaded = read_yaml(file, f"there is no space {file}: give a YAML file, or leave --space out")
    if not isinstance(loaded, dict) or not loaded:
        raise UsageError(
            f"the space {file} is empty: write a setting's name and what it may be, `search: [vector, or]`"
        )
    return {str(name): _dimension(str(name), said) for name, said in loaded.items()}


def _dimension(name: str, said: object) -> Choices | Range:
    """What a setting may be.

    >>> _dimension("candidates", {"low": 10, "high": 100, "step": 10})
    Range(low=10, high=100, step=10, log=False, whole=True)
    """
    if name not in ALL_SETTINGS:
        raise UsageError(f"the space names {name}, which is no setting: `policy-rag doctor` lists them")
    if isinstance(said, list) and said:
        if len({str(value) for value in said}) < len(said):
            raise UsageError(f"the space gives a value of {name} twice: list each once")
        return Choices(tuple(said))
    if isinstance(said, dict) and {"low", "high"} <= said.keys() <= {"low", "high", "step", "log"}:
        return _range(name, said)
    raise UsageError(f"the space needs a list of values for {name}, or {{low: A, high: B}} with step or log")


def _range(name: str, said: Mapping[str, Any]) -> Range:
    low, high, step, log = said["low"], said["high"], said.get("step"), bool(said.get("log", False))
    numbers = [low, high, *([] if step is None else [step])]
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n) for n in numbers):
        raise UsageError(f"the space's range of {name} must be of numbers")
    if low >= high or (step is not None and step <= 0) or (log and (low <= 0 or step is not None)):
        raise UsageError(
            f"the space's range of {name} must rise, with a step above 0, or with log from above 0 and without a step"
        )
    return Range(low, high, step, log, whole=all(isinstance(n, int) for n in numbers))
