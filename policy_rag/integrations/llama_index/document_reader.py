"""Policy files as LlamaIndex documents, by our loaders: with headings, tables and pages for `SectionNodeParser`.

Importing this module imports LlamaIndex.
"""

import datetime as dt
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.source_fingerprint import Sidecars
from policy_rag_parsers.document_metadata.declarations import Declaration, Sidecar, declared
from policy_rag_parsers.document_metadata.title_block import with_title_block
from policy_rag_parsers.errors import LoadError, UsageError
from policy_rag_parsers.loaders.discovery import FoundFile, discover
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.structure.sections import document_title

_LOG = logging.getLogger(__name__)


class PolicyDocument(Document):
    """A document with what its format says about its text; that is not written down with it."""

    _source: SourceText | None = PrivateAttr(default=None)

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # which loses what is private, and so would a pipeline of several processes
        self._source = (state.get("__pydantic_private__") or {}).get("_source")

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it: without its marks it is a document like any other."""
        return Document.class_name()

    @classmethod
    def of(cls, source: SourceText, *, doc_id: str, metadata: Mapping[str, Any]) -> "PolicyDocument":
        """A document over the text of `source`."""
        made = cls(text=source.text, id_=doc_id, metadata=dict(metadata))
        made._source = source
        return made

    @property
    def source(self) -> SourceText | None:
        """The text with its marks; None where the document's text was changed, or came back from a store."""
        return self._source if self._source is not None and self._source.text == self.text else None


class PolicyReader(BaseReader):
    """Reads Markdown, text, HTML, DOCX and PDF; one document a file.

    Alone, or in `SimpleDirectoryReader(file_extractor={".docx": PolicyReader(), ...})`. Metadata of a document: `file`
    (relative to the folder that was named), `file_name`, `title`; `version`, `effective_from`, `effective_to`,
    `supersedes`, `access` and other keys where front matter, a `policies.yaml` or the text itself declares them.
    `access` is a list of groups, absent where a document is open to all, and restricts nobody by itself: search with
    `metadata_filters.access_filters(groups)`. Lists stay lists: of a joined text a store would find "hr" in "hr-leads".
    """

    def lazy_load_data(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, paths: str | Path | Sequence[str | Path], extra_info: Mapping[str, Any] | None = None
    ) -> Iterable[Document]:
        """The documents, one by one; `load_data` gives them as a list.

        A file in a folder that cannot be read is left out with a warning in the log.

        Args:
            paths: files and folders, walked to any depth.
            extra_info: further metadata, which wins; its `file_path` becomes the document's id, which else is `file`.

        Raises:
            UsageError: a path is not there, or two files have one name, each below the folder that was named.
            LoadError: a file that was named cannot be read.
            DeclarationError: what a document declares cannot be understood; who may read it may be among that.
        """
        named = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
        found = discover(named)
        taken = {file.path.resolve() for file in found.files}
        for skipped in found.skipped:
            if skipped.path in named and skipped.path.resolve() not in taken:
                raise LoadError(f"{skipped.path}: {skipped.reason}")
            _LOG.warning("left out %s: %s", skipped.path, skipped.reason)
        known: dict[str, Path] = {}
        for file in found.files:
            if (other := known.setdefault(file.relative, file.path)) != file.path:
                raise UsageError(f"{file.path} has the same name {file.relative} as {other}: read their common folder")
        sidecars = Sidecars(named)
        with FileReader() as reader:
            for file in found.files:
                try:
                    source = reader.text(file)
                except LoadError as error:
                    if file.path in named:
                        raise
                    _LOG.warning("left out %s", error)
                    continue
                for note in source.notes:
                    _LOG.warning("%s: %s", file.path, note)
                yield _document(file, source, sidecars.of(file), dict(extra_info or {}))


def _document(file: FoundFile, source: SourceText, said: Sidecar, extra: dict[str, Any]) -> PolicyDocument:
    declaration = with_title_block(declared(source, file.relative, said), source)
    title = declaration.title or document_title(source) or Path(file.relative).stem.replace("_", " ").strip()
    metadata = {"file": file.relative, "file_name": file.path.name, **_flat(replace(declaration, title=title)), **extra}
    return PolicyDocument.of(source, doc_id=str(extra.get("file_path", file.relative)), metadata=metadata)


def _flat(declaration: Declaration) -> dict[str, Any]:
    """Values as JSON has them, no empty ones."""
    names = ("title", "version", "effective_from", "effective_to", "supersedes", "access")
    values = {name: getattr(declaration, name) for name in names} | dict(declaration.extra)
    return {name: _value(value) for name, value in values.items() if value not in {None, "", ()}}


def _value(value: Any) -> Any:
    if isinstance(value, dt.date):
        return value.isoformat()
    return list(map(str, value)) if isinstance(value, tuple) else value


__all__ = ["PolicyDocument", "PolicyReader"]
