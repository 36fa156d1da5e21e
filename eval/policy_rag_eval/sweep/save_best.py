"""From the winner to use: writes its settings into `policy_rag.toml`, and leaves everything else there as it is."""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import PolicyRagError, SettingsError
from policy_rag.settings import Settings


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

    A setting that stands in the file is replaced where it stands, with the comment at its end; new ones come after
    those there. Comments, order and other settings stay. A setting without a value (`min_score` of none) is taken out.
    The new file is written beside the old one and renamed: a full disk leaves the old one as it was.

    Args:
        file: mostly `policy_rag.toml` in the current folder.
        settings: the winner's.
        names: which of them.

    Raises:
        SettingsError: the file is no TOML.
        SavingError: it cannot be written.
    """
    values = settings.as_json(names)
    wanted = {name: values[name] for name in names if values[name] is not None}
    gone = [name for name in names if values[name] is None]
    old = file.read_text(encoding="utf-8") if file.is_file() else ""
    try:
        before = tomllib.loads(old)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} cannot be read as TOML ({error}): mend or remove it") from error
    new = edited(old, wanted, gone)
    _write(file, new, {**{k: v for k, v in before.items() if k not in gone}, **wanted})
    return Saved(
        file=file,
        written=wanted,
        removed=tuple(name for name in gone if name in before),
        kept=tuple(name for name in before if name not in {*wanted, *gone}),
        overruled=tuple(f"POLICY_RAG_{name.upper()}" for name in names if f"POLICY_RAG_{name.upper()}" in os.environ),
    )


def edited(text: str, values: Mapping[str, Any], gone: Sequence[str] = ()) -> str:
    r"""A TOML text with some of its first keys changed, added or taken out.

    >>> edited("# ours\ntop_k = 3  # short\n\n[prices]\n", {"top_k": 7, "search": "or"})
    '# ours\ntop_k = 7  # short\nsearch = "or"\n\n[prices]\n'
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    made: list[str] = []
    left = dict(values)
    last = end = 0
    for first, end, name in _statements(lines):
        made += lines[last:first]
        if name in left:
            made.append(f"{name} = {written(left.pop(name))}{_comment(lines[first:end])}")
        elif name not in gone:
            made += lines[first:end]
        last = end
    rest = lines[last:]
    # What is new comes after the last statement before any table; comments and blank lines there stay below it.
    made += [f"{name} = {written(value)}" for name, value in left.items()]
    return "\n".join([*made, *rest]) + "\n" if made or rest else ""


def written(value: Any) -> str:
    """A value in TOML: what JSON writes is TOML too, but for an object.

    >>> written(["a", "b"]), written(True), written({"x": [1.0, 2.0]})
    ('["a", "b"]', 'true', '{"x" = [1.0, 2.0]}')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(item) for item in value) + "]"
    # TOML knows no escapes beyond the first plane written as pairs, so nothing is escaped that need not be.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _statements(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """First line, one past the last, and key of each `key = value` before the first table."""
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        if line.startswith("["):
            return
        if not line or line.startswith("#"):
            at += 1
            continue
        end = next(end for end in range(at + 1, len(lines) + 1) if _parsed(lines[at:end]) is not None)
        yield at, end, next(iter(_parsed(lines[at:end]) or {}))
        at = end


def _parsed(lines: Sequence[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return None


def _comment(lines: Sequence[str]) -> str:
    """The comment at the end of a statement, with the blanks before it."""
    whole = "\n".join(lines)
    for at, char in enumerate(whole):
        if char == "#" and "\n" not in whole[at:] and _parsed([whole[:at]]) == _parsed([whole]):
            return whole[len(whole[:at].rstrip()) :]
    return ""


def _write(file: Path, text: str, meant: Mapping[str, Any]) -> None:
    found = _parsed([text])
    if found != json.loads(json.dumps(meant)):
        raise SavingError(f"{file} holds settings in a form that cannot be changed safely: write them there by hand")
    beside = file.with_name(f".{file.name}.writing")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(file)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise SavingError(f"{file} cannot be written ({error}): it is as it was; free some disk space") from error


def made_otherwise(index: Path, settings: Settings) -> str | None:
    """What to run where the index that is there was made with other settings than these; None where it fits."""
    from policy_rag.index.store.schema import DATABASE
    from policy_rag.index.store.store import Index

    if not (index / DATABASE).is_file():
        return None
    with Index(index) as opened:
        manifest = opened.manifest
    if manifest is None:
        return None
    for name in ("embedding", "chunker", "chunk_tokens", "chunk_overlap", "hit_chars", "embed_path", "profile"):
        wanted = settings.value(name)
        if wanted is not None and name in settings.given and wanted != getattr(manifest, name, wanted):
            return (
                f"the index in {index} was made with {name}={getattr(manifest, name)}, not {wanted}: "
                f"run `policy-rag ingest PATH --index NEW_FOLDER` to make one with these settings"
            )
    return None
