"""All groups of settings together, and each setting by its name: no two groups have a field of one name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, PrivateAttr

from policy_rag.errors import SettingsError
from policy_rag.settings.groups import (
    Affects,
    AnswerSettings,
    IndexSettings,
    LLMSettings,
    ParsingSettings,
    QuerySettings,
    RankingSettings,
    RunSettings,
    SearchOptions,
    SettingsGroup,
)
from policy_rag_parsers.text.near_names import did_you_mean


class Settings(BaseModel):
    """Every choice that can be set. Components take plain arguments; only the application reads this object."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: RunSettings = RunSettings()
    parsing: ParsingSettings = ParsingSettings()
    index: IndexSettings = IndexSettings()
    search: SearchOptions = SearchOptions()
    query: QuerySettings = QuerySettings()
    ranking: RankingSettings = RankingSettings()
    llm: LLMSettings = LLMSettings()
    answer: AnswerSettings = AnswerSettings()

    _in_file: frozenset[str] = PrivateAttr(default=frozenset())

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The defaults with `values` (setting's name to value) on top; neither file nor environment is read.

        Raises:
            SettingsError: an unknown setting, or a value that it cannot have.

        >>> Settings.of({"top_k": 3}).search.top_k
        3
        """
        return cls().changed(values)

    def changed(self, values: Mapping[str, Any]) -> Self:
        """The same with `values` (setting's name to value) in place of its own.

        Raises:
            SettingsError: an unknown setting, or a value that it cannot have.
        """
        by_group: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            if name in type(self).model_fields and isinstance(value, Mapping):
                raise SettingsError(f"settings stand by themselves, under no heading: leave [{name}] out")
            by_group.setdefault(setting_named(name).group, {})[name] = value
        made = self.model_copy(update={group: getattr(self, group).changed(own) for group, own in by_group.items()})
        return made.marked_as_in_file(self._in_file - values.keys())

    def marked_as_in_file(self, names: Iterable[str]) -> Self:
        """The same, known to have these settings, and no others, from a file that lay in the folder."""
        made = self.model_copy()
        made._in_file = frozenset(names)  # noqa: SLF001 - its own
        return made

    def is_in_file(self, name: str) -> bool:
        """Whether a setting is as a file in the current folder says, which whoever made the folder may have written."""
        return name in self._in_file

    @property
    def given(self) -> frozenset[str]:
        """The names of those that were set, be it to their default."""
        return frozenset(name for group in self._groups() for name in group.model_fields_set)

    def value(self, name: str) -> Any:
        """The value of a setting by its name."""
        return getattr(getattr(self, setting_named(name).group), name)

    def as_json(self, names: Iterable[str] | None = None) -> dict[str, Any]:
        """Setting's name to its value as JSON has it: of `names`, else of all, in the order of their declaration."""
        chosen = set(ALL_SETTINGS if names is None else names)
        dumped: dict[str, Any] = {}
        for group in self._groups():
            dumped |= group.model_dump(mode="json", include=chosen)
        return dumped

    def _groups(self) -> tuple[SettingsGroup, ...]:
        return tuple(getattr(self, name) for name in type(self).model_fields)


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice: its name, its group in `Settings`, what it affects, its default, and what it means."""

    name: str
    group: str
    affects: Affects
    default: Any
    description: str


def _declared() -> dict[str, Setting]:
    found: dict[str, Setting] = {}
    for group, declared in Settings.model_fields.items():
        for name, field in type(declared.default).model_fields.items():
            extra = field.json_schema_extra
            affects = Affects(str(extra["affects"] if isinstance(extra, dict) else None))
            found[name] = Setting(name, group, affects, field.default, field.description or "")
    return found


ALL_SETTINGS: Mapping[str, Setting] = _declared()
"""Every setting by its name, in the order of declaration."""


def names_affecting(*affects: Affects) -> tuple[str, ...]:
    """The names of the settings that affect one of these, in the order of declaration.

    >>> "top_k" in names_affecting(Affects.INDEX, Affects.SEARCH), "seed" in names_affecting(Affects.SEARCH)
    (True, False)
    """
    return tuple(setting.name for setting in ALL_SETTINGS.values() if setting.affects in affects)


def setting_named(name: str) -> Setting:
    """The setting of this name.

    Raises:
        SettingsError: there is none; it says which one may be meant.
    """
    if name in ALL_SETTINGS:
        return ALL_SETTINGS[name]
    hint = did_you_mean(name, ALL_SETTINGS, otherwise=f"the settings are {', '.join(sorted(ALL_SETTINGS))}")
    raise SettingsError(f"there is no setting {name}: {hint}")
