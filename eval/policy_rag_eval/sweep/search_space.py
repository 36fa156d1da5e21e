"""The space that `eval tune` searches: settings, each with the values it may take, as Optuna's distributions."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import UsageError
from policy_rag.settings import ALL_SETTINGS
from policy_rag_eval.data.yaml_files import read_yaml

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

    Space = Mapping[str, BaseDistribution]

DEFAULT_SPACE: Mapping[str, Any] = {
    "search": ["weighted", "rrf", "or", "and", "vector", "keyword"],
    "vector_weight": {"low": 0.0, "high": 1.0, "step": 0.05},
    "pair_weight": {"low": 0.0, "high": 0.5, "step": 0.05},
    "candidates": [20, 50, 100],
    "bm25_k1": [0.6, 0.9, 1.2, 1.6],
    "bm25_b": [0.4, 0.6, 0.75, 0.9],
}
"""What can be tuned without embedding anything again, as a file of it would say."""


def read_space(file: Path | None) -> "Space":
    """Reads a space: YAML of settings, each with a list of values or `{low: A, high: B}` with `step` or `log`.

    Args:
        file: the file; None for `DEFAULT_SPACE`.

    Raises:
        UsageError: the file cannot be read, or a setting or what is said of it is wrong.
    """
    loaded = DEFAULT_SPACE if file is None else read_yaml(file, f"there is no space {file}: leave --space out")
    if not isinstance(loaded, Mapping) or not loaded:
        raise UsageError(
            f"the space {file} is empty: write a setting's name and what it may be, `search: [vector, or]`"
        )
    return {str(name): _distribution(str(name), given) for name, given in loaded.items()}


def ends(distribution: Any) -> tuple[Any, ...]:
    """Values that must be possible if all of them are to be."""
    return tuple(getattr(distribution, "choices", None) or (distribution.low, distribution.high))


def _distribution(name: str, given: object) -> "BaseDistribution":
    """What a setting may be.

    >>> _distribution("candidates", {"low": 10, "high": 100, "step": 10})
    IntDistribution(high=100, log=False, low=10, step=10)
    """
    from optuna import distributions

    if name not in ALL_SETTINGS:
        raise UsageError(f"the space names {name}, which is no setting: `policy-rag doctor` lists them")
    if isinstance(given, list) and len({str(value) for value in given}) < len(given):
        raise UsageError(f"the space gives a value of {name} twice: list each once")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # such as a step that does not reach the upper end
            if isinstance(given, list):
                return distributions.CategoricalDistribution(tuple(given))
            if isinstance(given, Mapping) and {"low", "high"} <= given.keys() <= {"low", "high", "step", "log"}:
                whole = all(isinstance(given[end], int) for end in given if end != "log")
                return distributions.IntDistribution(**given) if whole else distributions.FloatDistribution(**given)
    except (TypeError, ValueError, UserWarning) as error:
        raise UsageError(f"the space's values of {name} cannot be searched: {error}") from error
    raise UsageError(f"the space needs a list of values for {name}, or {{low: A, high: B}} with step or log")
