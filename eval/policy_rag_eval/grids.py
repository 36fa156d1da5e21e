"""A grid: a setting's name, a list of values; every combination is a configuration."""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from policy_rag.errors import UsageError
from policy_rag.settings import load_settings
from policy_rag_eval.runs import Configuration

STANDARD: Mapping[str, Sequence[str]] = {
    "embedding": ("BAAI/bge-small-en-v1.5", "all-MiniLM-L6-v2"),
    "search": ("vector", "and", "or"),
    "reranker": ("none", "BAAI/bge-reranker-base", "BAAI/bge-reranker-large"),
}
"""What `--grid standard` stands for."""


def read_grid(grid: str) -> dict[str, tuple[Any, ...]]:
    """Reads a grid's file, or the one called `standard`.

    Raises:
        UsageError: there is no such file, or it is not a setting's name and a list of values.
    """
    if grid == "standard":
        return {name: tuple(values) for name, values in STANDARD.items()}
    path = Path(grid)
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"there is no grid {grid}: give a YAML file, or `standard`") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{grid} cannot be read as YAML ({' '.join(str(error).split())})") from error
    if not isinstance(loaded, dict) or not loaded:
        raise UsageError(
            f"the grid {grid} is empty: write a setting's name and a list of values, `search: [vector, or]`"
        )
    for name, values in loaded.items():
        if not isinstance(values, list) or not values:
            raise UsageError(f"the grid {grid} needs a list of values for {name}, for example `{name}: [A, B]`")
    return {str(name): tuple(values) for name, values in loaded.items()}


def read_changes(pairs: Sequence[str]) -> dict[str, Any]:
    """Reads `--set KEY=VALUE` options; values are written as in YAML.

    Raises:
        UsageError: one is not of that form, or a key comes twice.

    >>> read_changes(["search=or", "candidates=20"])
    {'search': 'or', 'candidates': 20}
    """
    changes: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"--set {pair}: write --set KEY=VALUE, for example --set search=keyword")
        if name.strip() in changes:
            raise UsageError(f"--set {name.strip()} is given twice: give it once, or a list of values with --grid")
        try:
            changes[name.strip()] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise UsageError(f"--set {pair}: the value cannot be read: put it between quotes") from error
    return changes


def configurations(grid: Mapping[str, Sequence[Any]], changes: Mapping[str, Any]) -> tuple[Configuration, ...]:
    """Every combination of a grid's values, the last setting changing fastest; `changes` hold for all of them.

    Without a grid there is one configuration. It is called by what distinguishes it.

    Raises:
        SettingsError: an unknown setting, or a value that it cannot have.
        UsageError: a setting is both in the grid and in `changes`, or two combinations are the same.

    >>> [made.name for made in configurations({"search": ["vector", "or"]}, {})]
    ['search=vector', 'search=or']
    >>> configurations({}, {})[0].name
    'default'
    """
    both = sorted(grid.keys() & changes.keys())
    if both:
        raise UsageError(f"{both[0]} is given with --set and in the grid: leave it out of one")
    made = []
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        settings = load_settings({**changes, **chosen})
        named = chosen or changes
        name = " ".join(f"{key}={value}" for key, value in named.items()) or "default"
        made.append(Configuration(name, settings))
    names = [configuration.name for configuration in made]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the grid gives {name} twice: list each value once")
    return tuple(made)
