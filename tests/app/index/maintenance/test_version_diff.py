"""Two versions of a document, clause by clause."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_rag.cli import run
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.version_diff import ChangeKind, Edit, compare, word_diff
from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.sections import parse_sections

HOTELS = "A hotel may cost 120 euros a night at most, breakfast and taxes included."
TRAINS = "Trains are booked in second class through the travel desk, at the latest two days before."
MEALS = "The daily allowance for meals is 14 euros for an absence of more than eight hours."


def sections_of(lines):
    text = "".join(f"{line}\n" for line in lines)
    return text, parse_sections(SourceText(text, FileFormat.MARKDOWN), title="T")


def compared(old, new):
    (old_text, before), (new_text, after) = sections_of(old), sections_of(new)
    return compare(before, old_text, after, new_text)


def short(found):
    return [
        (
            "+".join(change.kinds),
            change.old.number or change.old.title if change.old else None,
            change.new.number or change.new.title if change.new else None,
        )
        for change in found.changes
    ]


def numbered(*clauses):
    return [line for number, title, body in clauses for line in (f"## {number} {title}", body)]


def test_the_same_text_has_no_changes_and_blanks_are_none():
    text = numbered(("1", "Hotels", HOTELS), ("2", "Trains", TRAINS))
    assert (compared(text, text).changes, compared(text, text).unchanged) == ((), 2)
    broken = numbered(("1", "Hotels", HOTELS.replace(" may", "\nmay")), ("2", "Trains", "\n\n" + TRAINS))
    assert (compared(text, broken).changes, compared(text, broken).unchanged) == ((), 2)


def test_a_changed_word_is_shown_with_its_surroundings():
    old = numbered(("1", "Hotels", HOTELS), ("2", "Trains", TRAINS))
    new = numbered(("1", "Hotels", HOTELS.replace("120", "140")), ("2", "Trains", TRAINS))
    found = compared(old, new)
    assert short(found) == [("changed", "1", "1")]
    assert [(run.edit, run.text) for run in found.changes[0].words] == [
        (Edit.SAME, "Hotels A hotel may cost"),
        (Edit.REMOVED, "120"),
        (Edit.ADDED, "140"),
        (Edit.SAME, "euros a night at most, breakfast and taxes included."),
    ]


def test_an_inserted_clause_renumbers_those_behind_it_and_changes_none():
    old = numbered(("1", "Hotels", HOTELS), ("2", "Meals", MEALS))
    new = numbered(("1", "Hotels", HOTELS), ("2", "Trains", TRAINS), ("3", "Meals", MEALS))
    found = compared(old, new)
    assert short(found) == [("added", None, "2"), ("renumbered", "2", "3")]
    assert found.changes[1].words == ()
    assert found.unchanged == 1


HOTEL, TRAIN, MEAL = ("Hotels", HOTELS), ("Trains", TRAINS), ("Meals", MEALS)
DEARER = ("Hotels", HOTELS.replace("120", "140"))
NOTES = numbered(*((number, "Note", "See annex.") for number in "123"))


def unnumbered(*clauses):
    return [line for title, body in clauses for line in (f"## {title}", body)]


@pytest.mark.parametrize(
    ("old", "new", "changes", "unchanged"),
    [
        (  # renumbered and changed at once
            numbered(("1", *HOTEL), ("2", *MEAL)),
            numbered(("1", *TRAIN), ("2", *DEARER), ("3", *MEAL)),
            [("added", None, "1"), ("changed+renumbered", "1", "2"), ("renumbered", "2", "3")],
            0,
        ),
        (  # what was removed stands where it stood
            numbered(("1", *HOTEL), ("2", *TRAIN), ("3", *MEAL)),
            numbered(("1", *HOTEL), ("3", "Meals", MEALS.replace("14", "16"))),
            [("removed", "2", None), ("changed", "3", "3")],
            1,
        ),
        # a clause whose words are all new is another one
        (numbered(("1", *HOTEL)), numbered(("1", *TRAIN)), [("removed", "1", None), ("added", None, "1")], 0),
        (unnumbered(HOTEL, TRAIN, MEAL), unnumbered(TRAIN, MEAL, HOTEL), [("moved", "Hotels", "Hotels")], 2),
        (  # under another heading
            ["# 1 Trips", "About trips.", "## 1.1 Hotels", HOTELS, "# 2 Costs", "About costs.", "## 2.1 Meals", MEALS],
            ["# 1 Trips", "About trips.", "# 2 Costs", "About costs.", "## 2.1 Meals", MEALS, "## 2.2 Hotels", HOTELS],
            [("renumbered+moved", "1.1", "2.2")],
            3,
        ),
        (NOTES, NOTES[:4], [("removed", "3", None)], 2),  # repeated clauses are paired once each
        ("", numbered(("1", *HOTEL), ("2", *MEAL)), [("added", None, "1"), ("added", None, "2")], 0),
        (numbered(("1", *HOTEL), ("2", *MEAL)), "", [("removed", "1", None), ("removed", "2", None)], 0),
        ("", "", [], 0),
    ],
)
def test_what_became_of_each_clause(old, new, changes, unchanged):
    found = compared(old, new)
    assert (short(found), found.unchanged) == (changes, unchanged)


@given(st.lists(st.sampled_from("abcde"), max_size=12), st.lists(st.sampled_from("abcde"), max_size=12))
def test_the_words_of_a_diff_give_back_both_texts(old, new):
    runs = word_diff(old, new)
    assert " ".join(r.text for r in runs if r.edit is not Edit.ADDED).split() == old
    assert " ".join(r.text for r in runs if r.edit is not Edit.REMOVED).split() == new


clauses = st.lists(
    st.tuples(st.sampled_from(["Hotels", "Trains", "Meals", ""]), st.sampled_from([HOTELS, TRAINS, MEALS, "", "x"])),
    max_size=7,
)


@settings(max_examples=150)
@given(clauses, clauses)
def test_every_clause_of_both_versions_is_told_of_exactly_once(old, new):
    texts = [numbered(*((str(i), *c) for i, c in enumerate(v, 1))) for v in (old, new)]
    found = compared(*texts)
    for side, text in zip(("old", "new"), texts, strict=True):
        named = [getattr(c, side).section_id for c in found.changes if getattr(c, side)]
        assert len(named) == len(set(named))
        assert len(named) + found.unchanged == len(sections_of(text)[1])
    for change in found.changes:
        assert (ChangeKind.CHANGED in change.kinds) <= bool(change.words)
        assert (change.old is None) == (change.kinds == (ChangeKind.ADDED,))
        assert (change.new is None) == (change.kinds == (ChangeKind.REMOVED,))
    assert compared(texts[0], texts[0]).changes == ()


@pytest.fixture
def two_versions(index, document, manifest, embedder):
    old = Declaration(version="1", access=("hr",))
    index.update(
        [
            document("old.md", [("1", "Hotels", HOTELS), ("2", "Meals", MEALS)], title="Travel", declaration=old),
            document("new.md", [("1", "Hotels", HOTELS.replace("120", "140"))], title="Travel"),
        ],
        manifest,
        embedder,
    )
    return str(index.folder)


def test_the_command_shows_the_changes(two_versions, capsys):
    call = ["changes", "old.md", "new.md", "--as", "hr", "--index", two_versions]
    assert run(call) == 0
    out = capsys.readouterr().out
    for shown in (
        "changed: 1 Hotels",
        "[-120-]",
        "{+140+}",
        "removed: 2 Meals",
        "old.md v1 -> new.md: 1 removed, 1 changed",
    ):
        assert shown in out
    assert run([*call, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["old"]["doc_id"], said["old"]["version"], said["new"]["version"]) == ("old.md", "1", None)
    assert said["counts"] == {"added": 0, "removed": 1, "changed": 1, "renumbered": 0, "moved": 0, "unchanged": 0}
    assert said["changes"][0]["kinds"] == ["changed"]
    assert said["changes"][0]["words"][1] == {"edit": "removed", "text": "120"}
    assert said["changes"][1]["new"] is None


def test_a_hidden_document_is_compared_with_nothing_and_told_like_an_absent_one(two_versions, capsys):
    said = []
    for name in ("old.md", "no.md"):
        assert run(["changes", name, "new.md", "--index", two_versions]) == 2
        said.append(capsys.readouterr().err.replace(name, "X"))
    assert said[0] == said[1]
    assert "120" not in said[0]


def test_a_draft_is_compared_with_what_is_in_force_and_two_files_need_no_index(tmp_path, capsys, embedder, monkeypatch):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    pay = "---\nversion: '{}'\n---\n# Pay\n\n## 1 Bonus\n\nA bonus of {} euros is paid.\n"
    (tmp_path / "in" / "pay.md").write_text(pay.format(1, 5))
    (tmp_path / "draft.md").write_text(pay.format(2, 9))
    assert run(["changes", "in/pay.md", "draft.md"]) == 0
    assert "in/pay.md v1 -> draft.md v2: 1 changed" in capsys.readouterr().out
    assert run(["ingest", "in"]) == 0
    capsys.readouterr()
    assert run(["changes", "pay.md", "draft.md"]) == 0
    out = capsys.readouterr().out
    assert "[-5-]" in out
    assert "{+9+}" in out
    assert "pay.md v1 -> draft.md v2: 1 changed" in out
    assert run(["changes", "pay.md", "no-such.md"]) == 2
    assert "'no-such.md' is no file, and there is no document 'no-such.md' here" in capsys.readouterr().err
    assert run(["changes", "Pay", "draft.md"]) == 0
    assert "pay.md v1 -> draft.md v2: 1 changed" in capsys.readouterr().out
    assert run(["changes", "Pay > 1", "draft.md"]) == 2
    assert "whole documents are compared: leave '1' out" in capsys.readouterr().err
