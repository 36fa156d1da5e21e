"""The one validated settings object: defaults, then `policy_rag.toml`, `POLICY_RAG_...` variables, arguments."""

import difflib
import json
import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from policy_rag.errors import SettingsError
from policy_rag.records.options import (
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
from policy_rag_parsers.metadata.records import Kind

SETTINGS_FILE = "policy_rag.toml"
_PREFIX = "POLICY_RAG_"
_ALIKE = 0.75  # how alike a variable must be to a setting's to be taken for a slip of the pen


def _kinds(value: Any) -> Any:
    """Kinds as typed, or a list of them."""
    if isinstance(value, str):
        return read_kinds(value)
    return read_kinds(",".join(value)) if isinstance(value, list) else value


def _use(value: Any) -> Any:
    """Who is given what: as typed, as JSON, or as a mapping."""
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        return MetadataUse.read(value)
    if isinstance(value, str):
        value = json.loads(value)
    if isinstance(value, Mapping):
        return {name: _kinds(list(kinds) if isinstance(kinds, tuple) else kinds) for name, kinds in value.items()}
    return value


class SupportModel(BaseModel):
    """Weights of the support score: an intercept, and feature, weight, low and high of each piece."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intercept: float
    pieces: tuple[tuple[str, float, float, float], ...]


class Settings(BaseSettings):
    """Every choice that can be set. Components take plain arguments; only the application reads this object.

    Raises:
        SettingsError: through `load_settings`; one line that names the setting and what it may be.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, extra="forbid", frozen=True, toml_file=SETTINGS_FILE, protected_namespaces=()
    )

    offline: bool = Field(False, description="refuse to leave the machine other than to a configured LLM server")

    embedding: str | None = Field(
        None,
        description="embedding model, a name or a folder; by default the index's own, all-MiniLM-L6-v2 for a new one",
    )
    embedding_batch: Annotated[int, Field(ge=1)] = Field(32, description="texts embedded at once")
    embedding_backend: Backend | None = Field(
        None,
        description="what runs the embedding model: torch, onnx or onnx-int8; onnx by default",
    )
    model_cache: Path | None = Field(
        None, description="folder for models made ready to run; by default ~/.cache/policy_rag/onnx"
    )
    embed_path: bool = Field(False, description="the embedder sees the titles above a section before its text")

    chunker: str | None = Field(
        None, description="how documents are cut; by default the index's own, section for a new one"
    )
    profile: str | None = Field(None, description="heading profile, a name or a YAML file; detected by default")
    access: tuple[str, ...] = Field((), description="access groups of documents that declare none")
    chunk_tokens: Annotated[int, Field(ge=16)] | None = Field(
        None, description="longest chunk in the embedder's tokens; by default what it reads"
    )
    chunk_overlap: Annotated[int, Field(ge=0)] | None = Field(
        None,
        description="tokens that a piece repeats of the one before, for the chunkers sentence, token and recursive; "
        "by default a tenth of its length",
    )
    hit_chars: Annotated[int, Field(ge=200)] = Field(
        6000, description="a section longer than this gives its chunks as hits"
    )

    metadata: Annotated[tuple[Kind, ...], NoDecode, BeforeValidator(_kinds)] = Field(
        (), description="kinds of metadata that an ingest extracts, as in summary,questions; by default the index's own"
    )
    metadata_use: Annotated[MetadataUse, NoDecode, BeforeValidator(_use)] = Field(
        MetadataUse(),
        description="who is given which kinds of metadata: embedder:KIND+KIND keyword:KIND llm:KIND display:KIND",
    )
    metadata_cache: Path | None = Field(
        None, description="file of an LLM's answered calls; by default in the index's folder"
    )
    metadata_concurrency: Annotated[int, Field(ge=1)] = Field(4, description="calls to an LLM at the same time")
    metadata_timeout: Annotated[float, Field(gt=0)] = Field(120.0, description="seconds that one such call may take")
    metadata_patience: Annotated[float, Field(ge=0)] = Field(
        60.0, description="seconds for which an LLM's server that does not answer is tried again"
    )
    metadata_tokens: Annotated[int, Field(ge=16)] = Field(512, description="most tokens of a reply to such a call")

    search: Search = Field(Search.WEIGHTED, description="how the two searches are used together")
    candidates: Annotated[int, Field(ge=1)] = Field(50, description="hits that each search brings")
    top_k: Annotated[int, Field(ge=1)] = Field(5, description="hits that are returned")
    vector_weight: Annotated[float, Field(ge=0, le=1)] = Field(
        0.8, description="weight of the vector search in `weighted`"
    )
    pair_weight: Annotated[float, Field(ge=0)] = Field(0.25, description="weight of word pairs in the keyword search")
    bm25_k1: Annotated[float, Field(ge=0)] = Field(0.6, description="BM25 term saturation")
    bm25_b: Annotated[float, Field(ge=0, le=1)] = Field(0.75, description="BM25 length normalisation")
    reranker: str = Field("none", description="reranker: none, a name or a folder")

    reranker_batch: Annotated[int, Field(ge=1)] = Field(16, description="pairs that PyTorch scores at once")
    reranker_device: str | None = Field(
        None, description="where PyTorch runs the reranker: cpu, cuda, cuda:1, mps; by default a GPU where there is one"
    )
    reranker_precision: Precision = Field(
        Precision.FLOAT32, description="numbers of the reranker in PyTorch: float32, float16 or bfloat16"
    )
    reranker_backend: Backend = Field(Backend.TORCH, description="what runs the reranker: torch, onnx or onnx-int8")

    and_fallback: bool = Field(False, description="`and` that finds nothing in common gives what `or` finds")
    min_score: float | None = Field(None, description="hits below this score are dropped; its scale is the search's")
    gap_share: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="cut the hits at their largest gap, where it is this share of the scores' range"
    )
    mmr: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="maximal marginal relevance: weight of relevance against what the hits before it say"
    )
    merge_duplicates: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="texts of this resemblance are shown once, with every place where they stand"
    )
    # YAML reads a bare `off` as false.
    self_query: Annotated[SelfQuery, BeforeValidator(lambda said: SelfQuery.OFF if said is False else said)] = Field(
        SelfQuery.RULES, description="who reads filters out of a question: off (nobody), rules, llm"
    )
    expand: tuple[Expansion, ...] = Field((), description="what hits bring along: parent, references, definitions")

    llm: str = Field("auto", description="auto, extractive, ollama/NAME, or openai/NAME with llm_url")
    context_order: ContextOrder = Field(
        ContextOrder.RANKED, description="order of the sections that an LLM is given: ranked or ends-first"
    )
    unverified: Unverified = Field(
        Unverified.REMOVE, description="an LLM's sentences that do not hold: remove, or mark (shown as such)"
    )
    llm_url: str | None = Field(None, description="address of an OpenAI-compatible server")
    llm_timeout: Annotated[float, Field(gt=0)] = Field(120.0, description="seconds to wait for an LLM")
    llm_context: Annotated[int, Field(ge=512)] = Field(8192, description="most tokens of context to ask an LLM for")
    temperature: Annotated[float, Field(ge=0, le=2)] = Field(0.0, description="the LLM's temperature")
    seed: int = Field(0, description="the LLM's seed")
    threshold: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="least confidence for an answer; by default the calibrated one"
    )
    support: SupportModel | None = Field(
        None, description="weights behind the confidence, as `policy-rag eval calibrate --save` writes them"
    )

    transforms: tuple[Transform, ...] = Field(
        (), description="what is done to a question first: rewrite, multi-query, step-back, hyde, decompose"
    )
    max_sub_questions: Annotated[int, Field(ge=2)] = Field(4, description="most sub-questions of one question")
    budget_calls: Annotated[int, Field(ge=0)] | None = Field(None, description="most LLM calls of one question")
    budget_tokens: Annotated[int, Field(ge=0)] | None = Field(
        None, description="most tokens of one question, those of prompts and replies together"
    )
    budget_cost: Annotated[float, Field(ge=0)] | None = Field(
        None, description="most that one question may cost, in the currency of `prices`"
    )
    prices: dict[str, tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]]] = Field(
        {}, description="what a million tokens of prompt and of reply cost, by the LLM's name"
    )
    trace_to_mlflow: bool = Field(False, description="keep the steps of every question as a trace in MLflow")
    log_texts: bool = Field(True, description="keep texts of questions, sections and answers in traces and MLflow")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over variables, variables over the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load_settings(changes: Mapping[str, Any] | None = None, *, file: Path | None = None) -> Settings:
    """The settings in force, with `changes` (those that are not None) on top.

    Args:
        changes: setting's name to value.
        file: a TOML file instead of `policy_rag.toml` in the current folder.

    Raises:
        SettingsError: an unknown name or a value out of range, or a variable that is a setting's but for a slip.

    >>> load_settings({"top_k": 3}).top_k
    3
    """
    given = {name: value for name, value in (changes or {}).items() if value is not None}
    for variable, meant in unknown_variables().items():
        if meant is not None:
            raise SettingsError(f"{variable} is no setting: did you mean {meant}? Mend or unset it")
    try:
        return _reading(file)(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        known = ", ".join(sorted(Settings.model_fields))
        hint = f"the settings are {known}" if first["type"] == "extra_forbidden" else first["msg"]
        raise SettingsError(f"setting {name}={first.get('input')!r}: {hint}") from error
    except ValueError as error:
        raise SettingsError(f"{file or SETTINGS_FILE} cannot be read as TOML ({error}): mend or remove it") from error


def unknown_variables(environ: Mapping[str, str] = os.environ) -> dict[str, str | None]:
    """Variables `POLICY_RAG_...` that no setting has, sorted, each with the one that it is likely meant for.

    >>> unknown_variables({"POLICY_RAG_TOPK": "3", "POLICY_RAG_TOP_K": "3", "POLICY_RAG_COLOUR": "red"})
    {'POLICY_RAG_COLOUR': None, 'POLICY_RAG_TOPK': 'POLICY_RAG_TOP_K'}
    """
    found: dict[str, str | None] = {}
    for variable in sorted(environ):
        name = variable.lower().removeprefix(_PREFIX.lower())
        if name == variable.lower() or name in Settings.model_fields:
            continue
        alike = difflib.get_close_matches(name, Settings.model_fields, n=1, cutoff=_ALIKE)
        found[variable] = f"{_PREFIX}{alike[0].upper()}" if alike else None
    return found


def origins(settings: Settings, *, options: Collection[str] = ()) -> dict[str, str]:
    """Where each setting that was set comes from: `an option`, its variable, or `policy_rag.toml`.

    Args:
        settings: those in force here.
        options: names of those that were given in the call.
    """
    variables = {variable.lower(): variable for variable in os.environ}
    file = Path(SETTINGS_FILE)
    in_file = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    found: dict[str, str] = {}
    for name in Settings.model_fields:
        if name in settings.model_fields_set:
            variable = variables.get(f"{_PREFIX}{name}".lower())
            of_file = SETTINGS_FILE if name in in_file else "an option"
            found[name] = "an option" if name in options else variable or of_file
    return found


def _reading(file: Path | None) -> type[Settings]:
    if file is None:
        return Settings

    class FromFile(Settings):
        model_config = SettingsConfigDict(toml_file=file)

    return FromFile
