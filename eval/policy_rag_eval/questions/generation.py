"""Makes a question set: selects documents, makes drafts by rule or by an LLM, sifts them, and writes the data set."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.records.search import SearchRequest
from policy_rag_eval.questions.by_llm import Forecast, Made, Plan, forecast, make_by_llm, plan_calls
from policy_rag_eval.questions.by_rules import make_by_rules, rule_pools
from policy_rag_eval.questions.documents import SourceDocument, select_documents
from policy_rag_eval.questions.drafts import RULES, Kept, Place, SectionKey, Style, counted
from policy_rag_eval.questions.filtering import FOUND_DEPTH, Sifter, found_at
from policy_rag_eval.questions.reply_cache import Asker
from policy_rag_eval.questions.wording import PHRASES
from policy_rag_eval.questions.writing import PROVENANCE, QuestionSet, holds_still, query_row, read_set, write_set

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for.

    Attributes:
        count: questions in the set, reviewed ones included.
        styles: those that are made.
        per_section: most questions of one section.
        seed: orders all that is left to chance.
        groups: the asker's access groups; with none, only documents that are open to all.
        as_of: the day of the rules, the assistant's today by default.
        found_within: drop questions whose section is not among the first so many hits; None: label them only.
    """

    count: int = 100
    styles: tuple[Style, ...] = tuple(Style)
    per_section: int = 2
    seed: int = 0
    groups: tuple[str, ...] = ()
    as_of: dt.date | None = None
    found_within: int | None = None


@dataclass(frozen=True)
class Work:
    """All that a run needs: documents, what an older run left, and the plan of calls where an LLM asks."""

    assistant: "PolicyAssistant"
    folder: Path
    wanted: Wanted
    documents: tuple[SourceDocument, ...]
    before: QuestionSet | None
    asker: Asker | None
    plan: Plan | None

    @property
    def day(self) -> dt.date:
        """The day on which the questions are asked."""
        return self.wanted.as_of or self.assistant.today()

    @property
    def by_id(self) -> dict[str, SourceDocument]:
        """The documents by `doc_id`."""
        return {document.info.doc_id: document for document in self.documents}

    @property
    def without_rules(self) -> tuple[str, ...]:
        """Files of documents in a language that the rules have no words for."""
        return tuple(d.info.file for d in self.documents if d.info.language not in PHRASES)


def prepare(assistant: "PolicyAssistant", folder: Path, wanted: Wanted, asker: Asker | None = None) -> Work:
    """Reads the documents and what is in the folder already, and plans the calls; makes no call.

    Args:
        assistant: over the index.
        folder: where the data set is, or will be.
        wanted: what is asked for.
        asker: the LLM that writes the questions; rules without one.

    Raises:
        UsageError: there are no documents for this asker, or the folder holds something else.
    """
    documents = select_documents(assistant, groups=wanted.groups, as_of=wanted.as_of)
    before = _before(folder)
    plan = None
    if asker is not None:
        reviewed = [key for kept in (before.kept if before else ()) if kept.reviewed for key in kept.draft.sections[:1]]
        plan = plan_calls(
            documents,
            asker.model,
            styles=wanted.styles,
            per_section=wanted.per_section,
            seed=wanted.seed,
            reviewed=reviewed,
        )
    return Work(assistant, folder, wanted, documents, before, asker, plan)


def _before(folder: Path) -> QuestionSet | None:
    if not folder.exists():
        return None
    if folder.is_dir() and not any(folder.iterdir()):
        return None
    if not (folder / PROVENANCE).is_file():
        raise UsageError(f"{folder} exists and is no question set made here: name a folder that does not exist")
    return read_set(folder)


def estimate(work: Work) -> Forecast | dict[str, int]:
    """What a run would cost: the calls, or, by rule, how many drafts of each style there are to choose from.

    One call is made to learn how long it takes, where none was answered before; its reply is kept for the run.
    """
    if work.asker is None or work.plan is None:
        pools = rule_pools(work.documents, work.wanted.styles, work.wanted.seed)
        drafts = Counter(draft.style for pool in pools.values() for draft in pool)
        return {style.value: drafts[style] for style in work.wanted.styles}
    missing = work.wanted.count - sum(kept.reviewed for kept in (work.before.kept if work.before else ()))
    expected = forecast(work.plan, work.asker, count=max(0, missing))
    if expected.seconds is None and expected.calls:
        outcome = work.asker.ask(work.plan.calls[0])
        if outcome.reply is None:
            raise PolicyRagError(f"{outcome.error}: without one call answered, nothing can be said of the time")
        expected = forecast(work.plan, work.asker, count=max(0, missing))
    return expected


