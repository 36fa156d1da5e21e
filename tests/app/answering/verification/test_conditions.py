"""Conditions of a source: a dropped one is caught where it changes a rule, and so is one that is taken in."""

import pytest

from policy_rag.answering.verification.conditions import other_condition

SOURCES = [
    "Backups are deleted after 60 days unless a court forbids it.",
    "Unless a court forbids it, mailboxes are emptied each May.",
    "Interns may enter the vault only if they are accompanied.",
    "The supervisor may attend only at the candidate's request and must not speak.",
    "Night trains may be booked for long trips if work starts before noon.",
    "Drones are flown with a licence.",
]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Backups are deleted after 60 days.", 'it leaves out "unless"'),
        ("Mailboxes are emptied each May.", 'it leaves out "Unless"'),
        ("Interns may enter the vault if they are accompanied.", 'it leaves out "only"'),
        ("Interns may enter the vault.", 'it leaves out "only"'),
        ("Night trains may be booked for long trips.", 'it leaves out "if"'),
        ("Drones are flown without a licence.", 'it says "without a licence", what it cites does not'),
        (
            "Interns may enter the vault, whatever company they have.",
            'it says "whatever", what it cites sets a condition',
        ),
        (
            "Backups are deleted after 60 days, even where a court forbids it.",
            'it says "even where", what it cites sets a condition',
        ),
        (
            "Backups are deleted after 60 days and a court forbids it.",
            'it takes in what is behind "unless"',
        ),
    ],
)
def test_a_condition_that_changes_is_caught(statement: str, reason: str) -> None:
    found = {other_condition(statement, [source], "english") for source in SOURCES}
    assert reason in found


@pytest.mark.parametrize(
    "statement",
    [
        "Backups are deleted after 60 days, except where a court forbids it.",
        "Backups are deleted after 60 days if no court forbids it.",
        "Backups go to another site.",  # does not follow
        "Interns may not enter the vault alone.",
        "The supervisor must not speak.",  # the half without "only"
        "Night trains may be booked for long trips when work starts before noon.",
        "Night trains are for long trips.",  # permits nothing
        "Drones are not flown without a licence.",
        "Drones are flown without noise.",  # of which the source says nothing
    ],
)
def test_what_keeps_it_is_let_be(statement: str) -> None:
    assert other_condition(statement, SOURCES, "english") == ""


def test_without_may_stand_in_the_source_too() -> None:
    source = ["Guests enter without a badge; staff enter with a badge."]
    assert other_condition("Guests enter without a badge.", source, "english") == ""
    source = ["À défaut de réponse, la demande est acceptée."]
    assert other_condition("Sans réponse, la demande est acceptée.", source, "french") == ""
    assert (
        other_condition("Le vin est remboursé même pendant l'essai.", ["Le vin est remboursé, sauf."], "french") != ""
    )
