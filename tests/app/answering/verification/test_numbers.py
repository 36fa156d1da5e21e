"""Figures of a statement against its evidence: value, unit and bound."""

import pytest

from policy_rag.answering.verification.numbers import wrong_figure

EVIDENCE = (
    "Trial data are kept for 25 years. Directors spend up to £25,000 a year; the report is due by 31 March. "
    "Theses have at most 80,000 words, the pass mark is 40 %. A third attempt takes place within a month. "
    "La prime est de 59,40 € ; 2.5 Stunden; dd 12.04.2024; Tables give 150 220 EUR."
)


@pytest.mark.parametrize(
    "statement",
    [
        "They are kept for twenty-five years.",
        "Sie werden fünfundzwanzig Jahre aufbewahrt.",
        "They spend up to £25 000.",
        "They spend no more than GBP 25\u202f000 in one year.",
        "Theses have 80\u00a0000 words at most.",
        "Fällig bis zum 31.03. des Jahres.",
        "Due by 31 March.",
        "Due by the 31st of March.",
        "The mark is 40 per cent of all.",
        "The mark is forty percent.",
        "Die Grenze liegt bei 40 Prozent.",
        "The third attempt takes place within 1 month.",
        "59.40 euros are paid.",
        "Zweieinhalb Stunden, das sind 2,5 Stunden.",
        "On 12 April 2024.",
        "On 12/04/2024.",
        "It gives 150 EUR and 220 EUR.",
        "Data are shared with third parties.",
    ],
)
def test_the_same_figure_in_another_notation_is_right(statement: str) -> None:
    assert wrong_figure(statement, EVIDENCE, frozenset()) == ""


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("They are kept for twenty-six years.", "twenty six (year) is not in what it cites"),
        ("They spend up to £20 000.", "20 000 (gbp) is not in what it cites"),
        ("They spend over £25,000.", 'it says "over 25,000", what it cites says "up to"'),
        ("Due by 31.04.", "31.04. (april) is not in what it cites"),
        ("Due after 31 March.", 'it says "after 31", what it cites says "by"'),
        ("A fourth attempt takes place.", "fourth (ordinal) is not in what it cites"),
        ("The second attempt takes place.", "second (ordinal) is not in what it cites"),
        ("At least 80,000 words.", 'it says "at least 80,000", what it cites says "at most"'),
        ("59.40 dollars are paid.", "59.40 (usd) is not in what it cites"),
        ("On 4 December 2024.", "4 (december) is not in what it cites"),
    ],
)
def test_another_figure_unit_or_bound_is_named(statement: str, reason: str) -> None:
    assert wrong_figure(statement, EVIDENCE, frozenset()) == reason
