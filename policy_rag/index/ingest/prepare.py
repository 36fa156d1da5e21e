"""Files to prepared documents: which there are, which of them are read, and what became of each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.access_doubts import AccessDoubts, IndexedFiles, notes_on, require_no_doubt
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.found_files import find_files
from policy_rag.index.ingest.source_fingerprint import Sidecars, source_hash
from policy_rag.index.ingest.staged_documents import StagedDocuments
from policy_rag.index.ingest.stale_documents import StaleDocument, reason_of, stale_document, unreached
from policy_rag.index.ingest.unmatched_declarations import unmatched_entries
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.stored_documents import DocumentInfo, PreparedDocument
from policy_rag.models.embedder import Embedder
from policy_rag.records.ingest import Skipped
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.chunking.topic_grouping import Judge
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders import SUFFIXES
from policy_rag_parsers.loaders.discovery import FoundFile


@dataclass(frozen=True, slots=True)
class PreparedFiles:
    """What became of the files.

    Attributes:
        documents: ready for the index.
        skipped: those that are not, with the reason.
        notes: what a reader of the ingest's summary should know.
        unchanged: ids of those that the index holds from the very same file, settings and code; they were not read.
        stale: documents of the index whose file is there and was not taken in, and what becomes of them, by id.
        spared: ids of restricted documents of the index that a file must not take the place of; they are not pruned.
    """

    documents: tuple[PreparedDocument, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    unchanged: tuple[str, ...] = ()
    stale: Mapping[str, StaleDocument] = field(default_factory=dict)
    spared: tuple[str, ...] = ()

    @property
    def found_nothing(self) -> bool:
        """Whether there was no file to read."""
        return not self.documents and not self.unchanged and not any(skipped.failed for skipped in self.skipped)


def prepare_files(
    paths: Sequence[Path],
    manifest: Manifest,
    embedder: Embedder,
    parsing: ParsingSettings,
    *,
    doc_ids: Mapping[str, str],
    judge: Judge | None,
    known: Mapping[str, str],
    held: IndexedFiles,
    staged: StagedDocuments | None,
    progress: Callable[[int, int], None] | None,
) -> PreparedFiles:
    """Reads files and folders. A file that cannot be read is skipped with its reason; the others are taken in.

    Args:
        paths: files or folders.
        manifest: how to cut.
        embedder: counts tokens.
        parsing: groups for documents that declare none, what reading one file may take, and whether links are followed.
        doc_ids: relative file to document id, where a data set names them.
        judge: says what stays together, for the chunker `llm-context`; without one the embedder does.
        known: `doc_id` to source hash of what the index holds; a file of the same hash is not read again.
        held: what the index holds, by which renamed and moved files are known.
        staged: what jobs have read already.
        progress: told how many of how many files are read.

    Raises:
        UsageError: a path that is not there.
        ProfileError: the heading profile is unknown or malformed.
    """
    with FileReader(parsing, chunker=manifest.chunker) as reader:
        found, named_from = find_files(paths, held.documents, follow_links=parsing.follow_links)
        documents: dict[str, PreparedDocument] = {}
        skipped = [Skipped(str(s.path), s.reason, failed=False) for s in found.skipped]
        notes = list(named_from)
        sidecars = Sidecars(None if parsing.follow_links else paths)
        astray, unread = unmatched_entries(paths, found.files, sidecars)
        doubts = AccessDoubts(astray, found.files, sidecars, held, reader)
        spared: list[str] = []
        stale: dict[str, StaleDocument] = {}

        def leave(before: DocumentInfo | None, file: FoundFile, reason: str) -> str:
            if before is None:
                return reason
            kept = stale_document(
                before, file, reason, doubts=doubts, sidecars=sidecars, access=parsing.access, reader=reader
            )
            stale[before.doc_id] = kept
            return reason + kept.notice

        unchanged: dict[str, None] = {}
        for i, file in enumerate(found.files):
            if progress:
                progress(i, len(found.files))
            doc_id = doc_ids.get(file.relative, file.relative)
            try:
                require_no_doubt(doubts.about(file))
                said = sidecars.of(file)
                digest = _source_hash(file, said, manifest, parsing)
                if digest == known.get(doc_id) and doc_id not in documents:
                    unchanged[doc_id] = None
                    continue
                found_staged = staged.document(digest, doc_id) if staged is not None else None
                document = found_staged or reader.document(
                    file, said, manifest, embedder, doc_id=doc_id, access=parsing.access, judge=judge
                )
                document = replace(document, source_hash=digest)
                doubt = doubts.about_text(document, file)
                spared.extend(was.doc_id for was in doubts.restricted_originals(document) if doubt)
                require_no_doubt(doubt)
            except PolicyRagError as error:
                skipped.append(Skipped(file.relative, leave(held.before(file, doc_id), file, str(error)), failed=True))
                continue
            if doc_id in documents or doc_id in unchanged:
                reason = f"another file of this ingest has the same name {doc_id}: ingest their common folder"
                skipped.append(Skipped(str(file.path), reason, failed=True))
                continue
            documents[doc_id] = document
            notes.extend(f"{file.relative}: {note}" for note in document.source.notes)
        for doc_id, file in unreached(held.documents, paths, found).items():
            before = next(d for d in held.documents if d.doc_id == doc_id)
            skipped.append(Skipped(file.relative, leave(before, file, reason_of(file, found)), failed=True))
        if progress:
            progress(len(found.files), len(found.files))
        notes.extend((*unread, *notes_on(astray, found.files, sidecars, held)))
        return PreparedFiles(
            tuple(documents.values()), tuple(skipped), tuple(notes), tuple(unchanged), stale, tuple(spared)
        )


def _source_hash(
    file: FoundFile,
    said: Mapping[str, Mapping[str, Field]],
    manifest: Manifest,
    parsing: ParsingSettings,
) -> str:
    """The hash of a file; "" where it cannot be read or is too long, which is for its loader to say."""
    try:
        return source_hash(file, said, manifest, parsing)
    except OSError:
        return ""


def changed_files(
    paths: Sequence[Path],
    manifest: Manifest,
    parsing: ParsingSettings,
    *,
    known: Mapping[str, str],
    documents: Sequence[DocumentInfo],
) -> tuple[tuple[tuple[FoundFile, str], ...], int]:
    """The files that an ingest would read, each with its hash, and how many it would not since they are known.

    What cannot be read, or is said of in a way that is not understood, is left to the ingest to tell.

    Raises:
        UsageError: a path that is not there.
    """
    sidecars = Sidecars(None if parsing.follow_links else paths)
    changed: list[tuple[FoundFile, str]] = []
    same = 0
    for file in find_files(paths, documents, follow_links=parsing.follow_links)[0].files:
        try:
            digest = _source_hash(file, sidecars.of(file), manifest, parsing)
        except PolicyRagError:
            continue
        if digest and digest == known.get(file.relative):
            same += 1
        elif digest:
            changed.append((file, digest))
    return tuple(changed), same


def without_namesakes(
    prepared: PreparedFiles, indexed: Sequence[DocumentInfo], hashes: Mapping[str, str]
) -> PreparedFiles:
    """Passes over documents that would take the place of another folder's document of the same name.

    A document whose own file is gone gives way, since it was then moved or its folder was; and so do those of a folder
    of which at least half have the same content here: it is the same folder under another path.

    `hashes` are the content hashes of the indexed documents, by `doc_id`.
    """
    roots = {d.doc_id: d.root for d in indexed if d.root and not d.is_gone()}
    named = [d for d in prepared.documents if roots.get(d.doc_id, d.root) != d.root]
    if not named:
        return prepared
    total = Counter(roots[d.doc_id] for d in named)
    alike = Counter(roots[d.doc_id] for d in named if hashes.get(d.doc_id) == d.content_hash)
    taken = [d for d in named if 2 * alike[roots[d.doc_id]] < total[roots[d.doc_id]]]
    skipped = tuple(
        Skipped(
            d.file,
            f"the index holds another {d.doc_id} already, from {roots[d.doc_id]}: ingest their common folder, "
            f"or run `policy-rag remove {d.doc_id}` first",
            failed=True,
        )
        for d in taken
    )
    kept = tuple(d for d in prepared.documents if d not in taken)
    same = sorted(root for root, count in total.items() if 2 * alike[root] >= count)
    notes = tuple(
        f"these are the documents of {root}, recognised by their content; they are read here now" for root in same
    )
    return replace(prepared, documents=kept, skipped=(*prepared.skipped, *skipped), notes=(*prepared.notes, *notes))


def nothing_taken_in(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    """Why an ingest took in nothing, and what to do."""
    names = ", ".join(str(path) for path in paths)
    left = [f"{s.file}: {s.reason}" for s in sorted(skipped, key=lambda one: not one.failed)]
    if left:
        more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
        return f"nothing in {names} could be read: {left[0]}{more}"
    return f"there is nothing to read in {names}: give files or folders with {', '.join(sorted(SUFFIXES))}"


def nothing_left(paths: Sequence[Path], documents: int) -> str:
    """Why an ingest that was to take out documents whose file is gone took out none, and what to do."""
    names = ", ".join(str(path) for path in paths)
    return (
        f"there is no file to read in {names} any more, and --prune would remove all that the index holds of it "
        f"({documents} in number): see whether its disk is there, or take them out with `policy-rag remove DOC...`"
    )
