"""Clauses that a question asks for by number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.references.clause_query import clause_queries, possible_keys
from policy_rag_parsers.structure.numbering import number_key
from tests.support.clause_keys import clause_query_keys


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does 4.2 (b) of the expenses policy say?", ["4.2(b)"]),
        ("Is Rule 7 stricter than A.3 and 12.1(b)(ii)?", ["7", "a.3", "12.1(b)(ii)"]),
        ("What do B2(a) and section A1 say of version V2.1 and English at level B2.1?", ["b2(a)", "a1"]),
        ("Division 2 of Part II, and Part I Division 1", ["partiidivision2", "partidivision1"]),
        # lists and ranges in other languages
        ("articles 3 à 5", ["3", "4", "5"]),
        ("artículos 3 y 4 del reglamento", ["3", "4"]),
        ("artigos 3 a 5 e 7", ["3", "4", "5", "7"]),
        ("les paragraphes 2 et 3 de l'article 5", ["5(2)", "5(3)"]),
        ("paragraph 2 of 5.1", ["5.1(2)"]),
        # inside a unit, German
        ("Was sagt § 3 Abs. 2 Nr. 1 der Datenschutz-Richtlinie?", ["3(2)(1)"]),
        ("§3 Abs.2 Satz 1 Nr.3 lit. aa", ["3(2)(3)(aa)"]),
        ("Gilt Art. 6 Abs. 1 lit. b DSGVO?", ["6(1)(b)"]),
        ("Was steht in § 7 Absatz 3 der Betriebsvereinbarung?", ["7(3)"]),
        ("Ziffer 4.2 Buchstabe b", ["4.2(b)"]),
        ("Buchstabe b von § 3 Abs. 2", ["3(2)(b)"]),
        ("§ 3 (2) Nr. 1", ["3(2)(1)"]),
        ("§ 3 Abs. 2 und § 4 Abs. 1", ["3(2)", "4(1)"]),
        ("Was regelt § 3 Abs. 1 und 2?", ["3(1)", "3(2)"]),
        # inside a unit, English
        ("What does section 4 paragraph 2 say?", ["4(2)"]),
        ("paragraph (b) of section 4.2", ["4.2(b)"]),
        ("What do paragraphs (a) and (b) of section 4.2 say?", ["4.2(a)", "4.2(b)"]),
        ("sub-paragraph (ii) of paragraph (b) of section 4.2", ["4.2(b)(ii)"]),
        ("(b) of 4.2", ["4.2(b)"]),
        ("point (a) of Article 6(1)", ["6(1)(a)"]),
        ("subsection 12(2)", ["12(2)"]),
        # lists and ranges
        ("Was regeln §§ 3, 4 und 5?", ["3", "4", "5"]),
        ("What do sections 4 to 6 say?", ["4", "5", "6"]),
        ("Rules 17.9 – 17.11", ["17.9", "17.10", "17.11"]),
        ("§ 3 bis § 5", ["3", "4", "5"]),
        ("Rule 9.1.1(3) or (4)", ["9.1.1(3)", "9.1.1(4)"]),
        ("4.2(a) to (c)", ["4.2(a)", "4.2(b)", "4.2(c)"]),
        ("Compare section 4 and 6.", ["4", "6"]),
        # schedules, annexes, parts and articles, in Roman numerals too
        ("What is in Schedule 2 of the records retention policy?", ["schedule2"]),
        ("what does appendix b say", ["appendixb"]),
        ("what does appendix a say", ["appendixa"]),
        ("Annex A and Exhibit B", ["annexa", "exhibitb"]),
        ("Exhibits A and B", ["exhibita", "exhibitb"]),
        ("Article IV(2)", ["iv(2)"]),
        ("What does Part I say about Part 3?", ["parti", "part3"]),
        ("Chapter 2 of Part 6", ["part6chapter2"]),
        ("Part 6 Chapter 2", ["part6chapter2"]),
        ("Was steht in Anlage 1 der Richtlinie?", ["anlage1"]),
        ("paragraph 3 of Schedule 2", ["schedule2(3)"]),
        ("section 4.2 of Schedule 1", ["schedule1(4.2)"]),
        ("Schedules 1 to 3", ["schedule1", "schedule2", "schedule3"]),
        ("Part 2 and section 5", ["part2", "5"]),
        # things that are counted behind a number are no further numbers
        ("Does section 4 and 30 employees matter?", ["4"]),
        ("Does section 4 apply to 6 people?", ["4"]),
        # numbers that an amendment put between two others
        ("Was sagt § 2a Nr. 2a, und was sagt 4.2a?", ["2a(2a)", "4.2a"]),
        ("What does article 55-A say?", ["55a"]),
        ("Que dit l'article 2 bis, et l'annexe I?", ["2a", "annexei"]),
    ],
)
def test_what_is_asked_for(question, expected):
    assert list(clause_query_keys(question)) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Is a trip of 2.5 hours at 45.5 % or 3.2 million euros in version 2.1 allowed?",
        "How many days of leave are there in 2026?",
        "Is paragraph (b) meant, or lit. b?",
        "Satz 2",
        "Can I schedule 2 meetings a day?",
        "How do I annex a copy, and exhibit a pattern?",
        "Is the part I play clear?",
        "May we schedule a meeting in part?",
        "What does the travel schedule say?",
    ],
)
def test_what_asks_for_no_clause(question):
    assert clause_query_keys(question) == ()


def test_a_long_range_and_a_deep_number_are_cut():
    assert len(clause_query_keys("sections 1 to 900")) == 12
    (deep,) = clause_queries("4" + "(a)" * 40)
    assert len(possible_keys(deep)) < 100


def test_either_numerals_are_looked_for():
    (clause,) = clause_queries("Schedule II")
    assert possible_keys(clause) == ("scheduleii", "schedule2")


def test_a_clause_knows_where_it_is_named():
    question = "Is what paragraph (b) of section 4.2 says binding?"
    (clause,) = clause_queries(question)
    assert question[clause.start : clause.end] == "paragraph (b) of section 4.2"


@given(st.lists(st.integers(1, 40), min_size=1, max_size=3), st.lists(st.sampled_from("abcdefgh"), max_size=2))
def test_a_number_is_read_as_it_is_compared(numbers, letters):
    number = ".".join(map(str, numbers)) + "".join(f"({letter})" for letter in letters)
    assert clause_query_keys(f"What does section {number} say?") == (number_key(number),)


@given(st.text(alphabet="§ 34.,()abiIVX-–undtosectionAbs. Nr", max_size=80))
def test_any_text_can_be_read(text):
    clauses = clause_queries(text)
    assert len({clause.key for clause in clauses}) == len(clauses)
    assert all(0 <= clause.start < clause.end <= len(text) for clause in clauses)
