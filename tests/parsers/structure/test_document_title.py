"""What a document is called where it does not say so in its front matter."""

import pytest

from policy_rag_parsers.records import FileFormat, HeadingMark, SourceText
from policy_rag_parsers.structure.sections import document_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Pay\n\n## A\n\nx\n\n## B\n", "Pay"),
        ("Pay\n\n1. Scope\n\nAll.\n\n2. End\n\nNow.\n", "Pay"),
        ("ACME LTD\nPAY POLICY - Version 2.1\n\n1. Scope\n\nAll.\n", "PAY POLICY"),
        ("REISEKOSTENREGELUNG\nStand: 1. Januar 2019\n\n§ 1 Grundsatz\n\nJa.\n", "REISEKOSTENREGELUNG"),
        ("ACME SA\nPOLÍTICA DE VIAJES - Versión 2.1\n\n1. Objeto\n\nTodo.\n", "POLÍTICA DE VIAJES"),
        ("Acme GmbH\nDienstreiseordnung\nStand 2019\n\nJa.\n", "Dienstreiseordnung"),
        ("TRIPS ABROAD\nWho goes abroad asks first.\n\nThen it is fine.\n", "TRIPS ABROAD"),
        ("Trips abroad\nWho goes abroad asks first.\n\nThen it is fine.\n", None),
        ("ACME GMBH\nWho goes abroad asks first.\n\nThen it is fine.\n", None),
        ("WHO GOES ABROAD\nASKS FIRST.\n\nTHEN IT IS FINE.\n", None),
        ("We respect your privacy and that of others.\n\nMore.\n", None),
        (" \n", None),
        ("# Password Policy\n\nAll.\n\n# Scope\n\nx\n\n# End\n", "Password Policy"),
        ("# Working remotely\n\n# Scope\n\nx\n\n# End\n", "Working remotely"),
        ("# Policy statement\n\nAll.\n\n# Scope\n\nx\n", None),
        ("# Scope\n\nAll.\n\n# Pay rules\n\nx\n", None),
        ("# 1 Pay rules\n\nAll.\n\n# 2 End\n\nx\n", None),
    ],
)
def test_the_title_in_a_text(text: str, title: str | None) -> None:
    kind = FileFormat.MARKDOWN if text.startswith("#") else FileFormat.TEXT
    assert document_title(SourceText(text, kind)) == title


@pytest.mark.parametrize(
    ("declared", "title"),
    [("Pay policy", "Pay policy"), ("Pay - Intranet", "Pay")],  # the second property only adds to the heading
)
def test_a_declared_title_goes_before_the_heading(declared: str, title: str) -> None:
    source = SourceText("# Pay\n\n## A\n\nx\n\n## B\n", FileFormat.MARKDOWN, title=declared)
    assert document_title(source) == title


@pytest.mark.parametrize(
    ("heading", "declared", "title"),
    [
        ("People Space : Leave Standard", "Leave Standard - People Space - Confluence", "Leave Standard"),
        ("Leave Standard", "Leave Standard | Wiki", "Leave Standard"),
        ("Leave Policy | Germany", "Leave Policy | Germany", "Leave Policy | Germany"),
        ("Travel – Wales", "Travel – Wales | Intranet", "Travel – Wales"),
        ("Travel: costs", "Costs of travel", "Costs of travel"),
        ("Leave", "HR handbook - Intranet", "HR handbook - Intranet"),
        ("Pay policy", None, "Pay policy"),
    ],
)
def test_the_name_of_the_site_is_no_part_of_the_title(heading: str, declared: str | None, title: str) -> None:
    text = f"{heading}\n\nScope\n\nAll.\n"
    scope = HeadingMark(len(heading) + 2, len(heading) + 7, 2)
    source = SourceText(text, FileFormat.HTML, title=declared, headings=(HeadingMark(0, len(heading), 1), scope))
    assert document_title(source) == title


@pytest.mark.parametrize(
    ("declared", "title"),
    [
        ("Microsoft Word - travel_v3_final.doc", "Travel policy"),
        ("Document1", "Travel policy"),
        ("Leave policy 2019", "Travel policy"),
        ("Travel Policy (2024)", "Travel Policy (2024)"),
    ],
)
def test_a_property_that_a_program_set_or_an_author_forgot_is_no_title(declared: str, title: str) -> None:
    text = "Travel policy\n\n(2024)\n\nScope\n\nAll.\n"
    headings = (HeadingMark(0, 13, 1), HeadingMark(23, 28, 2))
    assert document_title(SourceText(text, FileFormat.DOCX, title=declared, headings=headings)) == title


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ("Title | Architecture Policy", "Architecture Policy"),
        ("Document name: Architecture Policy", "Architecture Policy"),
        ("Titel\tArchitekturrichtlinie", "Architekturrichtlinie"),
        ("Título del documento | Política de arquitectura", "Política de arquitectura"),
        ("Title | ", "Security Policy"),  # left open
        ("Subtitle | Architecture Policy", "Security Policy"),
        ("Document control\n\nTitle | Architecture Policy", "Architecture Policy"),
        ("Approved by: A. Noble\nTitle: Chief Architect", "Security Policy"),  # a person's
    ],
)
def test_a_row_that_says_the_title_goes_before_what_a_template_left(row: str, title: str) -> None:
    text = f"{row}\nOwner | \n\n1. Objective\n\nAll systems.\n"
    assert document_title(SourceText(text, FileFormat.DOCX, title="Security Policy")) == title
