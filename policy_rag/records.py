"""The frozen records that searching, asking and ingesting return, and their JSON form."""

import dataclasses
import datetime as dt
import getpass
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from policy_rag.errors import TraceError
from policy_rag_parsers.metadata.outcome import Failure, KindCounts
from policy_rag_parsers.metadata.records import Kind


class Search(StrEnum):
    """How the two searches are used together. Each is defined in `policy_rag.retrieval`."""

    VECTOR = "vector"
    KEYWORD = "keyword"
    AND = "and"
    OR = "or"
    RRF = "rrf"
    WEIGHTED = "weighted"


class Precision(StrEnum):
    """The numbers that PyTorch reckons with; the halves are for GPUs."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"


class Backend(StrEnum):
    """What runs a model: PyTorch, or ONNX Runtime in float32 or with 8-bit integers."""

    TORCH = "torch"
    ONNX = "onnx"
    ONNX_INT8 = "onnx-int8"

    @property
    def precision(self) -> str:
        """`float32` or `int8`; vectors of one precision may stand in one index."""
        return "int8" if self is Backend.ONNX_INT8 else "float32"


class Expansion(StrEnum):
    """What a hit can bring along: its section's parent, the sections it refers to, the definitions it uses."""

    PARENT = "parent"
    REFERENCES = "references"
    DEFINITIONS = "definitions"


class ContextOrder(StrEnum):
    """In which order an LLM is given sections: by rank, or the best first and last and the weakest in the middle."""

    RANKED = "ranked"
    ENDS_FIRST = "ends-first"


class Unverified(StrEnum):
    """What becomes of an LLM's sentences that what they cite does not bear out: left out, or shown and marked."""

    REMOVE = "remove"
    MARK = "mark"


class Transform(StrEnum):
    """What can be done to a question before it is searched. Each is defined in `policy_rag.retrieval.transforms`."""

    REWRITE = "rewrite"
    MULTI_QUERY = "multi-query"
    STEP_BACK = "step-back"
    HYDE = "hyde"
    DECOMPOSE = "decompose"


class SelfQuery(StrEnum):
    """Who reads filters out of a question: nobody, rules, or the LLM (rules where there is none)."""

    OFF = "off"
    RULES = "rules"
    LLM = "llm"


@dataclass(frozen=True, slots=True)
class MetadataUse:
    """Which kinds of metadata who is given; what was not extracted is given to nobody.

    It is written as a mapping, or as one text: `keyword:questions+keywords display:all`.

    Attributes:
        embedder: kinds that the embedding model sees behind a section's text; they shape the index.
        keyword: kinds whose words the keyword search finds too.
        llm: kinds that an LLM is told beside a section's text.
        display: kinds that hits, `show` and `documents` show.
    """

    embedder: tuple[Kind, ...] = ()
    keyword: tuple[Kind, ...] = ()
    llm: tuple[Kind, ...] = ()
    display: tuple[Kind, ...] = tuple(Kind)

    @classmethod
    def read(cls, text: str) -> "MetadataUse":
        """Reads the form in one text; `none` is nothing for anybody, `all` stands for all kinds.

        Raises:
            ValueError: naming what can be written.

        >>> MetadataUse.read("keyword:questions+keywords").keyword
        (<Kind.QUESTIONS: 'questions'>, <Kind.KEYWORDS: 'keywords'>)
        """
        if text.strip() == "none":
            return cls(display=())
        chosen: dict[str, tuple[Kind, ...]] = {}
        names = [f.name for f in dataclasses.fields(cls)]
        for part in text.split():
            name, colon, kinds = part.partition(":")
            if not colon or name not in names or name in chosen:
                raise ValueError(f"{part!r}: write WHO:KIND+KIND, where WHO is one of {', '.join(names)}")
            chosen[name] = read_kinds(kinds.replace("+", ","))
        return cls(**chosen)


def read_kinds(text: str) -> tuple[Kind, ...]:
    """Kinds of metadata as they are typed: `summary,questions`, `all` or `none`.

    Raises:
        ValueError: naming the kinds there are.
    """
    if text.strip() in {"all", "none"}:
        return tuple(Kind) if text.strip() == "all" else ()
    names = [part.strip() for part in text.split(",") if part.strip()]
    unknown = [name for name in names if name not in {kind.value for kind in Kind}]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no kind of metadata: they are {', '.join(Kind)}, or all, or none")
    return tuple(dict.fromkeys(Kind(name) for name in names))


class Status(StrEnum):
    """What became of a question."""

    ANSWERED = "answered"
    REFUSED = "refused"
    CLARIFY = "clarify"


