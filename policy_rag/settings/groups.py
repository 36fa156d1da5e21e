"""The settings in groups: each says what it means, what it may be and what it affects."""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from policy_rag.errors import SettingsError
from policy_rag.records.choices import (
    Backend,
    ContextOrder,
    Expansion,
    MetadataUse,
    Precision,
    Search,
    SelfQuery,
    Transform,
    Unverified,
    read_kinds,
)
from policy_rag_parsers.metadata.extraction_results import Kind
from policy_rag_parsers.text.near_names import did_you_mean

_QUOTED = re.compile(r"'([^']+)'")


class Affects(StrEnum):
    """What a setting changes first; whatever comes after that changes with it.

    `index` is what an ingest stores, `search` which hits a question gets and in what order, `answer` what is said of
    them, and `run` none of these: only how fast or where it runs, and what is logged.
    """

    INDEX = "index"
    SEARCH = "search"
    ANSWER = "answer"
    RUN = "run"


def _affecting(affects: Affects, default: Any, description: str, **limits: Any) -> Any:
    """A field of a group; `limits` are pydantic's (`ge`, `gt`, `le`)."""
    return Field(default, description=description, json_schema_extra={"affects": affects.value}, **limits)


_for_index = partial(_affecting, Affects.INDEX)
_for_search = partial(_affecting, Affects.SEARCH)
_for_answer = partial(_affecting, Affects.ANSWER)
_for_run = partial(_affecting, Affects.RUN)


def _kinds(value: Any) -> Any:
    """Kinds as typed, or a list of them."""
    if isinstance(value, str):
        return read_kinds(value)
    return read_kinds(",".join(value)) if isinstance(value, list) else value


