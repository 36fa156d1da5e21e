"""What figures are per."""

import pytest

from policy_rag.answering.verification.rates import wrong_rate

SOURCES = [
    "Cash is limited to £60 a claim and £250 a month.",
    "Für Pkw werden 0,30 EUR je Kilometer gezahlt, höchstens 150 EUR je Reise.",
]


@pytest.mark.parametrize(
    ("statement", "language", "said"),
    [
        ("Cash is limited to £60 a month.", "english", "£60 a claim"),
        ("Cash is limited to £250 per claim.", "english", "250 a month"),
        ("Für Pkw werden 0,30 EUR je Reise gezahlt.", "german", "0,30 EUR je Kilometer"),
        ("Cash is limited to £60 per claim.", "english", ""),
        ("Cash is limited to £60 a request.", "english", ""),  # may be another word for a claim
        ("Es sind 150 EUR pro Reise.", "german", ""),
        ("Cash is £70 a month.", "english", ""),  # no rate of the source: not for this check
        ("Cash is limited.", "english", ""),
    ],
)
def test_a_rate_of_another_figure_is_wrong(statement: str, language: str, said: str) -> None:
    found = wrong_rate(statement, SOURCES, language)
    assert (found == "") is (said == "")
    assert said.removeprefix("£") in found