@dataclass(frozen=True, slots=True)
class Found:
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
        page: page on which it starts, or None.
        text: exactly `[start, end)` of the document's text.
        found_by: search name (`vector`, `keyword`, `reranker`) to the rank and score there.
        also_at: where else the same clause stands, when near-duplicates are merged; not in the JSON form.
        metadata: what was extracted of the section and is shown, as JSON values; in the JSON form where there is any.
        about: what of it an LLM is told beside the text, a line an item; not in the JSON form.
        path_numbers: the number of each step of `path` as printed, or None; not in the JSON form.
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
    found_by: Mapping[str, Found]
    also_at: tuple[Location, ...] = ()
    metadata: Mapping[str, Any] | None = None
    about: str = ""
    path_numbers: tuple[str | None, ...] = ()


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

    `brought` are the sections that the hits bring along when that is asked for (`expand`); each `found_by` names what
    brought it (`parent`, `references`, `definitions`) and the rank of the hit. They are not in the JSON form.
    `queries` is what was searched, where that is not the question alone; not in the JSON form either. `filters` are
    those that were read out of the question, as they are typed; in the JSON form where there are any. `asked` is the
    question without the words that became filters; not in the JSON form. `evidence` is what both searches together
    found where one alone was asked for, since support is weighed by both; for answering, and not in the JSON form.
    """

    question: str
    hits: tuple[Hit, ...]
    timings_ms: Mapping[str, float]
    notices: tuple[str, ...] = ()
    brought: tuple[Hit, ...] = ()
    filters: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()
    asked: str = ""
    evidence: tuple[Hit, ...] = ()

    @property
    def matter(self) -> str:
        """What is asked: the question without the words that became filters, where there are any."""
        return self.asked or self.question


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that a statement stands on. `quote` is exactly `[start, end)` of the document's text.

    `path_numbers` are those of a hit; not in the JSON form.
    """

    n: int
    quote: str
    doc_id: str
    version: str | None
    file: str
    section_id: str
    path: tuple[str, ...]
    start: int
    end: int
    page: int | None
    path_numbers: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered, and on what it stands.

    Attributes:
        question: as asked.
        status: answered, refused or clarify.
        answered: `status is Status.ANSWERED`.
        answer: plain text with `[n]` marks; for a refusal, the sentence that says so.
        citations: one for each `n` in the answer's text, in order of `n`.
        removed: statements of the LLM that were taken out because their citation does not hold.
        nearest: for a refusal, the nearest hits; they do not answer the question.
        clarification: the question back to the asker, or None.
        confidence: 0 to 1, the support for an answer in the policies found.
        llm: which answerer answered: `extractive` or the model's name.
        trace: the steps taken, when asked for.
        timings_ms: milliseconds a step.
        notices: for people, a line each; not in the JSON form.
        filters: those that were read out of the question, as they are typed; in the JSON form where there are any.
        trace_id: of the trace that was kept in MLflow, which feedback is given on; in the JSON form where there is one.
        trace_store: where that trace is; not in the JSON form.
    """

    question: str
    status: Status
    answer: str
    citations: tuple[Citation, ...]
    removed: tuple[str, ...] = ()
    nearest: tuple[Hit, ...] = ()
    clarification: str | None = None
    confidence: float
    llm: str
    trace: tuple[Mapping[str, Any], ...] | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    trace_id: str | None = None
    trace_store: str | None = field(default=None, repr=False)

    @property
    def answered(self) -> bool:
        """Whether the policies answered the question."""
        return self.status is Status.ANSWERED

    def feedback(self, good: bool, comment: str | None = None, *, by: str | None = None) -> None:
        """Says whether the answer helped; MLflow keeps it with the answer's trace.

        Args:
            good: whether it did.
            comment: why, in words.
            by: who says so; by default the user of this machine.

        Raises:
            TraceError: the answer has no trace, or it cannot be written to.
        """
        if self.trace_id is None or self.trace_store is None:
            raise TraceError("this answer has no trace to keep feedback with: ask with trace_to_mlflow=True")
        from policy_rag.answering.mlflow_trace import keep_feedback

        who = by or getpass.getuser()
        keep_feedback(self.trace_store, self.trace_id, name="helpful", value=good, why=comment, by=who, human=True)

    def _repr_html_(self) -> str:
        """The answer as HTML, for notebooks; everything in it is escaped."""
        from policy_rag.answering.html import answer_html

        return answer_html(self)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not taken in, and why; `failed` when it should have been readable."""

    file: str
    reason: str
    failed: bool


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one ingest did. Counts are documents unless named otherwise; `sections` and `chunks` are of those taken in.

    `documents` is how many the index now holds, those of other ingests among them. Ids of documents that keep an old
    text: `gone` where the file is no more; `kept` where it is there and was not taken in; `withheld` where nobody may
    read that text besides, as it cannot be known who may. `metadata` counts what was extracted, by kind, and
    `metadata_failures` tells what sections are left without. All but the first are in the JSON form where there is any.
    """

    added: int
    updated: int
    unchanged: int
    removed: int
    sections: int
    chunks: int
    embedded: int
    seconds: Mapping[str, float]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    documents: int = 0
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    metadata: Mapping[str, KindCounts] = field(default_factory=dict)
    metadata_failures: tuple[Failure, ...] = ()

    @property
    def taken_in(self) -> int:
        """Documents that the index now holds because of this ingest, changed or not."""
        return self.added + self.updated + self.unchanged


_NOT_IN_JSON = frozenset(
    {"notices", "also_at", "brought", "queries", "about", "asked", "evidence", "path_numbers", "trace_store"}
)
# In JSON only where there is any.
_WHERE_PRESENT = frozenset({"filters", "gone", "kept", "metadata", "metadata_failures", "trace_id", "withheld"})


def to_json(record: object) -> Any:
    """A record as plain JSON values: field names as keys, tuples as lists, dates as ISO strings.

    `notices` are for people and go to standard error; `also_at`, `brought` and `queries` are for programs in Python;
    an `Answer` gains `answered`.

    >>> to_json(Found(rank=1, score=0.5))
    {'rank': 1, 'score': 0.5}
    """
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        names = [
            f.name
            for f in dataclasses.fields(record)
            if f.name not in _NOT_IN_JSON and (f.name not in _WHERE_PRESENT or getattr(record, f.name))
        ]
        if isinstance(record, Answer):
            names.insert(names.index("status") + 1, "answered")
        return {name: to_json(getattr(record, name)) for name in names}
    if isinstance(record, Mapping):
        return {str(key): to_json(value) for key, value in record.items()}
    if isinstance(record, tuple | list):
        return [to_json(value) for value in record]
    if isinstance(record, dt.date):
        return record.isoformat()
    return record
