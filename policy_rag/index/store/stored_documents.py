"""What an index holds of a document, before it is written and after it is read."""

import datetime as dt
import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.metadata.extraction_results import DocumentMetadata
from policy_rag_parsers.records import Block, Edge, FileFormat, Passage, Section, SourceText
from policy_rag_parsers.references.document_names import name_key

_VERSION = re.compile(r"(?:version|v\.?)\s*\d[\w.]*\Z", re.IGNORECASE)  # of the document's own title


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document that is ready to be indexed.

    Attributes:
        doc_id: unique in the index.
        root: the folder that was ingested, as an absolute path; "" for documents that come from no folder.
        file: path relative to `root`, with forward slashes.
        title: the first element of every section's path.
        language: one of `policy_rag.index.search.terms.LANGUAGES`.
        source: text and what its format says of it.
        declaration: what the document says of itself.
        sections: they tile the body.
        blocks: what the sections consist of, in order of `start`.
        edges: where one section points to another, in order of `start`.
        passages: what a search can hit, in order of `start`.
        source_hash: of its file and all else that shapes it, so that it need not be read again; "" where unknown.
        metadata: what was extracted from it, or None; `metadata.sections` are those of `sections`, in their order.
        recipes: kinds of metadata with what made them, such as `("summary", "offline 1")`.
    """

    doc_id: str
    root: str
    file: str
    title: str
    language: str
    source: SourceText
    declaration: Declaration
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    passages: tuple[Passage, ...]
    source_hash: str = ""
    metadata: DocumentMetadata | None = None
    recipes: tuple[tuple[str, str], ...] = ()

    @property
    def content_hash(self) -> str:
        """SHA-256 of all that shapes what is indexed of the document, except its place in the file system.

        Metadata is left out: it follows from the rest, and from who extracts.
        """
        parts: tuple[str, ...] = (
            self.source.text,
            repr(self.source.pages),
            self.title,
            repr(self.declaration),
            repr(self.sections),
            repr(self.blocks),
            repr(self.edges),
            repr(self.passages),
        )
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as the index lists it, without its text.

    Attributes:
        superseded_from: the day from which another document takes its place, or None.
        access: groups that may read it; empty means open to all.
        extra: the other keys that it declares, each a value or a list of values.
        metadata: what was extracted from it as a whole (title, summary), or None.
        withheld: why nobody may read it for now, since it cannot be known who may; "" where that is known.
    """

    doc_key: int = field(repr=False)
    doc_id: str
    root: str = field(repr=False)
    file: str
    title: str
    format: FileFormat
    language: str
    version: str | None
    effective_from: dt.date | None
    effective_to: dt.date | None
    supersedes: tuple[str, ...]
    superseded_from: dt.date | None
    access: tuple[str, ...]
    extra: Mapping[str, str | tuple[str, ...]]
    sections: int
    metadata: DocumentMetadata | None = field(default=None, repr=False)
    withheld: str = ""

    def open_to(self, groups: Sequence[str]) -> bool:
        """Whether a caller of these groups may read it."""
        return not self.withheld and (not self.access or not set(self.access).isdisjoint(groups))

    @property
    def place(self) -> Path:
        """Its file."""
        return Path(self.root) / self.file

    def lies_in(self, folders: Sequence[Path]) -> bool:
        """Whether its file is, or was, in one of these folders, at any depth."""
        return bool(self.root) and any(self.place.is_relative_to(folder) for folder in folders)

    def is_gone(self) -> bool:
        """Whether its file is no more; one that cannot be reached is not gone."""
        try:
            os.stat(self.place)  # noqa: PTH116 - Path.exists raises where the folder above may not be searched
        except OSError as error:
            return error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}
        return False

    def in_force(self, day: dt.date) -> bool:
        """Whether its rules hold on `day`: both ends of its period count, the day of its successor does not."""
        period = self.period
        return period is not None and period[0] <= day <= period[1]

    def as_row(self) -> dict[str, object]:
        """What is told of it to who may read it, by the names of its fields; `metadata` where any was extracted."""
        names = (
            "doc_id", "file", "title", "version", "format", "language", "effective_from", "effective_to", "supersedes",
            "superseded_from", "access", "extra", "sections",
        )  # fmt: skip
        extracted = self.metadata
        titles = {"document_title": extracted.title, "document_summary": extracted.summary} if extracted else {}
        metadata = {name: value for name, value in titles.items() if value}
        row: dict[str, object] = {name: getattr(self, name) for name in names}
        return row | ({"metadata": metadata} if metadata else {})

    @property
    def last_day(self) -> dt.date | None:
        """The last day on which it is in force, or None where no end is known."""
        ends = [self.effective_to] if self.effective_to else []
        if self.superseded_from is not None and self.superseded_from > dt.date.min:
            ends.append(self.superseded_from - dt.timedelta(days=1))
        return min(ends, default=None)

    @property
    def has_lines(self) -> bool:
        """Whether its text has the lines of its file."""
        return self.format in (FileFormat.MARKDOWN, FileFormat.TEXT)

    @property
    def period(self) -> tuple[dt.date, dt.date] | None:
        """The first and the last day on which it is in force; None where it never is."""
        first, last = self.effective_from or dt.date.min, self.last_day or dt.date.max
        return (first, last) if first <= last and self.superseded_from != dt.date.min else None


