"""How often something is done, in five languages."""

import pytest

from policy_rag_parsers.text.frequencies import frequencies

DAY, MONTH = 1440, 43_830


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("english", "Logs are read daily.", [("daily", DAY)]),
        ("english", "Each working day the doors are checked.", [("Each working day", DAY)]),
        ("english", "It is done every other week, or every 3 weeks.", [("every other week", 14 * DAY), ("every 3 weeks", 21 * DAY)]),
        ("english", "Access is confirmed twice a year.", [("twice a year", 6 * MONTH)]),
        ("english", "Keys are changed three times per quarter.", [("three times per quarter", MONTH)]),
        ("english", "Half-yearly, once yearly and every twenty-four hours.", [("Half-yearly", 6 * MONTH), ("once yearly", 12 * MONTH), ("every twenty-four hours", DAY)]),
        ("english", "25 days a year for every employee, within a month.", []),
        ("german", "Alle sechs Monate, zweimal im Jahr.", [("Alle sechs Monate", 6 * MONTH), ("zweimal im Jahr", 6 * MONTH)]),
        ("german", "Monatlich, jeden zweiten Monat, einmal pro Quartal.", [("Monatlich", MONTH), ("jeden zweiten Monat", 2 * MONTH), ("einmal pro Quartal", 3 * MONTH)]),
        ("french", "Tous les six mois ou deux fois par an.", [("Tous les six mois", 6 * MONTH), ("deux fois par an", 6 * MONTH)]),
        ("spanish", "Cada tres meses, una vez por semana.", [("Cada tres meses", 3 * MONTH), ("una vez por semana", 7 * DAY)]),
        ("portuguese", "A cada seis meses, duas vezes por ano.", [("A cada seis meses", 6 * MONTH), ("duas vezes por ano", 6 * MONTH)]),
    ],
)  # fmt: skip
def test_how_often_is_read_from_words_and_figures(language: str, text: str, said: list[tuple[str, float]]) -> None:
    found = frequencies(text, language)
    assert [(one.shown, one.minutes) for one in found] == said
    assert [text[one.start : one.end] for one in found] == [shown for shown, _ in said]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("every month or every 30 days", True),
        ("every year or every 52 weeks", True),
        ("every month or every four weeks", False),
        ("every quarter or monthly", False),
    ],
)
def test_a_month_is_about_thirty_days(text: str, same: bool) -> None:
    one, other = frequencies(text, "english")
    assert one.is_as_often_as(other) is same
    assert other.is_as_often_as(one) is same
