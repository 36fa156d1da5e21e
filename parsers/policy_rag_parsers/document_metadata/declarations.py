"""What a document says of itself: front matter in the file, or an entry in a `policies.yaml` beside it.

Access is never opened by mistake: an `access` that cannot be understood, is empty, or is misspelt is an error.
"""

import datetime as dt
import os
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Never

from policy_rag_parsers.document_metadata.stray_sidecars import require_no_stray
from policy_rag_parsers.document_metadata.yaml_fields import Field, Scalar, read_entries, read_fields
from policy_rag_parsers.errors import DeclarationError, LoadError
from policy_rag_parsers.loaders.access_keys import may_mean_access, means_access
from policy_rag_parsers.loaders.access_statements import access_line, unread_statement
from policy_rag_parsers.loaders.encoding import decode
from policy_rag_parsers.loaders.front_matter import KNOWN_KEYS, find_front_matter
from policy_rag_parsers.loaders.regular_files import read_regular
from policy_rag_parsers.records import FileFormat, SourceText

SIDECAR_NAME: Final = "policies.yaml"

Sidecar = Mapping[str, Mapping[str, Field]]
"""The entries of a `policies.yaml`: fields by key, by file name or relative path."""

_WITH_FRONT_MATTER: Final = frozenset({FileFormat.MARKDOWN, FileFormat.TEXT})
_MOST_FRONT_MATTER: Final = 64_000  # characters; YAML is read slowly
_MOST_SIDECAR: Final = 4_000_000  # bytes; some 20,000 entries
_DATE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?\Z")


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
        is_draft: whether its head calls it a draft.
    """

    title: str | None = None
    version: str = ""
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None
    supersedes: tuple[str, ...] = ()
    access: tuple[str, ...] = ()
    extra: tuple[tuple[str, Scalar | tuple[str, ...]], ...] = ()
    is_draft: bool = False


def read_sidecar(folder: Path, root: Path | None = None) -> Sidecar:
    """Read the `policies.yaml` of a folder; no entries where there is none.

    Args:
        folder: where it is.
        root: the folder that is ingested, out of which no link may lead; None where links are followed.

    Raises:
        DeclarationError: it cannot be read or understood, is no regular file, is too long, or stands under another
            name; or another file beside the documents looks like one.
    """
    path = folder / SIDECAR_NAME
    names = _names_in(folder)
    if SIDECAR_NAME not in names and not os.path.lexists(path):
        require_no_stray(folder, names, SIDECAR_NAME)
        return {}
    try:
        data = read_regular(path, root, most=_MOST_SIDECAR)
        text = decode(data)
    except LoadError as error:
        raise DeclarationError(f"{path}: {error}") from error
    entries = read_entries(text, str(path))
    named: dict[str, Mapping[str, Field]] = {}
    for key, fields in entries.items():
        name = _name(key)
        if name in named:
            raise DeclarationError(f"{path}: {_shortened(key)!r} has two entries; keep one")
        _require_unwrapped(path, key, fields, names)
        named[name] = fields
    require_no_stray(folder, names, SIDECAR_NAME)
    return named


def _names_in(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - names only
    except OSError:
        return frozenset()


def _require_unwrapped(path: Path, key: str, fields: Mapping[str, Field], names: Collection[str]) -> None:
    """Refuses entries that stand a level too deep, as under `documents:`: they would be read as keys of one file."""
    for field in fields.values():
        if means_access(key) or (
            key not in names and (may_mean_access(key) or (field.nested and access_line(field.text)))
        ):
            raise DeclarationError(
                f"{path}, line {field.line}: {_shortened(field.key)!r} under {_shortened(key)!r} says who may read a "
                "document, and entries are read at the top level only: begin the line with the file's name"
            )


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
        extra=tuple((key, field.value) for key, (_, field) in sorted(fields.items()) if field.value is not None),
    )


def declared_access(source: SourceText | None, relative: str, sidecar: Sidecar) -> tuple[str, ...] | None:
    """Who may read a document, where nothing else of what it declares need be understood.

    Without a source it is one that can hold no front matter.

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
        stated = "access" in fields
        fields.update(_front_matter_fields(source, relative))
        _require_read(source, relative, stated=stated)
    return fields


