"""Settings as keyword arguments of the assistant's methods: each may be given, and holds for that call alone.

What each means is said at its field in `policy_rag.settings.groups`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

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
)
from policy_rag.settings.groups import SupportModel
from policy_rag_parsers.metadata.extraction_results import Kind


class SearchChanges(TypedDict, total=False):
    """What shapes a search."""

    search: Search | str
    candidates: int
    top_k: int
    vector_weight: float
    pair_weight: float
    and_fallback: bool
    min_score: float | None
    gap_share: float | None
    mmr: float | None
    merge_duplicates: float | None
    expand: Sequence[Expansion | str]
    metadata_use: MetadataUse | Mapping[str, Sequence[str]] | str
    self_query: SelfQuery | str
    transforms: Sequence[Transform | str]
    reranker: str


class AnswerChanges(SearchChanges, total=False):
    """What shapes a search or an answer."""

    max_sub_questions: int
    llm: str
    llm_url: str | None
    llm_context: int
    temperature: float
    seed: int
    llm_timeout: float
    llm_deadline: float
    llm_reply_bytes: int
    budget_calls: int | None
    budget_tokens: int | None
    budget_cost: float | None
    prices: Mapping[str, tuple[float, float]]
    context_order: ContextOrder | str
    prompt: str
    unverified: Unverified | str
    threshold: float | None
    certain: float | None
    support: SupportModel | None
    trace_to_mlflow: bool
    log_texts: bool


class SettingChanges(AnswerChanges, total=False):
    """Any setting."""

    offline: bool
    chunker: str | None
    profile: str | None
    access: Sequence[str]
    chunk_overlap: int | None
    hit_chars: int
    follow_links: bool
    file_seconds: float
    file_memory: int
    file_chars: int
    file_megabytes: int
    embedding: str | None
    embedding_backend: Backend | str | None
    embedding_batch: int
    model_cache: Path | str | None
    ray: str | None
    embed_path: bool
    chunk_tokens: int | None
    metadata: Sequence[Kind | str] | str
    metadata_cache: Path | str | None
    metadata_concurrency: int
    metadata_timeout: float
    metadata_patience: float
    metadata_tokens: int
    bm25_k1: float
    bm25_b: float
    reranker_precision: Precision | str
    reranker_backend: Backend | str | None
    reranker_batch: int
    reranker_device: str | None
