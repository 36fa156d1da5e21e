"""Which lines above text are titles, and which are clauses that only look like them."""

import pytest

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.structure.sections import parse_sections


def parse(text: str) -> tuple[Section, ...]:
    return parse_sections(SourceText(text, FileFormat.TEXT), title="Doc")


def tree(text: str) -> list[tuple[int, str | None, str]]:
    return [(section.level, section.number, section.title) for section in parse(text)]


@pytest.mark.parametrize(
    "lead",
    [
        "Taxis may be taken",
        "Staff may take a taxi",
        "Hire cars may be used only if",
        "First class is for journeys that last more than four hours unless",
        "The company pays",
        "We reimburse",
        "Taxis dürfen genutzt werden",
        "Where no train runs, taxis may be taken",
        "For the purposes of this part –",
        "Le salarié doit",
        "Nous remboursons",
        "Los empleados pueden viajar",
        "O colaborador deve",
        "Viagens para",
    ],
)
@pytest.mark.parametrize("item", ["(a) late at night; or\n(b) with luggage.", "- late at night; or\n- with luggage."])
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n    "])
def test_a_line_that_a_list_goes_on_is_no_title(lead: str, item: str, gap: str) -> None:
    text = f"1. Scope\n\nFor all.\n\n1.1 {lead}{gap}{item}\n\n1.2 Hotels\n\nBook them.\n\n2. End\n\nNow.\n"
    assert [(number, title) for _, number, title in tree(text)] == [
        ("1", "Scope"),
        ("1.1", ""),
        ("1.2", "Hotels"),
        ("2", "End"),
    ]
    assert text[parse(text)[1].body :].startswith(lead)


@pytest.mark.parametrize("line", ["Taxis may be taken", "Night trains, but only if", "Trams dürfen genutzt werden"])
def test_a_line_that_grants_something_is_no_title_without_a_list_either(line: str) -> None:
    text = f"1. Scope\n\nFor all.\n\n1.1 {line}\n\nThe manager has agreed to it before.\n\n2. End\n\nNow.\n"
    assert [title for _, _, title in tree(text)] == ["Scope", "", "End"]


@pytest.mark.parametrize(
    "title",
    [
        "Costs that may be claimed",
        "Gifts you may be offered",
        "Who may work at home",
        "Who this policy applies to",
        "What the company pays for",
        "Cases in which the Board may be asked",
        "Eligible costs",
        "Where and when",
        "Was gilt",
        "Wer reisen darf",
        "Holidays in May",
    ],
)
def test_a_title_over_a_list_is_one(title: str) -> None:
    text = f"1. Scope\n\nFor all.\n\n1.1 {title}\n\n(a) trains;\n(b) buses.\n\n2. End\n\nNow.\n"
    assert tree(text)[1] == (2, "1.1", title)


@pytest.mark.parametrize("below", ["10 months, and tells us.", "31 January of the next year.", "% of the sum."])
def test_a_line_that_a_count_goes_on_is_no_title(below: str) -> None:
    line = "1.1 The owner of the process reviews the list of all suppliers every"
    text = f"1. Scope\n\n{line}\n{below}\n\n2. End\n\nNow.\n"
    assert [title for _, _, title in tree(text)] == ["Scope", "", "End"]


@pytest.mark.parametrize(
    "title", ["Congés annuels", "Ce qui est remboursé", "Qui peut voyager", "Lo que se paga", "Férias e ausências"]
)
def test_titles_in_other_languages(title: str) -> None:
    text = f"1. Objet\n\nTout.\n\n2. {title}\n\nVoir plus bas.\n"
    assert [(number, found) for _, number, found in tree(text)] == [("1", "Objet"), ("2", title)]
