"""How to search: what `Searcher` takes besides the questions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TypeVar

from policy_rag.errors import SettingsError
from policy_rag.records.options import Expansion, MetadataUse, Search


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; see `policy_rag.settings.Settings` for what each means.

    Names may be given as text: `SearchOptions(search="keyword")`.

    Raises:
        SettingsError: a value that an option cannot have.
    """

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "search", _named(Search, "search", self.search))
        object.__setattr__(self, "expand", tuple(_named(Expansion, "expand", one) for one in self.expand))
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                limits = f"{least:g} or more" if most == math.inf else f"from {least:g} to {most:g}"
                raise SettingsError(f"search option {name}={value!r}: give it a value {limits}")
        for name in _ABOVE_NOTHING:
            if getattr(self, name) == 0:
                raise SettingsError(f"search option {name}=0: give it a value above 0, or none to switch it off")


_RANGES: Mapping[str, tuple[float, float]] = {
    "candidates": (1, math.inf),
    "top_k": (1, math.inf),
    "vector_weight": (0, 1),
    "pair_weight": (0, math.inf),
    "gap_share": (0, 1),
    "mmr": (0, 1),
    "merge_duplicates": (0, 1),
}
_ABOVE_NOTHING = ("gap_share", "merge_duplicates")
_Name = TypeVar("_Name", bound=StrEnum)


def _named(kind: type[_Name], option: str, value: str) -> _Name:
    try:
        return kind(value)
    except ValueError as error:
        known = ", ".join(one.value for one in kind)
        raise SettingsError(f"search option {option}={value!r}: it is none of {known}") from error


OPTION_NAMES = tuple(option.name for option in fields(SearchOptions))
