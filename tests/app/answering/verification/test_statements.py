"""Which statements hold by which sources: `statements.jsonl` has a row a source, with what is true and what false of it.

A false one has the kind of what is wrong with it. Which check finds it is of no account: what counts is that none is
shown, and that nothing true is withheld.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from made_hits import made_hit

from policy_rag.answering.verification.checker import CheckResult, IssueKind, check

ROWS = [json.loads(line) for line in (Path(__file__).parent / "statements.jsonl").read_text("utf-8").splitlines()]


def verdict(row: dict[str, Any], statement: str) -> CheckResult:
    hits = [
        made_hit(text, rank=rank, title=row.get("title", ""), path=(), file=f"{rank}.md")
        for rank, text in enumerate(row["sources"], 1)
    ]
    return check(statement, hits, asked=row.get("asked", ""))


def cases(truth: str) -> list[Any]:
    return [pytest.param(row, statement, id=statement[:70]) for row in ROWS for statement in row[truth]]


@pytest.mark.parametrize(("row", "statement"), cases("true"))
def test_what_a_source_bears_out_holds(row: dict[str, Any], statement: str) -> None:
    assert verdict(row, statement).reason == ""


@pytest.mark.parametrize(("row", "statement"), cases("false"))
def test_what_a_source_does_not_bear_out_does_not_hold(row: dict[str, Any], statement: str) -> None:
    assert not verdict(row, statement).holds


def test_every_kind_of_falsehood_is_there_in_more_than_one_language() -> None:
    kinds = {kind for row in ROWS for kind in row["false"].values()}
    assert kinds == {str(kind) for kind in IssueKind}
    assert {row["language"] for row in ROWS} == {"english", "german", "french", "spanish", "portuguese"}


LEAVE = "Employees receive 25 days of annual leave. It ends with the year. Up to 5 days are carried over."
SICKNESS = "Employees report sickness and absence at once. A certificate is due from the fourth day."


@pytest.mark.parametrize(
    ("statement", "verbatim"),
    [
        ("Employees receive 25 days of annual leave and a certificate is due from the fourth day.", True),
        ("Employees report sickness and absence at once, and up to 5 days are carried over.", True),
        ("A certificate is due from the fourth day and it ends with the year.", False),  # it is another
        ("Employees receive 25 days of annual leave and a certificate is due from the fifth day.", False),
    ],
)
def test_whole_sentences_joined_are_as_exact_as_each(statement: str, verbatim: bool) -> None:
    found = verdict({"sources": [LEAVE, "Nothing.", SICKNESS]}, statement)
    assert (found.holds and found.closeness == 1.0) == verbatim
    assert len(found.citations) == 2


# A source, what is said of it, and how that is told.
MESSAGES = [
    ("The fee is 30 euros.", "Parking is 30 euros.", 'of "parking" what it cites says nothing'),
    ("Annual leave is 25 days.", "Annual leave is 10 weeks.", "10 (week) is not in what it cites"),
    ("It takes at most 30 days.", "It takes at least 30 days.", 'it says "at least 30", what it cites says "at most"'),
    ("Tell the DPO.", 'The policy says "ask the DPO".', 'the quotation "ask the DPO" is not in what it cites'),
    ("Tell the DPO.", "Tell the CFO.", "CFO is not in what it cites"),
    ("The clerk decides.", "The dean decides.", '"dean" is not in what it cites'),
    ("Ask Dr Helen Marsh.", "Ask Dr Peter Marsh.", '"Peter" is not in what it cites'),
    ("Cash is 60 euros a claim and 250 euros a month.", "Cash is 60 euros a month.",
     'it says "60 euros a month", what it cites says "60 euros a claim"'),
    ("Contractors must wear a badge.", "Contractors may wear a badge.",
     'it states a permission before "wear", what it cites states an obligation'),
    ("Staff may ask for approval of trips.", "Approval is required for trips.",
     "it states an obligation, what it cites does not; it states a permission"),
    ("No visitor may enter the lab.", "Visitors enter the lab.", 'what it cites negates "enter", it does not'),
    ("Trips abroad begin with a request.", "Trips abroad are not insured.",
     'it negates "insur", what it cites negates nothing'),
    ("The hotel costs 155 euros in Germany and 120 euros in France.",
     "The hotel costs 120 euros in Germany and 155 euros in France.", 'it says "120" where what it cites says "155"'),
    ("The pass mark is 40% for bachelors and 50% for masters.", "For masters, 40% is the pass mark.",
     'of "masters" what it cites does not say 40'),
    ("Divers must carry a horn; walkers should carry a horn.", "Walkers must carry a horn.",
     'of "walkers" what it cites states no obligation'),
    ("| Gas | Cabinet |\n| --- | --- |\n| Argon | yellow |\n| Xenon | blue |", "Argon is kept in a blue cabinet.",
     'what it cites says "blue" of something else'),
    ("Access takes a laptop and a token.", "Access takes a laptop or a token.",
     'it says "or" where what it cites says "and"'),
    ("Interns may park only if they pay.", "Interns may park if they pay.", 'it leaves out "only"'),
    ("Backups are deleted after 60 days unless a court forbids it.",
     "Backups are deleted after 60 days and a court forbids it.", 'it takes in what is behind "unless"'),
    ("Drones are flown with a licence.", "Drones are flown without a licence.",
     'it says "without a licence", what it cites does not'),
    ("Lunch is paid for all guests.", "Lunch with wine and live music is given.",
     "only 20% of its words are in what it cites"),
    ("Lunch is paid for guests.", "Pets bark.", "what it cites says nothing of the kind"),
    ("Lunch is paid.", "It must be.", "it says nothing that can be checked"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "statement", "message"), MESSAGES)
def test_the_wording_of_messages(source: str, statement: str, message: str) -> None:
    assert check(statement, [made_hit(source, title="", path=())]).reason == message