def _require_read(source: SourceText, relative: str, *, stated: bool) -> None:
    """Refuses a document in which someone says who may read it where nobody reads that.

    Raises:
        DeclarationError: naming the line and where to say it. What stands in a format without front matter does no
            harm where a `policies.yaml` says who may read the document (`stated`).
    """
    has_matter = source.format in _WITH_FRONT_MATTER
    if stated and not has_matter:
        return
    line = source.access_claim or unread_statement(source.text, source.body_start)
    if line:
        place = (
            f"at the head of the file, between two lines of ---, or in {SIDECAR_NAME}"
            if has_matter
            else (f"in a {SIDECAR_NAME} beside the file")
        )
        raise DeclarationError(
            f"{relative}: {_shortened(line)!r} looks like a statement on who may read the file, and is not read as "
            f"one: write `access: [GROUP]` (or [] for all) {place}, or reword that line"
        )


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
    if source.format not in _WITH_FRONT_MATTER:
        return {}
    matter = find_front_matter(source.text)
    if matter is None:
        return {}
    if not matter.closed:
        raise DeclarationError(
            f"{relative}, line 1: front matter is begun and not closed; end it with a line of ---, "
            "or put a blank line after the first one if it is a rule"
        )
    if matter.end - matter.start > _MOST_FRONT_MATTER:
        raise DeclarationError(
            f"{relative}: its front matter is longer than {_MOST_FRONT_MATTER:,} characters; shorten it, or close it "
            "with a line of --- where it ends"
        )
    text = source.text[matter.start : matter.end]
    fields = _by_known_key(read_fields(text, relative, first_line=2), relative)
    if "access" not in fields:
        comments = "\n".join(line.lstrip(" \t#") for line in text.splitlines() if line.lstrip().startswith("#"))
        if line := access_line(comments):
            raise DeclarationError(
                f"{relative}: {_shortened(line)!r} stands in a comment of its front matter, and nothing else says who "
                "may read the file: take the # away, or write `access: []` for all"
            )
    return fields


def _by_known_key(fields: Mapping[str, Field], where: str) -> dict[str, tuple[str, Field]]:
    """Fields with where they stand, by the known spelling of their keys (`Effective-From` is `effective_from`)."""
    named: dict[str, tuple[str, Field]] = {}
    for key, field in fields.items():
        plain = re.sub(r"[\s-]+", "_", key.strip().casefold())
        if plain not in KNOWN_KEYS:
            if means_access(key):
                raise DeclarationError(
                    f"{where}, line {field.line}: unknown key {_shortened(key)!r}; write `access`, or rename it"
                )
            plain = key
        if plain in named:
            raise DeclarationError(f"{where}, line {field.line}: {_shortened(plain)!r} is given twice; keep one")
        named[plain] = (where, field)
    if "access" not in named:
        _require_no_synonym(named)
    return named


def _require_no_synonym(fields: Mapping[str, tuple[str, Field]]) -> None:
    """Refuses keys such as `groups`, and `access` under another key, where nothing says who may read the document."""
    for key, (where, field) in fields.items():
        inside = access_line(field.text) if field.nested or "\n" in field.text else ""
        if may_mean_access(key) or inside:
            found = repr(_shortened(inside)) + f" under {_shortened(key)!r}" if inside else repr(_shortened(key))
            raise DeclarationError(
                f"{where}, line {field.line}: {found} may say who may read the document, and is not read as that: "
                "write `access` as a key of its own ([] for all), or rename it"
            )


def _shortened(text: str) -> str:
    """At most 80 characters of what is quoted in a message."""
    return text if len(text) <= 80 else f"{text[:77]}..."


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
