"""Grids and single settings: every combination once, and clear words for what is wrong."""

from pathlib import Path

import pytest

from policy_rag.errors import SettingsError, UsageError
from policy_rag_eval.grids import configurations, read_changes, read_grid


def test_every_combination_once_the_last_setting_fastest(tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text("search: [vector, or]\ncandidates: [10, 20]\n")
    made = configurations(read_grid(str(path)), {"top_k": 7})
    assert [c.name for c in made] == [
        "search=vector candidates=10",
        "search=vector candidates=20",
        "search=or candidates=10",
        "search=or candidates=20",
    ]
    assert [(c.settings.search, c.settings.candidates, c.settings.top_k) for c in made][2] == ("or", 10, 7)


def test_the_standard_grid_is_two_embeddings_three_searches_three_rerankers() -> None:
    grid = read_grid("standard")
    assert [len(values) for values in grid.values()] == [2, 3, 3]
    assert len({c.name for c in configurations(grid, {})}) == 18


def test_without_a_grid_there_is_one_configuration_called_by_what_was_changed() -> None:
    assert [c.name for c in configurations({}, {})] == ["default"]
    (made,) = configurations({}, read_changes(["search=keyword", "bm25_b=0.4", "embed_path=false"]))
    assert made.name == "search=keyword bm25_b=0.4 embed_path=False"
    assert (made.settings.bm25_b, made.settings.embed_path) == (0.4, False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("{}", "is empty"),
        ("- vector\n", "is empty"),
        ("search: vector\n", "list of values for search"),
        ("search: []\n", "list of values for search"),
        ("search: [vector", "cannot be read as YAML"),
    ],
)
def test_a_grid_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        read_grid(str(path))
    assert "\n" not in str(caught.value)


def test_a_grid_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="`standard`"):
        read_grid("nowhere.yaml")


def test_unknown_settings_values_and_repeats_are_refused() -> None:
    with pytest.raises(SettingsError, match="serch"):
        configurations({"serch": ["or"]}, {})
    with pytest.raises(SettingsError, match="xor"):
        configurations({"search": ["or", "xor"]}, {})
    with pytest.raises(UsageError, match="twice"):
        configurations({"search": ["or", "or"]}, {})
    with pytest.raises(UsageError, match="--set and in the grid"):
        configurations({"search": ["or"]}, {"search": "and"})


@pytest.mark.parametrize("pairs", [["search"], ["=or"], ["search="], ["search=or", "search=and"], ["search=[or"]])
def test_a_change_that_is_none_is_refused(pairs: list[str]) -> None:
    with pytest.raises(UsageError, match=r"--set search|--set =or"):
        read_changes(pairs)
