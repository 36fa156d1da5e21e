"""Profiles: named, and a user's own with patterns that may be wrong or endless."""

from pathlib import Path

import pytest

from policy_rag_parsers.errors import ProfileError
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure import heading_profiles as profiles
from policy_rag_parsers.structure.heading_profiles import BUILTIN_PROFILES, load_profile
from policy_rag_parsers.structure.sections import parse_sections

OWN = """
name: ministry
description: Numbers with a dash
patterns:
  - name: title
    regex: 'TITEL (?P<number>[A-Z])\\s+(?P<title>.+)'
    level: 1
  - name: clause
    regex: '(?P<number>\\d+-\\d+)\\s'
    level: 2
"""


def test_builtin_profiles_load_by_name() -> None:
    for name, profile in BUILTIN_PROFILES.items():
        assert load_profile(name) == profile


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    with pytest.raises(ProfileError, match="no heading profile 'nope': use one of marked, markdown, legal"):
        load_profile("nope")


def write(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_users_patterns_alone_decide(tmp_path: Path) -> None:
    profile = load_profile(write(tmp_path, OWN))
    assert (profile.name, profile.description) == ("ministry", "Numbers with a dash")
    text = "Vorwort\n\nTITEL A  Reisen\n\n1-1 Bahn\n\n1. kein Titel\n\n1-2 Flug\n\n| 1-3 x | y |\n\nTITEL B  Aus\n"
    sections = parse_sections(SourceText(text, FileFormat.TEXT), title="Doc", profile=profile)
    assert [(one.level, one.number, one.title, one.parent) for one in sections] == [
        (0, None, "", None),
        (1, "A", "Reisen", None),
        (2, "1-1", "Bahn", "A"),
        (2, "1-2", "Flug", "A"),
        (1, "B", "Aus", None),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("patterns: []", "needs a list 'patterns'"),
        ("just text", "needs a list 'patterns'"),
        ("patterns:\n  - {name: a, regex: x}", "pattern 1 of .* needs exactly 'name', 'regex' and 'level'"),
        ("patterns:\n  - {name: a, regex: x, level: 0}", "pattern 'a' of .* has level 0: use a whole number"),
        ("patterns:\n  - {name: a, regex: x, level: true}", "has level True"),
        ("patterns:\n  - {name: a, regex: '(x', level: 1}", "pattern 'a' is no regular expression"),
        ("patterns:\n  - {name: a, regex: 'x*', level: 1}", "matches an empty line"),
        (
            "patterns:\n  - {name: a, regex: '(?P<heading>x)', level: 1}",
            "group 'heading': name groups number and title",
        ),
        ("patterns:\n  - {name: a, regex: x, level: 1}\n  - {name: a, regex: y, level: 1}", "two patterns named 'a'"),
        ("rules: 1\npatterns:\n  - {name: a, regex: x, level: 1}", "unknown key 'rules'"),
        ("patterns: [", "is not a heading profile"),
    ],
)
def test_a_malformed_file_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        load_profile(write(tmp_path, text))


def test_a_pattern_that_backtracks_without_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "LINE_SECONDS", 0.05)
    endless = "patterns:\n  - {name: greedy, regex: '(?:(?:a|aa)+)+!', level: 1}"
    profile = load_profile(write(tmp_path, endless))
    source = SourceText("a" * 380 + "\n", FileFormat.TEXT)
    with pytest.raises(ProfileError, match="pattern 'greedy' backtracks without end on the line 'aaa"):
        parse_sections(source, title="Doc", profile=profile)


def test_a_pattern_that_is_slow_on_every_line_is_stopped_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "DOCUMENT_SECONDS", -1.0)
    profile = load_profile(write(tmp_path, OWN))
    with pytest.raises(ProfileError, match="pattern 'title' takes over"):
        parse_sections(SourceText("one\ntwo\n", FileFormat.TEXT), title="Doc", profile=profile)


def test_the_example_in_the_docs_is_a_profile() -> None:
    profile = load_profile(Path(__file__).parents[3] / "docs" / "how-it-works" / "heading-profile.yaml")
    text = "KAPITEL I: REISEN\n\nZiffer 1 Buchung\n\nIm Portal.\n\nZiffer 2\n\nBis 120 Euro.\n\nKAPITEL II - ENDE\n\nJetzt.\n"
    sections = parse_sections(SourceText(text, FileFormat.TEXT), title="Doc", profile=profile)
    assert [(one.level, one.number, one.title) for one in sections] == [
        (1, "I", "REISEN"),
        (2, "1", "Buchung"),
        (2, "2", ""),
        (1, "II", "ENDE"),
    ]
