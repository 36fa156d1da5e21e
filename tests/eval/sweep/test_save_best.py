"""From the winner to use: the settings file keeps what stands in it, and ingest and ask then use the rest."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_dataset import WordHashes

from policy_rag.cli import run
from policy_rag.errors import SettingsError
from policy_rag.settings import SETTINGS_FILE, load_settings
from policy_rag_eval.sweep.save_best import SavingError, edited, save_settings


def test_what_stands_there_stays_and_new_settings_follow(tmp_path: Path) -> None:
    file = tmp_path / SETTINGS_FILE
    file.write_text(
        "# the legal department's\n"
        'access = [\n  "staff", # all of us\n  "board",\n]\n'
        "top_k = 3   # short lists\n"
        "min_score = 0.4\n"
        "\n"
        "# what we pay\n"
        "[prices]\n"
        "big = [1.0, 2.0]\n"
    )
    settings = load_settings({"top_k": 7, "search": "or", "embed_path": True}, file=file)
    settings = settings.changed({"min_score": None})
    saved = save_settings(file, settings, ["top_k", "search", "min_score", "embed_path"])
    assert file.read_text() == (
        "# the legal department's\n"
        'access = [\n  "staff", # all of us\n  "board",\n]\n'
        "top_k = 7   # short lists\n"
        'search = "or"\n'
        "embed_path = true\n"
        "\n"
        "# what we pay\n"
        "[prices]\n"
        "big = [1.0, 2.0]\n"
    )
    assert saved.written == {"top_k": 7, "search": "or", "embed_path": True}
    assert (saved.removed, saved.kept, saved.overruled) == (("min_score",), ("access", "prices"), ())
    read = load_settings(file=file)
    assert (read.search.top_k, read.search.search, read.search.min_score, read.parsing.access) == (
        7,
        "or",
        None,
        ("staff", "board"),
    )
    assert [path.name for path in tmp_path.iterdir()] == [SETTINGS_FILE]


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    saved = save_settings(tmp_path / SETTINGS_FILE, load_settings({"reranker": 'odd "name" \\ ü'}), ["reranker"])
    assert tomllib.loads(saved.file.read_text(encoding="utf-8")) == {"reranker": 'odd "name" \\ ü'}


def test_a_variable_that_wins_over_the_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLICY_RAG_SEARCH", "and")
    saved = save_settings(tmp_path / SETTINGS_FILE, load_settings({"search": "or"}), ["search"])
    assert saved.overruled == ("POLICY_RAG_SEARCH",)


def test_a_file_that_is_no_toml_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / SETTINGS_FILE
    file.write_text("top_k = \n")
    with pytest.raises(SettingsError, match="mend or remove"):
        save_settings(file, load_settings({"search": "or"}, file=tmp_path / "none.toml"), ["search"])
    assert file.read_text() == "top_k = \n"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / SETTINGS_FILE
    file.write_text("top_k = 3\n")
    write = Path.write_text

    def half(self: Path, text: str, **_: object) -> int:
        write(self, text[:4])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(Path, "write_text", half)
        with pytest.raises(SavingError, match="it is as it was"):
            save_settings(file, load_settings({"search": "or"}, file=file), ["search"])
    assert [path.name for path in tmp_path.iterdir()] == [SETTINGS_FILE]
    assert file.read_text() == "top_k = 3\n"


keys = st.sampled_from(["alpha", "beta", "gamma", "delta"])
values = st.one_of(
    st.integers(-9, 9),
    st.booleans(),
    st.floats(-2, 2),
    st.text(st.characters(codec="utf-8", exclude_characters="\x7f"), max_size=6),
    st.lists(st.text("ab#\"'[]\\", max_size=3), max_size=3),
)


@given(old=st.dictionaries(keys, values), new=st.dictionaries(keys, values), gone=st.lists(keys, max_size=2))
def test_any_settings_are_read_as_they_were_written(
    old: dict[str, object], new: dict[str, object], gone: list[str]
) -> None:
    gone = [name for name in gone if name not in new]
    text = edited("# first\n\n[table]\nkey = 1\n", old)
    assert tomllib.loads(text) == {**old, "table": {"key": 1}}
    changed = edited(text, new, gone)
    left = {name: value for name, value in old.items() if name not in gone}
    assert tomllib.loads(changed) == {**left, **new, "table": {"key": 1}}
    assert "# first" in changed


@pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")
def test_the_best_of_a_grid_is_what_ingest_and_ask_then_use(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    Path(SETTINGS_FILE).write_text("# ours\ntop_k = 4\n")
    grid = ["--grid", "search=keyword,and", "--grid", "chunk_tokens=50", "--set", "candidates=1"]
    assert run(["eval", "retrieval", str(folder), *grid, "--save-best", "--json"]) == 0
    out, err = capfd.readouterr()
    found = json.loads(out)
    best = max(found["configurations"], key=lambda one: one["measures"]["ndcg@10"]["mean"])
    search = best["settings"]["search"]
    assert "policy_rag.toml now says" in err
    assert "as before: top_k" in err
    assert tomllib.loads(Path(SETTINGS_FILE).read_text()) == {
        "top_k": 4,
        "candidates": 1,
        "search": search,
        "chunk_tokens": 50,
    }
    assert run(["ingest", str(folder / "documents"), "--index", "new", "--json"]) == 0
    capfd.readouterr()
    from policy_rag.assistant import PolicyAssistant

    with PolicyAssistant.open("new") as assistant:
        manifest = assistant.index.manifest
        assert manifest is not None
        assert manifest.chunk_tokens == 50
        assert (assistant.settings.search.search, assistant.settings.search.candidates) == (search, 1)
    assert run(["search", "How many days of paid holiday?", "--index", "new", "--json"]) == 0
    hits = json.loads(capfd.readouterr().out)["hits"]
    assert {name for hit in hits for name in hit["found_by"]} <= (
        {"keyword"} if search == "keyword" else {"vector", "keyword"}
    )
    assert len(hits) <= 1
    assert run(["ask", "How many days of paid holiday?", "--index", "new", "--llm", "extractive", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["status"] in {"answered", "uncertain", "refused", "clarify"}
