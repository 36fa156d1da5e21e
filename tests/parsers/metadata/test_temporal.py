"""Amounts, dates, periods and deadlines: what is one, and where exactly it stands."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.metadata.temporal import find_times


def found(text: str) -> list[tuple[str, str]]:
    return sorted((kind.value, text[a:b]) for kind, a, b in find_times(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("costs up to EUR 1,500.50 and 40 %", [("amount", "40 %"), ("amount", "EUR 1,500.50")]),
        ("a fine of $10 million", [("amount", "$10 million")]),
        ("50 euros or 2.5 per cent", [("amount", "2.5 per cent"), ("amount", "50 euros")]),
        ("kept for ten (10) years", [("period", "ten (10) years")]),
        ("two working days of leave", [("period", "two working days")]),
        ("within two working days", [("deadline", "within two working days")]),
        ("within a week", [("deadline", "within a week")]),
        ("within 30 (thirty-one) days", [("deadline", "within 30 (thirty-one) days")]),
        ("by 5 p.m. on Friday", [("deadline", "by 5 p.m.")]),
        ("by the 15th of each month", [("deadline", "by the 15th of each month")]),
        (
            "no later than the 3rd working day of the following month",
            [("deadline", "no later than the 3rd working day of the following month")],
        ),
        ("bis zum 3. Werktag abgeben", [("deadline", "bis zum 3. Werktag")]),
        ("bis zum 3. Werktag des Folgemonats", [("deadline", "bis zum 3. Werktag des Folgemonats")]),
        ("spätestens zum 15. des Monats", [("deadline", "spätestens zum 15. des Monats")]),
        ("no later than 31 March 2026", [("deadline", "no later than 31 March 2026")]),
        ("by 31 March", [("deadline", "by 31 March")]),
        ("by the end of the calendar year", [("deadline", "by the end of the calendar year")]),
        ("at the latest by 9:00", [("deadline", "at the latest by 9:00")]),
        ("at least three months ahead", [("deadline", "at least three months ahead")]),
        ("without undue delay", [("deadline", "without undue delay")]),
        ("in force from 2026-01-01", [("date", "2026-01-01")]),
        ("on 1 January 2026", [("date", "1 January 2026")]),
        ("signed in March 2025", [("date", "March 2025")]),
        ("innerhalb von zwei Wochen", [("deadline", "innerhalb von zwei Wochen")]),
        ("am 11. März 2025", [("date", "11. März 2025")]),
        ("eine Pause von 30 Minuten", [("period", "30 Minuten")]),
        ("2,40 Euro je Stunde", [("amount", "2,40 Euro")]),
        ("3 Mio. Euro Umsatz", [("amount", "3 Mio. Euro")]),
        ("dans un délai de 48 heures", [("deadline", "dans un délai de 48 heures")]),
        ("au plus tard le 31 mai 2026", [("deadline", "au plus tard le 31 mai 2026")]),
        ("sous 8 jours ouvrés", [("deadline", "sous 8 jours ouvrés")]),
        ("avant la fin du mois", [("deadline", "avant la fin du mois")]),
        ("signé le 1er mars 2026 pour trois ans", [("date", "1er mars 2026"), ("period", "trois ans")]),
        ("en el plazo de 5 días hábiles", [("deadline", "en el plazo de 5 días hábiles")]),
        ("antes del 31 de marzo de 2026", [("deadline", "antes del 31 de marzo de 2026")]),
        ("al menos 15 días de antelación", [("deadline", "al menos 15 días de antelación")]),
        ("el 50 por ciento de 200 dólares", [("amount", "200 dólares"), ("amount", "50 por ciento")]),
        ("no prazo de 30 dias úteis", [("deadline", "no prazo de 30 dias úteis")]),
        ("até o dia 5 de cada mês, sem demora", [("deadline", "até o dia 5 de cada mês"), ("deadline", "sem demora")]),
        ("R$ 1.500,00 em três meses", [("amount", "R$ 1.500,00"), ("deadline", "em três meses")]),
        # what only looks like one
        ("section 4 may be changed", []),  # no 4th of May
        ("requested by the line manager", []),
        ("once a day", []),
        ("an Werktagen", []),
        ("von 6:00 bis 20:00 Uhr", []),
        ("under 4.2 and 4.3", []),
        ("until further notice", []),
        ("", []),
    ],
)
def test_each_is_found_whole(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@given(st.text(alphabet="0123456789 .,%EUR€within bydaysmonth\n", max_size=80))
def test_ranges_lie_in_the_text_and_apart(text: str) -> None:
    spans = sorted((a, b) for _, a, b in find_times(text))
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
