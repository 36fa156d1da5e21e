"""A grid: a setting's name, a list of values; every combination is a configuration.

Any setting that shapes an index or a search can be varied: `embedding`, `search`, `reranker`, `chunker`,
`chunk_tokens`, `chunk_overlap`, `candidates`, `top_k`, `min_score`, `bm25_k1`, `bm25_b`, `metadata` and the rest.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from policy_rag.errors import SettingsError, UsageError
from policy_rag.settings import ALL_SETTINGS, Affects, load_settings, names_affecting
from policy_rag_eval.data.yaml_files import read_yaml
from policy_rag_eval.sweep.evaluation import Configuration

STANDARD: Mapping[str, Sequence[str]] = {
    "embedding": ("BAAI/bge-small-en-v1.5", "all-MiniLM-L6-v2"),
    "search": ("vector", "and", "or"),
    "reranker": ("none", "BAAI/bge-reranker-base", "BAAI/bge-reranker-large"),
}
"""What `--grid standard` stands for."""


def read_grids(grids: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """Reads what `--grid` was given: files, `standard`, or `KEY=A,B`; together they are one grid.

    Raises:
        UsageError: one of them is none, or two give the same setting.

    >>> read_grids(["search=vector,or", "candidates=20,50"])
    {'search': ('vector', 'or'), 'candidates': (20, 50)}
    """
    return read_together(grids, read_grid)


def read_together(grids: Sequence[str], read_file: Callable[[str], Mapping[str, Any]]) -> dict[str, Any]:
    """What files, as `read_file` reads them, and `KEY=A,B` give of settings.

    Raises:
        UsageError: one of them cannot be read, or two give the same setting.
    """
    together: dict[str, Any] = {}
    for grid in grids:
        typed = "=" in grid and not Path(grid).exists()
        for name, given in (read_dimension(grid) if typed else read_file(grid)).items():
            if name in together:
                raise UsageError(f"two --grid give {name}: list all of its values in one")
            together[name] = given
    return together


def read_dimension(text: str) -> dict[str, tuple[Any, ...]]:
    """Reads `KEY=A,B,C`; values are written as in YAML, one that is a list itself as `[A, B]`.

    Raises:
        UsageError: it is not of that form.

    >>> read_dimension("min_score=null,0.3")
    {'min_score': (None, 0.3)}
    """
    name, _, listed = text.partition("=")
    try:
        values = yaml.safe_load(f"[{listed}]")
    except yaml.YAMLError as error:
        raise UsageError(f"--grid {text}: the values cannot be read: put them between quotes") from error
    if not name.strip() or not values:
        raise UsageError(f"--grid {text}: write KEY=A,B, for example --grid search=vector,or; or give a YAML file")
    return {name.strip(): tuple(values)}


def read_grid(grid: str) -> dict[str, tuple[Any, ...]]:
    """Reads a grid's file, or the one called `standard`.

    Raises:
        UsageError: there is no such file, or it is not a setting's name and a list of values.
    """
    if grid == "standard":
        return {name: tuple(values) for name, values in STANDARD.items()}
    loaded = read_yaml(Path(grid), f"there is no grid {grid}: give a YAML file, or `standard`")
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
    >>> configurations({}, {"offline": True})[0].name
    'default'
    """
    both = sorted(grid.keys() & changes.keys())
    if both:
        raise UsageError(f"{both[0]} is given with --set and in the grid: leave it out of one")
    pointless = sorted(grid.keys() & set(names_affecting(Affects.ANSWER, Affects.RUN)))
    if pointless:
        raise UsageError(f"{pointless[0]} changes nothing that is found: leave it out of the grid")
    shaping = names_affecting(Affects.INDEX, Affects.SEARCH)
    saved = tuple(name for name in (*changes, *grid) if name in shaping)
    made: list[Configuration] = []
    seen: dict[str, str] = {}
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        settings = load_settings({**changes, **chosen}).changed(_nothing(chosen))
        named = chosen or {key: value for key, value in changes.items() if key in shaping}
        name = " ".join(f"{key}={_shown(value)}" for key, value in named.items()) or "default"
        same = seen.setdefault(json.dumps(settings.as_json()), name)
        if same != name or any(other.name == name for other in made):
            raise UsageError(f"the grid gives {name} twice: list each value once")
        made.append(Configuration(name, settings, saved))
    return tuple(made)


def _nothing(chosen: Mapping[str, Any]) -> dict[str, None]:
    """The values of none, which otherwise stand for a setting that is left as it is.

    Raises:
        SettingsError: a setting that must have a value.
    """
    empty = [name for name, value in chosen.items() if value is None and name in ALL_SETTINGS]
    for name in empty:
        if ALL_SETTINGS[name].default is not None:
            raise SettingsError(f"setting {name}=none: it needs a value, {ALL_SETTINGS[name].description}")
    return dict.fromkeys(empty)


def _shown(value: Any) -> str:
    """A value in a configuration's name.

    >>> _shown(["parent", "references"]), _shown(None), _shown("or")
    ('parent+references', 'none', 'or')
    """
    if value is None:
        return "none"
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
