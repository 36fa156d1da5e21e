"""Numbers in a text with their units and bounds, in every language that has a lexicon, and which one backs which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.text.bounds import Bound, Side
from policy_rag_parsers.text.lexicon import LEXICONS
from policy_rag_parsers.text.quantities import backing, claimed_quantities, quantities, turned_bound, units_in

LANGUAGE = {known.code: language for language, known in LEXICONS.items()}

READ = [
    ("en", "EUR 1,250.00", "1250 eur"),
    ("en", "€50 and 50 euros", "50 eur; 50 eur"),
    ("en", "1.250,50 EUR", "1250.5 eur"),
    ("en", "1.250", "1.25/1250"),
    ("en", "1,250,000", "1250000"),
    ("en", "USD 1.5 million", "1500000 usd"),
    ("en", "10k", "10000"),
    ("en", "12.5 %, 12.5 percent or 12.5 per cent", "12.5 %; 12.5 %; 12.5 %"),
    ("en", "twenty days", "20 day"),
    ("en", "thirty (30) calendar days", "30 calendar day; 30 calendar day"),
    ("en", "two business weeks", "2 working week"),
    ("en", "No one of the ones, but one day", "1 day"),
    ("en", "1 March 2024", "1 march; 2024 march"),
    ("en", "on March 1st", "1 march"),
    ("en", "2024-03-01", "1 march; 2024 march"),
    ("en", "01.03.2024", "1 march; 2024 march"),
    ("en", "Rule 4.2.1 and clause 4.2(b)", "4.2.1; 4.2"),
    ("en", "one hundred and twenty days", "120 day"),
    ("en", "12 Sept 2024", "12 september; 2024 september"),
    ("en", "Rule 4.2. It", "4.2"),
    ("en", "1 250 000,50 EUR", "1250000.5 eur"),
    ("en", "in 2024 100 guests", "2024; 100"),
    ("en", "31/03/2025", "31 march; 2025 march"),
    ("en", "03/04/2025", "3/4; 2025"),
    ("en", "38 cents, 75 pence", "0.38 cent; 0.75 gbp"),
    ("en", "18:00 and 9:30", "18; 9.5"),
    ("en", "Working days: 2; days: 3", "2 working day; 3 day"),
    ("en", "twice", "2"),
    ("en", "3\u20660 days, 1\u061c4 weeks", "30 day; 14 week"),
    ("en", "5 to 10 working days, 10-15 %", "5 working day; 10 working day; 10 %; 15 %"),
    ("en", "between 2 and 4 weeks, 5 or 6 months; 7, 8 days", "2 week; 4 week; 5 month; 6 month; 7; 8 day"),
    ("en", "The notice is 14 days. 3 copies are kept.", "14 day; 3"),
    ("en", "after 14 days 3 copies", "14 day; 3"),
    ("en", "USD 3,000.00/month", "3000 usd"),
    ("en", "400 mg or 4 g", "400 mg; 4 g"),
    ("en", "a day, the first of all", ""),
    ("en", "within a week, at a rate of EUR 5 an hour", "1 week; 5 eur"),
    ("de", "innerhalb eines Monats", "1 month"),
    ("en", "nothing here", ""),
    ("de", "14 Tage", "14 day"),
    ("de", "am 4.2. und am 31.12.", "4 february; 31 december"),
    ("de", "10 Arbeitstage", "10 working day"),
    ("de", "30 Cent, 7 Uhr, zweimal", "0.3 cent; 7; 2"),
    ("de", "Fünfundzwanzig Kalendertage", "25 calendar day"),
    ("de", "am 1. Jänner", "1 january"),
    ("de", "1,5 Mio. EUR", "1500000 eur"),
    ("de", "Frist: 14 Tage, § 3", "14 day; 3"),
    ("de", "14-tägig, 6-monatige Frist, anderthalb Jahre", "14 day; 6 month; 1.5 year"),
    ("de", "10 Tsd. Euro", "10000 eur"),
    ("fr", "2 millions d'euros", "2000000 eur"),
    ("es", "3 millones de euros", "3000000 eur"),
    ("pt", "R$ 1.500,00 ou 2 milhões de reais", "1500 brl; 2000000 brl"),
    ("fr", "dix jours ouvrés", "10 working day"),
    ("fr", "2,70 € au 1er mai", "2.7 eur; 1 may"),
    ("fr", "12 pour cent", "12 %"),
    ("fr", "soixante et onze euros", "71 eur"),
    ("fr", "sept semaines", "7 week"),
    ("es", "veintiún días hábiles", "21 working day"),
    ("es", "el 31 de mayo de 2025", "31 may; 2025 may"),
    ("es", "treinta y cinco por ciento", "35 %"),
    ("es", "1.250,50 euros", "1250.5 eur"),
    ("pt", "vinte e cinco dias úteis", "25 working day"),
    ("pt", "1 de março de 2025", "1 march; 2025 march"),
    ("pt", "dez anos", "10 year"),
    ("pt", "dois mil euros", "2000 eur"),
    # halves and short scales
    ("en", "half a day, or a half-day", "0.5 day; 0.5 day"),
    ("en", "one and a half years, two and a half million euros", "1.5 year; 2500000 eur"),
    ("en", "5 days and half the fee, half of the staff", "5 day"),
    ("de", "einen halben Tag", "0.5 day"),
    ("fr", "une demi-journée, deux ans et demi, 2,5 M€, 5 m de haut", "0.5 day; 2.5 year; 2500000 eur; 5"),
    ("es", "media hora, dos años y medio", "0.5 hour; 2.5 year"),
    ("pt", "meia hora, dois anos e meio", "0.5 hour; 2.5 year"),
]


def read(text: str, language: str, *, given: bool = False) -> str:
    found = quantities(text, language, given=given)
    return "; ".join(" ".join(filter(None, ("/".join(sorted(one.values)), one.unit))) for one in found)


@pytest.mark.parametrize(("code", "text", "expected"), READ)
def test_numbers_are_read_with_their_units(code: str, text: str, expected: str) -> None:
    assert read(text, LANGUAGE[code]) == expected


def test_what_others_are_held_against_is_read_in_every_way() -> None:
    found = read("a day, the first, 150 220 EUR", "english", given=True)
    assert found == "1 day; 1 ordinal; 150220 eur; 150 eur; 220 eur"
    assert read("3/4/2025", "english", given=True) == "3 april; 2025 april; 4 march; 2025 march"


@pytest.mark.parametrize(
    ("claim", "source", "backed"),
    [
        ("30 days", "within thirty (30) days", True),
        ("30 days", "within thirty working days", True),
        ("30 working days", "within 30 days", False),
        ("30 calendar days", "within 30 working days", False),
        ("30 days", "within 30 months", False),
        ("30 months", "within thirty (30) days", False),
        ("5 months", "5 to 10 days", False),
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
    (quantity, *_) = quantities(claim, "english")
    around = units_in(source.lower().split(), "english")
    assert bool(backing(quantity, quantities(source, "english"), around)) is backed


@given(st.integers(0, 10**7), st.sampled_from(["", " days", " EUR", " %"]))
def test_any_number_backs_itself_with_and_without_separators(number: int, unit: str) -> None:
    (claim,) = quantities(f"{number}{unit}", "english")
    assert backing(claim, quantities(f"up to {number:,}{unit} a year", "english"))
    assert not backing(claim, quantities(f"up to {number + 1:,}{unit} a year", "english"))


BOUNDS = {
    ("en", Side.LEAST): [
        "at least 30 days", "a minimum of 30 days", "not less than 30 days", "no fewer than 30 days",
        "no earlier than 30 days after", "more than 30 days", "over 30 days", "in excess of EUR 30", "30 days or more",
        "30 euros and over", "30 days at the earliest", "after 30 April", "from 30 April", "since 2024",
        "must not be less than 30", "the minimum notice for all staff is 30 days",
    ],
    ("de", Side.LEAST): [
        "mindestens 30 Tage", "mindestens jedoch 30 EUR", "mehr als dreißig Tage", "nicht weniger als 30 Tage",
        "ab dem 30. April", "ab 30 EUR", "nach Ablauf von 30 Tagen", "30 Tage überschreitet",
    ],
    ("fr", Side.LEAST): [
        "au moins 30 jours", "plus de 30 €", "d'une valeur supérieure à 30 €", "à partir du 30 avril",
        "pas moins de 30 jours", "30 jours au minimum",
    ],
    ("es", Side.LEAST): ["al menos 30 días", "más de 30 €", "no menos de 30 días", "desde el 30 de abril", "30 € o más"],
    ("pt", Side.LEAST): ["pelo menos 30 dias", "mais de 30 €", "não menos de 30 dias", "após 30 de abril", "30 € ou mais"],
    ("en", Side.MOST): [
        "at most 30 days", "a maximum of 30 days", "no more than 30 days", "not exceeding EUR 30", "must not exceed £30",
        "up to $30", "within a period of 30 days", "within thirty days", "no later than 30 working days",
        "less than 30", "under 30", "30 days or less", "30 days at the latest", "by 30 April", "before April 30",
        "until 2024", "limited to 30 days", "the maximum stay for all guests is 30 days",
    ],
    ("de", Side.MOST): [
        "höchstens 30 Tage", "höchstens jedoch 30 EUR", "nicht mehr als 30 Tage", "bis zu 30 EUR", "bis zum 30.04.",
        "innerhalb von dreißig Tagen", "binnen 30 Arbeitstagen", "spätestens am 30. April",
        "darf 30 Tage nicht überschreiten", "vor dem 30. April",
    ],
    ("fr", Side.MOST): [
        "au plus 30 jours", "dans la limite de 30,50 €", "sous trente jours", "dans un délai de 30 jours",
        "moins de 30 €", "pas plus de 30 €", "n'excède pas 30 jours", "ne peut dépasser 30 €", "avant le 30 avril",
        "jusqu'à 30 €",
    ],
    ("es", Side.MOST): ["como máximo 30 días", "hasta 30 €", "no más de 30 días", "antes del 30 de abril",
                        "en el plazo de 30 días", "no puede exceder 30 €"],
    ("pt", Side.MOST): ["no máximo 30 dias", "até 30 €", "não mais de 30 dias", "antes de 30 de abril",
                        "no prazo de 30 dias", "não pode exceder 30 €"],
    ("en", None): [
        "30 days", "increased by 30 euros", "from 30 to 40 days", "30 days before the trip", "under section 30",
        "they carry over 30 days", "the rest is rolled over 30 times", "spread over a period of 30 days",
        "5 days or more than 30 days, then 7 days",
    ],
    ("fr", None): ["au 30 avril"],
    ("de", None): ["vor Gericht 30 EUR"],
}  # fmt: skip


def sides(text: str, code: str) -> list[Side | None]:
    return [quantity.bound and quantity.bound.side for quantity in quantities(text, LANGUAGE[code])]


@pytest.mark.parametrize(
    ("code", "text", "side"), [(code, text, side) for (code, side), texts in BOUNDS.items() for text in texts]
)
def test_a_bound_is_read(code: str, text: str, side: Side | None) -> None:
    assert sides(text, code)[0] is side


def test_each_number_has_the_bound_beside_it() -> None:
    text = "A minimum of 2 and a maximum of 5 people, for 3 days, or at least 10 more"
    assert sides(text, "en") == [Side.LEAST, Side.MOST, None, Side.LEAST]
    assert sides("within 30 (thirty) days", "en") == [Side.MOST, Side.MOST]
    assert sides("meals between £25 and £75", "en") == [Side.LEAST, Side.MOST]
    assert sides("zwischen zwei und fünf Tagen", "de") == [Side.LEAST, Side.MOST]
    assert sides("entre dois e cinco dias", "pt") == [Side.LEAST, Side.MOST]


@pytest.mark.parametrize(
    ("code", "claim", "source", "turned"),
    [
        ("en", "Gifts of over 50 euros may be taken.", "Gifts of up to 50 euros may be taken.", "up to"),
        ("en", "Gifts of over 50 euros must be refused.", "Gifts of up to 50 euros may be taken.", ""),
        ("en", "Gifts of up to 50 euros are refused.", "Gifts of over 50 euros are refused.", "over"),
        ("en", "Taxis over 15 euros need no receipt.", "Taxis up to 15 euros need no receipt.", "up to"),
        ("en", "It lasts at least 30 days.", "It lasts 30 days.", ""),
        ("en", "It lasts 30 days.", "It lasts at least 30 days.", ""),
        ("en", "It lasts at least 30 days.", "It lasts 30 days or more.", ""),
        ("en", "It lasts within 30 days.", "It lasts no more than 30 days.", ""),
        ("en", "It lasts at least 30 days.", "It lasts at most 30 months.", ""),  # another number, and not backed
        ("en", "It lasts at least 30 days.", "At most 30 days, at least 30 days for others.", ""),
        ("de", "Mindestens zwei Tage.", "Höchstens zwei Tage.", "höchstens"),
        ("fr", "Au moins deux jours.", "Au plus deux jours.", "au plus"),
        ("es", "Al menos dos días.", "Como máximo dos días.", "como máximo"),
        ("pt", "Pelo menos dois dias.", "No máximo dois dias.", "no máximo"),
        ("en", "Trips over 50 km go by car.", "Trips up to 50 km go by bicycle; longer trips go by car.", ""),
        ("en", "Claims later than 30 days are late.", "Claims are made within 30 days.", ""),
    ],
)
def test_only_the_opposite_in_a_clause_of_the_same_kind_is_turned(
    code: str, claim: str, source: str, turned: str
) -> None:
    (quantity,) = quantities(claim, LANGUAGE[code])
    assert turned_bound(quantity, quantities(source, LANGUAGE[code])) == turned


def test_bounds_contradict_both_ways() -> None:
    least, most = Bound(Side.LEAST, "at least", denied=False), Bound(Side.MOST, "at most", denied=False)
    assert least.contradicts(most)
    assert most.contradicts(least)
    assert not least.contradicts(least)
    assert not least.contradicts(Bound(Side.MOST, "up to", denied=True))


def test_numbers_of_clauses_and_list_marks_claim_nothing() -> None:
    text = "(b) Nach Ziffer 4.2 und § 7 sind 10 Tage frei."
    assert [one.shown for one in claimed_quantities(text, "german")] == ["10"]


@given(st.text(alphabet="aot le smnri1250,.£-", max_size=120), st.sampled_from(sorted(LEXICONS)))
def test_any_text_is_read(text: str, language: str) -> None:
    found = quantities(text, language)
    assert all(one.values and text[one.start : one.end] for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)
