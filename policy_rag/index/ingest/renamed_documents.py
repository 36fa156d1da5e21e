"""Documents of the index that an ingest knows under another name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from policy_rag.index.ingest.prepare import PreparedFiles
from policy_rag.index.store.stored_documents import DocumentInfo, PreparedDocument


@dataclass(frozen=True, slots=True)
class Renamed:
    """Documents of the index that an ingest knows under another name.

    Attributes:
        moved: old `doc_id` to the same document under a new one.
        doubles: ids of those whose file is another document of the index now.
        notes: what became of files that are where they were, in a line.
    """

    moved: Mapping[str, PreparedDocument]
    doubles: tuple[str, ...]
    notes: tuple[str, ...]


def renamed_documents(
    prepared: PreparedFiles, indexed: Sequence[DocumentInfo], missing: Sequence[DocumentInfo], hashes: Mapping[str, str]
) -> Renamed:
    """The documents whose file was read under another name, and those with whose contents another file was.

    Args:
        prepared: what was read.
        indexed: what the index held before.
        missing: those of them whose file is gone.
        hashes: their content hashes, by `doc_id`.
    """
    new = {Path(document.root) / document.file: document for document in prepared.documents}
    names = {place: document.doc_id for place, document in new.items()}
    unchanged = set(prepared.unchanged)
    names |= {document.place: document.doc_id for document in indexed if document.doc_id in unchanged}
    moved: dict[str, PreparedDocument] = {}
    again = {d.doc_id: names[d.place] for d in indexed if d.root and names.get(d.place, d.doc_id) != d.doc_id}
    taken = set(hashes)
    for document in indexed:
        name = again.get(document.doc_id)
        if name is not None and name not in taken:
            moved[document.doc_id] = new[document.place]
            taken.add(name)
    doubles = tuple(doc_id for doc_id in again if doc_id not in moved)
    alike: dict[str, list[PreparedDocument]] = {}
    for made in prepared.documents:
        if made.doc_id not in taken:
            alike.setdefault(made.content_hash, []).append(made)
    for document in missing:
        if candidates := alike.get(hashes[document.doc_id]):
            namesakes = [one for one in candidates if Path(one.file).name == Path(document.file).name]
            moved[document.doc_id] = (namesakes or candidates)[0]
            candidates.remove(moved[document.doc_id])
    return Renamed(moved, doubles, _notes(again))


def _notes(again: Mapping[str, str]) -> tuple[str, ...]:
    if not again:
        return ()
    old = min(again)
    others = f"; likewise {len(again) - 1} more" if len(again) > 1 else ""
    return (f"{old} is the same file as {again[old]}, and known by that name now{others}",)
