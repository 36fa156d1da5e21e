"""Sections of any text tile it and form a tree."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_rag_parsers.records import FileFormat, HeadingMark, Section, SourceText
from policy_rag_parsers.structure.sections import parse_sections

PIECES = [
    *("1. Scope", "1.1 Purpose", "1.2 Reach and limits", "2. Rules", "2.1\tEmployees must ask first.", "3) Third"),
    *("(a) one;", "(b) two.", "# Title", "## 4. Four", "**5. Five**", "Article IV", "Part 1 Chapter 2"),
    *("§ 3.2 Fristen", "Appendix A", "Schedule", "UNDER", "=====", "---", "```", "| 1.1 | x |", "/Table Start"),
    *("/Table End", "Contents", "1. Scope ..... 1", "\u200e1.\u200e3 Marks", "\ufeff", "Text goes on in here"),
    *("and ends here.", "", " ", "\t", "2.1.Guidance.1.\tA note", "1.\r2.\r", "9.9.9", "A. Letter", "IV. Numeral"),
]
LINES = st.one_of(st.sampled_from(PIECES), st.text(alphabet="1.2 aA()§#*-\t\u200e|`=\r", max_size=12))
TEXTS = st.one_of(
    st.lists(LINES, max_size=40).map("\n".join),
    st.text(max_size=200),
)


@settings(max_examples=400)
@given(
    TEXTS,
    st.sampled_from([FileFormat.TEXT, FileFormat.MARKDOWN]),
    st.integers(0, 30),
    st.randoms(use_true_random=False),
)
def test_sections_tile_and_form_a_tree(text: str, kind: FileFormat, skip: int, chance: random.Random) -> None:
    body_start = min(skip, len(text)) if chance.random() < 0.3 else 0
    sections = parse_sections(
        SourceText(text, kind, headings=marks_in(text, chance), body_start=body_start), title="Doc"
    )
    check_tiling(text, sections, body_start)
    check_tree(sections)


def marks_in(text: str, chance: random.Random) -> tuple[HeadingMark, ...]:
    marks, start = [], 0
    for line in text.split("\n"):
        if chance.random() < 0.1:
            marks.append(HeadingMark(start, start + len(line), chance.randint(1, 4)))
        start += len(line) + 1
    return tuple(marks)


def check_tiling(text: str, sections: tuple[Section, ...], body_start: int) -> None:
    position = body_start
    for section in sections:
        assert not text[position : section.start].strip()
        assert position <= section.start <= section.body <= section.end <= section.subtree_end
        assert section.start < section.end
        assert not text[section.start].isspace()
        position = section.end
    assert not text[position:].strip()


def check_tree(sections: tuple[Section, ...]) -> None:
    ids = [section.section_id for section in sections]
    assert len(set(ids)) == len(ids)
    assert [section.previous for section in sections] == [None, *ids[:-1]][: len(ids)]
    assert [section.next for section in sections] == [*ids[1:], None][: len(ids)]
    seen: dict[str, Section] = {}
    for section in sections:
        if section.parent is not None:
            parent = seen[section.parent]
            assert section.level == parent.level + 1
            assert section.path[:-1] == parent.path
            assert parent.start < section.start
            assert section.subtree_end <= parent.subtree_end
        else:
            assert section.level == (
                0 if section.section_id == "preamble" and not seen and section.number is None else 1
            )
        seen[section.section_id] = section


LONG = {
    "one line": "1.1 " + "word " * 50_000,
    "one-character lines": "a\n" * 25_000,
    "bare numbers": "1.\n" * 5_000,
    "headings in a row": "".join(f"1.{number} Title {number}\n" for number in range(1, 3_001)),
    "backwards": "".join(f"{number}. Title\n\nSome text.\n\n" for number in range(1_000, 0, -1)),
    "restarts": "".join(f"{number % 7 + 1}. Title\n\nSome text.\n\n" for number in range(2_000)),
    "comments": "<!--\n" * 20_000,
    "hashes": "#\n" * 20_000,
    "rows": "1.1\tb\tc\n" * 5_000,
    "blanks": "Title\n" + " " * 200_000 + "\nText is here.\n\n",
    "titles": "Title\n\nText is here.\n\n" * 2_000,
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("kind", [FileFormat.TEXT, FileFormat.MARKDOWN])
def test_bad_input_tiles(name: str, kind: FileFormat) -> None:
    sections = parse_sections(SourceText(LONG[name], kind), title="Doc")
    check_tiling(LONG[name], sections, 0)
    check_tree(sections)


def test_thousands_of_headings_in_a_row_are_all_found() -> None:
    text = "".join(f"## {number}. Title {number}\n" for number in range(1, 3_001))
    assert len(parse_sections(SourceText(text, FileFormat.MARKDOWN), title="Doc")) == 3_000
