"""Days in questions: whose rules are asked for, which are over, which are only told, and which are none."""

import datetime as dt

import pytest
from named_editions import DOCUMENTS, info

from policy_rag.retrieval.self_query.question_dates import (
    coming_day,
    day_in_force,
    other_editions,
    past_day,
    rules_of,
)

TODAY = dt.date(2026, 9, 1)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What was the rate in force on 1 May 2025?", "2025-05-01"),
        ("Which limit is valid on the 3rd of March, 2024?", "2024-03-03"),
        ("As of May 1, 2025, who approves flights?", "2025-05-01"),
        ("Who approves flights as at 2025-05-01?", "2025-05-01"),
        ("Welche Sätze waren am Stichtag gültig am 1. Mai 2025?", "2025-05-01"),
        ("Was galt am 01.05.2025?", "2025-05-01"),
        ("What applied in March 2024?", "2024-03-31"),  # the day of that month nearest to today
        ("Which rules apply in 2026?", "2026-09-01"),  # today is one of them
        ("Which rules apply in January 2027?", "2027-01-01"),
        ("What was in force in 2019?", "2019-12-31"),
        ("What applies from 1 January 2027?", "2027-01-01"),
        ("Was gilt ab dem 1. Januar 2027?", "2027-01-01"),
        ("Quel était le plafond en vigueur le 1er mai 2025 ?", "2025-05-01"),
        ("Quelle politique s'appliquait en mars 2024 ?", "2024-03-31"),
        ("¿Qué límite estaba en vigor el 1 de mayo de 2025?", "2025-05-01"),
        ("Que limite estava em vigor em 1 de maio de 2025?", "2025-05-01"),
    ],
)
def test_a_day_that_is_asked_for_in_so_many_words(question, day):
    assert day_in_force(question, TODAY)[0] == dt.date.fromisoformat(day)


@pytest.mark.parametrize(
    "question",
    [
        "I flew on 1 May 2025. What do I get?",
        "Is rule 2025-05-01 known?",
        "What is effective from 1 May 2025?",
        "What was in force on 31 February 2025?",
        "What was in force on 1 May 2025, and what was in force on 1 May 2024?",
        "Does it apply in 2025.3?",
        "Is a hotel of 2025 euros fine?",
    ],
)
def test_a_date_that_is_only_mentioned_is_none(question):
    assert day_in_force(question, TODAY) is None


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("How many resits did a student have in March 2024?", "2024-03-31"),
        ("What was the pass mark for postgraduates in 2024?", "2024-12-31"),
        ("On 15 March 2024, within what time did a dose have to be recorded?", "2024-03-15"),
        ("Before April 2025, how often was the fridge read?", "2025-03-31"),
        ("What held in March 2024 on resits?", "2024-03-31"),
        ("Welche Übernachtungskosten wurden am 1. Juni 2022 erstattet?", "2022-06-01"),
        ("Was hat im Jahr 2022 gegolten?", "2022-12-31"),
        ("Which rate was in place on 31/03/2025?", "2025-03-31"),
        ("Within what time was a dose recorded on 2025-03-31?", "2025-03-31"),
        ("and before September 2025? (resits student)", "2025-08-31"),
        ("And in 2023?", "2023-12-31"),
        ("How many resits in the academic year 2023/24?", "2023-12-31"),
        ("How many resits were there in 2023-2024?", "2023-12-31"),
        ("Wie viele Tage gab es im Geschäftsjahr 2023/24?", "2023-12-31"),
        ("How many resits were allowed in autumn 2024?", "2024-12-31"),
        ("Wie lange hatte man 2023 Zeit für die Abrechnung?", "2023-12-31"),
        ("What rate for a hotel in 2024?", "2024-12-31"),
        ("Combien coûtait un hôtel en 2024 ?", "2024-12-31"),
        ("¿Cuántos días de vacaciones había en 2024?", "2024-12-31"),
        ("Quantos dias de férias havia em março de 2024?", "2024-03-31"),
    ],
)
def test_a_day_that_is_asked_about(question, last):
    past = past_day(question, TODAY)
    assert past.asks
    assert past.last == dt.date.fromisoformat(last)


@pytest.mark.parametrize(
    "question",
    [
        "I flew on 1 May 2025. What do I get?",
        "In March 2024, I bought a laptop. What do I get?",
        "What happens to a laptop that was bought in 2024?",
        "Who must be told if data was lost in March 2024?",
        "What do I do with an order placed in 2024?",
        "I was ill in March 2024, what do I get?",
        "How many resits do I have in 2023/24?",  # today's rules, with a notice
        "En 2024, j'ai acheté un ordinateur. Que se passe-t-il ?",
        "Viajé en 2024. ¿Qué recibo?",
        "¿Cuál es el límite en 2024?",
    ],
)
def test_a_day_that_is_only_told(question):
    assert not past_day(question, TODAY).asks


