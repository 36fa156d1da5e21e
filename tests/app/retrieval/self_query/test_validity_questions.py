"""Questions about when an edition holds: what the documents declare is told, and little else is quoted."""

import datetime as dt
from dataclasses import replace

import pytest
from named_editions import info

from policy_rag.retrieval.self_query.validity_questions import answering, asked_of, asks_validity, declared_validity

LEAVE = (
    replace(info(1, "Leave Policy", "1.0", "2022-01-01"), superseded_from=dt.date(2024, 5, 1)),
    info(2, "Leave Policy", "2.0", "2024-05-01"),
    info(3, "Travel Rules", last="2024-12-31"),
)


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Leave Policy", "When does version 2.0 of the leave policy take effect?"),
        ("Leave Policy", "Which version of the leave policy is in force?"),
        ("Leave Policy", "Is the leave policy still in force?"),
        ("Leave Policy", "When did the leave policy change?"),
        ("Leave Policy", "When did the old leave policy end?"),
        ("Leave Policy", "What is the date of the leave policy?"),
        ("Politique de congés", "Depuis quand la politique de congés est-elle en vigueur ?"),
        ("Politique de congés", "Quelle version de la politique de congés est en vigueur ?"),
        ("Política de permisos", "¿Hasta cuándo es válida la política de permisos?"),
        ("Política de férias", "Qual versão da política de férias está em vigor?"),
        ("Reisekostenrichtlinie", "Seit wann gilt die Reisekostenrichtlinie?"),
        ("Reisekostenrichtlinie", "Wann tritt die Reisekostenrichtlinie in Kraft?"),
    ],
)
def test_these_ask_for_validity(title, question):
    assert asks_validity(question, [title])


@pytest.mark.parametrize(
    "question",
    [
        "When does leave start?",  # a matter of the policy, whose title has the same word
        "When does the leave policy apply?",
        "Since when does leave apply?",
        "To whom does the leave policy apply?",
        "Until when must leave be taken under the leave policy?",
        "Until when is leave valid under the leave policy?",
        "What does the current leave policy say on sickness?",
        "Which version of the form does the leave policy ask for?",
        "Für wen gilt die Reisekostenrichtlinie?",
        "Wann gilt die Reisekostenrichtlinie?",
    ],
)
def test_these_ask_for_something_else(question):
    assert not asks_validity(question, ["Reisekostenrichtlinie" if "Reise" in question else "Leave Policy"])


def declared(question, day="2026-01-01"):
    named = asked_of(question, LEAVE)
    return [declared_validity(one, question) for one in answering(question, named, dt.date.fromisoformat(day))]


def test_what_is_declared_is_told_in_order_of_time():
    assert [declared_validity(one) for one in asked_of("When did the leave policy change?", LEAVE)] == [
        "Leave Policy, version 1.0 from 2022-01-01 to 2024-04-30",
        "Leave Policy, version 2.0 from 2024-05-01",
    ]
    assert [declared_validity(one) for one in asked_of("When do the travel rules expire?", LEAVE)] == [
        "Travel Rules, no version since no day that is given to 2024-12-31"
    ]


def test_what_is_declared_is_told_in_the_language_of_the_question():
    assert declared_validity(LEAVE[0], "Wann endet die Urlaubsrichtlinie?").startswith(f"{LEAVE[0].title}, Version ")
    ended = next(one for one in LEAVE if one.title == "Travel Rules")
    told = [declared_validity(ended, one) for one in ("Bis wann gilt das?", "Quand est-ce que cela finit ?")]
    assert told == [
        "Travel Rules, ohne Version ohne Angabe eines Beginns bis 2024-12-31",
        "Travel Rules, sans version sans date de début indiquée jusqu'au 2024-12-31",
    ]


def test_other_questions_are_told_nothing():
    assert asked_of("When does leave end?", LEAVE) == ()
    assert asked_of("Who may end a trip by the travel rules?", LEAVE) == ()
    assert asked_of("When did it change?", LEAVE) == ()


def test_a_day_and_a_version_are_answered_by_those_that_declare_one():
    old, new = "Leave Policy, version 1.0 from 2022-01-01 to 2024-04-30", "Leave Policy, version 2.0 from 2024-05-01"
    assert declared("Since when is the leave policy in force?") == [old, new]
    assert declared("When did version 1.0 of the leave policy take effect?") == [old]
    assert declared("Which version of the leave policy is in force?") == [new]
    assert declared("Which version of the leave policy is in force?", "2023-01-01") == [old]
    assert declared("Until when is version 2.0 of the leave policy valid?") == [f"{new} to no day that is given"]
    assert declared("What is the version of the travel rules?") == []
    assert declared("When did version 9 of the leave policy take effect?") == []


@pytest.mark.parametrize(
    "question",
    [
        "Who changed the leave policy?",
        "Why was the leave policy replaced?",
        "What changed in the leave policy?",
        "What is new in version 2.0 of the leave policy?",
        "When must the leave policy be updated?",
    ],
)
def test_what_is_declared_answers_nothing_else(question):
    assert declared(question) == []
