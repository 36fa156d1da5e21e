"""How to search: what `Searcher` takes besides the questions."""

from dataclasses import dataclass, field, fields

from policy_rag.records import Expansion, MetadataUse, Search


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; see `policy_rag.settings.Settings` for what each means."""

    search: Search = Search.WEIGHTED
    candidates: int = 50
    top_k: int = 5
    vector_weight: float = 0.8
    pair_weight: float = 0.25
    and_fallback: bool = False
    min_score: float | None = None
    gap_share: float | None = None
    mmr: float | None = None
    merge_duplicates: float | None = None
    expand: tuple[Expansion, ...] = ()
    metadata_use: MetadataUse = field(default_factory=MetadataUse)


OPTION_NAMES = tuple(option.name for option in fields(SearchOptions))
