"""Files to prepared documents: found, loaded, declared, cut into sections, passages and chunks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.access_doubts import AccessDoubts, IndexedFiles, notes_on, require_no_doubt
from policy_rag.index.ingest.source_fingerprint import Sidecars, source_hash
from policy_rag.index.ingest.stale_documents import StaleDocument, reason_of, stale_document, unreached
from policy_rag.index.ingest.unmatched_declarations import unmatched_entries
from policy_rag.index.search.tokens import LANGUAGES, detect_language
from policy_rag.index.store.documents import DocumentInfo, PreparedDocument
from policy_rag.index.store.embedded_text import no_prefix, section_prefix
from policy_rag.index.store.manifest import Manifest
from policy_rag.models.embedder import Embedder
from policy_rag.records.ingest import Skipped
from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.chunking import Chunker, cut
from policy_rag_parsers.chunking.passages import BareHeading
from policy_rag_parsers.chunking.topic_grouping import Judge
from policy_rag_parsers.document_metadata.declarations import Declaration, declared
from policy_rag_parsers.document_metadata.title_block import with_title_block
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders import SUFFIXES, load
from policy_rag_parsers.loaders.discovery import FoundFile, discover
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.structure.heading_profiles import load_profile
from policy_rag_parsers.structure.sections import parse_document

_NAMES_OF_LANGUAGES = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
                       "nl": "dutch", "pt": "portuguese"}  # fmt: skip


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


def prepare_files(
    paths: Sequence[Path],
    manifest: Manifest,
    embedder: Embedder,
    *,
    access: tuple[str, ...] = (),
    doc_ids: Mapping[str, str] | None = None,
    judge: Judge | None = None,
    known: Mapping[str, str] | None = None,
    held: IndexedFiles | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PreparedFiles:
    """Reads files and folders. A file that cannot be read is skipped with its reason; the others are taken in.

    Args:
        paths: files or folders.
        manifest: how to cut.
        embedder: counts tokens.
        access: groups for documents that declare none.
        doc_ids: relative file to document id, where a data set names them.
        judge: says what stays together, for the chunker `llm-context`; without one the embedder does.
        known: `doc_id` to source hash of what the index holds; a file of the same hash is not read again.
        held: what the index holds, by which renamed and moved files are known.
        progress: told how many of how many files are read.

    Raises:
        UsageError: a path that is not there.
        ProfileError: the heading profile is unknown or malformed.
    """
    found = discover(paths)
    documents: dict[str, PreparedDocument] = {}
    skipped = [Skipped(str(s.path), s.reason, failed=False) for s in found.skipped]
    notes: list[str] = []
    sidecars, held = Sidecars(), held or IndexedFiles()
    astray, unread = unmatched_entries(paths, found.files, sidecars)
    doubts = AccessDoubts(astray, found.files, sidecars, held)
    spared: list[str] = []
    stale: dict[str, StaleDocument] = {}

    def leave(before: DocumentInfo | None, file: FoundFile, reason: str) -> str:
        if before is None:
            return reason
        kept = stale_document(before, file, reason, doubts=doubts, sidecars=sidecars, access=access)
        stale[before.doc_id] = kept
        return reason + kept.notice

    unchanged: dict[str, None] = {}
    for i, file in enumerate(found.files):
        if progress:
            progress(i, len(found.files))
        doc_id = (doc_ids or {}).get(file.relative, file.relative)
        try:
            require_no_doubt(doubts.about(file))
            digest = _source_hash(file, sidecars, manifest, access)
            if digest == (known or {}).get(doc_id) and doc_id not in documents:
                unchanged[doc_id] = None
                continue
            document = prepare_file(file, sidecars, manifest, embedder, access=access, doc_id=doc_id, judge=judge)
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


def _source_hash(file: FoundFile, sidecars: Sidecars, manifest: Manifest, access: tuple[str, ...]) -> str:
    """The hash of a file; "" where it cannot be read, which is for its loader to say."""
    try:
        return source_hash(file, sidecars.of(file), manifest, access)
    except OSError:
        return ""


def prepare_file(
    file: FoundFile,
    sidecars: Sidecars,
    manifest: Manifest,
    embedder: Embedder,
    *,
    doc_id: str,
    access: tuple[str, ...] = (),
    judge: Judge | None = None,
) -> PreparedDocument:
    """Reads one file.

    Raises:
        PolicyRagError: it cannot be read, or what it declares cannot be understood.
    """
    source = load(file.path)
    declaration = with_title_block(declared(source, file.relative, sidecars.of(file)), source)
    if access and not declaration.access:
        declaration = replace(declaration, access=access)
    return prepare_text(
        source,
        declaration,
        manifest,
        embedder,
        doc_id=doc_id,
        root=str(file.root.resolve()),
        file=file.relative,
        judge=judge,
    )


def sidecar_of(file: FoundFile) -> Mapping[str, Mapping[str, Field]]:
    """What is said of one file beside it; see `Sidecars.of`, which reads each `policies.yaml` of many files once."""
    return Sidecars().of(file)


def prepare_text(
    source: SourceText,
    declaration: Declaration,
    manifest: Manifest,
    embedder: Embedder,
    *,
    doc_id: str,
    root: str,
    file: str,
    judge: Judge | None = None,
) -> PreparedDocument:
    """Cuts a text into sections, passages and chunks."""
    parsed = parse_document(
        source,
        title=declaration.title,
        otherwise=Path(file).stem.replace("_", " ").strip(),
        profile=load_profile(manifest.profile) if manifest.profile else None,
    )
    title, sections = parsed.title, parsed.sections
    passages = cut(
        source,
        sections,
        chunker=Chunker(manifest.chunker),
        count_tokens=embedder.count_tokens,
        max_tokens=manifest.chunk_tokens,
        overlap=manifest.chunk_overlap,
        hit_chars=manifest.hit_chars,
        bare=BareHeading.IN_PATH,
        prefix=section_prefix if manifest.embed_path else no_prefix,
        embed=embedder.embed,
        judge=judge,
    )
    return PreparedDocument(
        doc_id=doc_id,
        root=root,
        file=file,
        title=title,
        language=_language(declaration, source),
        source=source,
        declaration=declaration,
        sections=sections,
        blocks=find_blocks(source, sections),
        passages=passages,
    )


def _language(declaration: Declaration, source: SourceText) -> str:
    said = str(dict(declaration.extra).get("language", "")).casefold()
    said = _NAMES_OF_LANGUAGES.get(said.partition("-")[0], said)
    return said if said in LANGUAGES else detect_language(source.text[source.body_start :])


def without_namesakes(prepared: PreparedFiles, indexed: Sequence[DocumentInfo]) -> PreparedFiles:
    """Passes over documents that would take the place of another folder's document of the same name.

    A document whose own file is gone gives way, since it was then moved or its folder was.
    """
    roots = {d.doc_id: d.root for d in indexed if d.root and not d.is_gone()}
    taken = [d for d in prepared.documents if roots.get(d.doc_id, d.root) != d.root]
    if not taken:
        return prepared
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
    return replace(prepared, documents=kept, skipped=(*prepared.skipped, *skipped))


def moved_documents(
    prepared: Sequence[PreparedDocument], missing: Sequence[DocumentInfo], hashes: Mapping[str, str]
) -> dict[str, PreparedDocument]:
    """Old `doc_id` to the same document under a new name.

    Args:
        prepared: what is being ingested.
        missing: documents of the index whose file is gone.
        hashes: `doc_id` to content hash for all documents of the index.
    """
    new = {document.content_hash: document for document in prepared if document.doc_id not in hashes}
    moved: dict[str, PreparedDocument] = {}
    for document in missing:
        found = new.pop(hashes[document.doc_id], None)
        if found is not None:
            moved[document.doc_id] = found
    return moved


def nothing_taken_in(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    """Why an ingest took in nothing, and what to do."""
    names = ", ".join(str(path) for path in paths)
    failed = [f"{s.file}: {s.reason}" for s in skipped if s.failed]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        return f"nothing in {names} could be read: {failed[0]}{more}"
    return f"there is nothing to read in {names}: give files or folders with {', '.join(sorted(SUFFIXES))}"
