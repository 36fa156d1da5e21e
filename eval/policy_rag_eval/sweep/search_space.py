"""The space that `eval tune` searches: settings, each with the values it may take, as Optuna's distributions."""

import itertools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import UsageError
from policy_rag.models.reranker import NO_RERANKER
from policy_rag.settings import Settings
from policy_rag.settings.settings import setting_named
from policy_rag_eval.data.yaml_files import read_yaml
from policy_rag_eval.sweep.grids import read_together

if TYPE_CHECKING:
    from optuna import Trial
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


_SWITCHED: Mapping[str, tuple[str, frozenset[str], bool]] = {
    "vector_weight": ("search", frozenset({"weighted"}), True),
    "and_fallback": ("search", frozenset({"and"}), True),
    **dict.fromkeys(("pair_weight", "bm25_k1", "bm25_b"), ("search", frozenset({"vector"}), False)),
    **dict.fromkeys(("reranker_precision", "reranker_backend"), ("reranker", frozenset({NO_RERANKER}), False)),
    "chunk_overlap": ("chunker", frozenset({"sentence", "token", "recursive"}), True),
}
"""Settings that do something only under some values of another: which one, which values, and whether under these."""
_SWITCHES = frozenset(switch for switch, _, _ in _SWITCHED.values())


def read_space(grids: Sequence[str]) -> "Space":
    """Reads a space: YAML of settings, each with a list of values or `{low: A, high: B}` with `step` or `log`.

    Args:
        grids: files, or `KEY=A,B`; together they are one space. None: `DEFAULT_SPACE`.

    Raises:
        PolicyRagError: a file cannot be read, or a setting or what is said of it is wrong.
    """
    given = read_together(grids, _read_file) if grids else DEFAULT_SPACE
    return {name: _distribution(name, values) for name, values in given.items()}


def _read_file(file: str) -> dict[str, Any]:
    loaded = read_yaml(Path(file), f"there is no space {file}: leave --grid out")
    if not isinstance(loaded, Mapping) or not loaded:
        raise UsageError(
            f"the space {file} is empty: write a setting's name and what it may be, `search: [vector, or]`"
        )
    return {str(name): values for name, values in loaded.items()}


def in_order(space: "Space") -> tuple[str, ...]:
    """The names of a space's settings, those first that may switch others off."""
    return tuple(sorted(space, key=lambda name: name not in _SWITCHES))


def does_something(name: str, settings: Settings) -> bool:
    """Whether a setting changes anything under these.

    >>> from policy_rag.settings import load_settings
    >>> does_something("vector_weight", load_settings({"search": "rrf"}))
    False
    """
    if name not in _SWITCHED:
        return True
    switch, values, under_these = _SWITCHED[name]
    return (str(settings.value(switch)) in values) is under_these


def choice_count(space: "Space", settings: Callable[[Mapping[str, Any]], Settings]) -> float:
    """Of how many choices a space has at most, without the values of settings that others switch off.

    Args:
        space: its switches are lists.
        settings: gives all settings under a choice.

    >>> from policy_rag.settings import load_settings
    >>> choice_count(read_space(["search=vector,weighted", "vector_weight=0.2,0.4,0.6"]), load_settings)
    4
    """
    switches = [name for name in space if name in _SWITCHES]
    count: float = 0
    for values in itertools.product(*(ends(space[name]) for name in switches)):
        under = settings(dict(zip(switches, values, strict=True)))
        others = (space[name] for name in space if name not in switches and does_something(name, under))
        count += math.prod(map(_size, others))
    return count


def _size(distribution: Any) -> float:
    """How many values there are.

    >>> from optuna.distributions import FloatDistribution, IntDistribution
    >>> _size(IntDistribution(10, 100, step=10)), _size(FloatDistribution(0, 1, step=0.25))
    (10, 5)
    """
    if hasattr(distribution, "choices"):
        return len(distribution.choices)
    return round((distribution.high - distribution.low) / distribution.step) + 1 if distribution.step else math.inf


def suggested(trial: "Trial", name: str, distribution: "BaseDistribution") -> Any:
    """A value for a trial, as Optuna's sampler chooses it; binary fractions are rounded away: 0.15000000000000002."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if isinstance(distribution, CategoricalDistribution):
        return trial.suggest_categorical(name, distribution.choices)
    if isinstance(distribution, IntDistribution):
        return trial.suggest_int(
            name, distribution.low, distribution.high, step=distribution.step, log=distribution.log
        )
    if isinstance(distribution, FloatDistribution):
        low, high = distribution.low, distribution.high
        return round(trial.suggest_float(name, low, high, step=distribution.step, log=distribution.log), 6)
    raise TypeError(f"{distribution!r} is no distribution of a space")


def ends(distribution: Any) -> tuple[Any, ...]:
    """Values that must be possible if all of them are to be."""
    return tuple(getattr(distribution, "choices", None) or (distribution.low, distribution.high))


def _distribution(name: str, given: object) -> "BaseDistribution":
    """What a setting may be.

    >>> _distribution("candidates", {"low": 10, "high": 100, "step": 10})
    IntDistribution(high=100, log=False, low=10, step=10)
    """
    from optuna import distributions

    setting_named(name)
    if isinstance(given, list | tuple) and len({str(value) for value in given}) < len(given):
        raise UsageError(f"the space gives a value of {name} twice: list each once")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # such as a step that does not reach the upper end
            if isinstance(given, list | tuple):
                return distributions.CategoricalDistribution(tuple(given))
            if isinstance(given, Mapping) and {"low", "high"} <= given.keys() <= {"low", "high", "step", "log"}:
                whole = all(isinstance(given[end], int) for end in given if end != "log")
                return distributions.IntDistribution(**given) if whole else distributions.FloatDistribution(**given)
    except (TypeError, ValueError, UserWarning) as error:
        raise UsageError(f"the space's values of {name} cannot be searched: {error}") from error
    raise UsageError(f"the space needs a list of values for {name}, or {{low: A, high: B}} with step or log")
