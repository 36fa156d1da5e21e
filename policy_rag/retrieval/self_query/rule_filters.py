"""Filters of a question by rule: the day, the document with its version or year, the values of declared keys."""

import datetime as dt
from collections.abc import Iterable, Sequence

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.filters import written_filter
from policy_rag.retrieval.self_query.edition_forms import same_version
from policy_rag.retrieval.self_query.named_documents import NamedTitles, named_files, named_titles
from policy_rag.retrieval.self_query.named_fields import named_fields
from policy_rag.retrieval.self_query.question_dates import coming_day, day_in_force, past_day, rules_of
from policy_rag.retrieval.self_query.question_filters import QuestionFilters, SearchCondition
from policy_rag_parsers.text.sentences import blanked


def read_filters_by_rule(question: str, documents: Sequence[DocumentInfo], day: dt.date) -> QuestionFilters:
    """The conditions of a question by rule: file, day, document with version or year, version, declared fields."""
    conditions: list[SearchCondition] = []
    files = named_files(question, documents)
    if files is not None:
        conditions.append(files)
        question = blanked(question, files.said)
    titles = named_titles(question, documents)
    titled = [d for d in documents if titles is None or d.title in titles.titles]
    asked = day_in_force(question, day)
    other = (past_day(question, day) or coming_day(question, day)) if asked is None else None
    if asked is not None:
        conditions.append(SearchCondition(as_of=asked[0], said=(asked[1],)))
    elif other is not None and other.asks:
        as_of, changed = rules_of(titled, other, day)
        if changed:
            conditions.append(SearchCondition(as_of=as_of, said=(other.said,)))
            other = None
    of_titles, notices = title_conditions(titles, documents, day) if titles is not None else ((), ())
    conditions += of_titles
    conditions += [
        SearchCondition((written_filter(key, *values),)) for key, values in named_fields(question, documents)
    ]
    return QuestionFilters(tuple(conditions), notices, other)


def title_conditions(
    named: NamedTitles, documents: Sequence[DocumentInfo], day: dt.date
) -> tuple[tuple[SearchCondition, ...], tuple[str, ...]]:
    """The documents that a question points to, then the edition that it names, and what people should know of it.

    Where the edition is unknown it is dropped, and the documents stay.
    """
    titled = [d for d in documents if d.title in named.titles]
    unknown = named.old and not _former(titled, day)
    notices = (f"no earlier edition of {', '.join(named.titles)} is known here",) if unknown else ()
    return tuple(_of_titles(named, titled, day)), notices


def _of_titles(named: NamedTitles, titled: Sequence[DocumentInfo], day: dt.date) -> Iterable[SearchCondition]:
    title = written_filter("title", *named.titles)
    if named.version is not None:
        declared = same_version([d.version for d in titled], named.version)
        version = written_filter("version", *(declared or (named.version,)))
        if declared:
            yield SearchCondition((title, version), any_day=True, said=named.said)
        else:
            yield from (SearchCondition((title,), said=named.said), SearchCondition((version,)))
        return
    if named.old and named.year is None and (former := _former(titled, day)):
        yield SearchCondition((written_filter("doc_id", *(d.doc_id for d in former)),), any_day=True, said=named.said)
        return
    if named.year is None:
        yield SearchCondition((title,), said=named.said)
        return
    of_year = _of_year(titled, named.year)
    if of_year:
        yield SearchCondition((written_filter("doc_id", *(d.doc_id for d in of_year)),), any_day=True, said=named.said)
    else:
        yield from (
            SearchCondition((title,), said=named.said),
            SearchCondition((f"effective_from>={named.year}-01-01", f"effective_from<={named.year}-12-31")),
        )


def _former(titled: Sequence[DocumentInfo], day: dt.date) -> tuple[DocumentInfo, ...]:
    """Of each title the edition that was in force last before that of `day`."""
    ended = {d.doc_id: span[1] for d in titled if (span := d.period) is not None and span[1] < day}
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
    return tuple(d for d in dated if (span := d.period) and span[0] <= last and span[1] >= first)
