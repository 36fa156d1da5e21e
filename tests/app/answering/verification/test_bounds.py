"""Bounds of numbers: what is a least and what a most, and which two contradict each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.verification.bounds import Bound, Side
from policy_rag.answering.verification.quantities import quantities, turned_bound

LEAST = [
    "at least 30 days",
    "a minimum of 30 days",
    "not less than 30 days",
    "no fewer than 30 days",
    "no earlier than 30 days after",
    "more than 30 days",
    "over 30 days",
    "in excess of EUR 30",
    "30 days or more",
    "30 euros and over",
    "30 days at the earliest",
    "after 30 April",
    "from 30 April",
    "since 2024",
    "must not be less than 30",
    "the minimum notice for all staff is 30 days",
    "mindestens 30 Tage",
    "mindestens jedoch 30 EUR",
    "mehr als dreißig Tage",
    "nicht weniger als 30 Tage",
    "ab dem 30. April",
    "ab 30 EUR",
    "nach Ablauf von 30 Tagen",
    "30 Tage überschreitet",
    "au moins 30 jours",
    "plus de 30 €",
    "d'une valeur supérieure à 30 €",
    "à partir du 30 avril",
    "pas moins de 30 jours",
    "30 jours au minimum",
]
MOST = [
    "at most 30 days",
    "a maximum of 30 days",
    "no more than 30 days",
    "not exceeding EUR 30",
    "must not exceed £30",
    "up to $30",
    "within a period of 30 days",
    "within thirty days",
    "no later than 30 working days",
    "less than 30",
    "under 30",
    "30 days or less",
    "30 days at the latest",
    "by 30 April",
    "before April 30",
    "until 2024",
    "limited to 30 days",
    "the maximum stay for all guests is 30 days",
    "höchstens 30 Tage",
    "höchstens jedoch 30 EUR",
    "nicht mehr als 30 Tage",
    "bis zu 30 EUR",
    "bis zum 30.04.",
    "innerhalb von dreißig Tagen",
    "binnen 30 Arbeitstagen",
    "spätestens am 30. April",
    "darf 30 Tage nicht überschreiten",
    "vor dem 30. April",
    "au plus 30 jours",
    "dans la limite de 30,50 €",
    "sous trente jours",
    "dans un délai de 30 jours",
    "moins de 30 €",
    "pas plus de 30 €",
    "n'excède pas 30 jours",
    "ne peut dépasser 30 €",
    "avant le 30 avril",
    "jusqu'à 30 €",
]
NONE = [
    "30 days",
    "increased by 30 euros",
    "from 30 to 40 days",
    "30 days before the trip",
    "under section 30",
    "they carry over 30 days",
    "the rest is rolled over 30 times",
    "spread over a period of 30 days",
    "au 30 avril",
    "vor Gericht 30 EUR",
    "5 days or more than 30 days, then 7 days",
]


def sides(text: str) -> list[Side | None]:
    return [quantity.bound and quantity.bound.side for quantity in quantities(text)]


@pytest.mark.parametrize("text", LEAST)
def test_a_least_is_read(text: str) -> None:
    assert sides(text) == [Side.LEAST]


@pytest.mark.parametrize("text", MOST)
def test_a_most_is_read(text: str) -> None:
    assert sides(text) == [Side.MOST]


@pytest.mark.parametrize("text", NONE)
def test_other_words_beside_a_number_bound_nothing(text: str) -> None:
    assert sides(text)[0] is None


def test_between_bounds_on_both_sides() -> None:
    assert sides("meals between £25 and £75") == [Side.LEAST, Side.MOST]
    assert sides("zwischen zwei und fünf Tagen") == [Side.LEAST, Side.MOST]


def test_each_number_has_the_bound_beside_it() -> None:
    text = "A minimum of 2 and a maximum of 5 people, for 3 days, or at least 10 more"
    assert sides(text) == [Side.LEAST, Side.MOST, None, Side.LEAST]


@pytest.mark.parametrize(
    ("claim", "source", "turned"),
    [
        ("Gifts of over 50 euros may be taken.", "Gifts of up to 50 euros may be taken.", "up to"),
        ("Gifts of over 50 euros must be refused.", "Gifts of up to 50 euros may be taken.", ""),
        ("Gifts of up to 50 euros are refused.", "Gifts of over 50 euros are refused.", "over"),
        ("Taxis over 15 euros need no receipt.", "Taxis up to 15 euros need no receipt.", "up to"),
        ("It lasts at least 30 days.", "It lasts 30 days.", ""),
        ("It lasts 30 days.", "It lasts at least 30 days.", ""),
        ("It lasts at least 30 days.", "It lasts 30 days or more.", ""),
        ("It lasts within 30 days.", "It lasts no more than 30 days.", ""),
        ("It lasts at least 30 days.", "It lasts at most 30 months.", ""),  # another number, and not backed
        ("It lasts at least 30 days.", "At most 30 days, at least 30 days for others.", ""),
        ("Mindestens zwei Tage.", "Höchstens zwei Tage.", "höchstens"),
        ("Au moins deux jours.", "Au plus deux jours.", "au plus"),
        ("Trips over 50 km go by car.", "Trips up to 50 km go by bicycle; longer trips go by car.", ""),
        ("Claims later than 30 days are late.", "Claims are made within 30 days.", ""),
    ],
)
def test_only_the_opposite_in_a_clause_of_the_same_kind_is_turned(claim: str, source: str, turned: str) -> None:
    (quantity,) = quantities(claim)
    assert turned_bound(quantity, quantities(source), frozenset()) == turned


def test_bounds_contradict_both_ways() -> None:
    least, most = Bound(Side.LEAST, "at least", denied=False), Bound(Side.MOST, "at most", denied=False)
    assert least.contradicts(most)
    assert most.contradicts(least)
    assert not least.contradicts(least)
    assert not least.contradicts(Bound(Side.MOST, "up to", denied=True))


@given(st.text(alphabet="aot le smnri1250,.£-", max_size=120))
def test_any_text_is_read(text: str) -> None:
    assert all(quantity.bound is None or quantity.bound.shown for quantity in quantities(text))
