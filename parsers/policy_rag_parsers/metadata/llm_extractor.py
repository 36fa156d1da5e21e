"""The LLM route: each section and kind is one call, answered once, validated, kept."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from policy_rag_parsers.errors import MetadataError
from policy_rag_parsers.llm.completion import CachingLLM
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_parsers.metadata.call_scheduler import CallScheduler, TaskResult
from policy_rag_parsers.metadata.extraction_report import KindCounts, MetadataFailure, MetadataOutcome, Progress
from policy_rag_parsers.metadata.extraction_results import DocumentMetadata, Kind, SectionMetadata
from policy_rag_parsers.metadata.llm_tasks import MetadataTask, Target, make_tasks
from policy_rag_parsers.metadata.section_texts import SectionedDocument
from policy_rag_parsers.metadata.summaries import with_neighbours
from policy_rag_prompts.loader import load_template


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """How an LLM is asked for metadata.

    Attributes:
        concurrency: calls at the same time.
        attempts: how often at most one text is asked about when replies cannot be used.
        patience: seconds for which a server that does not answer is tried again before the run gives up on it.

    Raises:
        MetadataError: a number is not positive.
    """

    concurrency: int = 4
    attempts: int = 3
    patience: float = 60.0

    def __post_init__(self) -> None:
        for name in ("concurrency", "attempts"):
            if getattr(self, name) <= 0:
                raise MetadataError(f"{name}={getattr(self, name)}: it must be more than 0")
        if self.patience < 0:
            raise MetadataError(f"patience={self.patience}: it must be at least 0")


@dataclass(frozen=True, slots=True)
class ExtractionPlan:
    """What a run would send, by kind: calls, tokens of their prompts, most tokens of their replies (all estimates).

    Replies that cannot be used, and calls without an answer, come on top. `cached` counts the texts of each kind whose
    answer is known.
    """

    calls: Mapping[Kind, int]
    tokens_in: Mapping[Kind, int]
    tokens_out: Mapping[Kind, int]
    cached: Mapping[Kind, int]


def plan_calls(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: CachingLLM,
    *,
    options: ExtractionOptions | None = None,
) -> ExtractionPlan:
    """What `extract_with_llm` would send, without what the cache holds; nothing is sent."""
    run = _Run(documents, kinds, llm, options or ExtractionOptions())
    known, pending = run.split()
    calls: dict[Kind, int] = {run.named(kind): 0 for kind in run.kinds}
    tokens_in, cached = dict(calls), dict(calls)
    for task in pending:
        kind = run.named(task.kind)
        calls[kind] += 1
        tokens_in[kind] += estimate_tokens(task.prompt.system) + estimate_tokens(task.prompt.user)
    for result in known:
        cached[run.named(result.task.kind)] += 1
    tokens_out = {kind: count * run.reply_tokens for kind, count in calls.items()}
    return ExtractionPlan(calls, tokens_in, tokens_out, cached)


def time_one_call(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: CachingLLM,
    *,
    options: ExtractionOptions | None = None,
) -> float | None:
    """Seconds that a call of the plan takes, one of middling length; its answer is kept. None: there is none to make.

    Raises:
        MetadataError: the server does not answer.
        ModelError: it refuses.
    """
    run = _Run(documents, kinds, llm, options or ExtractionOptions())
    _, pending = run.split()
    if not pending:
        return None
    middling = sorted(pending, key=lambda task: len(task.text))[len(pending) // 2]
    (result,) = run.scheduler.run([middling], concurrency=1)
    answered = result.calls - result.unanswered
    if not answered:
        raise MetadataError(f"no call could be timed: {result.reason}")
    return result.seconds / answered


def extract_with_llm(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: CachingLLM,
    *,
    options: ExtractionOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> MetadataOutcome:
    """Extract `kinds` from every section of `documents` by asking `llm`.

    A section whose extraction fails is left without that kind, counted and listed in `failures`; nothing raises for it.
    Stopping at any moment loses no answered call: each is in the cache before its thread sends another.

    Args:
        documents: what to extract from.
        kinds: which to extract; summaries of neighbours are those of the sections and cost no calls of their own.
        llm: keeps the answered calls.
        options: how it is asked.
        on_progress: called once before the first call and after each text that needed calls, in the thread that
            called this function.

    Raises:
        ModelError: the server refuses for good (no such model, no access), or the replies cannot be kept. What was
            answered until then is kept.
    """
    return _Run(documents, kinds, llm, options or ExtractionOptions()).extract(on_progress)


class _Run:
    """One run: tasks, their results, and the counts."""

    def __init__(
        self,
        documents: Sequence[SectionedDocument],
        kinds: Collection[Kind],
        llm: CachingLLM,
        options: ExtractionOptions,
    ) -> None:
        self._documents = documents
        self._wanted = frozenset(kinds)
        self.options = options
        self.reply_tokens = llm.reply_tokens
        self._tasks, self._skipped = make_tasks(
            documents, kinds, context_window=llm.context_window, reply_tokens=llm.reply_tokens
        )
        self.scheduler = CallScheduler(
            llm, attempts=options.attempts, patience=options.patience, again=load_template("metadata_again")
        )
        asked = {task.kind for task in self._tasks} | set(self._skipped)
        self.kinds = [kind for kind in Kind if kind in asked]
        self._counts: dict[Kind, KindCounts] = dict.fromkeys(self.kinds, KindCounts())
        self._found: dict[tuple[Target, Kind], TaskResult] = {}
        self._failures: dict[tuple[Target, Kind], str] = {}

    def split(self) -> tuple[list[TaskResult], list[MetadataTask]]:
        """What the cache answers, and what is to be asked."""
        known: list[TaskResult] = []
        pending: list[MetadataTask] = []
        for task in self._tasks:
            result = self.scheduler.cached(task)
            if result is None:
                pending.append(task)
            else:
                known.append(result)
        return known, pending

    def extract(self, on_progress: Callable[[Progress], None] | None) -> MetadataOutcome:
        started = time.monotonic()
        for kind, targets in self._skipped.items():
            self._counts[kind] = replace(self._counts[kind], wanted=len(targets), skipped=len(targets))
        known, pending = self.split()
        for result in known:
            self._book(result)
        failed = 0
        if on_progress:
            on_progress(Progress(0, len(pending), 0, time.monotonic() - started))
        with closing(self.scheduler.run(pending, concurrency=self.options.concurrency)) as asked:
            for done, result in enumerate(asked, 1):
                self._book(result)
                failed += result.value is None
                if on_progress:
                    on_progress(Progress(done, len(pending), failed, time.monotonic() - started))
        documents = tuple(self._document(at, document) for at, document in enumerate(self._documents))
        failures = []
        for ((at, place), kind), reason in sorted(self._failures.items(), key=_order):
            document = self._documents[at]
            section_id = None if place is None else document.sections[place].section_id
            failures.append(MetadataFailure(document.doc_id, section_id, self.named(kind), reason))
        return MetadataOutcome(documents, self._all_counts(), tuple(failures))

    def _book(self, result: TaskResult) -> None:
        old = self._counts[result.task.kind]
        targets = len(result.task.targets)
        good = result.value is not None
        self._counts[result.task.kind] = replace(
            old,
            wanted=old.wanted + targets,
            extracted=old.extracted + targets * good,
            cached=old.cached + (targets - (result.calls > 0)) * good,
            failed=old.failed + targets * (not good),
            calls=old.calls + result.calls,
            unanswered=old.unanswered + result.unanswered,
            repaired=old.repaired + result.repaired,
            asked_again=old.asked_again + result.asked_again,
            shortened=old.shortened + targets * (good and result.task.shortened),
            seconds=old.seconds + result.seconds,
        )
        for target in result.task.targets:
            if good:
                self._found[target, result.task.kind] = result
            else:
                self._failures[target, result.task.kind] = result.reason

    def named(self, kind: Kind) -> Kind:
        """The kind that the caller asked for: where only neighbours were, their calls are booked as such."""
        return Kind.NEIGHBOURS if kind is Kind.SUMMARY and Kind.SUMMARY not in self._wanted else kind

    def _all_counts(self) -> dict[Kind, KindCounts]:
        counts = {self.named(kind): count for kind, count in self._counts.items()}
        if {Kind.SUMMARY, Kind.NEIGHBOURS} <= self._wanted:
            total = sum(len(document.sections) for document in self._documents)
            counts[Kind.NEIGHBOURS] = KindCounts(wanted=total, extracted=total)
        return {kind: counts.get(kind, KindCounts()) for kind in Kind if kind in self._wanted}

    def _value(self, target: Target, kind: Kind) -> Any:
        """The value of a kind: "" or () where there is too little text, None where it failed or was not asked for."""
        found = self._found.get((target, kind))
        if found is not None:
            return found.value
        if target in self._skipped.get(kind, ()):
            return () if kind in {Kind.QUESTIONS, Kind.KEYWORDS, Kind.ENTITIES, Kind.OBLIGATIONS} else ""
        return None

    def _document(self, at: int, document: SectionedDocument) -> DocumentMetadata:
        sections = [self._section((at, place), section.section_id) for place, section in enumerate(document.sections)]
        if Kind.NEIGHBOURS in self._wanted:
            sections = with_neighbours(sections, keep=Kind.SUMMARY in self._wanted)
        whole: Target = (at, None)
        return DocumentMetadata(
            doc_id=document.doc_id,
            title=self._value(whole, Kind.TITLE),
            summary=self._value(whole, Kind.DOCUMENT_SUMMARY),
            sections=tuple(sections),
            shortened=self._shortened(whole),
        )

    def _section(self, target: Target, section_id: str) -> SectionMetadata:
        return SectionMetadata(
            section_id=section_id,
            summary=self._value(target, Kind.SUMMARY),
            questions=self._value(target, Kind.QUESTIONS),
            keywords=self._value(target, Kind.KEYWORDS),
            entities=self._value(target, Kind.ENTITIES),
            obligations=self._value(target, Kind.OBLIGATIONS),
            shortened=self._shortened(target),
        )

    def _shortened(self, target: Target) -> tuple[Kind, ...]:
        kinds = (kind for kind in self.kinds if (target, kind) in self._found)
        return tuple(self.named(kind) for kind in kinds if self._found[target, kind].task.shortened)


def _order(item: tuple[tuple[Target, Kind], str]) -> tuple[int, int, int]:
    (at, place), kind = item[0]
    return at, -1 if place is None else place, list(Kind).index(kind)
