"""Documents of the index whose file is there and cannot be taken in: which text they keep, and who may read it.

The file, or what is said beside it, may have changed who may read the document. Where that can be read, it holds at
once for the text that the index has; where it cannot, nobody may read that text until it can.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.access_doubts import AccessDoubts
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.source_fingerprint import Sidecars
from policy_rag.index.store.stored_documents import AccessStatus, DocumentInfo
from policy_rag_parsers.loaders.discovery import Discovery, FoundFile

_MOST_NAMES = 5  # that a note tells


@dataclass(frozen=True, slots=True)
class StaleDocument:
    """A document that an ingest left as it was.

    Attributes:
        document: as the index holds it.
        status: who may read it from now on.
    """

    document: DocumentInfo
    status: AccessStatus

    @property
    def changes(self) -> bool:
        """Whether who may read it is not what the index says."""
        return self.status != AccessStatus(self.document.access, self.document.withheld)

    @property
    def notice(self) -> str:
        """What becomes of it, as the end of a message that says what is wrong with its file."""
        if self.status.withheld:
            return "; what the index holds of it is withheld from everybody until then"
        if self.changes and self.status.groups:
            return f"; the index keeps its old text, from now on for {', '.join(self.status.groups)} only"
        return "; the index keeps its old text and answers from it"


def stale_document(
    document: DocumentInfo,
    file: FoundFile,
    reason: str,
    *,
    doubts: AccessDoubts,
    sidecars: Sidecars,
    access: tuple[str, ...],
    reader: FileReader,
) -> StaleDocument:
    """What becomes of a document whose file cannot be taken in for a reason; `access` are groups of what declares none.

    It is withheld where an entry that names no file may mean it, or where it cannot be read who may read it.
    """
    withheld = AccessStatus(document.access, reason)
    if doubts.about(file):
        return StaleDocument(document, withheld)
    try:
        said = reader.stated_access(file, sidecars.of(file))
    except PolicyRagError:
        return StaleDocument(document, withheld)
    return StaleDocument(document, AccessStatus(said or access))


def ingested_folders(places: Sequence[Path]) -> tuple[Path, ...]:
    """The folders among the paths of an ingest, as absolute paths."""
    return tuple(place.resolve() for place in places if place.is_dir())


def of_lost_folders(documents: Iterable[DocumentInfo]) -> tuple[str, ...]:
    """A note for each folder that is not there any more, of whose documents these are: no ingest reaches them."""
    lost: dict[str, list[str]] = {}
    for document in documents:
        if document.root and document.is_gone():
            lost.setdefault(document.root, []).append(document.doc_id)
    return tuple(
        f"{root} is not there, and what was read from it still answers: {', '.join(names[:_MOST_NAMES])}"
        f"{f' and {len(names) - _MOST_NAMES} more' if len(names) > _MOST_NAMES else ''}; "
        f"`policy-rag remove DOC...` takes documents out"
        for root, names in sorted(lost.items())
        if not os.path.lexists(root)
    )


def unreached(documents: Iterable[DocumentInfo], places: Sequence[Path], found: Discovery) -> Mapping[str, FoundFile]:
    """`doc_id` to file of the documents whose file is there, in a folder that is ingested, and was not found in it.

    It cannot be reached, for example, or is a second way to another file by now.
    """
    folders = ingested_folders(places)
    reached = {file.root.resolve() / file.relative for file in found.files}
    return {
        d.doc_id: FoundFile(d.place, Path(d.root), d.file)
        for d in documents
        if d.lies_in(folders) and d.place not in reached and not d.is_gone()
    }


def reason_of(file: FoundFile, found: Discovery) -> str:
    """Why a file was not found, as far as that was said."""
    for skipped in found.skipped:
        if file.path.is_relative_to(skipped.path.parent.resolve() / skipped.path.name):
            return skipped.reason
    return "it is not among the files that are read"
