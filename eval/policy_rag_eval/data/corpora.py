"""A data set as an index that can be searched: made once, and found again by what shaped it."""

import datetime as dt
import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import IndexingError
from policy_rag.index.store.metadata import written_kinds
from policy_rag.settings import ALL_SETTINGS, Affects, Settings, names_affecting
from policy_rag.whole_files import written_whole
from policy_rag_eval.data import gold_checks as places
from policy_rag_eval.data.dataset import Corpus, Dataset, Document, GoldPassage
from policy_rag_eval.data.digests import code_digest, digest_of
from policy_rag_eval.data.gold_checks import check_places, check_reach
from policy_rag_eval.errors import DatasetError
from policy_rag_parsers.chunking import Chunker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from policy_rag.assistant import PolicyAssistant
    from policy_rag.index.store.stored_documents import PreparedDocument
    from policy_rag.models.embedder import Embedder
    from policy_rag.records.ingest import IngestReport

Progress = Callable[[str, int, int], None]

_INDEXING = ("policy_rag_parsers", "policy_rag.index", "policy_rag.models", __name__)

DONE = "evaluation.json"
"""Stands in an index's folder once all of the corpus is in it."""


def shaping(corpus: Corpus) -> tuple[str, ...]:
    """The settings that shape the index of a corpus: gold passages are not cut out of files."""
    names = names_affecting(Affects.INDEX)
    return tuple(name for name in names if corpus is Corpus.FILES or ALL_SETTINGS[name].group != "parsing")


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A gold passage as it is indexed; `section_id` is unique in its document, while gold ids may repeat."""

    section_id: str
    passage: GoldPassage


@dataclass(frozen=True, slots=True)
class CorpusKey:
    """What tells one searchable corpus from another: the index's folder, and `(k1, b, metadata)` of its keywords."""

    folder: Path
    keyword: tuple[float, float, str]


def corpus_key(
    dataset: Dataset, corpus: Corpus, settings: Settings, index: Path, *, contents: str | None = None
) -> CorpusKey:
    """The corpus that these settings search; see `corpus_folder`."""
    folder = corpus_folder(dataset, corpus, settings, index, contents=contents)
    seen = written_kinds(set(settings.index.metadata).intersection(settings.search.metadata_use.keyword))
    return CorpusKey(folder, (settings.ranking.bm25_k1, settings.ranking.bm25_b, seen))


def corpus_folder(
    dataset: Dataset, corpus: Corpus, settings: Settings, index: Path, *, contents: str | None = None
) -> Path:
    """Where the index of a data set lies: a folder under `index` that is named by all that shapes its contents.

    The model's weights and the code that reads, cuts, embeds and stores are part of that: after a change an index is
    made anew. A setting that is left out and one that names its default are the same.

    The data set is as `Dataset.for_corpus` gives it, `contents` what `contents_digest` says, where it is known.

    Raises:
        ModelError: the embedding model is not there.
        PolicyRagError: there is no such chunker or heading profile, or its sizes do not go together.
    """
    from policy_rag.models.embedder import DEFAULT_EMBEDDING
    from policy_rag.models.factory import load_embedder

    name = settings.index.embedding or DEFAULT_EMBEDDING
    model = load_embedder(name, offline=settings.run.offline)  # its files: no weights are loaded for this
    chosen = settings.as_json(shaping(corpus))
    chosen |= {"embedding": name, "fingerprint": model.fingerprint}
    chosen["chunk_tokens"] = min(settings.index.chunk_tokens or model.max_tokens, model.max_tokens)
    # What only the keyword search, an LLM or a reader is given leaves the index as it is.
    chosen["metadata_use"] = sorted(set(settings.index.metadata).intersection(settings.search.metadata_use.embedder))
    if corpus is Corpus.FILES:
        chosen["chunker"] = settings.parsing.chunker or str(Chunker.SECTION)
        _check_cutting(settings, chosen["chunker"], chosen["chunk_tokens"])
        if settings.index.metadata or chosen["chunker"] == Chunker.LLM_CONTEXT:
            chosen["llm"] = settings.llm.llm  # it may have a part in these
    shaped_by = {
        "corpus": str(corpus),
        "contents": contents or contents_digest(dataset, corpus),
        "settings": chosen,
        "code": code_digest(*_INDEXING),
    }
    digest = hashlib.sha256(json.dumps(shaped_by, sort_keys=True, default=str).encode()).hexdigest()
    return index / "eval" / f"{dataset.name}-{corpus}-{digest[:12]}"


