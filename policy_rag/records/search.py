"""What is asked of a search, and what it gives."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from policy_rag.records.choices import Transform
from policy_rag_parsers.records import Block, PageMark

SEARCHED_UNDER = "searched under "
"""How the notice begins that names the filters which the question itself brought."""


@dataclass(frozen=True, slots=True)
class SearchRank:
    """Where one search saw a hit: its rank from 1, and its score in that search (cosine or BM25)."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Location:
    """Where a text stands that is not shown again: `[start, end)` of the document's text."""

    doc_id: str
    version: str | None
    file: str
    section_id: str
    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A section (or a chunk of a long one) that a search found.

    Attributes:
        rank: from 1, best first.
        score: what the hits of this result are ordered by; comparable within one result only.
        doc_id: the data set's where there is one, else `file`.
        version: what the document says of its version, or None.
        file: path relative to the folder that was ingested, with forward slashes.
        section_id: unique within the document.
        number: the section's number as printed, or None.
        title: the section's title; may be empty.
        path: titles from the document's title down to the section's own.
        start: first character of `text` in the document's text.
        end: one past the last.
        chunk_start: first character of the chunk that the search found, inside `[start, end)`.
        chunk_end: one past its last.
        page: page on which `text` begins, or None.
        text: exactly `[start, end)` of the document's text.
        found_by: search name (`vector`, `keyword`, `reranker`) to the rank and score there.
        also_at: where else the same clause stands, when near-duplicates are merged; not in the JSON form.
        metadata: what was extracted of the section and is shown, as JSON values; in the JSON form where there is any.
        about: what of it an LLM is given beside the text, a line an item; not in the JSON form.
        path_numbers: the number of each step of `path` as printed, or None; not in the JSON form.
        line: on which `text` begins, from 1, in files that have lines (Markdown, plain text); else None.
        effective_from: first day on which the document is in force, or None where it says none.
        effective_to: the last one, or None.
        blocks: what `text` consists of, in order, places in the document; blocks that go on beyond `text` are among
            them. Known of hits that an answer is made from; not in the JSON form.
        pages: where the document's pages begin; not in the JSON form.
    """

    rank: int
    score: float
    doc_id: str
    version: str | None
    file: str
    section_id: str
    number: str | None
    title: str
    path: tuple[str, ...]
    start: int
    end: int
    chunk_start: int
    chunk_end: int
    page: int | None
    text: str
    found_by: Mapping[str, SearchRank]
    also_at: tuple[Location, ...] = ()
    metadata: Mapping[str, Any] | None = None
    about: str = ""
    path_numbers: tuple[str | None, ...] = ()
    line: int | None = None
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None
    blocks: tuple[Block, ...] = field(default=(), repr=False, compare=False)
    pages: tuple[PageMark, ...] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class DeclaredValidity:
    """What a document declares of its validity, where a question asks for that.

    Attributes:
        text: in words.
        head: its first sections, where it may be quoted; a line in them may say the same.
    """

    text: str
    head: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question with what it is asked under.

    Attributes:
        question: not blank.
        where: filters as typed, `KEY=A`, `KEY=A,B`, `KEY>=VALUE`, `KEY<=VALUE`; all must hold.
        groups: the caller's access groups; with none, only documents that are open to all are seen.
        as_of: the day whose rules are asked for; None means the assistant's today.
    """

    question: str
    where: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    as_of: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for a question.

    Attributes:
        text: not blank.
        by: what it was made by; None for the question itself.
        passage: whether it is worded like a passage of a policy: it is embedded as one, for the vector search alone.
    """

    text: str
    by: Transform | None = None
    passage: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits for a question, best first; `hits` is empty when nothing was found, and `notices` then says why.

    `related` are the sections that the hits bring along when that is asked for (`expand`); each `found_by` names what
    brought it (`parent`, `references`, `definitions`) and the rank of the hit. They are not in the JSON form.
    `queries` is what was searched, where that is not the question alone; not in the JSON form either. `filters` are
    those that were read out of the question, as they are typed; in the JSON form where there are any. `asked` is the
    question without the words that became filters; not in the JSON form. `evidence` is what both searches together
    found where one alone was asked for, since support is weighed by both; for answering, and not in the JSON form.
    `declared` is what answers the question by itself, whatever was found; not in the JSON form.
    """

    question: str
    hits: tuple[Hit, ...]
    timings_ms: Mapping[str, float]
    notices: tuple[str, ...] = ()
    related: tuple[Hit, ...] = ()
    filters: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()
    asked: str = ""
    evidence: tuple[Hit, ...] = ()
    declared: tuple[DeclaredValidity, ...] = ()

    @property
    def matter(self) -> str:
        """What is asked: the question without the words that became filters, where there are any."""
        return self.asked or self.question
