"""Halves of sentences: where they are cut, what they share, and what stays whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.verification import halves as module
from policy_rag.answering.verification.sentence import read


def segments(text: str, language: str = "english") -> tuple[module.SentenceHalf, ...]:
    return module.halves(read(text, language))


WHOLE = (
    "Meals between 5 and 10 euros must be declared.",
    "Meals between £5 and £10 must be declared.",
    "For a dog under 5 kg, owners pay 9 euros.",
    "A break is 45 minutes after four and a half hours at the wheel.",
    "Meals between five and ten euros must be declared.",
    "If it costs 9 euros, ask within 5 days.",
    "Ask within 5 days, if it costs 9 euros.",
    "Guests sign and park.",
    "Ask under rules 5 and 6, as it costs 9 euros.",
)


@pytest.mark.parametrize(
    ("sentence", "halves"),
    [
        ("A bag costs 5 euros; a box costs 9 euros.", ["A bag costs 5 euros", "a box costs 9 euros."]),
        ("Guests must sign and may park.", ["Guests must sign", "may park."]),
        ("It is 5% in May, 6% in June and 7% in July.", ["It is 5% in May", "6% in June", "7% in July."]),
        ("Bids are kept for 9 years and drafts, if any, for 2 years.",
         ["Bids are kept for 9 years", "drafts, if any, for 2 years."]),
        ("A night costs 5 euros, in Bonn, Ulm and Kiel 9 euros.", ["A night costs 5 euros", "in Bonn, Ulm and Kiel 9 euros."]),
        ("Claims take 5 days, which may be 9.", ["Claims take 5 days", "which may be 9."]),
        ("In Bonn 5 euros are paid, in Kiel 9.", ["In Bonn 5 euros are paid", "in Kiel 9."]),
        ("(a) Guests must sign and may park.", ["Guests must sign", "may park."]),
        *((whole, [whole]) for whole in WHOLE),
    ],
)  # fmt: skip
def test_a_sentence_is_cut_between_two_claims(sentence: str, halves: list[str]) -> None:
    assert [half.own for half in segments(sentence)] == halves


def test_a_half_that_begins_with_its_figure_shares_the_head_of_the_one_before() -> None:
    assert segments("It is 5% in May, 6% in June and 7% in July.")[2].whole.text == "It is 7% in July."
    assert segments("Guests must sign and may park.")[1].whole.text == "Guests may park."


def test_a_half_shares_what_it_leaves_out_of_the_one_before() -> None:
    parents, carers = segments("Each parent has ten paid days in a year, single parents twenty.")
    assert parents.whole.text == "Each parent has ten paid days in a year"
    assert carers.whole.text == "single parents twenty. paid days in a year"
    # "bachelors" is not left out, but another
    assert "bachelors" not in segments("It is 5% for bachelors and 6% for masters.")[1].whole.text
    # nothing is left out where the figures stand in no like place
    assert segments("Staff must park, and 5 keys on a ring are due.")[1].tail == ""
    # nor is anything by a half with a modal of its own
    assert segments("Each guest has 5 keys on a ring and staff must have 9.")[1].tail == ""


def test_what_a_half_replaces_counts_for_it_where_its_own_words_are_said() -> None:
    day, night = segments("For work on Sundays the bonus is 5%, for work at night 9%.")
    assert day.replaced == ""
    own = read("The bonus for work at night is 9%.", "english")
    assert {"bonus", "night"} <= night.said_by(own).content
    for other in ("The bonus for work on Sundays is 5%.", "For Sundays and the night there is a bonus."):
        assert "bonus" not in night.said_by(read(other, "english")).content
    taken = segments("Staff receive 5 days of leave and managers take 9 days.")[1]
    assert "receiv" in taken.said_by(read("Managers take 9 days.", "english")).content
    assert "receiv" not in taken.said_by(read("Staff take 5 days.", "english")).content


def test_a_half_that_ends_with_its_figure_shares_the_tail_of_the_next() -> None:
    found = segments("Trainees may claim 30 euros and engineers may claim 60 euros for gifts.")
    expected = ["Trainees may claim 30 euros for gifts.", "engineers may claim 60 euros for gifts."]
    assert [half.whole.text for half in found] == expected


def test_other_languages_are_cut_alike() -> None:
    german = segments("Rad bis 5 km, Bus bis 50 km und Bahn ab 51 km.", "german")
    assert [half.own for half in german] == ["Rad bis 5 km", "Bus bis 50 km", "Bahn ab 51 km."]
    spanish = segments("Los hoteles cuestan 90 euros y las comidas 30 euros.", "spanish")
    assert [half.own for half in spanish] == ["Los hoteles cuestan 90 euros", "las comidas 30 euros."]


@given(st.text(alphabet="a5 ,;.and€()", max_size=60))
def test_any_text_is_cut_without_loss_of_figures(text: str) -> None:
    cut = "".join(half.own for half in segments(text))
    assert [c for c in cut if c == "€"] == [c for c in text if c == "€"]