def _check_cutting(settings: Settings, chunker: str, chunk_tokens: int) -> None:
    """What is wrong with how documents are to be cut is said before any is read."""
    from policy_rag_parsers.chunking import piece_sizes
    from policy_rag_parsers.structure.heading_profiles import load_profile

    if settings.parsing.profile:
        load_profile(settings.parsing.profile)
    if Chunker(chunker) is not Chunker.SECTION:
        piece_sizes(chunk_tokens, overlap=settings.parsing.chunk_overlap)


def open_corpus(
    dataset: Dataset,
    corpus: Corpus,
    settings: Settings,
    index: Path,
    *,
    progress: Progress | None = None,
    today: dt.date | None = None,
    contents: str | None = None,
) -> tuple["PolicyAssistant", tuple[str, ...]]:
    """An assistant over the data set's corpus, indexed if it is not yet; the caller closes it.

    The data set is as `Dataset.for_corpus` gives it, `contents` what `contents_digest` says, where it is known.
    `progress` is told the step, how much is done, and of how much; `today` is the day that questions without one are
    about.

    Returns:
        The assistant, and what a reader of the figures should know of the corpus.

    Raises:
        DatasetError: a gold place does not hold its passage, or a filter of a question is none.
        PolicyRagError: nothing could be indexed, or a model is not there.
    """
    from policy_rag.assistant import PolicyAssistant

    folder = corpus_folder(dataset, corpus, settings, index, contents=contents)
    assistant = PolicyAssistant.open(folder, create=True, settings=settings, today=today)
    try:
        done = folder / DONE
        said: dict[str, Any] = {"dataset": dataset.name, "notes": ()}
        if done.is_file():
            said |= json.loads(done.read_text(encoding="utf-8"))
        elif corpus is Corpus.FILES:
            report = assistant.ingest([dataset.documents_folder], doc_ids=_doc_ids(dataset), progress=progress)
            said["notes"] = _unread(assistant, dataset, report)
        else:
            assistant.add_prepared(prepare_passages(dataset, assistant), progress=progress)
        # Gold may be mended without a change to what is indexed: it is checked again then.
        gold, was = _places_digest(dataset) if corpus is Corpus.FILES else None, said.get("gold")
        if gold is not None and gold != was:
            said |= {"gold": gold, "of_gold": check_places(dataset, indexed_texts(assistant))}
        if not done.is_file() or gold != was:
            _write_whole(done, json.dumps(said))
        reach: tuple[str, ...] = ()
        if corpus is Corpus.FILES:
            reach = check_reach(dataset, assistant.index.documents(), assistant.today())
    except BaseException:
        assistant.close()
        raise
    return assistant, (*said["notes"], *said.get("of_gold", ()), *reach)


def _places_digest(dataset: Dataset) -> str:
    """sha256 over the gold, its texts and the way of checking them."""
    total = hashlib.sha256(Path(places.__file__).read_bytes())
    for one in dataset.passages:
        total.update(json.dumps([one.gold_id, one.text, one.file, one.start, one.end]).encode())
    return total.hexdigest()


def indexed_texts(assistant: "PolicyAssistant") -> dict[str, str]:
    """File to its text, as it was indexed."""
    from policy_rag.index.store.document_rows import read_text

    with assistant.index.reading() as db:
        return {info.file: read_text(db, info.doc_key) for info in assistant.index.documents()}


