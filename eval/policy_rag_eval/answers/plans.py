"""Which ways of answering are compared: settings, and how many sections are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from policy_rag.answering.generation.answer_prompt import answer_prompt
from policy_rag.errors import UsageError
from policy_rag.settings import Settings, load_settings
from policy_rag_eval.sweep.peers import check_names

SECTIONS = "sections"
MOST_GIVEN, MOST_QUOTED = 8, 5
"""Sections that an LLM is given, and that answers are quoted from, at most."""


@dataclass(frozen=True, slots=True)
class AnswerConfiguration:
    """One way of answering.

    Attributes:
        name: what distinguishes it, unique in a run.
        settings: all settings.
        sections: how many of the hits are given; None gives as many as the answerer takes.
        chosen: what was chosen for it, as text.
    """

    name: str
    settings: Settings
    sections: int | None = None
    chosen: tuple[tuple[str, str], ...] = ()


def answer_configurations(
    grid: Mapping[str, Sequence[Any]], changes: Mapping[str, Any]
) -> tuple[AnswerConfiguration, ...]:
    """Every combination of a grid's values, the last key changing fastest; `changes` hold for all of them.

    Beside settings, a grid may have `sections` (a number).

    Raises:
        SettingsError: an unknown setting, or a value that it cannot have.
        UsageError: a key is in both, a combination comes twice, or `sections` cannot be used.

    >>> [made.name for made in answer_configurations({"sections": [1, 5]}, {"llm": "extractive"})]
    ['sections=1', 'sections=5']
    """
    both = sorted(grid.keys() & changes.keys())
    if both:
        raise UsageError(f"{both[0]} is given with --set and in the grid: leave it out of one")
    made = [_configuration(dict(zip(grid, values, strict=True)), changes) for values in product(*grid.values())]
    names = [one.name for one in made]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise UsageError(f"the grid gives {twice} twice: list each value once")
    return tuple(made)


def setting_configurations(
    grid: Mapping[str, Sequence[Any]], changes: Mapping[str, Any], *, against: str | None = None
) -> tuple[AnswerConfiguration, ...]:
    """The same where nothing but settings can be varied; a baseline is checked before anything is run.

    Raises:
        SettingsError: an unknown setting, or a value that it cannot have.
        UsageError: as `answer_configurations`, `sections` is varied, or no configuration has the baseline's name.
    """
    if SECTIONS in (*grid, *changes):
        raise UsageError(f"{SECTIONS} is no setting: `policy-rag eval answers` alone varies it")
    made = answer_configurations(grid, changes)
    check_names([one.name for one in made], against=against)
    return made


def _configuration(chosen: Mapping[str, Any], changes: Mapping[str, Any]) -> AnswerConfiguration:
    every = {**changes, **chosen}
    settings = load_settings({key: value for key, value in every.items() if key != SECTIONS})
    answer_prompt(settings.answer.prompt, None)  # a file that is not there is told before anything is answered
    named = chosen or {key: value for key, value in changes.items() if key != "offline"}
    return AnswerConfiguration(
        name=" ".join(f"{key}={value}" for key, value in named.items()) or "default",
        settings=settings,
        sections=_sections(every.get(SECTIONS)),
        chosen=tuple((key, str(value)) for key, value in every.items()),
    )


def _sections(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_GIVEN:
        raise UsageError(f"sections={value!r}: it is a number from 1 to {MOST_GIVEN}")
    return value
