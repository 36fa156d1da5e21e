"""Statements against what they cite: right ones pass, each kind of falsehood is caught, quotes are exact."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_hits import made_hit

from policy_rag.answering.verification.checker import check
from policy_rag.records.search import Hit

EXPENSES = """4.2 Travel
Employees must submit expense claims within 30 days of the trip. Receipts are required for every amount above EUR 25.
Claims submitted later are not reimbursed unless the Finance Director approves them in writing.
Employees may book first class only for journeys longer than eight hours.
The following must not be claimed:
- fines and penalties;
- alcohol outside client dinners;
- travel between home and the usual workplace.
Staff should use public transport where it is available. A travel request is not required for day trips.
Hotel costs are reimbursed up to EUR 180 per night in Germany and EUR 220 per night in Switzerland."""

RIGHT = [
    "Employees must submit expense claims within 30 days of the trip.",
    "Expense claims have to be submitted within thirty days of the trip.",
    "You must hand in expense claims within 30 days after the trip.",
    "Receipts are required for amounts above EUR 25.",
    "A receipt must be provided for every amount above €25.",
    "Claims submitted later are not reimbursed, unless the Finance Director approves them in writing.",
    "Late claims are reimbursed only if the Finance Director approves them in writing.",
    "First class may be booked only for journeys longer than 8 hours.",
    "Employees can book first class only on journeys of more than eight hours.",
    "Fines and penalties must not be claimed.",
    "Fines and penalties cannot be claimed.",
    "Travel between home and the usual workplace may not be claimed.",
    "Staff should use public transport where available.",
    "It is recommended that staff use public transport where it is available.",
    "No travel request is required for day trips.",
    "For day trips you do not need a travel request.",
    "Hotel costs are reimbursed up to EUR 180 per night in Germany.",
    "In Switzerland, hotel costs up to EUR 220 per night are reimbursed.",
    'The policy says that claims submitted later are "not reimbursed unless the Finance Director approves them".',
    "Section 4.2 says that hotel costs in Germany are reimbursed up to 180 euros per night.",
]

FALSE = {
    "Employees must submit expense claims within 60 days of the trip.": r"60 \(day\) is not in what it cites",
    "Employees must submit expense claims within 30 months of the trip.": r"30 \(month\)",
    "Employees must submit expense claims within 30 working days of the trip.": r"30 \(working day\)",
    "Receipts are required for every amount above USD 25.": "USD is not in what it cites",
    "Receipts are required for every amount above EUR 250.": r"250 \(eur\)",
    "Hotel costs are reimbursed up to EUR 200 per night in Germany.": r"200 \(eur\)",
    "Employees may submit expense claims within 30 days of the trip.": "a permission",
    "Employees should submit expense claims within 30 days of the trip.": "a recommendation",
    "Employees must not submit expense claims within 30 days of the trip.": "a prohibition",
    "Claims submitted later are reimbursed.": 'negates "reimburs"',
    "Employees must book first class for journeys longer than eight hours.": "an obligation",
    "Fines and penalties may be claimed.": 'before "claim"',
    "Alcohol outside client dinners can be claimed.": 'before "claim"',
    "Staff must use public transport where it is available.": 'before "use"',
    "A travel request is required for day trips.": "an obligation",
    'The policy says "claims submitted later are never reimbursed".': "the quotation",
    'Employees must submit claims "within 30 days of their trip".': "the quotation",
    "Claims submitted later are not reimbursed unless the CFO approves them in writing.": "CFO is not in what it cites",
    "Pets are welcome in the office on Fridays.": "says nothing of the kind|of its words",
    "Employees receive a company car after their probation period.": "of its words|nothing",
}


@pytest.fixture
def expenses() -> Hit:
    return made_hit(EXPENSES, number="4.2", path=("Expenses policy", "Travel"), start=120)


@pytest.mark.parametrize("statement", RIGHT)
def test_right_statements_hold_and_their_quotes_are_exact(statement: str, expenses: Hit) -> None:
    verdict = check(statement, [expenses])
    assert verdict.reason == ""
    (citation,) = verdict.citations
    assert citation.quote == EXPENSES[citation.start - 120 : citation.end - 120]
    assert (citation.n, citation.file, citation.section_id, citation.version) == (1, "leave.md", "s1", "2.0")


@pytest.mark.parametrize("statement", FALSE)
def test_false_statements_are_caught_with_the_reason(statement: str, expenses: Hit) -> None:
    verdict = check(statement, [expenses])
    assert not verdict.holds
    assert verdict.citations == ()
    assert re.search(FALSE[statement], verdict.reason), verdict.reason


def test_the_quote_is_the_sentence_that_says_it(expenses: Hit) -> None:
    (citation,) = check("A receipt must be provided for every amount above €25.", [expenses]).citations
    assert citation.quote == "Receipts are required for every amount above EUR 25."
    (citation,) = check("Alcohol outside client dinners cannot be claimed.", [expenses]).citations
    assert "- alcohol outside client dinners;" in citation.quote


def test_each_cited_hit_that_says_it_is_cited_and_no_other(expenses: Hit) -> None:
    other = made_hit("All staff: expense claims must be submitted within 30 days of the trip.", rank=2, file="b.md")
    third = made_hit("Pets are welcome.", rank=3, file="c.md")
    verdict = check("Employees must submit expense claims within 30 days of the trip.", [third, expenses, other])
    assert [(citation.n, citation.file) for citation in verdict.citations] == [(1, "leave.md"), (2, "b.md")]


def test_a_statement_may_stand_on_two_hits(expenses: Hit) -> None:
    leave = made_hit("Annual leave is 25 days.", rank=2, file="b.md")
    statement = "Annual leave is 25 days, and expense claims must be submitted within 30 days of the trip."
    assert [c.file for c in check(statement, [expenses, leave]).citations] == ["leave.md", "b.md"]
    assert not check(statement, [expenses]).holds


# Each is caught by one check alone: a source, what is said of it, and why it does not hold.
CAUGHT = [
    (
        "The hotel costs 120 euros in Germany and 155 euros in France.",
        "The hotel costs 155 euros in Germany and 120 euros in France.",
        'it says "155" where what it cites says "120"',
    ),
    (
        "Hotels and trains and meals on the way are paid by the office.",
        "Trains are never paid.",
        'it negates "paid", what it cites does not',
    ),
    (
        "Trips abroad begin with a request.",
        "Trips abroad are not insured.",
        'it negates "insur", what it cites negates',
    ),
    (
        "Survey data are kept for 10 years. Trial data are kept for 25 years.",
        "All data of a survey stay for 25 years.",
        'of "survey" what it cites does not say 25',
    ),
    ("Access takes a laptop and a token.", "Access takes a laptop or a token.", 'it says "or"'),
    ("It is 5 euros a night and 9 euros a week.", "A guest has 5 euros a week to pay.", "it says"),
    (
        "It takes all of:\n- a large contribution to the design;\n- final approval of the text; and\n- money.",
        "It takes a large contribution to the design or final approval of the text.",
        'it says "or" where what it cites says "and"',
    ),
    ("Interns may park only if they pay.", "Interns may park if they pay.", 'it leaves out "only"'),
    ("Staff may ask for approval of trips.", "Approval is required for trips.", "it states an obligation"),
    ("Staff should avoid trips without approval.", "Approval is required for trips.", "it states an obligation"),
]


@pytest.mark.parametrize(("source", "statement", "reason"), CAUGHT)
def test_each_check_is_asked(source: str, statement: str, reason: str) -> None:
    assert reason in check(statement, [made_hit(source, title="", path=())]).reason


# True in other words: sources, and what is said of them.
PARAPHRASED = [
    ("A sabbatical of three to twelve months may be taken. The last six months count.",
     "A sabbatical lasts between 3 and 12 months."),
    ("Class 2 is paid for trips; from a ride of more than three hours class 1 may be used.",
     "Class 1 may be used from a ride of more than three hours."),
    ("Leave lapses on 31 March.", "Leave lapses on 31.03."),
    ("Spirits are not paid. Wine and beer are paid up to a third of the bill.",
     "Spirits aren't paid, but wine and beer are paid up to a third of the bill."),
    ("Hotels cost up to 110 euros a night, in Bonn, Ulm and Kiel up to 150 euros.",
     "In Bonn, hotels up to 150 euros a night are paid."),
    ("Toys need checks where\n- the maker is new; or\n- the price is odd.\nA check is never waived.",
     "Toys need checks where the maker is new."),
    ("| Toy | Price |\n| --- | --- |\n| Ball | not sold to guests |\n\nA ball must not be sold to guests of 18.",
     "A ball must not be sold to guests."),
    (("| Toy | Under 12 | Under 18 |\n| --- | --- | --- |\n| Slingshot | not sold | sold |\n\n"
     "A slingshot must not be sold to anyone under 18 after noon."),
     "A slingshot must not be sold to children under 12."),
    ("The stay costs £30.", "The stay costs GBP 30."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "statement"), PARAPHRASED)
def test_paraphrases_hold(source: str, statement: str) -> None:
    assert check(statement, [made_hit(source, title="", path=())]).reason == ""


def test_the_sentence_that_a_modal_or_negation_comes_from_is_looked_at() -> None:
    source = "Each team has 60 euros a person. The amount cannot be carried over, nor is it cut for part-time staff."
    hit = made_hit(source, title="", path=())
    assert check("Each team has 60 euros a person, which can't be carried over.", [hit]).holds


def test_a_whole_sentence_holds_as_it_stands() -> None:
    odd = "Bonds may be sold and bought unless 9 days and 5 days are not over"
    assert check(f"{odd}.", [made_hit(f"Rules.\n{odd}.\nNo bonds of 7 days.")]).holds


def test_a_plain_denial_bears_out_a_prohibition() -> None:
    source = made_hit("Late claims are not reimbursed by the finance team.")
    assert check("Late claims must not be reimbursed by the finance team.", [source]).holds


def test_names_and_subjects_are_looked_for_in_titles_too() -> None:
    hit = made_hit("The fee is 30 euros.", title="Parking", path=("Rules of the Dean",))
    assert check("Parking is 30 euros.", [hit]).holds
    assert check("The Dean sets the fee of 30 euros.", [hit]).holds
    assert check("The bicycle fee for bicycles is 30 euros.", [hit]).holds  # "fee" is known
    assert "bonus" in check("The bonus is 30 euros.", [hit]).reason
    assert "director" in check("The director sets the fee of 30 euros.", [hit]).reason


def test_a_yes_or_no_in_front_is_not_held_against_the_source(expenses: Hit) -> None:
    assert check("No. A travel request is not required for day trips.", [expenses]).holds
    assert check("Yes, hotel costs are reimbursed up to EUR 180 per night in Germany.", [expenses]).holds
    assert not check("No travel request is made.", [expenses]).holds


def test_a_hit_that_only_shares_the_topic_is_not_cited(expenses: Hit) -> None:
    other = made_hit("Ask the finance team about expense claims.", rank=2, file="b.md")
    verdict = check("Employees must submit expense claims within 30 days of the trip.", [expenses, other])
    assert [citation.file for citation in verdict.citations] == ["leave.md"]


def test_sentences_far_from_each_other_are_not_quoted_with_all_between() -> None:
    first, last = "Annual leave is 25 days.", "Sick leave is 10 weeks."
    statement = "Annual leave is 25 days and sick leave is 10 weeks."
    near = made_hit(f"{first} {last}")
    far = made_hit(" ".join([first, *["The office closes early on Fridays in summer."] * 10, last]))
    assert check(statement, [near]).citations[0].quote == near.text
    assert check(statement, [far]).citations[0].quote == first


def test_a_row_is_quoted_with_its_header_where_that_is_near() -> None:
    table = "| Gas | Room |\n| --- | --- |\n| Argon | 5 kg |\n| Xenon | 7 kg |"
    (citation,) = check("A room may hold 7 kg of xenon.", [made_hit(f"Limits apply.\n\n{table}")]).citations
    assert citation.quote == table
    long = table.replace(
        "| Xenon", "".join(f"| Gas {name} of the old stock | 1 kg |\n" for name in "abcdefghij") + "| Xenon"
    )
    (citation,) = check("A room may hold 7 kg of xenon.", [made_hit(long)]).citations
    assert citation.quote == "| Xenon | 7 kg |"


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_text_gets_a_verdict_and_exact_quotes(text: str, statement: str) -> None:
    verdict = check(statement, [made_hit(text, start=7)])
    assert verdict.holds == bool(verdict.citations)
    for citation in verdict.citations:
        assert citation.quote == text[citation.start - 7 : citation.end - 7]


def test_a_definition_in_a_table_is_followed_word_by_word():
    source = made_hit(
        "In these rules the following words have these meanings.\n\n"
        "Court\tmeans the Harbour Court of first instance set up under Harbour Law No. 4 of 2013.\n"
        "Board\tmeans the body that is chosen under Resolution No. 93 of 2021.\nFee\tmeans what is paid.\n"
    )
    right = "Court means the Harbour Court of first instance set up under Harbour Law No. 4 of 2013."
    assert check(right, [source]).holds
    assert check(right.replace("No. 4", "No. 2021"), [source]).reason == 'it says "2021" where what it cites says "4"'


def test_another_period_by_leave_is_no_other_side_of_a_bound():
    text = "A bank shall, within three months of a notice or such other period as may be set in it, propose measures."
    source = made_hit(text)
    assert check(text, [source]).holds
    turned = text.replace("within", "no earlier than")
    assert check(turned, [source]).reason == 'it says "no earlier than three", what it cites says "within"'


def test_a_bound_is_turned_round_though_the_sentence_goes_on_with_others():
    text = "A special vote (that is, at least 75% of the members) may be required under the law or other rules of the club."
    source = made_hit(text)
    turned = text.replace("at least", "at most")
    assert check(turned, [source]).reason == 'it says "at most" where what it cites says "at least"'
    assert check(text, [source]).holds
