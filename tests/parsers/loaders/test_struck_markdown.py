"""What Markdown strikes out is no part of a document; code, escaped tildes and what only looks like it are."""

from pathlib import Path

import pytest

from policy_rag_parsers.loaders import load
from policy_rag_parsers.loaders.struck_markdown import without_struck


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("~~Parking is free.~~ Parking costs 40 EUR.", "Parking costs 40 EUR."),
        ("It costs ~~30~~ 40 EUR ~~a month~~.", "It costs 40 EUR."),
        ("Free ~~for\nall~~ now", "Free\nnow"),
        ("- ~~One~~\n- [ ] ~~Two~~\n3. ~~Three~~\n- ~~Four~~ five", "\n\n\n- five"),
        ("# ~~Old~~\n\n> **~~Old~~**\n\nNew", "\n\n\n\nNew"),
        ("| A | B |\n|---|---|\n| ~~x~~ | ~~1~~ |\n| y | ~~2~~ 3 |", "| A | B |\n|---|---|\n| | |\n| y | 3 |"),
        ("<del>Old</del> <S class='x'>older</S> new <strike>a</strike>", "new"),
        ("<del>\n\nOld.\n\n- older\n\n</del>\n\nNew.", "\n\n\n\n\n\n\n\nNew."),
        ("~~**Old** `~~` text~~ New", "New"),
    ],
)
def test_struck_text_is_left_out_and_lines_keep_their_numbers(text: str, left: str) -> None:
    assert without_struck(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "See `~~x~~` and ``a ` ~~b~~``.",
        "```\n~~x~~ <del>y</del>\n```",
        "~~~ text\n~~x~~\n~~~",
        "<!-- ~~x~~ -->",
        r"Write \~~x~~ or \~\~x\~\~.",
        "About ~5 to ~10, ~~ 5 ~~ and ~~~x~~~.",
        "~~open\n\nnever closed~~",
        "- ~~a\n- b~~",
        "| ~~a | b~~ |",
        "A `<s>` and a <del> that nothing ends.",
    ],
)
def test_what_strikes_nothing_out_stays(text: str) -> None:
    assert without_struck(text) == text


def test_many_marks_that_nothing_closes_take_little_time() -> None:
    for piece in ("<del>", "`", "``` x\n", "<!--", "~~a "):
        assert without_struck(f"~~x~~ {piece * 100_000}") == piece * 100_000
    # Each second pair of tildes ends what the one before it begins: "~~a|~~".
    assert without_struck(f"~~x~~ {'|~~a' * 100_000}") == "|a" * 50_000


def test_front_matter_and_plain_text_keep_their_tildes(tmp_path: Path) -> None:
    text = "---\ntitle: ~~A~~\n---\n# B\n\n~~old~~\n\nnew\n"
    (tmp_path / "a.md").write_text(text)
    (tmp_path / "a.txt").write_text(text)
    assert load(tmp_path / "a.md").text == "---\ntitle: ~~A~~\n---\n# B\n\n\n\nnew\n"
    assert load(tmp_path / "a.txt").text == text
