"""A request under the filters that its question holds: "in the 2025 travel policy", "in force on 1 May 2025".

What a question names becomes a filter only where it is known from documents that the caller may read; of others nothing
is looked at, so that nothing of them shows. A filter that would leave nothing is dropped. Both are told, one line each.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from policy_rag.index.store.store import Snapshot
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.search import SEARCHED_UNDER, SearchRequest
from policy_rag.retrieval.filters import known_keys, matching, parse_filter
from policy_rag.retrieval.out_of_force import in_force_when, nearest_day
from policy_rag.retrieval.self_query.question_dates import OtherDay, other_editions
from policy_rag.retrieval.self_query.question_filters import FilterReader, SearchCondition
from policy_rag.retrieval.self_query.validity_questions import (
    DECLARED,
    answering,
    asked_of,
    declared_validity,
    without_validity,
)
from policy_rag.retrieval.title_terms import other_words
from policy_rag.retrieval.visibility import Visibility, readable_by

_OF_A_DOCUMENT = frozenset({"title", "doc_id", "file"})


@dataclass(frozen=True, slots=True)
class NarrowedRequest:
    """A request with what its question asks under.

    Attributes:
        request: with the conditions that were kept.
        added: those as they are typed (`title=Leave Policy`, `as_of=2025-05-01`).
        notices: what was added and what was dropped, a line each.
        asked: the question without what became filters.
        other_day: one that the question names, over or to come, and under which it is not searched.
        readable: the documents that the caller may read, where there is such a day.
        declared: the documents whose validity is asked for, where what they declare answers.
    """

    request: SearchRequest
    added: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    asked: str = ""
    other_day: OtherDay | None = None
    readable: tuple[DocumentInfo, ...] = ()
    declared: tuple[DocumentInfo, ...] = ()

    def other_editions(self, found: Iterable[str], today: dt.date) -> tuple[str, ...]:
        """A notice where a document that was found (`doc_id`) had another edition on the day that is named."""
        return other_editions(self.other_day, self.readable, found, today) if self.other_day else ()


def narrow(snapshot: Snapshot, request: SearchRequest, reader: FilterReader, today: dt.date) -> NarrowedRequest:
    """A request with the conditions that its question holds.

    What the caller has set stays: a condition on a key, a document or a day that the request names already is passed
    over. Each condition is tried on top of those before it, and dropped where no document is left.

    Raises:
        UsageError: a filter of the request is none; see `Visibility.of`.
    """
    readable = readable_by(snapshot, request.groups)
    reading = reader(request.question, readable, request.as_of or today)
    kept = request
    added: list[str] = []
    notices: list[str] = []
    said: list[tuple[int, int]] = []
    for condition in reading.conditions:
        fresh = _beside(condition, request)
        if fresh is None:
            continue
        tried = _under(snapshot, kept, fresh, today)
        if tried is None:
            notices.append(_why_not(fresh, kept, readable, today))
            continue
        said += fresh.said
        added += [text for text in fresh.where if text not in added]
        if tried.as_of != kept.as_of and tried.as_of is not None:
            added = [text for text in added if not text.startswith("as_of=")] + [f"as_of={tried.as_of.isoformat()}"]
        kept = tried
    if added:
        notices.insert(0, f"{SEARCHED_UNDER}{', '.join(added)}, as the question asks (--self-query off searches all)")
    named = asked_of(request.question, tuple(Visibility.of_any_day(snapshot, request, today).documents.values()))
    told = [f"{DECLARED}{'; '.join(declared_validity(one) for one in named)}"] if named else []
    other = reading.other_day if kept.as_of is None else None
    return NarrowedRequest(
        kept,
        tuple(added),
        (*reading.notices, *notices, *told),
        _rest(request.question, said),
        other,
        readable if other else (),
        answering(request.question, named, request.as_of or today),
    )


def _rest(question: str, said: Sequence[tuple[int, int]]) -> str:
    """A question without the words that became filters; all of it where nothing else tells what is asked."""
    rest, place = "", 0
    for start, end in sorted(said):
        rest, place = rest + question[place : max(place, start)], max(place, end)
    rest = re.sub(r"\s+([?.!,;:])", r"\1", " ".join((rest + question[place:]).split()))
    rest = rest.lstrip(" ,;:")
    # Who asks only when an edition takes effect needs its name to find that.
    return rest if other_words(without_validity(rest), ()) else question


def _beside(condition: SearchCondition, request: SearchRequest) -> SearchCondition | None:
    """What of a condition the request leaves open; None where nothing."""
    keys = {parse_filter(text).key for text in request.where}
    if keys & _OF_A_DOCUMENT:
        keys |= _OF_A_DOCUMENT | {"version"}
    where = tuple(text for text in condition.where if parse_filter(text).key not in keys)
    as_of = condition.as_of if request.as_of is None else None
    return replace(condition, where=where, as_of=as_of) if where or as_of else None


def _under(
    snapshot: Snapshot, request: SearchRequest, condition: SearchCondition, today: dt.date
) -> SearchRequest | None:
    """The request under one more condition; None where no document is left."""
    tried = replace(request, where=(*request.where, *condition.where), as_of=condition.as_of or request.as_of)
    if Visibility.of(snapshot, tried, today).documents:
        return tried
    if not condition.any_day or tried.as_of is not None:
        return None
    readable = readable_by(snapshot, request.groups)
    named = matching(readable, [parse_filter(text) for text in tried.where], known=known_keys(readable))
    day = _nearest_day(named, today)
    return None if day is None else replace(tried, as_of=day)


def _why_not(
    condition: SearchCondition, request: SearchRequest, readable: Sequence[DocumentInfo], today: dt.date
) -> str:
    """Why a condition leaves nothing: the documents that it names are not in force, or there are none to be read."""
    filters = [parse_filter(text) for text in (*request.where, *condition.where)]
    when = ""
    if any(parse_filter(text).key in _OF_A_DOCUMENT for text in condition.where):
        named = matching(readable, filters, known=known_keys(readable))
        when = in_force_when(named, condition.as_of or request.as_of or today)
    if when:
        return f"{when}; searched without {condition}, for which the question asks"
    return f"the question asks for {condition}, which matches nothing here: searched without it"


def _nearest_day(documents: Iterable[DocumentInfo], today: dt.date) -> dt.date | None:
    """The day nearest to today on which one of the documents is in force."""
    days = [nearest_day(*span, today) for document in documents if (span := document.period) is not None]
    return min(days, key=lambda day: (abs(day - today), day), default=None)
