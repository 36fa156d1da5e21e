"""The file that a document was made from, as long as it is still that file."""

from pathlib import Path

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.source_fingerprint import Sidecars, source_hash_of
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.loaders.discovery import FoundFile
from policy_rag_parsers.loaders.regular_files import read_regular


def original_file(
    index: Index, document: DocumentInfo, access: tuple[str, ...], *, most: int | None = None
) -> bytes | None:
    """The bytes of a document's file, where it lies in the folder that was ingested and is what was taken in.

    Args:
        index: that holds the document.
        document: whose file is wanted; whether the caller may read it is for others to ask.
        access: groups of documents that declare none, as the ingest had them: they are part of the hash.
        most: bytes that it may have.

    Returns:
        None where the file is gone, was changed, leads out of the folder, or cannot be read.
    """
    known, manifest = index.source_hashes().get(document.doc_id), index.manifest
    if not known or not document.root or manifest is None:
        return None
    file = FoundFile(document.place, Path(document.root), document.file)
    try:
        data = read_regular(file.path, file.root, most=most)
        said = Sidecars([file.root]).of(file)
    except PolicyRagError:
        return None
    return data if source_hash_of((data,), file, said, manifest, access) == known else None