def _groups(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of access groups; one without letters would be a group that nobody is in."""
    if not all(name.strip() for name in names):
        raise ValueError("a group without a name: name it, or leave it out")
    return tuple(name.strip() for name in names)


def _metadata_use(value: Any) -> Any:
    """Who is given what: as typed, or as a mapping."""
    if isinstance(value, str):
        return MetadataUse.read(value)
    if isinstance(value, Mapping):
        return {name: _kinds(list(kinds) if isinstance(kinds, tuple) else kinds) for name, kinds in value.items()}
    return value


def _why(error: Mapping[str, Any]) -> str:
    """What is wrong with a value, in pydantic's words; of a slip what is likely meant."""
    given, said = error.get("input"), str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "enum" and isinstance(given, str):
        return did_you_mean(given, _QUOTED.findall(str(error["ctx"]["expected"])), otherwise=said)
    if error["type"] == "tuple_type" and isinstance(given, str):
        return f"it takes a list: write {json.dumps([given], ensure_ascii=False)}"
    return said


class SettingsGroup(BaseModel):
    """Settings that belong together. Names of choices may be given as text, as in `SearchOptions(search="keyword")`.

    Raises:
        SettingsError: an unknown setting, or a value that it cannot have.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise SettingsError(f"setting {name}={first.get('input')!r}: {_why(first)}") from error

    def changed(self, values: Mapping[str, Any]) -> Self:
        """The same with some values anew; what was set before counts as set.

        Raises:
            SettingsError: as for the class.
        """
        return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | dict(values))


class ParsingSettings(SettingsGroup):
    """How files become documents and chunks."""

    chunker: str | None = _for_index(None, "how documents are cut; by default the index's own, section for a new one")
    profile: str | None = _for_index(None, "heading profile, a name or a YAML file; detected by default")
    access: Annotated[tuple[str, ...], AfterValidator(_groups)] = _for_index(
        (), "access groups of documents that declare none"
    )
    chunk_overlap: int | None = _for_index(
        None,
        "tokens that a piece repeats of the one before, for the chunkers sentence, token and recursive; "
        "by default a tenth of its length",
        ge=0,
    )
    hit_chars: int = _for_index(6000, "a section longer than this gives its chunks as hits", ge=200)
    follow_links: bool = _for_index(False, "read files to which a link leads out of the folder that is ingested")
    file_seconds: float = _for_run(30.0, "seconds of processor time that reading one file may take", gt=0)
    file_memory: int = _for_run(1024, "megabytes of memory that reading one file may take", ge=256)
    file_chars: int = _for_run(10_000_000, "most characters of the text of one file", ge=1)
    file_megabytes: int = _for_run(256, "most megabytes of one file", ge=1)

    @property
    def most_bytes(self) -> int:
        """Bytes of one file at most."""
        return self.file_megabytes << 20


class IndexSettings(SettingsGroup):
    """What is stored of each chunk, and who extracts metadata."""

    embedding: str | None = _for_index(
        None, "embedding model, a name or a folder; by default the index's own, all-MiniLM-L6-v2 for a new one"
    )
    embedding_backend: Backend | None = _for_index(
        None, "what runs the embedding model: torch, onnx or onnx-int8; onnx by default"
    )
    embed_path: bool = _for_index(False, "the embedder sees the titles above a section before its text")
    chunk_tokens: int | None = _for_index(
        None, "longest chunk in the embedder's tokens; by default what it reads", ge=16
    )
    metadata: Annotated[tuple[Kind, ...], BeforeValidator(_kinds)] = _for_index(
        (), "kinds of metadata that an ingest extracts, as in summary,questions; by default the index's own"
    )
    metadata_cache: Path | None = _for_run(None, "file of an LLM's answered calls; by default in the index's folder")
    metadata_concurrency: int = _for_run(4, "calls to an LLM at the same time", ge=1)
    metadata_timeout: float = _for_run(120.0, "seconds that one such call may take", gt=0)
    metadata_patience: float = _for_run(
        60.0, "seconds for which an LLM's server that does not answer is tried again", ge=0
    )
    metadata_tokens: int = _for_run(512, "most tokens of a reply to such a call", ge=16)


class SearchOptions(SettingsGroup):
    """How to search: what `Searcher` takes besides the questions."""

    search: Search = _for_search(Search.WEIGHTED, "how the two searches are used together")
    candidates: int = _for_search(50, "hits that each search brings", ge=1)
    top_k: int = _for_search(5, "hits that are returned", ge=1)
    vector_weight: float = _for_search(0.8, "weight of the vector search in `weighted`", ge=0, le=1)
    pair_weight: float = _for_search(0.25, "weight of word pairs in the keyword search", ge=0)
    and_fallback: bool = _for_search(False, "`and` that finds nothing in common gives what `or` finds")
    min_score: float | None = _for_search(None, "hits below this score are dropped; its scale is the search's")
    gap_share: float | None = _for_search(
        None, "cut the hits at their largest gap, where it is this share of the scores' range", gt=0, le=1
    )
    mmr: float | None = _for_search(
        None, "maximal marginal relevance: weight of relevance against what the hits before it say", ge=0, le=1
    )
    merge_duplicates: float | None = _for_search(
        None, "texts of this resemblance are shown once, with every place where they stand", gt=0, le=1
    )
    expand: tuple[Expansion, ...] = _for_search((), "what hits bring along: parent, references, definitions")
    metadata_use: Annotated[MetadataUse, BeforeValidator(_metadata_use)] = _for_index(
        MetadataUse(), "who is given which kinds of metadata: embedder:KIND+KIND keyword:KIND llm:KIND display:KIND"
    )


class QuerySettings(SettingsGroup):
    """What is done to a question before it is searched."""

    # YAML reads a bare `off` as false.
    self_query: Annotated[SelfQuery, BeforeValidator(lambda value: SelfQuery.OFF if value is False else value)] = (
        _for_search(SelfQuery.RULES, "who reads filters out of a question: off (nobody), rules, llm")
    )
    transforms: tuple[Transform, ...] = _for_search(
        (), "what is done to a question first: rewrite, multi-query, step-back, hyde, decompose"
    )
    max_sub_questions: int = _for_answer(4, "most sub-questions of one question", ge=2)


class RankingSettings(SettingsGroup):
    """What scores candidates: the keyword search's formula and the reranker."""

    bm25_k1: float = _for_search(0.6, "BM25 term saturation", ge=0)
    bm25_b: float = _for_search(0.75, "BM25 length normalisation", ge=0, le=1)
    reranker: str = _for_search("policy-rag-reader", "reranker: policy-rag-reader, none, a name or a folder")
    reranker_precision: Precision = _for_search(
        Precision.FLOAT32, "numbers of the reranker in PyTorch: float32, float16 or bfloat16"
    )
    reranker_backend: Backend | None = _for_search(
        None, "what runs the reranker: torch, onnx or onnx-int8; by default onnx, torch where there is a GPU"
    )
    reranker_batch: int = _for_run(16, "pairs that PyTorch scores at once", ge=1)
    reranker_device: str | None = _for_run(
        None, "where PyTorch runs the reranker: cpu, cuda, cuda:1, mps; by default a GPU where there is one"
    )


class LLMSettings(SettingsGroup):
    """Which LLM answers, how it is called, and what one question may take of it."""

    llm: str = _for_answer("auto", "auto, extractive, ollama/NAME, or openai/NAME with llm_url")
    llm_url: str | None = _for_answer(None, "address of an OpenAI-compatible server")
    llm_context: int = _for_answer(8192, "most tokens of context to ask an LLM for", ge=512)
    temperature: float = _for_answer(0.0, "the LLM's temperature", ge=0, le=2)
    seed: int = _for_answer(0, "the LLM's seed")
    llm_timeout: float = _for_run(120.0, "seconds to wait for an LLM's next token", gt=0)
    llm_deadline: float = _for_run(600.0, "seconds that one call to an LLM may take in all", gt=0, le=86_400)
    llm_reply_bytes: int = _for_run(1 << 24, "most bytes that an LLM's server may answer to one call", ge=1024)
    budget_calls: int | None = _for_run(None, "most LLM calls of one question", ge=0)
    budget_tokens: int | None = _for_run(
        None, "most tokens of one question, those of prompts and replies together", ge=0
    )
    budget_cost: float | None = _for_run(None, "most that one question may cost, in the currency of `prices`", ge=0)
    prices: dict[str, tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]]] = _for_run(
        {}, "what a million tokens of prompt and of reply cost, by the LLM's name"
    )