def _write_whole(path: Path, text: str) -> None:
    try:
        with written_whole(path) as beside:
            beside.write_text(text, encoding="utf-8")
    except OSError as error:
        raise IndexingError(
            f"{path} cannot be written ({error}): free some disk space or choose another folder with --index, "
            f"then run this again: what was embedded is kept"
        ) from error


def check_corpus(dataset: Dataset, settings: Settings, folder: Path) -> tuple[str, ...]:
    """Checks a data set's documents, gold and questions as `open_corpus` does; nothing is embedded, asked or kept.

    The documents are read unless `folder`, which `corpus_folder` gives, holds their index already.

    Returns:
        What a reader of the figures should know of the corpus.

    Raises:
        DatasetError: see `open_corpus`.
        PolicyRagError: nothing could be read, or the embedding model is not there.
    """
    from policy_rag.assistant import PolicyAssistant

    if (folder / DONE).is_file():
        with PolicyAssistant.open(folder, settings=settings) as assistant:
            return _checked(assistant, dataset)
    reading = settings.changed({"metadata": (), "chunker": Chunker.SECTION})
    with (
        tempfile.TemporaryDirectory() as made,
        PolicyAssistant.open(Path(made), create=True, settings=reading) as assistant,
    ):
        pipeline = assistant.ingest_pipeline(embedder=_Unembedded(assistant.embedder()))
        report = pipeline.ingest([dataset.documents_folder], doc_ids=_doc_ids(dataset))
        return (*_unread(assistant, dataset, report), *_checked(assistant, dataset))


def _checked(assistant: "PolicyAssistant", dataset: Dataset) -> tuple[str, ...]:
    reach = check_reach(dataset, assistant.index.documents(), assistant.today())
    return (*check_places(dataset, indexed_texts(assistant)), *reach)


class _Unembedded:
    """Stands in for an embedding model where vectors do not matter: all are alike."""

    def __init__(self, model: "Embedder") -> None:
        self.name, self.fingerprint = model.name, model.fingerprint
        self.dimension, self.max_tokens = model.dimension, model.max_tokens
        self.count_tokens = model.count_tokens

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        return np.eye(1, self.dimension, dtype=np.float32).repeat(len(texts), axis=0)

    embed_queries = embed


def _doc_ids(dataset: Dataset) -> dict[str, str]:
    return {document.file: document.doc_id for document in dataset.documents}


def _unread(assistant: "PolicyAssistant", dataset: Dataset, report: "IngestReport") -> tuple[str, ...]:
    """What is said of files that were not taken in; gold must lie in none of them."""
    skipped = {skipped.file: skipped.reason for skipped in report.skipped if skipped.failed}
    taken_in = {info.file for info in assistant.index.documents()}
    for passage in dataset.passages:
        if passage.file is not None and passage.file not in taken_in:
            reason = skipped.get(passage.file, "it was not taken in")
            raise DatasetError(f"gold {passage.gold_id!r} lies in {passage.file}, which could not be read: {reason}")
    return tuple(f"{file} could not be read: {reason}" for file, reason in skipped.items())


def units_by_document(dataset: Dataset) -> dict[str, tuple[IndexedPassage, ...]]:
    """The passages that hold text, by document; those of no document are together under the data set's name.

    A unit is called by its gold id; where that repeats in a document, `~2`, `~3` follow.
    """
    units: dict[str, list[IndexedPassage]] = {}
    taken: dict[str, set[str]] = {}
    for passage in dataset.passages:
        if not passage.text.strip():
            continue
        doc_id = passage.doc_id or dataset.name
        names = taken.setdefault(doc_id, set())
        name, count = passage.gold_id, 1
        while name in names:
            count += 1
            name = f"{passage.gold_id}~{count}"
        names.add(name)
        units.setdefault(doc_id, []).append(IndexedPassage(name, passage))
    return {doc_id: tuple(found) for doc_id, found in units.items()}


