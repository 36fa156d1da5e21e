"""Who extracts metadata: an LLM where the settings name one that is there, else rules."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from policy_rag.errors import SettingsError, UsageError
from policy_rag.llm.factory import resolve_llm
from policy_rag.llm.language_model import LanguageModel
from policy_rag.llm.model_options import llm_options
from policy_rag.llm.reply_cache import CachedModel, ReplyCache, is_reply_cache
from policy_rag.settings import Settings
from policy_rag_parsers.metadata.extraction_report import KindCounts, MetadataOutcome, Progress
from policy_rag_parsers.metadata.extraction_results import DOCUMENT_KINDS, DocumentMetadata, Kind
from policy_rag_parsers.metadata.section_texts import SectionedDocument

if TYPE_CHECKING:
    from policy_rag_parsers.llm.completion import CachingLLM
    from policy_rag_parsers.metadata.llm_extractor import ExtractionOptions

_OFFLINE: Final = "offline 3"  # raise it when the rules give other results, so that the next ingest extracts anew
CORPUS_SECTIONS: Final = 1000
"""Sections of the index, beside which a small ingest weighs its words."""
_SAMPLE_SECTIONS: Final = 200  # that a dry run times

Documents: TypeAlias = Sequence[SectionedDocument]
Kinds: TypeAlias = Sequence[Kind]
Corpus: TypeAlias = Callable[[], Documents]
OnProgress: TypeAlias = Callable[[Progress], None] | None
OpenLLM: TypeAlias = Callable[[], AbstractContextManager["CachingLLM"]]
"""Opens an LLM that keeps its replies; the file of these is closed behind it."""


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


class RuleExtractor:
    """By rule and by statistics, without an LLM."""

    name = "rules (offline)"

    def recipe(self, _: Kind) -> str:
        """What makes a kind, the same for all: as long as it stays so, results of unchanged sections are kept."""
        return _OFFLINE

    def extract(self, documents: Documents, kinds: Kinds, corpus: Corpus, progress: OnProgress) -> MetadataOutcome:
        """A small ingest is weighed beside sections of the index; only its own results are given."""
        from policy_rag_parsers.metadata.rule_extractor import extract_by_rule

        own = {document.doc_id for document in documents}
        others = []
        left = CORPUS_SECTIONS - sum(len(document.sections) for document in documents)
        for document in corpus() if left > 0 else ():
            if document.doc_id not in own and left > 0:
                others.append(document)
                left -= len(document.sections)
        outcome = extract_by_rule([*documents, *others], kinds, on_progress=progress)
        found = outcome.documents[: len(documents)]
        return replace(outcome, documents=found) if not others else _counted_anew(outcome, found, kinds)

    def plan(self, documents: Documents, kinds: Kinds) -> MetadataPlan:
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


def _counted_anew(outcome: MetadataOutcome, found: Sequence[DocumentMetadata], kinds: Kinds) -> MetadataOutcome:
    """Counts for the documents that were asked for; the others only lent their words."""
    sections = sum(len(document.sections) for document in found)
    counts = {}
    for kind in kinds:
        wanted = len(found) if kind in DOCUMENT_KINDS else sections
        counts[kind] = KindCounts(wanted=wanted, extracted=wanted, seconds=outcome.counts[kind].seconds)
    return MetadataOutcome(tuple(found), counts)


@dataclass(frozen=True, slots=True)
class LLMExtractor:
    """By an LLM that keeps its replies."""

    name: str
    llm: OpenLLM
    options: "ExtractionOptions"

    def recipe(self, kind: Kind) -> str:
        """The LLM and the words that it is asked with."""
        from policy_rag_parsers.metadata.llm_tasks import TEMPLATES
        from policy_rag_prompts.loader import load_template

        # Summaries of neighbours are those of the sections.
        template = load_template(TEMPLATES[Kind.SUMMARY if kind is Kind.NEIGHBOURS else kind])
        return f"{self.name} {template.sha256[:12]}"

    def extract(self, documents: Documents, kinds: Kinds, corpus: Corpus, progress: OnProgress) -> MetadataOutcome:
        """An answered call is kept before the next one is sent, so that stopping loses none."""
        del corpus
        from policy_rag_parsers.metadata.llm_extractor import extract_with_llm

        with self.llm() as llm:
            return extract_with_llm(documents, kinds, llm, options=self.options, on_progress=progress)

    def plan(self, documents: Documents, kinds: Kinds) -> MetadataPlan:
        """Sends the first call and times it; its answer is kept."""
        from policy_rag_parsers.metadata.llm_extractor import plan_calls, time_one_call

        with self.llm() as llm:
            plan = plan_calls(documents, kinds, llm, options=self.options)
            call = time_one_call(documents, kinds, llm, options=self.options)
        calls = sum(plan.calls.values())
        return MetadataPlan(
            route=self.name,
            documents=len(documents),
            sections=sum(len(document.sections) for document in documents),
            calls=_by_name(plan.calls),
            tokens_in=_by_name(plan.tokens_in),
            tokens_out=_by_name(plan.tokens_out),
            seconds=(call or 0.0) * calls / self.options.concurrency,
        )


MetadataExtractor: TypeAlias = RuleExtractor | LLMExtractor
"""A way to extract: its `name` for people, what makes a kind (`recipe`), the results, and what they would cost."""


def _by_name(counts: Mapping[Kind, int]) -> dict[str, int]:
    return {kind.value: count for kind, count in counts.items()}


def replies_file(settings: Settings, folder: Path) -> Path:
    """Where an LLM's answered calls are kept, for the index in `folder`."""
    return settings.index.metadata_cache or folder / "metadata.cache"


def require_forgettable(file: Path) -> None:
    """Refuses to take documents out where the replies about them cannot be deleted with them.

    Raises:
        UsageError: `metadata_cache` names a file that is no such cache.
    """
    if os.path.lexists(file) and not is_reply_cache(file):
        raise UsageError(
            f"metadata_cache names {file}, which is no cache of replies and would be deleted with documents: name "
            "another file in that setting"
        )


def forget_replies(file: Path) -> None:
    """Deletes the file with all that SQLite keeps beside it: it may hold what an LLM said of removed documents.

    What is no such cache stays.
    """
    if is_reply_cache(file):
        for suffix in ("", "-wal", "-shm", "-journal"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)


def extractor_of(settings: Settings, model: LanguageModel | None, folder: Path) -> MetadataExtractor:
    """What extracts metadata in an ingest into `folder`; `model` is the LLM that the settings stand for, or None."""
    if model is None:
        return RuleExtractor()
    from policy_rag_parsers.metadata.llm_extractor import ExtractionOptions

    options = ExtractionOptions(
        concurrency=settings.index.metadata_concurrency, patience=settings.index.metadata_patience
    )
    return LLMExtractor(model.name, lambda: _opened(settings, model.name, folder), options)


@contextmanager
def _opened(settings: Settings, name: str, folder: Path) -> Iterator[CachedModel]:
    """The LLM as metadata is asked of it: with shorter replies, which are kept."""
    options = replace(
        llm_options(settings),
        timeout=settings.index.metadata_timeout,
        reply_tokens=settings.index.metadata_tokens,
    )
    model = resolve_llm(name, options).model
    if model is None:
        raise SettingsError(f"llm={name!r} is no LLM: name one, as in ollama/llama3.2")
    shaped_by = {"temperature": settings.llm.temperature, "seed": settings.llm.seed}
    with ReplyCache(replies_file(settings, folder)) as cache:
        yield CachedModel(model, cache, shaped_by=shaped_by)
