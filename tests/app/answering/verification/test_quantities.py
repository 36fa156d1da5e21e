"""Numbers with their units: what a text holds, and which number backs which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.verification.quantities import is_backed, quantities


def read(text: str) -> list[tuple[list[str], str | None]]:
    return [(sorted(found.values), found.unit) for found in quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EUR 1,250.00", [(["1250"], "eur")]),
        ("€50 and 50 euros", [(["50"], "eur"), (["50"], "eur")]),
        ("1.250,50 EUR", [(["1250.5"], "eur")]),
        ("1.250", [(["1.25", "1250"], None)]),
        ("1,250,000", [(["1250000"], None)]),
        ("USD 1.5 million", [(["1500000"], "usd")]),
        ("10k", [(["10000"], None)]),
        ("12.5 %, 12.5 percent or 12.5 per cent", [(["12.5"], "%")] * 3),
        ("twenty days", [(["20"], "day")]),
        ("thirty (30) calendar days", [(["30"], None), (["30"], "calendar day")]),
        ("two business weeks", [(["2"], "working week")]),
        ("No one of the ones, but one day", [(["1"], "day")]),
        ("1 March 2024", [(["1"], "march"), (["2024"], "march")]),
        ("on March 1st", [(["1"], "march")]),
        ("2024-03-01", [(["1"], "march"), (["2024"], "march")]),
        ("01.03.2024", [(["1"], "march"), (["2024"], "march")]),
        ("Rule 4.2.1 and clause 4.2(b)", [(["4.2.1"], None), (["4.2"], None)]),
        ("14 Tage", [(["14"], "day")]),
        ("one hundred and twenty days", [(["120"], "day")]),
        ("12 Sept 2024", [(["12"], "september"), (["2024"], "september")]),
        ("Rule 4.2. It", [(["4.2"], None)]),
        ("am 4.2. und am 31.12.", [(["4"], "february"), (["31"], "december")]),
        ("1 250 000,50 EUR", [(["1250000.5"], "eur")]),
        ("in 2024 100 guests", [(["2024"], None), (["100"], None)]),
        ("10 Arbeitstage, dix jours ouvrés", [(["10"], "working day")] * 2),
        ("2,70 € au 1er mai", [(["2.7"], "eur"), (["1"], "may")]),
        ("31/03/2025", [(["31"], "march"), (["2025"], "march")]),
        ("03/04/2025", [(["3", "4"], None), (["2025"], None)]),
        ("12 per cent of it, 13 pour cent", [(["12"], "%"), (["13"], "%")]),
        ("38 cents, 30 Cent, 75 pence", [(["0.38"], "cent"), (["0.3"], "cent"), (["0.75"], "gbp")]),
        ("18:00 and 9:30, 7 Uhr", [(["18"], None), (["9.5"], None), (["7"], None)]),
        ("Working days: 2; days: 3", [(["2"], "working day"), (["3"], "day")]),
        ("twice, zweimal", [(["2"], None), (["2"], None)]),
        ("400 mg or 4 g", [(["400"], "mg"), (["4"], "g")]),
        ("a day, the first of all", []),
        ("nothing here", []),
    ],
)
def test_numbers_are_read_with_their_units(text: str, expected: list[tuple[list[str], str | None]]) -> None:
    assert read(text) == expected


def test_what_others_are_held_against_is_read_in_every_way() -> None:
    found = [(sorted(one.values), one.unit) for one in quantities("a day, the first, 150 220 EUR", given=True)]
    assert found == [(["1"], "day"), (["1"], "ordinal"), (["150220"], "eur"), (["150"], "eur"), (["220"], "eur")]
    found = [(sorted(one.values), one.unit) for one in quantities("3/4/2025", given=True)]
    assert found == [(["3"], "april"), (["2025"], "april"), (["4"], "march"), (["2025"], "march")]


@pytest.mark.parametrize(
    ("claim", "source", "backed"),
    [
        ("30 days", "within thirty (30) days", True),
        ("30 days", "within thirty working days", True),
        ("30 working days", "within 30 days", False),
        ("30 calendar days", "within 30 working days", False),
        ("30 days", "within 30 months", False),
        ("30", "within 30 months", True),
        ("31 days", "within 30 days", False),
        ("EUR 50", "USD 50", False),
        ("EUR 1,250", "1250 euros", True),
        ("EUR 1.25", "EUR 1,250.00", False),
        ("two years", "24 months", True),
        ("24 months", "two years", True),
        ("two years", "2 months", False),
        ("a week or seven days", "one week", True),
        ("half an hour of 30 minutes", "0.5 hours", True),
        ("14 working days", "two weeks", False),
        ("38 cents", "EUR 0.38", True),
        ("38 cents", "GBP 0.38", False),
        ("1 March", "2024-03-01", True),
        ("1 May", "2024-03-01", False),
        ("EUR 150", "Germany | 150 | 3", False),
        ("EUR 150", "Country | Rate in EUR\nGermany | 150", True),
    ],
)
def test_a_number_is_backed_by_its_like(claim: str, source: str, backed: bool) -> None:
    (quantity, *_) = quantities(claim)
    around = frozenset(source.lower().split())
    assert is_backed(quantity, quantities(source), around) is backed


@given(st.integers(0, 10**7), st.sampled_from(["", " days", " EUR", " %"]))
def test_any_number_backs_itself_with_and_without_separators(number: int, unit: str) -> None:
    (claim,) = quantities(f"{number}{unit}")
    assert is_backed(claim, quantities(f"up to {number:,}{unit} a year"), frozenset())
    assert not is_backed(claim, quantities(f"up to {number + 1:,}{unit} a year"), frozenset())