class SupportModel(BaseModel):
    """Weights of the support score: an intercept, and feature, weight, low and high of each piece."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intercept: float
    pieces: tuple[tuple[str, float, float, float], ...]


class AnswerSettings(SettingsGroup):
    """What is said of the hits."""

    context_order: ContextOrder = _for_answer(
        ContextOrder.RANKED, "order of the sections that an LLM is given: ranked or ends-first"
    )
    prompt: str = _for_answer(
        "auto", "words that an LLM is asked to answer with: auto, answer, answer_short, or a file of them"
    )
    unverified: Unverified = _for_answer(
        Unverified.REMOVE, "an LLM's sentences that do not hold: remove, or mark (shown as such)"
    )
    threshold: float | None = _for_answer(
        None, "least support with which text is shown; by default the calibrated one", ge=0, le=1
    )
    certain: float | None = _for_answer(
        None, "least confidence for an answer, below it is uncertain; by default the calibrated one", ge=0, le=1
    )
    support: SupportModel | None = _for_answer(
        None, "weights of the support, as `policy-rag eval calibrate --save` writes them"
    )


class RunSettings(SettingsGroup):
    """How the application runs."""

    offline: bool = _for_run(False, "refuse to leave the machine other than to a configured LLM server")
    embedding_batch: int = _for_run(32, "texts embedded at once", ge=1)
    model_cache: Path | None = _for_run(
        None, "folder for models made ready to run; by default ~/.cache/policy_rag/onnx"
    )
    ray: str | None = _for_run(None, "Ray cluster whose machines embed in an ingest: HOST:PORT, or local")
    trace_to_mlflow: bool = _for_run(False, "keep the steps of every question as a trace in MLflow")
    log_texts: bool = _for_run(True, "keep texts of questions, sections and answers in traces and MLflow")
