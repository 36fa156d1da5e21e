"""Metadata for the documents of an ingest: what is extracted, what is kept from before, what it would cost."""

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from policy_rag.index.store.documents import PreparedDocument
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.metadata import FIELDS, Stored, read_stored
from policy_rag.index.store.tables import read_sections, read_text
from policy_rag.records.options import read_kinds
from policy_rag_parsers.metadata.neighbour_summaries import with_neighbours
from policy_rag_parsers.metadata.records import DOCUMENT_KINDS, DocumentMetadata, Kind, SectionMetadata
from policy_rag_parsers.metadata.report import Failure, KindCounts, Outcome, Progress
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText, sectioned_document

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from policy_rag_parsers.metadata.llm_extractor import LlmOptions

_OFFLINE: Final = "offline 1"  # raise it when the rules give other results, so that the next ingest extracts anew
_CORPUS_SECTIONS: Final = 1000  # of the index, beside which a small ingest weighs its words
_SAMPLE_SECTIONS: Final = 200  # that a dry run times


OpenLLM: TypeAlias = Callable[[], AbstractContextManager["LLM"]]
"""Opens an LLM; its connections are closed behind it."""


class Route(Protocol):
    """A way to extract."""

    @property
    def name(self) -> str:
        """Who extracts, for people."""
        ...

    def recipe(self, kind: Kind) -> str:
        """What makes a kind: as long as it stays the same, results of unchanged sections are kept."""
        ...

    def extract(
        self,
        documents: Sequence[SectionedDocument],
        kinds: Sequence[Kind],
        corpus: Callable[[], Sequence[SectionedDocument]],
        progress: Callable[[Progress], None] | None,
    ) -> Outcome:
        """The results for `documents`; `corpus` gives others of the index, for the statistics of words."""
        ...

    def plan(self, documents: Sequence[SectionedDocument], kinds: Sequence[Kind]) -> "MetadataPlan":
        """What `extract` would cost."""
        ...


