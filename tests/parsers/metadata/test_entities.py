"""Roles, systems and laws by pattern, with exact ranges."""

import pytest

from policy_rag_parsers.metadata.entities import entity_values, section_entities
from policy_rag_parsers.metadata.extraction_results import EntityType


def of(kind: EntityType, text: str) -> list[str]:
    found = section_entities(text, 0)
    assert all(" ".join(text[one.start : one.end].split()) == one.text for one in found)
    return [one.text for one in found if one.type is kind]


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        (
            EntityType.ROLE,
            "The line manager and the Data Protection Officer agree.",
            ["line manager", "Data Protection Officer"],
        ),
        (EntityType.ROLE, "Heads of department ask the Head of People.", ["Heads of department", "Head of People"]),
        (EntityType.ROLE, "The CFO and\nthe Supervisory Board decide.", ["CFO", "Supervisory Board"]),
        (EntityType.ROLE, "Stress Testing\nThe Fund Manager reports.", ["Fund Manager"]),
        (EntityType.ROLE, "Die Führungskraft fragt den Betriebsrat.", ["Führungskraft", "Betriebsrat"]),
        (
            EntityType.ROLE,
            "The Non-Executive Director writes to a non-Executive Director.",
            ["Non-Executive Director", "Executive Director"],
        ),
        (EntityType.ROLE, "It is kept in a safe place.", []),
        (EntityType.LAW, "as the Companies Act 2006 demands", ["Companies Act 2006"]),
        (EntityType.LAW, "under Regulation (EU) 2016/679", ["Regulation (EU) 2016/679"]),
        (EntityType.LAW, "the GDPR and ISO/IEC 27001", ["GDPR", "ISO/IEC 27001"]),
        (EntityType.LAW, "nach § 3 ArbZG und dem Bundesdatenschutzgesetz", ["ArbZG", "Bundesdatenschutzgesetz"]),
        (EntityType.LAW, "The Code of Conduct applies.", []),
        (EntityType.LAW, "Brannholt AG acts.", []),
        (EntityType.LAW, "This Act is short.", []),
        (EntityType.SYSTEM, "as entered in the Model Register", ["Model Register"]),
        (EntityType.SYSTEM, "through the HSE app", ["HSE app"]),
        (EntityType.SYSTEM, "a tool called Skald", ["Skald"]),
        (EntityType.SYSTEM, "Suitable systems are used.", []),
        (EntityType.SYSTEM, "the system of control", []),
    ],
)
def test_entities(kind: EntityType, text: str, found: list[str]) -> None:
    assert of(kind, text) == found


def test_the_heading_is_left_out_and_nothing_overlaps() -> None:
    text = "2.3 Days\nThe line manager answers within two days."
    found = section_entities(text, 9)
    assert [(one.type, one.text) for one in found] == [
        (EntityType.ROLE, "line manager"),
        (EntityType.DEADLINE, "within two days"),
    ]


def test_values_come_once_in_order() -> None:
    found = section_entities("The CFO asks the CEO. The CFO pays EUR 5.", 0)
    assert entity_values(found) == {EntityType.ROLE: ("CFO", "CEO"), EntityType.AMOUNT: ("EUR 5",)}
