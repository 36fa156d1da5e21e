"""From the winner to use: writes its settings into `policy_rag.toml`, and leaves everything else there as it is."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import PolicyRagError, SettingsError
from policy_rag.settings import Affects, Settings, names_affecting
from policy_rag.whole_files import written_whole


class SavingError(PolicyRagError):
    """The settings cannot be written."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written.

    Attributes:
        file: where to.
        written: the settings that the file now gives, by name.
        removed: those that it gave before and that are now left to their defaults.
        kept: those that stand there as they did, by name.
        overruled: environment variables that give one of those written, and win over the file.
    """

    file: Path
    written: Mapping[str, Any]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    overruled: tuple[str, ...]


def save_settings(file: Path, settings: Settings, names: Sequence[str]) -> Saved:
    """Writes some settings into a TOML file, which is made if it is not there.

    A setting that stands in the file is replaced where it stands; new ones come before any table. Comments, order and
    other settings stay. A setting without a value (`min_score` of none) is taken out. The new file is written beside
    the old one and renamed: a full disk leaves the old one as it was.

    Args:
        file: mostly `policy_rag.toml` in the current folder.
        settings: the winner's.
        names: which of them.

    Raises:
        SettingsError: the file is no TOML.
        SavingError: it cannot be written.
    """
    values = settings.as_json(names)
    written = {name: values[name] for name in names if values[name] is not None}
    gone = [name for name in names if values[name] is None]
    old = file.read_text(encoding="utf-8") if file.is_file() else ""
    try:
        before = tomllib.loads(old)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} cannot be read as TOML ({error}): mend or remove it") from error
    new = edited(old, written, gone)
    if tomllib.loads(new) != {**{name: value for name, value in before.items() if name not in gone}, **written}:
        raise SavingError(f"{file} holds settings in a form that cannot be changed safely: write them there by hand")
    _write(file, new)
    variables = [f"POLICY_RAG_{name.upper()}" for name in names]
    return Saved(
        file=file,
        written=written,
        removed=tuple(name for name in gone if name in before),
        kept=tuple(name for name in before if name not in {*written, *gone}),
        overruled=tuple(variable for variable in variables if variable in os.environ),
    )


def edited(text: str, values: Mapping[str, Any], gone: Sequence[str] = ()) -> str:
    r"""A TOML text with some of its first keys changed, added or taken out.

    >>> edited("# ours\ntop_k = 3  # short\n\n[prices]\n", {"top_k": 7, "search": "or"})
    '# ours\ntop_k = 7  # short\nsearch = "or"\n\n[prices]\n'
    """
    import tomlkit
    from tomlkit.items import AoT, Table

    document = tomlkit.parse(text)
    for name in gone:
        document.pop(name, None)
    added = tomlkit.document()
    for name, value in values.items():
        (document if name in document else added)[name] = _item(value)
    text = document.as_string()
    # What is new comes after the last statement before any table; comments and blank lines there stay below it.
    for name in [name for name, value in document.items() if isinstance(value, Table | AoT)]:
        document.remove(name)
    lines = document.as_string().splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    head = "".join(lines)
    rest = text[len(head) :]
    return (head if not head or head.endswith("\n") else f"{head}\n") + added.as_string() + rest


def _item(value: Any) -> Any:
    """A value as TOML writes it on one line."""
    import tomlkit

    if not isinstance(value, Mapping):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _write(file: Path, text: str) -> None:
    try:
        with written_whole(file) as beside:
            beside.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise SavingError(f"{file} cannot be written ({error}): it is as it was; free some disk space") from error


def index_mismatch(index: Path, settings: Settings) -> str | None:
    """What to run where the index that is there was made with other settings than these; None where it fits."""
    from policy_rag.index.store.schema import DATABASE
    from policy_rag.index.store.store import Index

    if not (index / DATABASE).is_file():
        return None
    with Index(index) as opened:
        manifest = opened.manifest
    for name in names_affecting(Affects.INDEX):
        value = settings.value(name)
        if name in settings.given and value is not None and value != getattr(manifest, name, value):
            return (
                f"the index in {index} was made with {name}={getattr(manifest, name)}, not {value}: "
                f"run `policy-rag ingest PATH --index NEW_FOLDER` to make one with these settings"
            )
    return None
