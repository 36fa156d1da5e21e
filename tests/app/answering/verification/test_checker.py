"""What a statement stands on is quoted exactly, whatever is checked; `statements.jsonl` tells what holds."""

from hypothesis import given
from hypothesis import strategies as st
from made_hits import made_hit

from policy_rag.answering.verification.checker import check

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


HIT = made_hit(EXPENSES, number="4.2", path=("Expenses policy", "Travel"), start=120)
CLAIM = "Employees must submit expense claims within 30 days of the trip."


def test_the_quote_is_the_sentence_that_says_it() -> None:
    (citation,) = check("A receipt must be provided for every amount above €25.", [HIT]).citations
    assert citation.quote == "Receipts are required for every amount above EUR 25."
    (citation,) = check("Alcohol outside client dinners cannot be claimed.", [HIT]).citations
    assert "- alcohol outside client dinners;" in citation.quote


def test_each_cited_hit_that_says_it_is_cited_and_no_other() -> None:
    other = made_hit("All staff: expense claims must be submitted within 30 days of the trip.", file="b.md")
    third, topic = (made_hit(text, file="c.md") for text in ("Pets are welcome.", "Ask finance about expense claims."))
    cited = check(CLAIM, [third, HIT, topic, other]).citations
    assert [(citation.n, citation.file) for citation in cited] == [(1, "leave.md"), (2, "b.md")]


def test_a_statement_may_stand_on_two_hits() -> None:
    leave = made_hit("Annual leave is 25 days.", file="b.md")
    statement = "Annual leave is 25 days, and expense claims must be submitted within 30 days of the trip."
    assert [c.file for c in check(statement, [HIT, leave]).citations] == ["leave.md", "b.md"]
    assert not check(statement, [HIT]).holds


def test_names_and_subjects_are_looked_for_in_titles_too() -> None:
    hit = made_hit("The fee is 30 euros.", title="Parking", path=("Rules of the Dean",))
    assert check("Parking is 30 euros.", [hit]).holds
    assert check("The Dean sets the fee of 30 euros.", [hit]).holds
    assert check("The bicycle fee for bicycles is 30 euros.", [hit]).holds  # "fee" is known
    assert "bonus" in check("The bonus is 30 euros.", [hit]).reason
    assert "director" in check("The director sets the fee of 30 euros.", [hit]).reason


def test_a_yes_or_no_in_front_is_not_held_against_the_source() -> None:
    assert check("No. A travel request is not required for day trips.", [HIT]).holds
    assert check("Yes, hotel costs are reimbursed up to EUR 180 per night in Germany.", [HIT]).holds
    assert not check("No travel request is made.", [HIT]).holds


def test_sentences_far_from_each_other_are_not_quoted_with_all_between() -> None:
    first, last = "Annual leave is 25 days.", "Sick leave is 10 weeks."
    statement = "Annual leave is 25 days and sick leave is 10 weeks."
    near = made_hit(f"{first} {last}")
    far = made_hit(" ".join([first, *["The office closes early on Fridays in summer."] * 10, last]))
    assert check(statement, [near]).citations[0].quote == near.text
    assert check(statement, [far]).citations[0].quote == first


def test_a_heading_is_not_quoted_where_a_sentence_below_it_says_as_much() -> None:
    text = "## 3. Accepting gifts\n\nGifts worth up to EUR 50 may be accepted, twice a year at most."
    verdict = check("Gifts up to EUR 75 may be accepted.", [made_hit(text, title="Accepting gifts")])
    assert not verdict.holds
    assert [one.quote for one in verdict.citations] == [text.rsplit("\n", maxsplit=1)[-1]]


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
    assert bool(verdict.citations) >= verdict.holds
    for citation in verdict.citations:
        assert citation.quote == text[citation.start - 7 : citation.end - 7]