def make(work: Work, *, progress: Progress | None = None) -> QuestionSet:
    """Makes the questions and writes the data set; what people reviewed in an older one stays as it is.

    Args:
        work: from `prepare`.
        progress: told how much is done, and of how much.

    Raises:
        ModelError: the LLM's server fails again and again; what was answered is kept for the next run.
        PolicyRagError: no question was kept, or the folder cannot be written.
    """
    wanted = work.wanted
    sifter = Sifter(work.assistant, work.by_id, wanted.groups, work.day, wanted.found_within)
    reviewed, aside = _reviewed(work)
    sifter.take_over(reviewed, work.before.refused if work.before else ())
    made = Made()
    if work.asker is not None and work.plan is not None:
        made = make_by_llm(work.plan, work.asker, sifter, count=wanted.count, seed=wanted.seed, progress=progress)
    else:
        make_by_rules(
            work.documents,
            sifter,
            styles=wanted.styles,
            count=wanted.count,
            per_section=wanted.per_section,
            seed=wanted.seed,
            progress=progress,
        )
    if not any(kept.draft.answerable for kept in sifter.kept):
        raise PolicyRagError(
            f"no answerable question was kept of these documents (dropped: {counted(sifter.drops) or 'none'}): "
            "ask for other --styles, or use an LLM with --llm NAME"
        )
    result = QuestionSet(
        kept=tuple(sifter.kept),
        places=section_places(work.documents, sifter.kept),
        refused=work.before.refused if work.before else (),
        set_aside=(*(work.before.set_aside if work.before else ()), *aside),
        summary=_summary(work, sifter, made, len(aside)),
    )
    write_set(work.folder, work.documents, result)
    return result


def _reviewed(work: Work) -> tuple[list[Kept], list[dict[str, Any]]]:
    """The reviewed questions that still stand, with where they are found now; and the rows of those that do not."""
    if work.before is None:
        return [], []
    still, aside = [], []
    for kept in work.before.kept:
        if not kept.reviewed:
            continue
        if holds_still(kept, work.by_id):
            request = SearchRequest(kept.draft.text, groups=kept.groups, as_of=work.day)
            hits = work.assistant.search_many([request], top_k=FOUND_DEPTH)[0].hits
            still.append(replace(kept, found_at=found_at(kept.draft.quotes, hits)))
        else:
            row = query_row(kept, work.before.places)
            aside.append({**row, "quotes": [quote.text for quote in kept.draft.quotes]})
    return still, aside


def section_places(documents: Sequence[SourceDocument], kept: Sequence[Kept]) -> Mapping[SectionKey, Place]:
    """Where the sections stand that questions were made from."""
    by_id = {document.info.doc_id: document for document in documents}
    places = {}
    for doc_id, section_id in (key for one in kept for key in one.draft.sections):
        section = by_id[doc_id].by_id[section_id]
        places[doc_id, section_id] = Place(by_id[doc_id].info.file, section.start, section.end)
    return places


def _summary(work: Work, sifter: Sifter, made: Made, aside: int) -> dict[str, Any]:
    """What a run came to, as JSON values."""
    wanted, kept = work.wanted, sifter.kept
    styles = Counter(one.draft.style for one in kept)
    answerable = [one for one in kept if one.draft.answerable]
    found = [one.found_at for one in answerable]
    summary: dict[str, Any] = {
        "questions": len(kept),
        "wanted": wanted.count,
        "reviewed": sum(one.reviewed for one in kept),
        "set_aside": aside,
        "styles": {style.value: styles[style] for style in Style if styles[style]},
        "dropped": counted(sifter.drops),
        "dropped_examples": {reason.value: list(texts) for reason, texts in sifter.examples.items()},
        "found_at": {
            "1": sum(rank == 1 for rank in found),
            "2 to 5": sum(rank is not None and 2 <= rank <= 5 for rank in found),
            f"6 to {FOUND_DEPTH}": sum(rank is not None and rank > 5 for rank in found),
            "not found": sum(rank is None for rank in found),
        },
        "documents": len(work.documents),
        "made_by": work.asker.model.name if work.asker else RULES,
        "seed": wanted.seed,
        "per_section": wanted.per_section,
        "as_of": work.day.isoformat(),
        "groups": list(wanted.groups),
        "found_within": wanted.found_within,
    }
    if work.asker is not None and work.plan is not None:
        summary["calls"] = {
            "answered": made.answered,
            "kept_from_before": made.kept,
            "failed": made.failed,
            "too_long": work.plan.too_long,
            "tokens_in": made.tokens_in,
            "tokens_out": made.tokens_out,
            "seconds": round(made.ms / 1000, 1),
        }
        summary["settings"] = dict(work.asker.settings)
        if made.error:
            summary["last_error"] = made.error
    return summary
