"""Makes a question set: selects documents, makes drafts by rule or by an LLM, filters them, and writes the data set."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.records.search import SearchRequest
from policy_rag_eval.questions.by_llm import CallPlan, DraftingEstimate, Usage, estimate_calls, make_by_llm, plan_calls
from policy_rag_eval.questions.by_rules import TEMPLATES, drafts_by_section, make_by_rules
from policy_rag_eval.questions.drafts import RULES, GeneratedQuestion, QuestionStyle, SectionKey, SectionSpan, counted
from policy_rag_eval.questions.llm_calls import LLMCaller
from policy_rag_eval.questions.question_filter import FOUND_DEPTH, QuestionFilter, found_at
from policy_rag_eval.questions.question_set import PROVENANCE, QuestionSet, as_it_stands, query_row, read_set, write_set
from policy_rag_eval.questions.source_documents import SourceDocument, select_documents

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class QuestionSetOptions:
    """What a question set is to be.

    Attributes:
        count: questions in the set, reviewed ones included.
        styles: those that are made.
        per_section: most questions of one section.
        seed: orders all that is left to chance.
        groups: the caller's access groups; with none, only documents that are open to all.
        as_of: the day of the questions, the assistant's today by default.
        found_within: drop questions whose section is not among the first so many hits; None: label them only.
    """

    count: int = 100
    styles: tuple[QuestionStyle, ...] = tuple(QuestionStyle)
    per_section: int = 2
    seed: int = 0
    groups: tuple[str, ...] = ()
    as_of: dt.date | None = None
    found_within: int | None = None


@dataclass(frozen=True)
class GenerationPlan:
    """All that a run needs: documents, what an older run left, and the calls to make where an LLM writes."""

    assistant: "PolicyAssistant"
    folder: Path
    options: QuestionSetOptions
    documents: tuple[SourceDocument, ...]
    existing: QuestionSet | None
    caller: LLMCaller | None
    calls: CallPlan | None

    @property
    def day(self) -> dt.date:
        """The day on which the questions are asked."""
        return self.options.as_of or self.assistant.today()

    @property
    def by_id(self) -> dict[str, SourceDocument]:
        """The documents by `doc_id`."""
        return {document.info.doc_id: document for document in self.documents}

    @property
    def without_templates(self) -> tuple[str, ...]:
        """Files of documents in a language that the rules have no words for."""
        return tuple(d.info.file for d in self.documents if d.info.language not in TEMPLATES)


def prepare(
    assistant: "PolicyAssistant", folder: Path, options: QuestionSetOptions, caller: LLMCaller | None = None
) -> GenerationPlan:
    """Reads the documents and what is in the folder already, and plans the calls; makes no call.

    An LLM writes the questions where there is a `caller`, else rules.

    Raises:
        UsageError: there are no documents for this caller, or the folder holds something else.
    """
    documents = select_documents(assistant, groups=options.groups, as_of=options.as_of)
    existing = _existing(folder)
    calls = None
    if caller is not None:
        reviewed = [one for one in (existing.questions if existing else ()) if one.reviewed]
        calls = plan_calls(
            documents,
            caller.model,
            styles=options.styles,
            per_section=options.per_section,
            seed=options.seed,
            reviewed=[one.draft.sections[0] for one in reviewed],
        )
    return GenerationPlan(assistant, folder, options, documents, existing, caller, calls)


def _existing(folder: Path) -> QuestionSet | None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    if not (folder / PROVENANCE).is_file():
        raise UsageError(f"{folder} exists and is no question set made here: name a folder that does not exist")
    return read_set(folder)


def estimate(plan: GenerationPlan) -> DraftingEstimate | dict[str, int]:
    """What a run would cost: the calls, or, by rule, how many drafts of each style there are to choose from."""
    options = plan.options
    if plan.caller is None or plan.calls is None:
        pools = drafts_by_section(plan.documents, options.styles, options.seed)
        by_style = Counter(draft.style for pool in pools.values() for draft in pool)
        return {style.value: by_style[style] for style in options.styles}
    reviewed = sum(one.reviewed for one in plan.existing.questions) if plan.existing else 0
    return estimate_calls(plan.calls, plan.caller, count=max(0, options.count - reviewed))


def make(plan: GenerationPlan, *, progress: Progress | None = None) -> QuestionSet:
    """Makes the questions and writes the data set; what people reviewed in an older one stays as it is.

    `progress` is told how much is done, and of how much.

    Raises:
        ModelError: the LLM's server fails again and again; what was answered is kept for the next run.
        PolicyRagError: no question was accepted, or the folder cannot be written.
    """
    options = plan.options
    accepted = QuestionFilter(plan.assistant, plan.by_id, options.groups, plan.day, options.found_within)
    reviewed, aside = _reviewed(plan)
    refused = plan.existing.refused if plan.existing else ()
    accepted.start_with(reviewed, refused)
    usage = Usage()
    if plan.caller is not None and plan.calls is not None:
        usage = make_by_llm(
            plan.calls, plan.caller, accepted, count=options.count, seed=options.seed, progress=progress
        )
    else:
        make_by_rules(
            plan.documents,
            accepted,
            styles=options.styles,
            count=options.count,
            per_section=options.per_section,
            seed=options.seed,
            progress=progress,
        )
    if not any(one.draft.answerable for one in accepted.questions):
        raise PolicyRagError(
            f"no answerable question was kept of these documents (dropped: {counted(accepted.drops) or 'none'}): "
            f"ask for other --styles, or use {'another' if plan.caller else 'an'} LLM with --llm NAME"
        )
    result = QuestionSet(
        questions=tuple(accepted.questions),
        sections=_section_spans(plan.by_id, accepted.questions),
        refused=refused,
        set_aside=(*(plan.existing.set_aside if plan.existing else ()), *aside),
        summary=_summary(plan, accepted, usage, len(aside)),
    )
    write_set(plan.folder, plan.documents, result)
    return result


def _reviewed(plan: GenerationPlan) -> tuple[list[GeneratedQuestion], list[dict[str, Any]]]:
    """The reviewed questions that still stand, with where they are found now; and the rows of those that do not."""
    still: list[GeneratedQuestion] = []
    aside: list[dict[str, Any]] = []
    if plan.existing is None:
        return still, aside
    for one in plan.existing.questions:
        if not one.reviewed:
            continue
        now = as_it_stands(one, plan.by_id)
        if now is not None:
            request = SearchRequest(one.draft.text, groups=one.groups, as_of=plan.day)
            hits = plan.assistant.search_many([request], top_k=FOUND_DEPTH)[0].hits
            still.append(replace(now, found_at=found_at(now.draft.quotes, hits)))
        else:
            row = query_row(one, plan.existing.sections)
            aside.append({**row, "quotes": [quote.text for quote in one.draft.quotes]})
    return still, aside


def _section_spans(
    by_id: Mapping[str, SourceDocument], questions: Sequence[GeneratedQuestion]
) -> Mapping[SectionKey, SectionSpan]:
    """Where the sections stand that questions were made from."""
    spans = {}
    for doc_id, section_id in (key for one in questions for key in one.draft.sections):
        section = by_id[doc_id].by_id[section_id]
        spans[doc_id, section_id] = SectionSpan(by_id[doc_id].info.file, section.start, section.end)
    return spans


def _summary(plan: GenerationPlan, accepted: QuestionFilter, usage: Usage, aside: int) -> dict[str, Any]:
    """What a run came to, as JSON values."""
    options, questions = plan.options, accepted.questions
    styles = Counter(one.draft.style for one in questions)
    ranks = [one.found_at for one in questions if one.draft.answerable]
    summary: dict[str, Any] = {
        "questions": len(questions),
        "wanted": options.count,
        "reviewed": sum(one.reviewed for one in questions),
        "set_aside": aside,
        "styles": {style.value: styles[style] for style in QuestionStyle if styles[style]},
        "dropped": counted(accepted.drops),
        "dropped_examples": {reason.value: list(texts) for reason, texts in accepted.examples.items()},
        "found_at": {
            "1": sum(rank == 1 for rank in ranks),
            "2 to 5": sum(rank is not None and 2 <= rank <= 5 for rank in ranks),
            f"6 to {FOUND_DEPTH}": sum(rank is not None and rank > 5 for rank in ranks),
            "not found": sum(rank is None for rank in ranks),
        },
        "documents": len(plan.documents),
        "made_by": plan.caller.model.name if plan.caller else RULES,
        "seed": options.seed,
        "per_section": options.per_section,
        "as_of": plan.day.isoformat(),
        "groups": list(options.groups),
        "found_within": options.found_within,
    }
    if plan.caller is not None and plan.calls is not None:
        summary["calls"] = {
            "answered": usage.answered,
            "kept_from_before": usage.remembered,
            "failed": usage.failed,
            "too_long": plan.calls.too_long,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "seconds": round(usage.ms / 1000, 1),
        }
        summary["settings"] = dict(plan.caller.settings)
        if usage.error:
            summary["last_error"] = usage.error
    return summary
