"""What raised digits become, by what stands around them."""

import pytest

from policy_rag_parsers.loaders.superscripts import raised


@pytest.mark.parametrize(
    ("before", "text", "behind", "written"),
    [
        # marks of notes
        ("more than 11", "8", " days", "[8]"),
        ("Gifts up to 50", "2", " euros", "[2]"),
        ("the board", "12", ".", "[12]"),
        ("the board.", "3", " Next", "[3]"),
        ("the board.", "3", "Next", "[3] "),
        ("50", "1)", " euros", "[1]"),
        ("50", "(1)", " euros", "[1]"),
        ("the board", "1, 2", ".", "[1, 2]"),
        ("the board", "1–3", ".", "[1–3]"),
        ("", "1", " See the decision.", "[1]"),
        ("", "1", "See the decision.", "[1] "),
        ("per night ", "1", " and person", "[1]"),
        # powers and fractions
        ("Area 20 m", "2", ".", "²"),
        ("12 km", "2", "", "²"),
        ("kg/m", "3", " of air", "³"),
        ("20m", "2", "", "²"),
        ("20 m", "4", "", "[4]"),
        ("the maximum", "2", "", "[2]"),
        ("10", "6", " users", "^6"),
        ("4 × 10", "5", " users", "^5"),
        ("10", "5", " users", "[5]"),
        ("110", "6", " users", "[6]"),
        ("1.10", "6", " users", "[6]"),
        ("within 10", "3", " working days", "[3]"),
        ("10", "3", " % of pay", "[3]"),
        ("10", "-6", "", "^-6"),
        ("m s", "\u22121", "", "^-1"),
        ("2", "1", "/2 years", " 1"),
        ("a ", "1", "⁄2", "1"),
        # numbers of sentences, and what stays
        ("Sie gilt nicht. ", "2", "Sie endet", "2 "),
        ("(1) ", "1", "Diese Satzung", "1 "),
        ("the 1", "st", " day", "st"),
        ("price", "*", "", "*"),
        ("price", "[4]", "", "[4]"),
        ("in ", "2024", "", "2024"),
        ("x", "", "y", ""),
    ],
)
def test_what_is_written(before: str, text: str, behind: str, written: str) -> None:
    assert raised(before, text, behind) == written


def test_long_text_before_is_not_read_through() -> None:
    assert raised("10" * 1_000_000, "6", " " * 1_000_000) == "[6]"
