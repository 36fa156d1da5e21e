"""What is planted says something else in one place, and is the same everywhere else."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_hits import made_hit

from policy_rag_eval.stress.counterfactual import change, plant


def applied(text: str, seed: int = 0) -> str | None:
    found = change(text, random.Random(seed))
    return None if found is None else text[: found.start] + found.new + text[found.end :]


@pytest.mark.parametrize(
    ("text", "may_become"),
    [
        ("Rooms cost EUR 120 at most.", {"Rooms cost EUR 240 at most.", "Rooms cost EUR 360 at most."}),
        ("Up to 1,500 euros.", {"Up to 3,000 euros.", "Up to 4,500 euros."}),
        ("It must be sent.", {"It need not be sent."}),
        ("Staff must not smoke.", {"Staff may smoke."}),
        ("Gifts may not be taken.", {"Gifts may be taken."}),
        ("Telefone darf niemand mitnehmen.", {"Telefone darf nicht niemand mitnehmen."}),
        ("Le personnel ne peut pas fumer.", {"Le personnel peut fumer."}),
        ("El personal debe avisar.", {"El personal no tiene que avisar."}),
        ("O pessoal não pode fumar.", {"O pessoal pode fumar."}),
        # An amount goes before a modal.
        ("It must be sent in 3 days.", {"It must be sent in 6 days.", "It must be sent in 9 days."}),
    ],
)
def test_an_amount_or_a_modal_is_changed(text: str, may_become: set[str]) -> None:
    assert {applied(text, seed) for seed in range(20)} == may_become


def test_a_number_in_words_becomes_another_of_its_language() -> None:
    english = {applied("Within two weeks.", seed) for seed in range(60)}
    german = {applied("Nach drei Tagen.", seed) for seed in range(60)}
    assert "Within two weeks." not in english
    assert {"Within five weeks.", "Within ten weeks."} <= english
    assert not any("zwei" in str(one) for one in english)
    assert {"Nach fünf Tagen.", "Nach zehn Tagen."} <= german
    french = {applied("Dans les six semaines qui suivent la fin.", seed) for seed in range(60)}
    assert "Dans les dix semaines qui suivent la fin." in french
    assert not any("seven" in str(one) for one in french)
    assert re.fullmatch("[A-Z][a-z]+ people sign.", str(applied("Two people sign.")))


@pytest.mark.parametrize(
    "text",
    [
        "See section 6.4 and clause 12 of Annex 3.",
        "In force from 1 January 2026, with form SQ-20.",
        "The core hours are 10:00 to 14:30 (ext. 4499).",
        "Smoking breaks are no working time.",
        "La salle 12, voir l'article 5 et l'annexe 3.",
        "",
    ],
)
def test_references_dates_years_and_times_are_left_alone(text: str) -> None:
    assert change(text, random.Random(0)) is None


def test_a_planted_section_is_the_true_one_but_for_the_change() -> None:
    before = "Annual leave\n\n"
    text = before + "Employees have 30 days a year. Ask your manager in May."
    hit = made_hit(text, start=100, chunk_start=100, chunk_end=100 + len(text))
    gold = 100 + text.index("Employees")
    planted = plant(hit, gold, gold + len("Employees have 30 days a year."), random.Random(0))
    assert planted is not None
    at = text.index("30")
    assert planted.hit.text in {text.replace("30", "60"), text.replace("30", "90")}
    assert planted.true == ("leave.md", 100 + at, 102 + at)
    assert planted.false == ("superseded/leave.md", 100 + at, 102 + at)
    assert planted.hit.path == ("Leave policy (superseded edition)", "Leave")
    assert (planted.hit.doc_id, planted.hit.version) == ("superseded/leave.md", "superseded")
    assert planted.hit.found_by == hit.found_by
    outside = made_hit("Employees rest. They have 30 days.")
    assert plant(outside, 0, len("Employees rest."), random.Random(0)) is None


@given(st.text(max_size=40), st.integers(1, 99_999), st.text(max_size=40), st.integers(0, 9), st.integers(0, 500))
def test_places_always_hold_what_they_name(before: str, amount: int, after: str, seed: int, start: int) -> None:
    text = f"{before} {amount} days {after}"
    hit = made_hit(text, start=start)
    planted = plant(hit, start, start + len(text), random.Random(seed))
    if planted is None:
        return
    _, true_start, true_end = planted.true
    _, false_start, false_end = planted.false
    old, new = text[true_start - start : true_end - start], planted.hit.text[false_start - start : false_end - start]
    assert old != new
    assert planted.hit.text == text[: true_start - start] + new + text[true_end - start :]
    assert planted.hit.end - planted.hit.start == len(planted.hit.text)
    assert (planted.hit.chunk_start, planted.hit.chunk_end) == (planted.hit.start, planted.hit.end)


def test_the_same_seed_plants_the_same() -> None:
    text = "Pay 10 euros, 20 euros or 30 euros."
    assert change(text, random.Random(5)) == change(text, random.Random(5))
    assert len({change(text, random.Random(seed)) for seed in range(40)}) == 6
