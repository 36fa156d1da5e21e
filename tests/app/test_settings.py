"""Settings: what each affects, where they come from, and what is refused."""

import re
import typing

import pytest
from pydantic import TypeAdapter

from policy_rag.errors import SettingsError
from policy_rag.records.choices import Expansion, Search
from policy_rag.settings import (
    ALL_SETTINGS,
    Affects,
    SearchChanges,
    SearchOptions,
    SettingChanges,
    Settings,
    load_settings,
    names_affecting,
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_two_groups_have_a_field_of_one_name():
    declared = [name for group in Settings.model_fields for name in type(getattr(Settings(), group)).model_fields]
    assert sorted(declared) == sorted(set(declared)) == sorted(ALL_SETTINGS)


def test_what_an_evaluation_must_index_or_search_anew_for():
    assert set(names_affecting(Affects.INDEX)) == {
        "embedding", "embedding_backend", "embed_path", "chunk_tokens", "chunk_overlap", "chunker", "profile",
        "hit_chars", "access", "metadata", "metadata_use", "follow_links",
    }  # fmt: skip
    assert set(names_affecting(Affects.SEARCH)) == {
        "search", "candidates", "top_k", "vector_weight", "pair_weight", "bm25_k1", "bm25_b", "reranker",
        "reranker_precision", "reranker_backend", "and_fallback", "min_score", "gap_share", "mmr", "merge_duplicates",
        "self_query", "expand", "transforms",
    }  # fmt: skip


def test_every_setting_can_be_given_as_an_argument():
    assert set(SettingChanges.__annotations__) == set(ALL_SETTINGS)
    assert set(SearchChanges.__annotations__) <= {*names_affecting(Affects.SEARCH), "metadata_use"}
    for name, kind in typing.get_type_hints(SettingChanges).items():
        TypeAdapter(kind).validate_python(ALL_SETTINGS[name].default)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("search", "nonsense"), ("expand", ["all"]), ("top_k", 0), ("candidates", 0), ("mmr", 1.5), ("mmr", -0.1),
        ("gap_share", 0.0), ("merge_duplicates", 2.0), ("vector_weight", 1.1), ("pair_weight", -1.0),
    ],
)  # fmt: skip
def test_a_value_that_a_setting_cannot_have_is_refused(option, value):
    for refused in (lambda: SearchOptions(**{option: value}), lambda: load_settings({option: value})):
        with pytest.raises(SettingsError, match=f"setting {option}"):
            refused()


@pytest.mark.parametrize(
    ("name", "hint"), [("topk", r"did you mean top_k\?"), ("colour", "the settings are access, and_fallback")]
)
def test_an_unknown_name_is_refused_wherever_it_stands(folder, name, hint):
    (folder / "policy_rag.toml").write_text(f"{name} = 1\n")
    for refused in (load_settings, lambda: Settings.of({name: 1}), lambda: Settings().changed({name: 1})):
        with pytest.raises(SettingsError, match=f"there is no setting {name}: {hint}"):
            refused()


def test_names_may_be_given_as_text():
    assert SearchOptions(search="keyword") == SearchOptions(search=Search.KEYWORD)
    assert SearchOptions(expand=["parent"]).expand == (Expansion.PARENT,)


def test_arguments_win_over_variables_and_variables_over_the_file(folder, monkeypatch):
    (folder / "policy_rag.toml").write_text('top_k = 7\ncandidates = 20\nseed = 1\n[prices]\n"openai/m" = [1, 2]\n')
    monkeypatch.setenv("POLICY_RAG_TOP_K", "3")
    monkeypatch.setenv("policy_rag_expand", '["parent"]')
    monkeypatch.setenv("POLICY_RAG_SEED", "2")
    made = load_settings({"seed": 3, "mmr": None})
    assert (made.search.top_k, made.search.candidates, made.llm.seed) == (3, 20, 3)
    assert (made.search.expand, made.llm.prices) == ((Expansion.PARENT,), {"openai/m": (1.0, 2.0)})
    assert made.given == {"top_k", "candidates", "expand", "seed", "prices"}


@pytest.mark.parametrize(("file", "variable"), [("top_k = ", "3"), ("", "[3")])
def test_what_cannot_be_read_is_refused(folder, monkeypatch, file, variable):
    (folder / "policy_rag.toml").write_text(file)
    monkeypatch.setenv("POLICY_RAG_TOP_K", variable)
    with pytest.raises(SettingsError, match=r"policy_rag.toml cannot be read as TOML|POLICY_RAG_TOP_K='.3' is no JSON"):
        load_settings()


def test_a_wrong_value_is_told_with_the_place_that_says_it(folder, monkeypatch):
    (folder / "policy_rag.toml").write_text("top_k = 0\n")
    with pytest.raises(SettingsError, match=r"^policy_rag.toml: setting top_k=0: "):
        load_settings()
    monkeypatch.setenv("POLICY_RAG_TOP_K", "3x")
    with pytest.raises(SettingsError, match=r"^POLICY_RAG_TOP_K: setting top_k='3x': "):
        load_settings()
    assert load_settings({"top_k": 3}).search.top_k == 3, "what an argument replaces does no harm"


def test_a_file_with_a_byte_order_mark_is_read_and_a_folder_is_told(folder):
    (folder / "policy_rag.toml").write_text("top_k = 7\n", encoding="utf-8-sig")
    assert load_settings().search.top_k == 7
    (folder / "policy_rag.toml").unlink()
    (folder / "policy_rag.toml").mkdir()
    with pytest.raises(SettingsError, match=r"policy_rag.toml cannot be read \(Is a directory\)"):
        load_settings()


def test_groups_are_known_without_the_blanks_around_them():
    assert Settings.of({"access": ["HR "]}).parsing.access == ("HR",)


def test_changed_settings_keep_what_was_given_and_leave_the_old_ones_as_they_are():
    old = Settings.of({"top_k": 5, "min_score": 0.5})
    new = old.changed({"min_score": None, "llm": "extractive"})
    assert (old.search.min_score, new.search.min_score, new.llm.llm) == (0.5, None, "extractive")
    assert new.given == {"top_k", "min_score", "llm"}
    assert Settings.of(new.as_json(new.given)) == new


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"search": "vectr"}, "setting search='vectr': did you mean vector?"),
        ({"transforms": ["rewrte"]}, "setting transforms.0='rewrte': did you mean rewrite?"),
        ({"search": "best"}, "setting search='best': Input should be 'vector', 'keyword'"),
        ({"transforms": "hyde"}, """setting transforms='hyde': it takes a list: write ["hyde"]"""),
        ({"access": ["hr", " "]}, "setting access=['hr', ' ']: a group without a name"),
        ({"search": {"top_k": 5}}, "leave [search] out"),
        ({"metadata": "sumary"}, "setting metadata='sumary': 'sumary' is no kind of metadata: did you mean summary?"),
    ],
)
def test_a_value_that_is_none_is_answered_with_what_was_likely_meant(values, said):
    with pytest.raises(SettingsError, match=re.escape(said)):
        Settings.of(values)
