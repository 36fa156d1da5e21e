"""Whether a statement says a figure or a modal of what the source says it of."""

import pytest

from policy_rag.answering.verification.attribution import misplaced, seats_of
from policy_rag.answering.verification.table_rows import tables

PROSE = [
    "The pass mark is 40% for bachelors and 50% for masters.",
    "Survey data are kept for 10 years after publication.",
    "Trial data are kept for 25 years after the end of the trial.",
]
GRID = tables(
    "| Medicine | Adult, single dose | Adult, 24 hours | Child, single dose |\n| --- | --- | --- | --- |\n"
    "| Aspirin | 500 mg | 3 g | not permitted |\n| Codeine | 60 mg | 240 mg | 20 mg |\n"
)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("The pass mark for masters is 40%.", "masters"),
        ("Bachelors need 50% and masters need 40%.", "bachelors"),
        ("Survey data are kept for 25 years after the end.", "survey"),
        ("Trial data are kept for 10 years after publication.", "trial"),
        ("An adult may take 3 g of codeine in 24 hours.", "codeine"),
        ("An adult may take 60 mg of codeine in 24 hours.", "24"),
        ("The maximum for an adult in 24 hours is 240 mg of aspirin.", "aspirin"),
        ("The single dose of aspirin for a child is 20 mg.", "aspirin"),
        ("A single adult dose of codeine is 60 mg, 3 g in 24 hours.", "codeine"),  # named in the first half alone
    ],
)
def test_a_figure_of_something_else_is_misplaced(statement: str, named: str) -> None:
    assert f'of "{named}"' in misplaced(statement, seats_of(PROSE, GRID, "", "english"))


@pytest.mark.parametrize(
    "statement",
    [
        "For masters the pass mark is 50%.",
        "Masters need 50%, bachelors 40%.",
        "Data of trials are kept for 25 years, survey data for 10 years.",
        "An adult may take 240 mg of codeine in 24 hours.",
        "The maximum dose of codeine for an adult in 24 hours is 240 mg.",  # 24 names the column
        "An adult's single dose is 500 mg of aspirin or 60 mg of codeine.",
        "The rule is 40%.",  # names neither
        "Anything else costs 99 euros.",  # in no seat: not for this check
    ],
)
def test_a_figure_in_its_seat_is_not(statement: str) -> None:
    assert misplaced(statement, seats_of(PROSE, GRID, "", "english")) == ""


def test_a_modal_of_the_other_half_is_misplaced() -> None:
    seats = seats_of(["Divers must carry a horn; walkers should carry a horn."], [], "", "english")
    assert misplaced("Walkers must carry a horn.", seats) == 'of "walkers" what it cites states no obligation'
    assert misplaced("Walkers should carry a horn.", seats) == ""
    assert misplaced("Walkers must carry a horn only at night.", seats) == ""  # a condition: not compared


def test_a_cell_holds_a_figure_as_often_as_it_says_it() -> None:
    table = tables("Late by | Penalty\n| up to 5 days | 9 marks |\n| up to 9 days | 5 marks |\n")
    seats = seats_of([], table, "", "english")
    assert misplaced("Up to 5 days late costs 9 marks.", seats) == ""
    assert misplaced("Up to 5 days late costs 5 marks.", seats) == "what it cites says 5 once"


def test_a_column_without_figures_has_no_say() -> None:
    table = tables(
        "Kind | System of record | Kept for\nCamera recordings | video | 72 hours\nLists | paper | 4 weeks\n"
    )
    seats = seats_of([], table, "", "english")
    assert misplaced("Records of cameras are deleted after 72 hours.", seats) == ""
    assert misplaced("Lists are deleted after 72 hours.", seats) == 'of "lists" what it cites does not say 72'


def test_a_row_is_named_by_one_of_its_names() -> None:
    table = tables("Occasion | Days\nOwn wedding or golden jubilee | 2\nDeath of a parent (near kin), child | 4\n")
    seats = seats_of([], table, "", "english")
    assert misplaced("You get 4 days for your wedding.", seats) == 'of "wedding" what it cites does not say 4'
    assert misplaced("You get 2 days for a child.", seats) == 'of "child" what it cites does not say 2'
    assert misplaced("You get 2 days for your wedding.", seats) == ""
    assert misplaced("You get 4 days for a child.", seats) == ""


