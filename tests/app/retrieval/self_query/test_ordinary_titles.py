"""Titles that are ordinary words, "The office" and "Working hours": mostly the thing is meant and not the document."""

from dataclasses import replace

import pytest
from named_editions import DOCUMENTS, TODAY, info

from policy_rag.retrieval.self_query.rule_filters import read_filters_by_rule

PAGES = (
    *(info(10 + i, title) for i, title in enumerate(("The office", "Working hours", "Annual leave", "The car park"))),
    *(info(20 + i, title) for i, title in enumerate(("Social media", "San Francisco", "Our contract", "GitHub"))),
    *(info(30 + i, title) for i, title in enumerate(("Mobiles Arbeiten", "Heures de travail", "Horario de trabajo"))),
    *(info(40 + i, title) for i, title in enumerate(("Horário de trabalho", "Die Reiserichtlinie", "The Dress Code"))),
    info(50, "Sick leave", "1", "2020-01-01", "2025-12-31"),
    info(51, "Sick leave", "2", "2026-01-01"),
    *DOCUMENTS,
)


def read(question, documents=PAGES):
    return [str(condition) for condition in read_filters_by_rule(question, documents, TODAY).conditions]


@pytest.mark.parametrize(
    "question",
    [
        "How many days do I have to be in the office?",
        "Can I drink alcohol in working hours?",
        "And in working hours? (drink alcohol)",
        "Can I send a text in working hours?",
        "Who says working hours are fixed?",
        "Where do I lock my bike in the car park?",
        "How long is notice under our contract?",
        "What does the gym in the San Francisco building cost?",
        "Does social media cover a private blog?",
        "What does the office provide for lunch?",
        "Which part of annual leave is unpaid?",
        "Who pays for 4 days of annual leave?",
        "How much 2025 annual leave can I carry over?",
        "Can I install version 3 in working hours?",
        "Am I paid from 9 in working hours?",
        "Where do I find the code in GitHub?",
        "Darf ich im Mobiles Arbeiten trinken?",
        "Peut-on boire dans les heures de travail ?",
        "¿Puedo beber en el horario de trabajo?",
        "Posso beber no horário de trabalho?",
    ],
)
def test_the_thing_is_no_place_to_look_in(question):
    assert read(question) == []


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("What does Working hours say about lunch?", "title=Working hours"),
        ("What does it say in annual leave about carrying over?", "title=Annual leave"),
        ("Is lunch paid under section 4 of Working hours?", "title=Working hours"),
        ('Is lunch paid in "Working hours"?', "title=Working hours"),
        ("What do the 'Working hours' require?", "title=Working hours"),
        ("Is a note due in sick leave, version 1?", "title=Sick leave, version=1"),
        ("Is a note due in version 1 of sick leave?", "title=Sick leave, version=1"),
        ("Was a note due in the previous version of sick leave?", "doc_id=doc50"),
        ("What did the old sick leave say on notes?", "doc_id=doc50"),
        ("Ist es in „Mobiles Arbeiten“ erlaubt?", "title=Mobiles Arbeiten"),
        ("Was steht in Mobiles Arbeiten zu Pausen?", "title=Mobiles Arbeiten"),
        ("Que dit « Heures de travail » sur le vin ?", "title=Heures de travail"),
        ("¿Qué dice Horario de trabajo sobre el vino?", "title=Horario de trabajo"),
        ("O que diz Horário de trabalho sobre o vinho?", "title=Horário de trabalho"),
    ],
)
def test_the_document_is(question, condition):
    assert read(question) == [condition]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Is a tie worn under the dress code?", "The Dress Code"),
        ("Is a tie worn under our dress code?", "The Dress Code"),
        ("Was kostet ein Hotel nach der Reiserichtlinie?", "Die Reiserichtlinie"),
        ("Is it in the 'Code of Conduct'?", "Code of Conduct"),
        ("Is it in working hours under the travel policy?", "Expenses and Travel Policy"),
    ],
)
def test_a_title_that_says_what_it_is_needs_no_more(question, title):
    assert read(question) == [f"title={title}"]


def at(document, file):
    return replace(document, file=file)


def test_the_first_page_of_a_folder_is_not_all_of_it():
    cover, leave = at(info(1, "Staff Handbook"), "hr/README.md"), at(info(2, "Leave Policy"), "hr/leave/days.md")
    question = "How much leave is there in the staff handbook?"
    assert read(question, (cover, leave)) == []
    assert read("Is it in the leave policy?", (cover, leave)) == ["title=Leave Policy"]
    assert read(question, (at(cover, "index.html"), leave)) == []
    assert read(question, (at(cover, "hr/handbook.md"), leave)) == ["title=Staff Handbook"]
    assert read(question, (cover, at(leave, "it/leave.md"))) == ["title=Staff Handbook"]
    assert read(question, (cover, at(leave, "hrx/leave.md"))) == ["title=Staff Handbook"]
    assert read(question, (cover, replace(leave, root="/elsewhere"))) == ["title=Staff Handbook"]
