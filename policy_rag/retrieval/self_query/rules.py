"""Filters that a question itself holds: "in the 2025 travel policy", "for contractors", "in force on 1 May 2025".

What a question names becomes a filter only where it is known from documents that the caller may read; of others nothing
is looked at, so that nothing of them shows. A filter that would leave nothing is dropped. Both are told, one line each.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from policy_rag.index.store.documents import DocumentInfo
from policy_rag.index.store.store import Snapshot
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.clause_lookup.lookup import other_words
from policy_rag.retrieval.filters import known_keys, matching, parse_filter, written_filter
from policy_rag.retrieval.self_query.as_of_date import asked_day
from policy_rag.retrieval.self_query.edition_forms import same_version
from policy_rag.retrieval.self_query.named_documents import NamedTitles, named_titles
from policy_rag.retrieval.self_query.named_fields import named_fields
from policy_rag.retrieval.self_query.past_dates import PastDay, past_day, superseded_on, told_of
from policy_rag.retrieval.self_query.validity_questions import told_validity, without_validity
from policy_rag.retrieval.visibility import View, readable_by

_OF_A_DOCUMENT = frozenset({"title", "doc_id", "file"})


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of what a question asks under.

    Attributes:
        where: filters as they are typed; all must hold.
        as_of: the day whose rules are asked for, or None.
        any_day: whether documents that are not in force count too: the day then becomes the nearest on which one is.
        said: the ranges of the question that say so and nothing else; what is asked is the rest.
    """

    where: tuple[str, ...] = ()
    as_of: dt.date | None = None
    any_day: bool = False
    said: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        day = (f"as_of={self.as_of.isoformat()}",) if self.as_of else ()
        return ", ".join((*self.where, *day))


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of a question.

    Attributes:
        conditions: the most telling first.
        notices: what to tell of the reading itself.
        past: a day that the question names, and that is no condition.
    """

    conditions: tuple[Condition, ...]
    notices: tuple[str, ...] = ()
    past: PastDay | None = None


class Reader(Protocol):
    """Reads the conditions out of a question."""

    def __call__(self, question: str, documents: Sequence[DocumentInfo], day: dt.date) -> Reading:
        """What the question holds.

        Args:
            question: as asked.
            documents: those that the caller may read, in force or not.
            day: the day that the question is about unless it names another.
        """
        ...


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A request with what its question asks under.

    Attributes:
        request: with the conditions that were kept.
        added: those as they are typed (`title=Leave Policy`, `as_of=2025-05-01`).
        notices: what was added and what was dropped, a line each.
        asked: the question without what became filters.
        past: a day that the question names and under which it is not searched.
        readable: the documents that the caller may read, where there is such a day.
    """

    request: SearchRequest
    added: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    asked: str = ""
    past: PastDay | None = None
    readable: tuple[DocumentInfo, ...] = ()

    def told_of(self, found: Iterable[str], today: dt.date) -> tuple[str, ...]:
        """A notice where a document that was found (`doc_id`) had another edition on the day that is named."""
        return told_of(self.past, self.readable, found, today) if self.past else ()


def read_by_rule(question: str, documents: Sequence[DocumentInfo], day: dt.date) -> Reading:
    """The conditions of a question by rule: day, document with version or year, version, declared fields."""
    conditions: list[Condition] = []
    titles = named_titles(question, documents)
    titled = [d for d in documents if titles is None or d.title in titles.titles]
    asked = asked_day(question, day)
    past = past_day(question, day) if asked is None else None
    if asked is not None:
        conditions.append(Condition(as_of=asked[0], said=(asked[1],)))
    elif past is not None and past.asks and superseded_on(titled, past, day):
        conditions.append(Condition(as_of=past.last, said=(past.said,)))
        past = None
    notices: tuple[str, ...] = ()
    if titles is not None:
        conditions += _of_titles(titles, titled, day)
        if titles.old and not _former(titled, day):
            notices = (f"no earlier edition of {', '.join(titles.titles)} is known here",)
    conditions += [Condition((written_filter(key, *values),)) for key, values in named_fields(question, documents)]
    return Reading(tuple(conditions), notices, past)


def _of_titles(named: NamedTitles, titled: Sequence[DocumentInfo], day: dt.date) -> Iterable[Condition]:
    """The documents, then the edition: where that is unknown it is dropped, and the documents stay."""
    title = written_filter("title", *named.titles)
    if named.version is not None:
        declared = same_version([d.version for d in titled], named.version)
        version = written_filter("version", *(declared or (named.version,)))
        if declared:
            yield Condition((title, version), any_day=True, said=named.said)
        else:
            yield from (Condition((title,), said=named.said), Condition((version,)))
        return
    if named.old and named.year is None and (former := _former(titled, day)):
        yield Condition((written_filter("doc_id", *(d.doc_id for d in former)),), any_day=True, said=named.said)
        return
    if named.year is None:
        yield Condition((title,), said=named.said)
        return
    of_year = _of_year(titled, named.year)
    if of_year:
        yield Condition((written_filter("doc_id", *(d.doc_id for d in of_year)),), any_day=True, said=named.said)
    else:
        yield from (
            Condition((title,), said=named.said),
            Condition((f"effective_from>={named.year}-01-01", f"effective_from<={named.year}-12-31")),
        )