@dataclass(frozen=True, slots=True)
class MetadataPlan:
    """What an extraction would cost.

    Attributes:
        route: who would extract.
        documents: how many are to be extracted from.
        sections: of these documents.
        calls: to the LLM, by kind, without those whose answers are kept; empty offline.
        tokens_in: of their prompts, by kind, estimated.
        tokens_out: most tokens of their replies, by kind.
        seconds: at the speed of one timed call, or of a sample; 0 where there is nothing to do.
    """

    route: str
    documents: int
    sections: int
    calls: Mapping[str, int]
    tokens_in: Mapping[str, int]
    tokens_out: Mapping[str, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of the documents.

    Attributes:
        documents: as they were given, with their metadata.
        counts: by kind; empty where nothing was extracted.
        failures: kinds that sections or documents are left without.
    """

    documents: tuple[PreparedDocument, ...]
    counts: Mapping[str, KindCounts] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()


class OfflineRoute:
    """By rule and by statistics, without an LLM."""

    name = "rules (offline)"

    def recipe(self, kind: Kind) -> str:
        """The same for all kinds."""
        del kind
        return _OFFLINE

    def extract(
        self,
        documents: Sequence[SectionedDocument],
        kinds: Sequence[Kind],
        corpus: Callable[[], Sequence[SectionedDocument]],
        progress: Callable[[Progress], None] | None,
    ) -> Outcome:
        """A small ingest is weighed beside sections of the index; only its own results are given."""
        from policy_rag_parsers.metadata.rule_extractor import extract_offline

        own = {document.doc_id for document in documents}
        others = []
        left = _CORPUS_SECTIONS - sum(len(document.sections) for document in documents)
        for document in corpus() if left > 0 else ():
            if document.doc_id not in own and left > 0:
                others.append(document)
                left -= len(document.sections)
        outcome = extract_offline([*documents, *others], kinds, on_progress=progress)
        found = outcome.documents[: len(documents)]
        return replace(outcome, documents=found) if not others else _counted_anew(outcome, found, kinds)

    def plan(self, documents: Sequence[SectionedDocument], kinds: Sequence[Kind]) -> MetadataPlan:
        """Times a sample."""
        sections = sum(len(document.sections) for document in documents)
        sample: list[SectionedDocument] = []
        while len(sample) < len(documents) and sum(len(d.sections) for d in sample) < _SAMPLE_SECTIONS:
            sample.append(documents[len(sample)])
        started = time.perf_counter()
        self.extract(sample, kinds, lambda: (), None)
        timed = sum(len(document.sections) for document in sample)
        seconds = (time.perf_counter() - started) * sections / timed if timed else 0.0
        return MetadataPlan(self.name, len(documents), sections, {}, {}, {}, seconds)


def _counted_anew(outcome: Outcome, found: Sequence[DocumentMetadata], kinds: Sequence[Kind]) -> Outcome:
    """Counts for the documents that were asked for; the others only lent their words."""
    sections = sum(len(document.sections) for document in found)
    counts = {}
    for kind in kinds:
        wanted = len(found) if kind in DOCUMENT_KINDS else sections
        counts[kind] = KindCounts(wanted=wanted, extracted=wanted, seconds=outcome.counts[kind].seconds)
    return Outcome(tuple(found), counts)


class LLMRoute:
    """By an LLM; answered calls are kept in a file.

    Args:
        name: the LLM's.
        llm: opens LlamaIndex's face of it.
        cache: the file of answered calls; its folder is made.
        options: how it is asked.
    """

    def __init__(self, name: str, llm: OpenLLM, cache: Path, options: "LlmOptions") -> None:
        self.name = name
        self._llm = llm
        self._cache = cache
        self._options = options

    def recipe(self, kind: Kind) -> str:
        """The LLM and the words that it is asked with."""
        from policy_rag_parsers.metadata.llm_tasks import TEMPLATES
        from policy_rag_prompts.loader import load_template

        # Summaries of neighbours are those of the sections.
        template = load_template(TEMPLATES[Kind.SUMMARY if kind is Kind.NEIGHBOURS else kind])
        return f"{self.name} {template.sha256[:12]}"

    def extract(
        self,
        documents: Sequence[SectionedDocument],
        kinds: Sequence[Kind],
        corpus: Callable[[], Sequence[SectionedDocument]],
        progress: Callable[[Progress], None] | None,
    ) -> Outcome:
        """An answered call is kept before the next one is sent, so that stopping loses none."""
        del corpus
        from policy_rag_parsers.llm.reply_cache import ReplyCache
        from policy_rag_parsers.metadata.llm_extractor import extract_with_llm

        with self._llm() as llm, ReplyCache(self._cache) as cache:
            return extract_with_llm(documents, kinds, llm, cache=cache, options=self._options, on_progress=progress)

    def plan(self, documents: Sequence[SectionedDocument], kinds: Sequence[Kind]) -> MetadataPlan:
        """Sends the first call and times it; its answer is kept."""
        from policy_rag_parsers.llm.reply_cache import ReplyCache
        from policy_rag_parsers.metadata.llm_extractor import plan_calls, time_one_call

        with self._llm() as llm, ReplyCache(self._cache) as cache:
            plan = plan_calls(documents, kinds, llm, cache=cache, options=self._options)
            call = time_one_call(documents, kinds, llm, cache=cache, options=self._options)
        calls = sum(plan.calls.values())
        return MetadataPlan(
            route=self.name,
            documents=len(documents),
            sections=sum(len(document.sections) for document in documents),
            calls=_by_name(plan.calls),
            tokens_in=_by_name(plan.tokens_in),
            tokens_out=_by_name(plan.tokens_out),
            seconds=(call or 0.0) * calls / self._options.concurrency,
        )


def _by_name(counts: Mapping[Kind, int]) -> dict[str, int]:
    return {kind.value: count for kind, count in counts.items()}


def extract(
    db: sqlite3.Connection,
    documents: Sequence[PreparedDocument],
    manifest: Manifest,
    route: Route | None,
    *,
    known_as: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Extraction:
    """Documents with their metadata.

    What the index holds of a section whose text and titles stay the same is kept, kind by kind, as long as the recipe
    is the same; summaries of neighbours follow the summaries. The rest is extracted.

    Args:
        db: the index.
        documents: of an ingest.
        manifest: says what is wanted.
        route: who extracts; without one, documents are given back without metadata.
        known_as: new `doc_id` to the one under which the index holds a document that was moved.
        progress: told how many of how many calls (offline, sections) are done.
    """
    kinds = read_kinds(manifest.metadata)
    if not kinds or not documents or route is None:
        return Extraction(tuple(documents))
    recipes = {kind: route.recipe(kind) for kind in kinds}
    names = known_as or {}
    stored = {d.doc_id: read_stored(db, names.get(d.doc_id, d.doc_id)) for d in documents}
    todo = [d for d in documents if not _all_kept(d, stored[d.doc_id], recipes)]
    outcome = Outcome((), {})
    if todo:
        outcome = route.extract([_as_read(d) for d in todo], kinds, lambda: _corpus(db), _told(progress))
    new = {document.doc_id: document for document in outcome.documents}
    failed = {(failure.doc_id, failure.kind) for failure in outcome.failures}
    made = tuple(
        replace(
            document,
            metadata=_merged(document, new.get(document.doc_id), stored[document.doc_id], recipes),
            # What failed has no recipe: the next ingest makes the calls that had no answer again.
            recipes=tuple((k.value, recipe) for k, recipe in recipes.items() if (document.doc_id, k) not in failed),
        )
        for document in documents
    )
    counts = {kind.value: count for kind, count in outcome.counts.items()}
    return Extraction(made, counts, outcome.failures)


def _told(progress: Callable[[int, int], None] | None) -> Callable[[Progress], None] | None:
    return None if progress is None else lambda found: progress(found.done, found.total)


def plan(
    db: sqlite3.Connection, documents: Sequence[PreparedDocument], manifest: Manifest, route: Route
) -> MetadataPlan:
    """What `extract` would cost."""
    kinds = read_kinds(manifest.metadata)
    recipes = {kind: route.recipe(kind) for kind in kinds}
    todo = [d for d in documents if not _all_kept(d, read_stored(db, d.doc_id), recipes)]
    return route.plan([_as_read(document) for document in todo], kinds)


def lacking(recipes: Mapping[str, Mapping[str, str]], manifest: Manifest, route: Route | None) -> frozenset[str]:
    """Ids of the documents that lack a kind, or have it by another recipe; they are to be read again.

    Args:
        recipes: by `doc_id`, what made which kind.
        manifest: says what is wanted.
        route: who extracts now; None where nothing is wanted.
    """
    wanted = {kind.value: route.recipe(kind) for kind in read_kinds(manifest.metadata)} if route else {}
    return frozenset(
        doc_id for doc_id, made in recipes.items() if any(made.get(kind) != recipe for kind, recipe in wanted.items())
    )


def _as_read(document: PreparedDocument) -> SectionedDocument:
    return sectioned_document(
        document.source,
        document.sections,
        doc_id=document.doc_id,
        title=document.title,
        language=document.language,
    )


def _corpus(db: sqlite3.Connection) -> Sequence[SectionedDocument]:
    """Documents of the index in order of `doc_id`, until they hold sections enough."""
    found: list[SectionedDocument] = []
    count = 0
    for key, doc_id, title, language in db.execute(
        "SELECT doc_key, doc_id, title, language FROM documents ORDER BY doc_id"
    ).fetchall():
        text = read_text(db, key)
        sections = tuple(
            SectionText(s.section_id, text[s.start : s.end], s.title, s.body - s.start, s.path)
            for s in read_sections(db, key)
        )
        found.append(SectionedDocument(doc_id, title, sections, language))
        count += len(sections)
        if count >= 2 * _CORPUS_SECTIONS:
            break
    return found


def _kept_kinds(stored: Stored | None, recipes: Mapping[Kind, str]) -> frozenset[Kind]:
    if stored is None:
        return frozenset()
    return frozenset(kind for kind, recipe in recipes.items() if stored.recipes.get(kind.value) == recipe)


def _all_kept(document: PreparedDocument, stored: Stored | None, recipes: Mapping[Kind, str]) -> bool:
    """Whether nothing is left to extract: every section is as it was, and every kind was made likewise."""
    if stored is None or _kept_kinds(stored, recipes) != recipes.keys():
        return False
    known = [(section.section_id, place) for section, place in zip(document.sections, _places(document), strict=True)]
    return stored.order == tuple(known) and not any(
        stored.lacks(key, kind) for key in known for kind in recipes if kind not in DOCUMENT_KINDS
    )


def _places(document: PreparedDocument) -> list[str]:
    """What a section's metadata was made from: its titles and its text."""
    return ["\n".join((*s.path, document.source.text[s.start : s.end])) for s in document.sections]


def _merged(
    document: PreparedDocument, new: DocumentMetadata | None, stored: Stored | None, recipes: Mapping[Kind, str]
) -> DocumentMetadata:
    """New results, and those that are kept in place of them."""
    kept = _kept_kinds(stored, recipes)
    if new is None:
        new = DocumentMetadata(
            document.doc_id, sections=tuple(SectionMetadata(s.section_id) for s in document.sections)
        )
    sections = list(new.sections)
    same = stored is not None and stored.order == tuple(
        (s.section_id, place) for s, place in zip(document.sections, _places(document), strict=True)
    )
    for i, (section, place) in enumerate(zip(document.sections, _places(document), strict=True)):
        old = stored.sections.get((section.section_id, place)) if stored else None
        if old is not None:
            sections[i] = _with(sections[i], old, kept - DOCUMENT_KINDS - {Kind.NEIGHBOURS})
    if Kind.NEIGHBOURS in recipes:
        if Kind.SUMMARY in recipes:
            sections = with_neighbours(sections, keep=True)
        elif same and stored is not None:
            olds = [stored.sections[key] for key in stored.order]
            sections = [_with(s, old, kept & {Kind.NEIGHBOURS}) for s, old in zip(sections, olds, strict=True)]
    whole: dict[str, Any] = {}
    if same and stored is not None and stored.document is not None:
        names = {Kind.TITLE: "title", Kind.DOCUMENT_SUMMARY: "summary"}
        values = {names[kind]: getattr(stored.document, names[kind]) for kind in kept & DOCUMENT_KINDS}
        whole = {name: value for name, value in values.items() if value is not None}
    return replace(new, sections=tuple(sections), **whole)


def _with(new: SectionMetadata, old: SectionMetadata, kinds: frozenset[Kind]) -> SectionMetadata:
    names = [name for kind in kinds for name in FIELDS[kind]]
    values = {name: getattr(old, name) for name in names if getattr(old, name) is not None}
    shortened = {*(k for k in new.shortened if k not in kinds), *(k for k in old.shortened if k in kinds)}
    return replace(new, **values, shortened=tuple(kind for kind in Kind if kind in shortened))