def prepare_passages(dataset: Dataset, assistant: "PolicyAssistant") -> tuple["PreparedDocument", ...]:
    """The gold passages as documents: each is a section and a hit of its own, without anything around it."""
    documents = {document.doc_id: document for document in dataset.documents}
    from policy_rag.models.factory import load_embedder

    manifest = assistant.manifest_for_ingest()
    count_tokens = load_embedder(manifest.embedding, offline=assistant.settings.run.offline).count_tokens
    return tuple(
        _prepared(dataset, documents.get(doc_id), doc_id, units, manifest.chunk_tokens, count_tokens)
        for doc_id, units in units_by_document(dataset).items()
    )


def _prepared(
    dataset: Dataset,
    document: Document | None,
    doc_id: str,
    units: Sequence[IndexedPassage],
    max_tokens: int,
    count_tokens: Any,
) -> "PreparedDocument":
    from policy_rag.index.search.terms import detect_language
    from policy_rag.index.store.stored_documents import PreparedDocument
    from policy_rag_parsers.blocks.section_blocks import find_blocks
    from policy_rag_parsers.chunking.passages import section_passages
    from policy_rag_parsers.records import FileFormat, Section, SourceText
    from policy_rag_parsers.references.section_edges import find_edges

    sections, parts, position = [], [], 0
    for unit in units:
        text = unit.passage.text
        title = unit.passage.title.strip()
        end = position + len(text)
        path = ("", title) if title else ()  # the first place is the document's title, which is not embedded
        sections.append(Section(unit.section_id, None, title, 1, path, None, None, None, position, end, position, end))
        parts.append(text)
        position = end + 2
    source = SourceText("\n\n".join(parts), FileFormat.TEXT)
    passages = section_passages(
        source,
        sections,
        count_tokens=count_tokens,
        max_tokens=max_tokens,
        hit_chars=len(source.text),
        prefix=lambda section: section.title,
    )
    return PreparedDocument(
        doc_id=doc_id,
        root=str(dataset.documents_folder.resolve()) if document else "",
        file=document.file if document else doc_id,
        title=document.title if document else doc_id,
        language=detect_language(source.text),
        source=source,
        declaration=_declaration(dataset, document),
        sections=tuple(sections),
        blocks=find_blocks(source, sections),
        edges=find_edges(source, sections),
        passages=passages,
    )


def _declaration(dataset: Dataset, document: Document | None) -> Any:
    """What the document says of itself, so that its passages are filtered as its file would be."""
    from policy_rag.index.ingest.source_fingerprint import Sidecars
    from policy_rag_parsers.document_metadata.declarations import Declaration, declared
    from policy_rag_parsers.loaders import load
    from policy_rag_parsers.loaders.discovery import FoundFile

    if document is None:
        return Declaration()
    path = dataset.documents_folder / document.file
    found = FoundFile(path=path, root=dataset.documents_folder, relative=document.file)
    return declared(load(path), document.file, Sidecars().of(found))


def contents_digest(dataset: Dataset, corpus: Corpus) -> str:
    """sha256 over what is indexed: a change to the questions alone leaves it as it is."""
    total = hashlib.sha256()
    if corpus is Corpus.PASSAGES:
        for passage in dataset.passages:
            total.update(json.dumps([passage.gold_id, passage.doc_id, passage.title, passage.text]).encode())
    else:
        places = [[passage.gold_id, passage.file, passage.start, passage.end] for passage in dataset.passages]
        total.update(json.dumps(places).encode())
    total.update(
        json.dumps([[document.doc_id, document.file, document.title] for document in dataset.documents]).encode()
    )
    if dataset.documents:
        files = (path for path in dataset.documents_folder.rglob("*") if path.is_file())
        total.update(digest_of(sorted(files), dataset.folder).encode())
    return total.hexdigest()
