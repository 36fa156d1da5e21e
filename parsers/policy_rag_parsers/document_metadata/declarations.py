"""What a document says of itself: front matter in the file, or an entry in a `policies.yaml` beside it.

Access is never opened by mistake: an `access` that cannot be understood, is empty, or is misspelt is an error.
"""

import datetime as dt
import difflib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Never

from policy_rag_parsers.document_metadata.yaml_fields import Field, Scalar, read_entries, read_fields
from policy_rag_parsers.errors import DeclarationError, LoadError
from policy_rag_parsers.loaders.encoding import decode
from policy_rag_parsers.loaders.front_matter import KNOWN_KEYS, find_front_matter
from policy_rag_parsers.records import FileFormat, SourceText

SIDECAR_NAME: Final = "policies.yaml"

Sidecar = Mapping[str, Mapping[str, Field]]
"""The entries of a `policies.yaml`: fields by key, by file name or relative path."""

_DATE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?\Z")
_ALIKE: Final = 0.85  # how alike a key must be to `access` to be taken for a slip of the pen


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a document says of itself.

    Attributes:
        title: declared, or None; what the file's properties and the text say is `sections.document_title`'s.
        version: as written ("1.10" stays "1.10"); "" where none is declared.
        effective_from: first day on which it holds, or None.
        effective_to: last day on which it holds, or None; not before `effective_from`.
        supersedes: files or titles that it replaces, in the order written.
        access: groups that may read it, in the order written; empty: open to all.
        extra: all other keys with their values, sorted by key; lists as tuples of text.
    """

    title: str | None = None
    version: str = ""
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None
    supersedes: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    extra: tuple[tuple[str, Scalar | tuple[str, ...]], ...] = ()


def read_sidecar(folder: Path) -> Sidecar:
    """Read the `policies.yaml` of a folder; no entries where there is none.

    Raises:
        DeclarationError: it cannot be read or understood, or stands under the name `policies.yml`.
    """
    misnamed = folder / "policies.yml"
    path = folder / SIDECAR_NAME
    if not path.exists():
        if misnamed.exists():
            raise DeclarationError(f"{misnamed}: rename it to {SIDECAR_NAME}; under this name it would not be read")
        return {}
    try:
        text = decode(path.read_bytes())
    except OSError as error:
        raise DeclarationError(f"{path}: cannot be read ({error.strerror}); check its permissions") from error
    except LoadError as error:
        raise DeclarationError(f"{path}: {error}") from error
    entries = read_entries(text, str(path))
    named: dict[str, Mapping[str, Field]] = {}
    for key, fields in entries.items():
        name = _name(key)
        if name in named:
            raise DeclarationError(f"{path}: {key!r} has two entries; keep one")
        named[name] = fields
    return named


def declared(source: SourceText, relative: str, sidecar: Sidecar) -> Declaration:
    """What a document declares. Front matter wins over the sidecar, key by key.

    Args:
        source: the document, with its front matter still in its text.
        relative: its path relative to the ingested folder: the sidecar may name it so, or by its file name alone (the
            path is looked up first).
        sidecar: from `read_sidecar`.

    Returns:
        The declaration; an empty one without any front matter or entry.

    Raises:
        DeclarationError: front matter is not closed or malformed, or a value cannot be understood. The message names
            the file and the line.
    """
    fields = _fields(source, relative, sidecar)
    known: dict[str, tuple[str, Field]] = {key: fields.pop(key) for key in KNOWN_KEYS if key in fields}
    read = _Reader(relative, known)
    title = read.text("title")
    begins, ends = read.day("effective_from"), read.day("effective_to")
    if begins is not None and ends is not None and ends < begins:
        read.fail("effective_to", f"{ends} lies before effective_from, {begins}; put the dates in order")
    return Declaration(
        title=title or None,
        version=read.text("version"),
        effective_from=begins,
        effective_to=ends,
        supersedes=read.names("supersedes"),
        access=read.access(),
        extra=_extra(fields),
    )


def declared_access(source: SourceText | None, relative: str, sidecar: Sidecar) -> tuple[str, ...] | None:
    """Who may read a document, where nothing else of what it declares need be understood.

    Args:
        source: the document; None for one that can hold no front matter.
        relative: as for `declared`.
        sidecar: as for `declared`.

    Returns:
        The groups, () where it is declared open to all, None where nothing is said of it.

    Raises:
        DeclarationError: what is said of it cannot be understood.
    """
    known = {key: field for key, field in _fields(source, relative, sidecar).items() if key in KNOWN_KEYS}
    return _Reader(relative, known).access() if "access" in known else None


def _fields(source: SourceText | None, relative: str, sidecar: Sidecar) -> dict[str, tuple[str, Field]]:
    fields = dict(_sidecar_fields(relative, sidecar))
    if source is not None:
        fields.update(_front_matter_fields(source, relative))
    return fields


def _name(path: str) -> str:
    """A name as it is compared: Unicode composed, as file systems differ in this; without a leading `./`."""
    return unicodedata.normalize("NFC", path).removeprefix("./")


def _sidecar_fields(relative: str, sidecar: Sidecar) -> dict[str, tuple[str, Field]]:
    name = _name(relative)
    for key in (name, name.rpartition("/")[2]):
        if key in sidecar:
            return _by_known_key(sidecar[key], f"{SIDECAR_NAME} ({key})")
    return {}


def _front_matter_fields(source: SourceText, relative: str) -> dict[str, tuple[str, Field]]:
    if source.format not in {FileFormat.MARKDOWN, FileFormat.TEXT}:
        return {}
    matter = find_front_matter(source.text)
    if matter is None:
        return {}
    if not matter.closed:
        raise DeclarationError(
            f"{relative}, line 1: front matter is begun and not closed; end it with a line of ---, "
            "or put a blank line after the first one if it is a rule"
        )
    return _by_known_key(read_fields(source.text[matter.start : matter.end], relative, first_line=2), relative)


def _by_known_key(fields: Mapping[str, Field], where: str) -> dict[str, tuple[str, Field]]:
    """Fields with where they stand, by the known spelling of their keys (`Effective-From` is `effective_from`)."""
    named: dict[str, tuple[str, Field]] = {}
    for key, field in fields.items():
        plain = re.sub(r"[\s-]+", "_", key.strip().casefold())
        if plain not in KNOWN_KEYS:
            if difflib.SequenceMatcher(None, plain, "access").ratio() >= _ALIKE:
                raise DeclarationError(f"{where}, line {field.line}: unknown key {key!r}; write `access`, or rename it")
            plain = key
        if plain in named:
            raise DeclarationError(f"{where}, line {field.line}: {plain!r} is given twice; keep one")
        named[plain] = (where, field)
    return named


def _extra(fields: Mapping[str, tuple[str, Field]]) -> tuple[tuple[str, Scalar | tuple[str, ...]], ...]:
    pairs = [(key, field.value) for key, (_, field) in fields.items()]
    return tuple(sorted(((key, value) for key, value in pairs if value is not None), key=lambda pair: pair[0]))


class _Reader:
    """Reads the known keys of one document, and says where a mistake stands."""

    def __init__(self, relative: str, fields: Mapping[str, tuple[str, Field]]) -> None:
        self._relative = relative
        self._fields = fields

    def fail(self, key: str, problem: str) -> Never:
        """Raise the error for a key that is there."""
        where, field = self._fields[key]
        named = where if where == self._relative else f"{self._relative}: {where}"
        raise DeclarationError(f"{named}, line {field.line}: {key}: {problem}")

    def text(self, key: str) -> str:
        """A single value as written; "" without one."""
        if key not in self._fields:
            return ""
        field = self._fields[key][1]
        if field.nested or isinstance(field.value, tuple):
            self.fail(key, "expected a single value, found a list or a mapping")
        return " ".join(field.text.split())

    def day(self, key: str) -> dt.date | None:
        """A date; None without one."""
        written = self.text(key)
        if not written:
            return None
        value = self._fields[key][1].value
        if isinstance(value, dt.date):
            return value
        match = _DATE.match(written)
        try:
            return dt.date.fromisoformat(match.group(1) if match else written)
        except ValueError:
            self.fail(key, f"{written!r} is no date; write YYYY-MM-DD")

    def names(self, key: str) -> tuple[str, ...]:
        """One name or a list of names; () without any."""
        if key not in self._fields:
            return ()
        field = self._fields[key][1]
        if field.nested:
            self.fail(key, "expected a name or a list of names")
        if field.value is None:
            return ()
        names = field.value if isinstance(field.value, tuple) else (field.text,)
        if not all(name.strip() for name in names):
            self.fail(key, "a name is empty; write it out or leave it out")
        return tuple(dict.fromkeys(name.strip() for name in names))

    def access(self) -> tuple[str, ...]:
        """The groups that may read the document."""
        if "access" not in self._fields:
            return ()
        field = self._fields["access"][1]
        if field.value is None:
            self.fail("access", "it is empty; name the groups, or write [] for a document that is open to all")
        if isinstance(field.value, bool):
            self.fail("access", f"{field.text!r} names no group; name the groups, or write [] to open it to all")
        return self.names("access")
