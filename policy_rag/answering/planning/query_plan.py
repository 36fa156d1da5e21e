"""The plan of a question with several parts: sub-questions, where each is looked for, and what of a plan is mended."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from policy_rag.errors import UsageError
from policy_rag.index.search.terms import terms, words
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.filters import known_keys, matching, parse_filter, written_filter
from policy_rag_parsers.text.lexicon import any_word, in_all

EARLIER = re.compile(r"#(\d{1,2})\b")
_WANTS_SUMMARY = any_word(in_all("wanting.summary"))
_TELLING = any_word(
    *(in_all(f"wanting.{field}") for field in ("who", "when", "why", "how")), in_all("negators"), in_all("modal_words")
)


class Method(StrEnum):
    """How a sub-question is answered: from what a search finds, or from a whole document."""

    RETRIEVAL = "retrieval"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of a question.

    Attributes:
        question: to be understood alone; `#1` stands for the answer to part 1.
        source: what to look in: document ids, files or titles, or filters `KEY=VALUE`; nothing for all documents.
        method: how it is answered.
        where: the source as filters, once it is known to be there.
        words: the asker's own, where it is made of them; else nothing.
    """

    question: str
    source: tuple[str, ...] = ()
    method: Method = Method.RETRIEVAL
    where: tuple[str, ...] = ()
    words: str = ""

    @property
    def uses(self) -> tuple[int, ...]:
        """The numbers of the parts whose answers it needs, from 1."""
        return tuple(dict.fromkeys(int(number) for number in EARLIER.findall(self.question)))


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What is done for a question, in order, who made it (`rules` or a model), and what of it was mended."""

    parts: tuple[SubQuestion, ...]
    by: str
    mended: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it says no more than to search for the question."""
        return not self.parts or (len(self.parts) == 1 and self.parts[0].method is Method.RETRIEVAL)


def mend(
    parts: Sequence[SubQuestion], documents: Sequence[DocumentInfo], *, most: int, asked: str, by: str
) -> QueryPlan:
    """A plan without what cannot be right in it, and a line for each thing that was mended.

    A part that repeats an earlier one, in other words or not, is dropped. A source that is not there is dropped, and
    all documents are searched; one that the asker may not read is not there. A whole document is taken only where
    the question asks for a summary, and one document is named. A part uses earlier answers only.

    Args:
        parts: as planned.
        documents: those that the asker may read and that are in force; of others nothing is known here.
        most: most parts.
        asked: the whole question.
        by: who made the plan.
    """
    notices: list[str] = []
    kept: list[SubQuestion] = []
    place: dict[int, int] = {}  # a part's number in the plan to its number among those kept
    seen: dict[tuple[frozenset[str], tuple[str, ...]], int] = {}
    for number, planned in enumerate(parts, 1):
        part = _with_method(_with_source(planned, documents, number, notices), documents, asked, number, notices)
        same = _asked(part.question), part.where
        if same in seen:
            notices.append(f"part {number} repeats part {seen[same]} and is left out")
            place[number] = place[seen[same]]
            continue
        if len(kept) == most:
            notices.append(f"part {number} and what follows are left out: max_sub_questions is {most}")
            break
        seen[same] = number
        kept.append(_with_earlier(part, place, number, notices))
        place[number] = len(kept)
    return QueryPlan(tuple(kept), by, tuple(notices))


def _asked(question: str) -> frozenset[str]:
    """What two questions share that ask for the same in another order: who, when and "not" count, "the" does not."""
    telling = filter(_TELLING.fullmatch, words(question))
    return frozenset(terms(question)).union(telling) or frozenset({question})


def _with_source(part: SubQuestion, documents: Sequence[DocumentInfo], number: int, notices: list[str]) -> SubQuestion:
    where = source_filters(part.source, documents)
    if where is None:
        notices.append(f"part {number} names a source that is not here: all documents are searched for it")
        return replace(part, source=(), where=())
    return replace(part, where=where)


def _with_method(
    part: SubQuestion, documents: Sequence[DocumentInfo], asked: str, number: int, notices: list[str]
) -> SubQuestion:
    if part.method is Method.RETRIEVAL:
        return part
    wanted = wants_summary(part.question) and wants_summary(asked)
    filters = [parse_filter(text) for text in part.where]
    if wanted and len(matching(documents, filters, known=known_keys(documents))) == 1:
        return part
    why = "names no single document" if wanted else "asks for no summary"
    notices.append(f"part {number} {why}: it is searched for instead of taking whole documents")
    return replace(part, method=Method.RETRIEVAL)


def _with_earlier(part: SubQuestion, place: dict[int, int], number: int, notices: list[str]) -> SubQuestion:
    """The part with its `#n` numbered as the kept parts are."""
    unknown = [n for n in part.uses if n not in place]
    if unknown:
        notices.append(f"part {number} uses the answer to part {unknown[0]}, which does not come before it")

    def renumbered(found: re.Match[str]) -> str:
        kept = place.get(int(found[1]))
        return f"#{kept}" if kept else ""

    return replace(part, question=" ".join(EARLIER.sub(renumbered, part.question).split()))


def source_filters(source: Sequence[str], documents: Sequence[DocumentInfo]) -> tuple[str, ...] | None:
    """A source as filters: documents by id, file or title become one filter on `doc_id`; None if it is not there."""
    ids: list[str] = []
    filters: list[str] = []
    for name in source:
        plain = " ".join(name.split()).casefold()
        named = [d.doc_id for d in documents if plain in {d.doc_id.casefold(), d.file.casefold(), d.title.casefold()}]
        if named:
            ids += named
        elif _matches(name, documents):
            filters.append(name)
        else:
            return None
    return (*((written_filter("doc_id", *dict.fromkeys(ids)),) if ids else ()), *filters)


def _matches(text: str, documents: Sequence[DocumentInfo]) -> bool:
    try:
        return bool(matching(documents, [parse_filter(text)], known=known_keys(documents)))
    except UsageError:
        return False


def wants_summary(question: str) -> bool:
    """Whether a question asks for a summary of something.

    >>> wants_summary("Summarise the leave policy"), wants_summary("How many days of leave are there?")
    (True, False)
    """
    return _WANTS_SUMMARY.search(question) is not None