def _former(titled: Sequence[DocumentInfo], day: dt.date) -> tuple[DocumentInfo, ...]:
    """Of each title the edition that was in force last before that of `day`."""
    ended = {d.doc_id: span[1] for d in titled if (span := _period(d)) is not None and span[1] < day}
    last = {
        d.title: max(ended[one.doc_id] for one in titled if one.title == d.title and one.doc_id in ended)
        for d in titled
        if d.doc_id in ended
    }
    return tuple(d for d in titled if d.doc_id in ended and ended[d.doc_id] == last[d.title])


def _of_year(titled: Sequence[DocumentInfo], year: int) -> tuple[DocumentInfo, ...]:
    """The editions that began in a year or are called by it, else those that were in force some time in it."""
    began = tuple(
        d
        for d in titled
        if (d.effective_from.year == year if d.effective_from else str(year) in f"{d.title} {d.version} {d.file}")
    )
    if began:
        return began
    first, last = dt.date(year, 1, 1), dt.date(year, 12, 31)
    dated = [d for d in titled if d.effective_from]
    return tuple(d for d in dated if (span := _period(d)) and span[0] <= last and span[1] >= first)


def _period(document: DocumentInfo) -> tuple[dt.date, dt.date] | None:
    """The first and the last day on which a document is in force; None where it never is."""
    first = document.effective_from or dt.date.min
    last = document.effective_to or dt.date.max
    if document.superseded_from is not None:
        if document.superseded_from == dt.date.min:
            return None
        last = min(last, document.superseded_from - dt.timedelta(days=1))
    return (first, last) if first <= last else None


def narrow(snapshot: Snapshot, request: SearchRequest, reader: Reader, today: dt.date) -> Narrowed:
    """A request with the conditions that its question holds.

    What the caller has set stays: a condition on a key, a document or a day that the request names already is passed
    over. Each condition is tried on top of those before it, and dropped where no document is left.

    Args:
        snapshot: where it is searched.
        request: as it was made.
        reader: finds the conditions.
        today: the day of the question unless the request names one.

    Raises:
        UsageError: a filter of the request is none; see `View.of`.
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
            notices.append(f"the question asks for {fresh}, which matches nothing here: searched without it")
            continue
        said += fresh.said
        added += [text for text in fresh.where if text not in added]
        if tried.as_of != kept.as_of and tried.as_of is not None:
            added = [text for text in added if not text.startswith("as_of=")] + [f"as_of={tried.as_of.isoformat()}"]
        kept = tried
    if added:
        notices.insert(0, f"searched under {', '.join(added)}, as the question asks (--self-query off searches all)")
    told = (*reading.notices, *notices, *told_validity(request.question, readable))
    past = reading.past if kept.as_of is None else None
    return Narrowed(kept, tuple(added), told, _rest(request.question, said), past, readable if past else ())


def _rest(question: str, said: Sequence[tuple[int, int]]) -> str:
    """A question without the words that became filters; all of it where nothing else tells what is asked."""
    rest, place = "", 0
    for start, end in sorted(said):
        rest, place = rest + question[place : max(place, start)], max(place, end)
    rest = re.sub(r"\s+([?.!,;:])", r"\1", " ".join((rest + question[place:]).split()))
    rest = rest.lstrip(" ,;:")
    # Who asks only when an edition takes effect needs its name to find that.
    return rest if other_words(without_validity(rest), ()) else question


def _beside(condition: Condition, request: SearchRequest) -> Condition | None:
    """What of a condition the request leaves open; None where nothing."""
    keys = {parse_filter(text).key for text in request.where}
    if keys & _OF_A_DOCUMENT:
        keys |= _OF_A_DOCUMENT | {"version"}
    where = tuple(text for text in condition.where if parse_filter(text).key not in keys)
    as_of = condition.as_of if request.as_of is None else None
    return replace(condition, where=where, as_of=as_of) if where or as_of else None


def _under(snapshot: Snapshot, request: SearchRequest, condition: Condition, today: dt.date) -> SearchRequest | None:
    """The request under one more condition; None where no document is left."""
    tried = replace(request, where=(*request.where, *condition.where), as_of=condition.as_of or request.as_of)
    if View.of(snapshot, tried, today).documents:
        return tried
    if not condition.any_day or tried.as_of is not None:
        return None
    readable = readable_by(snapshot, request.groups)
    named = matching(readable, [parse_filter(text) for text in tried.where], known=known_keys(readable))
    day = _nearest_day(named, today)
    return None if day is None else replace(tried, as_of=day)


def _nearest_day(documents: Iterable[DocumentInfo], today: dt.date) -> dt.date | None:
    """The day nearest to today on which one of the documents is in force."""
    spans = [span for document in documents if (span := _period(document)) is not None]
    days = [min(max(today, first), last) for first, last in spans]
    return min(days, key=lambda day: (abs(day - today), day), default=None)