@pytest.mark.parametrize(
    "question",
    [
        "What was the limit of the 2024 budget?",
        "What has been allowed since 2019?",
        "What was allowed from 1 May 2025?",
        "What will be allowed in 2027?",
        "What was allowed in 2026?",  # that year is not over
        "What was allowed in 2024 and in 2025?",
        "How many people were in 2000 cases paid?",
        "Was it paid in 2024 euros?",
        "What was allowed in 2023/25?",
        "Was galt, als es 2023 Leute waren?",
        "Was it allowed on 4/5/2025?",  # in May or in April
        "Was it allowed on 31 February 2025?",
        "Was it in section 2024.1?",
        "Was it done in 20 days?",
    ],
)
def test_what_is_no_day_that_is_over(question):
    assert past_day(question, TODAY) is None


def test_a_day_on_which_the_same_edition_held_changes_nothing():
    only, old = past_day("What did a hotel cost in 2025?", TODAY), past_day("What did a hotel cost in 2021?", TODAY)
    assert rules_of(DOCUMENTS, only, TODAY) == (dt.date(2025, 12, 31), DOCUMENTS[:1])
    assert rules_of(DOCUMENTS, old, TODAY) == (dt.date(2021, 12, 31), ())
    assert rules_of(DOCUMENTS[1:], only, TODAY)[1] == ()


def test_the_notice_names_the_edition_of_what_was_found_and_the_option():
    past = past_day("I flew in 2025. What do I get?", TODAY)
    (line,) = other_editions(past, DOCUMENTS, ["doc2", "doc3"], TODAY)
    assert "Expenses and Travel Policy" in line
    assert "--as-of 2025-12-31" in line
    assert other_editions(past, DOCUMENTS, ["doc3"], TODAY) == ()
    retired = (*DOCUMENTS, info(9, "Dress Code", last="2026-01-01"))
    assert other_editions(past, retired, ["doc2"], TODAY) == (line,)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many days of holiday will I have in 2027?", "2027-01-01"),
        ("What does a hotel cost from 1 March 2027?", "2027-03-01"),
        ("From March 2027, who approves flights?", "2027-03-01"),
        ("May I carry days over in January 2027?", "2027-01-01"),
        ("Wie viele Tage Urlaub habe ich im Jahr 2027?", "2027-01-01"),
        ("Wie viele Tage bekomme ich ab Januar 2027?", "2027-01-01"),
        ("Combien de jours de congé aurai-je en 2027 ?", "2027-01-01"),
        ("¿Cuántos días tendré a partir de marzo de 2027?", "2027-03-01"),
    ],
)
def test_a_day_to_come_that_is_asked_about(question, first):
    coming = coming_day(question, TODAY)
    assert coming.asks
    assert coming.first == dt.date.fromisoformat(first)


@pytest.mark.parametrize(
    "question",
    ["I will fly on 1 May 2027. What do I get?", "Who must be told if a laptop is lost in 2027?",
     "In 2027, I will buy a laptop. What do I get?", "What was decided for flights in 2027?"],
)  # fmt: skip
def test_a_day_to_come_that_is_only_told(question):
    assert not coming_day(question, TODAY).asks


@pytest.mark.parametrize(
    "question",
    [
        "What is allowed in 2026?",
        "What is allowed in 2026/27?",  # that has begun
        "Must I hand it in by 31 March 2027?",
        "What must be done before 2027?",
        "Is it paid in 2027 euros?",
        "What will be allowed in 2027 and in 2028?",
        "What was allowed in 2024?",
    ],
)
def test_what_is_no_day_to_come(question):
    assert coming_day(question, TODAY) is None


def test_rules_to_come_are_those_of_the_first_day_with_any():
    documents = (*DOCUMENTS, info(8, "Holiday Policy", first="2027-03-01"), info(9, "Dress Code", first="2028-01-01"))
    coming = coming_day("How many days of holiday will I have in 2027?", TODAY)
    day, changed = rules_of(documents, coming, TODAY)
    assert (day, [one.doc_id for one in changed]) == (dt.date(2027, 3, 1), ["doc8"])
    assert rules_of(DOCUMENTS, coming, TODAY)[1] == ()
    told = coming_day("I will fly on 1 May 2027. What do I get?", TODAY)
    new = (*DOCUMENTS, info(8, "Leave Policy", first="2027-03-01"))
    assert "will be in force on 2027-05-01" in other_editions(told, new, ["doc3"], TODAY)[0]
