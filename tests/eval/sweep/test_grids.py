"""Grids and single settings: every combination once, and clear words for what is wrong."""

from pathlib import Path

import pytest

from policy_rag.errors import SettingsError, UsageError
from policy_rag_eval.sweep.grids import configurations, read_changes, read_grid, read_grids


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
    assert [(c.settings.search.search, c.settings.search.candidates, c.settings.search.top_k) for c in made][2] == (
        "or",
        10,
        7,
    )


def test_the_standard_grid_is_two_embeddings_three_searches_three_rerankers() -> None:
    grid = read_grid("standard")
    assert [len(values) for values in grid.values()] == [2, 3, 3]
    assert len({c.name for c in configurations(grid, {})}) == 18


def test_without_a_grid_there_is_one_configuration_called_by_what_was_changed() -> None:
    assert [c.name for c in configurations({}, {})] == ["default"]
    (made,) = configurations({}, read_changes(["search=keyword", "bm25_b=0.4", "embed_path=false"]))
    assert made.name == "search=keyword bm25_b=0.4 embed_path=False"
    assert (made.settings.ranking.bm25_b, made.settings.index.embed_path) == (0.4, False)


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


def test_a_grid_on_the_command_line_is_one_with_its_files(tmp_path: Path) -> None:
    file = tmp_path / "grid=1.yaml"  # a file that is there is read, whatever its name
    file.write_text("candidates: [10, 20]\n")
    grid = read_grids(["search=vector,or", str(file), "expand=[parent],[]"])
    assert grid == {"search": ("vector", "or"), "candidates": (10, 20), "expand": (["parent"], [])}
    with pytest.raises(UsageError, match="two --grid give search"):
        read_grids(["standard", "search=rrf"])


def test_none_takes_a_setting_away_even_where_the_file_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy_rag.toml").write_text("min_score = 0.5\n")
    made = configurations(read_grids(["min_score=null,0.3"]), {"top_k": 9})
    assert [(one.name, one.settings.search.min_score) for one in made] == [
        ("min_score=none", None),
        ("min_score=0.3", 0.3),
    ]
    assert made[0].chosen == ("top_k", "min_score")
    assert configurations({}, {})[0].settings.search.min_score == 0.5
    with pytest.raises(SettingsError, match="top_k=none: it needs a value"):
        configurations({"top_k": [3, None]}, {})


def test_what_changes_nothing_that_is_found_is_no_dimension() -> None:
    with pytest.raises(UsageError, match="seed changes nothing that is found"):
        configurations({"seed": [1, 2]}, {})
    with pytest.raises(UsageError, match="twice"):
        configurations({"search": ["or"], "bm25_k1": [1, 1.0]}, {})  # the same value, written in two ways


def test_a_bare_off_in_yaml_is_the_word(tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text("self_query: [off, rules]\n")
    made = configurations(read_grid(str(tmp_path / "grid.yaml")), {})
    assert [str(one.settings.query.self_query) for one in made] == ["off", "rules"]
