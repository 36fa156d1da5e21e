"""Where settings come from: the file `policy_rag.toml`, then variables `POLICY_RAG_...`, then arguments."""

import json
import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from policy_rag.errors import SettingsError
from policy_rag.settings.settings import ALL_SETTINGS, Settings
from policy_rag_parsers.text.near_names import nearest_name

SETTINGS_FILE = "policy_rag.toml"
_PREFIX = "POLICY_RAG_"
_INDEX = f"{_PREFIX}INDEX"  # read by the command line: where the index is


def load_settings(changes: Mapping[str, Any] | None = None, *, file: Path | None = None) -> Settings:
    """The settings in force, with `changes` (those that are not None) on top.

    Args:
        changes: setting's name to value.
        file: a TOML file instead of `policy_rag.toml` in the current folder.

    Raises:
        SettingsError: an unknown name or a value out of range, or a variable that is a setting's but for a slip.

    >>> load_settings({"top_k": 3}).search.top_k
    3
    """
    for variable, meant in unknown_variables().items():
        if meant is not None:
            raise SettingsError(f"{variable} is no setting: did you mean {meant}? Mend or unset it")
    given = {name: value for name, value in (changes or {}).items() if value is not None}
    variables = {name: _decoded(variable) for name, variable in _variables().items()}
    in_file = _of_file(file)
    from_file = in_file.keys() - variables.keys() - given.keys()
    _require_valid({name: in_file[name] for name in from_file}, str(file or SETTINGS_FILE))
    for name in variables.keys() - given.keys():
        _require_valid({name: variables[name]}, _variables()[name])
    return Settings.of({**in_file, **variables, **given}).marked_as_in_file(from_file)


def _require_valid(values: Mapping[str, Any], origin: str) -> None:
    """Refuses what cannot be set, by the name of the file or variable that says it."""
    try:
        Settings.of(values)
    except SettingsError as error:
        raise SettingsError(f"{origin}: {error}") from error


def unknown_variables(environ: Mapping[str, str] = os.environ) -> dict[str, str | None]:
    """Variables `POLICY_RAG_...` that no setting has, sorted, each with the one that it is likely meant for.

    >>> unknown_variables({"POLICY_RAG_TOPK": "3", "POLICY_RAG_TOP_K": "3", "POLICY_RAG_COLOUR": "red"})
    {'POLICY_RAG_COLOUR': None, 'POLICY_RAG_TOPK': 'POLICY_RAG_TOP_K'}
    """
    found: dict[str, str | None] = {}
    for variable in sorted(environ):
        name = variable.lower().removeprefix(_PREFIX.lower())
        if name != variable.lower() and name not in ALL_SETTINGS and variable != _INDEX:
            near = nearest_name(name, [*ALL_SETTINGS, _INDEX.lower().removeprefix(_PREFIX.lower())])
            found[variable] = f"{_PREFIX}{near.upper()}" if near else None
    return found


def origins(settings: Settings, *, options: Collection[str] = ()) -> dict[str, str]:
    """Where each setting that was set comes from: `an option`, its variable, or `policy_rag.toml`.

    Args:
        settings: those in force here.
        options: names of those that were given in the call.
    """
    variables, in_file = _variables(), _of_file(None)
    found: dict[str, str] = {}
    for name in ALL_SETTINGS:
        if name in settings.given:
            of_file = SETTINGS_FILE if name in in_file else "an option"
            found[name] = "an option" if name in options else variables.get(name, of_file)
    return found


def _variables() -> dict[str, str]:
    """The name of each setting that has a variable, and that variable."""
    by_lower = {variable.lower(): variable for variable in os.environ}
    found = {name: by_lower.get(f"{_PREFIX}{name}".lower()) for name in ALL_SETTINGS}
    return {name: variable for name, variable in found.items() if variable is not None}


def _decoded(variable: str) -> Any:
    """The value of a variable: lists and mappings are written as JSON."""
    value = os.environ[variable]
    if value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise SettingsError(f"{variable}={value!r} is no JSON ({error}): mend or unset it") from error


def _of_file(file: Path | None) -> dict[str, Any]:
    path = file or Path(SETTINGS_FILE)
    try:
        # Editors of Windows begin a file with a byte order mark.
        return tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.exists() else {}
    except ValueError as error:
        raise SettingsError(f"{path} cannot be read as TOML ({error}): mend or remove it") from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}): mend or remove it") from error
