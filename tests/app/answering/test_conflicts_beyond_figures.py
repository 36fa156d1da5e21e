"""Contradictions with a row of a table, with a named day, of outright bans, and of persons beside other clauses."""

import pytest
from made_hits import made_hit

from policy_rag.answering.conflicts import find_conflicts
from policy_rag.models.factory import load_embedder
from policy_rag.models.reader import Reader
from policy_rag.records.choices import Backend
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

KEPT = (
    "The following periods apply:\n\n| Record | Period | Starts |\n|---|---|---|\n"
    "| Payroll files | 10 years | end of the year |\n| Visitor logs | 6 months | day of the visit |\n"
    "| Accident reports | 5 years | date of the report |\n| Door camera recordings | 14 days | date of recording |\n"
)
MEALS = (
    "Limits:\n\n| Occasion | Limit per person | Approval |\n|---|---|---|\n"
    "| Customer dinner | EUR 80 | Head of sales |\n| Team party | EUR 35 | Team lead |\n"
    "| Farewell gift | EUR 50 | Team lead |\n"
)
NIGHTS = "| Grade | Hotel per night |\n|---|---|\n| 1 to 4 | EUR 120 |\n| 5 to 6 | EUR 150 |\n"
SPAIN = "| Country | Annual leave |\n|---|---|\n| Spain | 22 days |\n| France | 25 days |\n"


def reasons_of(first: str, second: str) -> list[str]:
    hits = [with_parsed_blocks([made_hit(text, file=f"{n}.md")]) for n, text in enumerate((first, second))]
    return [one.reason for one in find_conflicts(hits, load_embedder(backend=Backend.ONNX).embed, Reader.load())]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (KEPT, "Guests sign in. Visitor logs are kept for twelve months after the visit.", "6 against twelve (months)"),
        (KEPT, "Recordings of the door camera are deleted after 30 days.", "14 against 30 (days)"),
        (MEALS, "The cost of a customer dinner must not exceed EUR 60 per person.", "80 against 60 (EUR)"),
        (MEALS, "A farewell gift may cost up to EUR 25.", "50 against 25 (EUR)"),
        (MEALS, MEALS.replace("EUR 80", "EUR 100"), "80 against 100 (EUR)"),
        ("Cash advances and cheques are seen as loans and must not be granted.",
         "Cash advances to apprentices may be granted up to EUR 200 a month.", "not permitted against permitted"),
        ("Personal printers in single offices may be connected.", "Personal printers must not be connected.",
         "permitted against not permitted"),
        ("Major changes to the payment platform are approved by the Head of Operations.",
         "Major changes of any kind to the payment platform are approved by the Change Board and announced to branches.",
         "the Head of Operations against the Change Board"),
        ("A lost laptop must be reported to the service desk within two hours.",
         "A lost laptop is reported to the service desk by the end of the next working day.",
         "within two hours against by the end of the next working day"),
        ("Accidents at work are reported to the safety officer on the same day.",
         "Accidents at work are reported to the safety officer within three days.",
         "on the same day against within three days"),
        ("Verlorene Laptops und Telefone sind dem Servicedesk der Zentrale von ihren Benutzern binnen zwei Stunden zu melden.",
         "Verlorene Laptops und Telefone sind dem Servicedesk der Zentrale von ihren Benutzern bis zum Ende des nächsten Arbeitstages zu melden.",
         "binnen zwei Stunden against bis zum Ende des nächsten Arbeitstages"),
    ],
)  # fmt: skip
def test_what_contradicts(first: str, second: str, reason: str) -> None:
    assert reasons_of(first, second) == [reason]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (KEPT, "Visitor badges are kept for twelve months after the visit."),  # another row's matter
        (KEPT, "Accident reports are sent to the insurer within 5 days."),  # something else is done with it
        (KEPT, "Payroll files are kept for ten years."),  # the same
        (MEALS, "A dinner for the team must not exceed EUR 45 per person."),  # for others
        (NIGHTS, NIGHTS.replace("1 to 4", "7 to 8").replace("5 to 6", "Executive").replace("EUR 1", "EUR 2")),
        (SPAIN, SPAIN.replace("Annual leave", "Notice period").replace("2 days", "5 days")),  # another column
        # two columns of the row have that unit
        ("| Class | Day | Night |\n|---|---|---|\n| Parking fee | EUR 5 | EUR 9 |\n| Bus fare | EUR 2 | EUR 3 |\n",
         "The parking fee of the depot is EUR 7 a day."),
        ("Customers must not be called at night.", "Customers may be called during the campaign."),  # a case
        ("Company cars must not be lent to anyone.", "Company cars may be used for private journeys."),
        ("Contractors must not sign orders.", "Employees may sign orders up to EUR 500."),
        ("Contracts are approved by the Head of Purchasing.",
         "Contracts of more than EUR 50,000 are approved by the Management Board and filed by the legal team."),
        ("Trips are approved by the team lead.", "Trips are approved by the team lead and the managing director."),
        # it may be the same time
        ("A lost laptop must be reported within 24 hours.", "A lost laptop is reported by the end of the next working day."),
        # a target and a limit
        ("Staff aim to answer a complaint on the same day.", "A complaint is answered within ten days at the latest."),
    ],
)  # fmt: skip
def test_what_looks_alike_does_not(first: str, second: str) -> None:
    assert reasons_of(first, second) == []
