"""The LLM route: each section and kind is one call, answered once, validated, kept."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag_parsers.errors import MetadataError
from policy_rag_parsers.llm.client import Caller, bounded
from policy_rag_parsers.llm.reply_cache import ReplyCache
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_parsers.metadata.call_scheduler import Asking, Result
from policy_rag_parsers.metadata.llm_tasks import Target, Task, Tasks, make_tasks
from policy_rag_parsers.metadata.neighbour_summaries import with_neighbours
from policy_rag_parsers.metadata.records import DocumentMetadata, Kind, SectionMetadata
from policy_rag_parsers.metadata.report import Failure, KindCounts, Outcome, Progress
from policy_rag_parsers.metadata.section_texts import SectionedDocument
from policy_rag_prompts.loader import load_template

if TYPE_CHECKING:
    from llama_index.core.llms import LLM


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """How the LLM is asked.

    Attributes:
        concurrency: calls at the same time.
        timeout: most seconds that one call may take, from the request to the last token.
        max_tokens: most tokens of a reply.
        context_tokens: most tokens of prompt and reply together; None: the LLM's own window.
        attempts: how often at most one text is asked about when replies cannot be used.
        patience: seconds for which a server that does not answer is tried again before the run gives up on it.
        templates: folder with the prompts `metadata_*.md`; None: those of the project.
    """

    concurrency: int = 4
    timeout: float = 120.0
    max_tokens: int = 512
    context_tokens: int | None = None
    attempts: int = 3
    patience: float = 60.0
    templates: Path | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be.

        Raises:
            MetadataError: a number is not positive.
        """
        for name in ("concurrency", "timeout", "max_tokens", "attempts"):
            if getattr(self, name) <= 0:
                raise MetadataError(f"{name}={getattr(self, name)}: it must be more than 0")
        if (self.context_tokens is not None and self.context_tokens <= 0) or self.patience < 0:
            raise MetadataError("context_tokens must be more than 0, and patience at least 0")


@dataclass(frozen=True, slots=True)
class Plan:
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
    llm: "LLM",
    *,
    cache: ReplyCache,
    options: LlmOptions | None = None,
) -> Plan:
    """What `extract_with_llm` would send, without what the cache holds; nothing is sent."""
    run = _Run(documents, kinds, llm, cache, options or LlmOptions())
    known, pending = run.split()
    calls: dict[Kind, int] = {run.named(kind): 0 for kind in run.kinds}
    tokens_in, cached = dict(calls), dict(calls)
    for task in pending:
        kind = run.named(task.kind)
        calls[kind] += 1
        tokens_in[kind] += estimate_tokens(task.prompt.system) + estimate_tokens(task.prompt.user)
    for result in known:
        cached[run.named(result.task.kind)] += 1
    tokens_out = {kind: count * run.options.max_tokens for kind, count in calls.items()}
    return Plan(calls, tokens_in, tokens_out, cached)


def time_one_call(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: "LLM",
    *,
    cache: ReplyCache,
    options: LlmOptions | None = None,
) -> float | None:
    """Seconds that a call of the plan takes, one of middling length; its answer is kept. None: there is none to make.

    Raises:
        MetadataError: the server does not answer, or refuses.
    """
    run = _Run(documents, kinds, llm, cache, options or LlmOptions())
    _, pending = run.split()
    if not pending:
        return None
    middling = sorted(pending, key=lambda task: len(task.text))[len(pending) // 2]
    (result,) = run.asking.run([middling], concurrency=1)
    answered = result.calls - result.unanswered
    if not answered:
        raise MetadataError(f"no call could be timed: {result.reason}")
    return result.seconds / answered


def extract_with_llm(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: "LLM",
    *,
    cache: ReplyCache,
    options: LlmOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Extract `kinds` from every section of `documents` by asking `llm`.

    A section whose extraction fails is left without that kind, counted and listed in `failures`; nothing raises for it.
    Stopping at any moment loses no answered call: each is in the cache before its thread sends another.

    Args:
        documents: what to extract from.
        kinds: which to extract; summaries of neighbours are those of the sections and cost no calls of their own.
        llm: any LLM of LlamaIndex; Ollama is given the JSON schema of the reply.
        cache: holds the answered calls.
        options: how it is asked.
        on_progress: told once before the first call and after each text that needed calls, from the thread that called
            this function.

    Raises:
        MetadataError: the server refuses for good (no such model, no access), or the cache cannot be written. What
            was answered until then is kept.
    """
    return _Run(documents, kinds, llm, cache, options or LlmOptions()).extract(on_progress)


class _Run:
    """One run: tasks, their results, and the counts."""

    def __init__(
        self,
        documents: Sequence[SectionedDocument],
        kinds: Collection[Kind],
        llm: "LLM",
        cache: ReplyCache,
        options: LlmOptions,
    ) -> None:
        self._documents = documents
        self._wanted = frozenset(kinds)
        self.options = options
        self._tasks: Tasks = make_tasks(
            documents,
            kinds,
            llm,
            max_tokens=options.max_tokens,
            context_tokens=options.context_tokens,
            templates=options.templates,
        )
        caller = Caller(
            bounded(llm, max_tokens=options.max_tokens, timeout=options.timeout), options.timeout, options.max_tokens
        )
        self.asking = Asking(
            caller,
            cache,
            attempts=options.attempts,
            patience=options.patience,
            again=load_template("metadata_again", folder=options.templates),
        )
        asked = {task.kind for task in self._tasks.tasks} | set(self._tasks.skipped)
        self.kinds = [kind for kind in Kind if kind in asked]
        self._counts: dict[Kind, KindCounts] = dict.fromkeys(self.kinds, KindCounts())
        self._skipped = {kind: frozenset(targets) for kind, targets in self._tasks.skipped.items()}
        self._found: dict[tuple[Target, Kind], Result] = {}
        self._failures: dict[tuple[Target, Kind], str] = {}

    def split(self) -> tuple[list[Result], list[Task]]:
        """What the cache answers, and what is to be asked."""
        known: list[Result] = []
        pending: list[Task] = []
        for task in self._tasks.tasks:
            result = self.asking.known(task)
            if result is None:
                pending.append(task)
            else:
                known.append(result)
        return known, pending

    def extract(self, on_progress: Callable[[Progress], None] | None) -> Outcome:
        started = time.monotonic()
        for kind, targets in self._tasks.skipped.items():
            count = len(targets)
            self._counts[kind] = replace(self._counts[kind], wanted=count, skipped=count)
        known, pending = self.split()
        for result in known:
            self._book(result)
        failed = 0
        if on_progress:
            on_progress(Progress(0, len(pending), 0, time.monotonic() - started))
        with closing(self.asking.run(pending, concurrency=self.options.concurrency)) as asked:
            for done, result in enumerate(asked, 1):
                self._book(result)
                failed += result.value is None
                if on_progress:
                    on_progress(Progress(done, len(pending), failed, time.monotonic() - started))
        documents = tuple(self._document(at, document) for at, document in enumerate(self._documents))
        failures = tuple(
            Failure(self._documents[at].doc_id, self._section_id(at, place), self.named(kind), reason)
            for ((at, place), kind), reason in sorted(self._failures.items(), key=_order)
        )
        return Outcome(documents, self._all_counts(), failures)

    def _book(self, result: Result) -> None:
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

    def _section_id(self, at: int, place: int | None) -> str | None:
        return None if place is None else self._documents[at].sections[place].section_id

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