def readable(
    documents: Sequence[DocumentInfo], groups: Sequence[str], text_of: Callable[[DocumentInfo], str]
) -> tuple[DocumentInfo, ...]:
    """The documents that a caller of these groups may read, in their order, without the names of the others.

    What a document supersedes is told where the caller reads it anyhow: it is the name of a document that he may read,
    a version alone, or stands in the document's text. Of other names it is not told whether there is such a document.

    Args:
        documents: all there are.
        groups: the caller's.
        text_of: the text of a document.
    """
    seen = [document for document in documents if document.open_to(groups)]
    known = _names(seen)
    return tuple(
        replace(document, supersedes=_told(document, known, text_of)) if document.supersedes else document
        for document in seen
    )


def _told(document: DocumentInfo, known: Collection[str], text_of: Callable[[DocumentInfo], str]) -> tuple[str, ...]:
    unknown = [name for name in document.supersedes if not _tells(name, known) and not _VERSION.match(name)]
    text = name_key(text_of(document)) if unknown else ""
    return tuple(name for name in document.supersedes if name not in unknown or name_key(name) in text)


def _names(documents: Iterable[DocumentInfo]) -> set[str]:
    return {
        name.casefold() for d in documents for name in (d.doc_id, d.file, d.file.rpartition("/")[2], d.title) if name
    }


def _tells(name: str, names: Collection[str]) -> bool:
    """Whether it is one of these names, alone or with a version or year behind it."""
    plain = name_key(name)
    return any(plain == other or plain.startswith((f"{other} of ", f"{other}, version ")) for other in names)


@dataclass(frozen=True, slots=True)
class AccessStatus:
    """Who may read a document: some groups (none means all), or nobody, with the reason why it is withheld."""

    groups: tuple[str, ...] = ()
    withheld: str = ""

    def encoded(self) -> str:
        """As JSON: a list of groups, or a mapping for what is withheld."""
        if not self.withheld:
            return json.dumps(self.groups)
        return json.dumps({"withheld": self.withheld, "groups": self.groups}, ensure_ascii=False)

    @classmethod
    def decoded(cls, text: str) -> "AccessStatus":
        """Reads what `encoded` wrote."""
        said = json.loads(text)
        if isinstance(said, dict):
            return cls(tuple(said["groups"]), said["withheld"])
        return cls(tuple(said))


def encode_extra(extra: Sequence[tuple[str, object]]) -> str:
    """Declared keys as JSON: each value a string or a list of strings, dates in ISO form, booleans in lower case."""

    def text(value: object) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        return value.isoformat() if isinstance(value, dt.date) else str(value)

    return json.dumps(
        {key: [text(v) for v in value] if isinstance(value, tuple) else text(value) for key, value in extra},
        ensure_ascii=False,
    )