def test_a_half_with_two_figures_of_the_statement_is_not_beaten_by_one_with_none() -> None:
    sentences = ["Full-time staff have 30 days of annual leave a year.", "It is 18 days in a three-day week."]
    seats = seats_of(sentences, [], "", "english")
    assert misplaced("In a three-day week the annual leave is 18 days a year.", seats) == ""
    assert misplaced("In a three-day week the annual leave is 30 days a year.", seats) != ""


def test_modals_tell_no_halves_apart() -> None:
    seats = seats_of(["Staff may accept gifts up to 40 euros and meals up to 80 euros."], [], "", "english")
    assert misplaced("Meals up to 80 euros may be accepted.", seats) == ""


def test_a_figure_without_a_unit_is_told_by_its_noun() -> None:
    table = tables("Late by | Penalty\nup to 1 hour | none\nup to 24 hours | 5 marks\nup to 9 days | 7 marks\n")
    seats = seats_of(["Work more than 5 days late is lost."], table, "", "english")
    assert misplaced("Work up to 24 hours late loses 5 marks.", seats) == ""
    assert misplaced("Work up to an hour late loses 5 marks.", seats) == 'of "work" what it cites does not say 5'


def test_columns_of_other_units_of_time_are_rivals() -> None:
    table = tables("Bug | Office | Plant\nCritical | 72 hours | 14 days\nMinor | 9 days | 60 days\n")
    seats = seats_of([], table, "", "english")
    assert misplaced("Critical bugs of the plant are mended within 72 hours.", seats) != ""
    assert misplaced("Critical bugs of the office are mended within 72 hours.", seats) == ""


def test_a_bound_tells_two_homes_apart() -> None:
    seats = seats_of(["Meals between 25 and 75 euros are listed; meals over 75 euros are refused."], [], "", "english")
    assert misplaced("Meals over 75 euros are listed.", seats) == 'of "listed" what it cites does not say 75'
    assert misplaced("Meals over 75 euros are refused.", seats) == ""
    assert misplaced("Meals between 25 and 75 euros are listed.", seats) == ""


def test_titles_count_for_every_seat() -> None:
    sentences = ["The fee is 5 euros.", "For guests the fee is 9 euros."]
    assert misplaced("For guests the fee is 5 euros.", seats_of(sentences, [], "", "english")) != ""
    assert misplaced("For guests the fee is 5 euros.", seats_of(sentences, [], "Guests", "english")) == ""


def test_the_subject_tells_the_halves_of_one_sentence_apart() -> None:
    seats = seats_of(["Vans may be rented; flights must be approved in advance."], [], "", "english")
    assert misplaced("Vans must be approved in advance.", seats) == 'of "vans" what it cites states no obligation'
    assert misplaced("Flights must be approved in advance.", seats) == ""


def test_words_of_another_row_are_misplaced() -> None:
    table = tables("Gas | Cabinet\nArgon | yellow\nXenon | blue\nNeon | blue, locked\n")
    seats = seats_of([], table, "", "english")
    assert misplaced("Argon stands in the blue cabinet.", seats) == 'what it cites says "blue" of something else'
    assert misplaced("Xenon stands in the blue cabinet.", seats) == ""
    assert misplaced("Argon stands in the yellow cabinet and xenon in the blue one.", seats) == ""


def test_a_name_that_is_part_of_another_is_not_that_one() -> None:
    table = tables("Mailbox | Kept\nof employees | 3 years\nof employees who left | 90 days\nof guests | 5 days\n")
    seats = seats_of([], table, "", "english")
    assert (
        misplaced("Mailboxes of employees are kept for 90 days.", seats)
        == 'of "employees" what it cites does not say 90'
    )
    assert misplaced("Mailboxes of employees who left are kept for 3 years.", seats) != ""
    assert misplaced("Mailboxes of employees who left are kept for 90 days.", seats) == ""
    assert misplaced("Mailboxes of employees are kept for 3 years.", seats) == ""
