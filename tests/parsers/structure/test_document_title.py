"""What a document is called where it does not say so in its front matter."""

import pytest

from policy_rag_parsers.records import FileFormat, HeadingMark, SourceText
from policy_rag_parsers.structure.sections import document_title


@pytest.mark.parametrize(
    ("source", "title"),
    [
        (SourceText("# Pay\n\n## A\n\nx\n\n## B\n", FileFormat.MARKDOWN), "Pay"),
        (SourceText("# Pay\n\n## A\n\nx\n\n## B\n", FileFormat.MARKDOWN, title="Pay policy"), "Pay policy"),
        (
            SourceText(
                "Pay policy\n\nScope\n\nAll.\n",
                FileFormat.HTML,
                headings=(HeadingMark(0, 10, 1), HeadingMark(12, 17, 2)),
            ),
            "Pay policy",
        ),
        (SourceText("Pay\n\n1. Scope\n\nAll.\n\n2. End\n\nNow.\n", FileFormat.TEXT), "Pay"),
        (SourceText("ACME LTD\nPAY POLICY - Version 2.1\n\n1. Scope\n\nAll.\n", FileFormat.TEXT), "PAY POLICY"),
        (
            SourceText("REISEKOSTENREGELUNG\nStand: 1. Januar 2019\n\n§ 1 Grundsatz\n\nJa.\n", FileFormat.TEXT),
            "REISEKOSTENREGELUNG",
        ),
        (
            SourceText("ACME SA\nPOLÍTICA DE VIAJES - Versión 2.1\n\n1. Objeto\n\nTodo.\n", FileFormat.TEXT),
            "POLÍTICA DE VIAJES",
        ),
        (SourceText("Acme GmbH\nDienstreiseordnung\nStand 2019\n\nJa.\n", FileFormat.TEXT), "Dienstreiseordnung"),
        (
            SourceText("TRIPS ABROAD\nWho goes abroad asks first.\n\nThen it is fine.\n", FileFormat.TEXT),
            "TRIPS ABROAD",
        ),
        (SourceText("Trips abroad\nWho goes abroad asks first.\n\nThen it is fine.\n", FileFormat.TEXT), None),
        (SourceText("ACME GMBH\nWho goes abroad asks first.\n\nThen it is fine.\n", FileFormat.TEXT), None),
        (SourceText("WHO GOES ABROAD\nASKS FIRST.\n\nTHEN IT IS FINE.\n", FileFormat.TEXT), None),
        (SourceText("We respect your privacy and that of others.\n\nMore.\n", FileFormat.TEXT), None),
        (SourceText(" \n", FileFormat.TEXT), None),
        (SourceText("# Password Policy\n\nAll.\n\n# Scope\n\nx\n\n# End\n", FileFormat.MARKDOWN), "Password Policy"),
        (SourceText("# Working remotely\n\n# Scope\n\nx\n\n# End\n", FileFormat.MARKDOWN), "Working remotely"),
        (SourceText("# Policy statement\n\nAll.\n\n# Scope\n\nx\n", FileFormat.MARKDOWN), None),
        (SourceText("# Scope\n\nAll.\n\n# Pay rules\n\nx\n", FileFormat.MARKDOWN), None),
        (SourceText("# 1 Pay rules\n\nAll.\n\n# 2 End\n\nx\n", FileFormat.MARKDOWN), None),
    ],
)
def test_document_title(source: SourceText, title: str | None) -> None:
    assert document_title(source) == title


def test_the_heading_is_a_better_title_than_a_property_that_only_adds_to_it() -> None:
    source = SourceText("# Pay\n\n## A\n\nx\n\n## B\n", FileFormat.MARKDOWN, title="Pay - Intranet")
    assert document_title(source) == "Pay"


@pytest.mark.parametrize(
    ("heading", "declared", "title"),
    [
        ("People Space : Leave Standard", "Leave Standard - People Space - Confluence", "Leave Standard"),
        ("Leave Standard", "Leave Standard | Wiki", "Leave Standard"),
        ("Travel: costs", "Costs of travel", "Costs of travel"),
        ("Leave", "HR handbook - Intranet", "HR handbook - Intranet"),
    ],
)
def test_the_name_of_the_site_is_no_part_of_the_title(heading: str, declared: str, title: str) -> None:
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
