"""The documents that questions are made from: those of an index that the asker may read and that hold on the day."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.errors import UsageError
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.records import Section, SourceText

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document of the index with its text and sections.

    Attributes:
        info: as the index lists it.
        path: its file.
        source: the file as it is read now; its text is the index's.
        sections: in order.
        by_id: the same by `section_id`.
    """

    info: DocumentInfo
    path: Path
    source: SourceText
    sections: tuple[Section, ...]
    by_id: dict[str, Section] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Fills `by_id`."""
        self.by_id.update({section.section_id: section for section in self.sections})

    @property
    def text(self) -> str:
        """The document's text."""
        return self.source.text


def select_documents(
    assistant: "PolicyAssistant", *, groups: Sequence[str] = (), as_of: dt.date | None = None
) -> tuple[SourceDocument, ...]:
    """The documents in order of `doc_id`: open to all or to one of `groups`, and in force on the day.

    The day is the assistant's today by default; a version that another has replaced by then is left out.

    Raises:
        UsageError: none is left, or a file is gone or was changed since it was ingested.
    """
    from policy_rag.index.store.document_rows import read_sections, read_text

    day = as_of or assistant.today()
    infos = [info for info in assistant.documents(groups=groups) if info.in_force(day)]
    if not infos:
        raise UsageError(
            f"the index in {assistant.index.folder} holds no document that is open to this asker and in force on "
            f"{day}: run `policy-rag ingest PATH`, or give --as GROUP or --as-of DATE"
        )
    with assistant.index.reading() as db:
        return tuple(_read(info, read_text(db, info.doc_key), read_sections(db, info.doc_key)) for info in infos)


def _read(info: DocumentInfo, text: str, sections: tuple[Section, ...]) -> SourceDocument:
    from policy_rag_parsers.errors import PolicyRagError
    from policy_rag_parsers.loaders import load

    path = Path(info.root) / info.file
    again = f"run `policy-rag ingest {info.root or 'PATH'}` again"
    if not info.root or not path.is_file():
        raise UsageError(f"the file of {info.doc_id} is not at {path}: {again}, or `policy-rag remove {info.doc_id}`")
    try:
        source = load(path)
    except PolicyRagError as error:
        raise UsageError(f"{path} cannot be read any more ({error}): {again}") from error
    if source.text != text:
        raise UsageError(f"{path} was changed since it was ingested: {again}")
    return SourceDocument(info, path, source, sections)
