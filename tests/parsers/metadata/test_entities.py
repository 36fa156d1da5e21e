"""Roles, systems and laws by pattern, with exact ranges."""

import pytest

from policy_rag_parsers.metadata.entities import entity_values, section_entities
from policy_rag_parsers.metadata.extraction_results import EntityType


def of(kind: EntityType, text: str) -> list[str]:
    found = section_entities(text, 0)
    assert all(" ".join(text[one.start : one.end].split()) == one.text for one in found)
    return [one.text for one in found if one.type is kind]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("The line manager and the Data Protection Officer agree.", ["line manager", "Data Protection Officer"]),
        ("Heads of department ask the Head of People.", ["Heads of department", "Head of People"]),
        ("The CFO and\nthe Supervisory Board decide.", ["CFO", "Supervisory Board"]),
        ("Stress Testing\nThe Fund Manager reports.", ["Fund Manager"]),
        ("Die Führungskraft fragt den Betriebsrat.", ["Führungskraft", "Betriebsrat"]),
        (
            "The Non-Executive Director writes to a non-Executive Director.",
            ["Non-Executive Director", "Executive Director"],
        ),
        ("It is kept in a safe place.", []),
    ],
)
def test_roles(text: str, roles: list[str]) -> None:
    assert of(EntityType.ROLE, text) == roles


@pytest.mark.parametrize(
    ("text", "laws"),
    [
        ("as the Companies Act 2006 demands", ["Companies Act 2006"]),
        ("under Regulation (EU) 2016/679", ["Regulation (EU) 2016/679"]),
        ("the GDPR and ISO/IEC 27001", ["GDPR", "ISO/IEC 27001"]),
        ("nach § 3 ArbZG und dem Bundesdatenschutzgesetz", ["ArbZG", "Bundesdatenschutzgesetz"]),
        ("The Code of Conduct applies.", []),
        ("Brannholt AG acts.", []),
        ("This Act is short.", []),
    ],
)
def test_laws(text: str, laws: list[str]) -> None:
    assert of(EntityType.LAW, text) == laws


@pytest.mark.parametrize(
    ("text", "systems"),
    [
        ("as entered in the Model Register", ["Model Register"]),
        ("through the HSE app", ["HSE app"]),
        ("a tool called Skald", ["Skald"]),
        ("Suitable systems are used.", []),
        ("the system of control", []),
    ],
)
def test_systems_by_their_kind(text: str, systems: list[str]) -> None:
    assert of(EntityType.SYSTEM, text) == systems


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
