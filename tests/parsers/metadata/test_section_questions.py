"""Questions by rule: from titles and definitions, or none."""

import pytest

from policy_rag_parsers.metadata.section_questions import section_questions
from policy_rag_parsers.metadata.section_texts import SectionText


def questions(title: str, body: str, language: str = "english") -> tuple[str, ...]:
    heading = f"{title}\n" if title else ""
    section = SectionText("1", heading + body, title, len(heading), ("Leave Policy", title))
    return section_questions(section, document_title="Leave Policy", language=language)


@pytest.mark.parametrize(
    ("title", "body", "language", "asked"),
    [
        ("Retention period", "Ten years.", "english", ("What are the rules on “Retention period”?",)),
        ("When may I leave?", "At noon.", "english", ("When may I leave?",)),
        ("Who decides?", "We do.", "english", ("What are the rules on “Who decides?”?",)),
        ("Gleitzeit", "Die Zeit endet.", "german", ("Was ist zu „Gleitzeit“ geregelt?",)),
        ("", '"Approver" means the line manager.', "english", ('What does "Approver" mean?',)),
        ("", "„Rahmen“ bezeichnet die Zeit.", "german", ("Was bedeutet „Rahmen“?",)),
        ("Congés", "Le salarié doit demander.", "french", ("Quelles sont les règles sur « Congés » ?",)),
        (
            "Disposiciones generales",
            "«Empleado» significa toda persona contratada.",
            "spanish",
            ("¿Qué significa «Empleado»?",),
        ),
        (
            "",
            "«Teletrabalho» significa o trabalho fora do escritório.",
            "portuguese",
            ("O que significa «Teletrabalho»?",),
        ),
        ("Ferie", "Il dipendente chiede.", "italian", ()),
        # titles that say nothing by themselves
        ("", "Ten years.", "english", ()),
        ("Introduction", "Ten years.", "english", ()),
        ("Definitions", "Ten years.", "english", ()),
        ("Leave Policy", "Ten years.", "english", ()),
        ("One title of far too many words to ask", "Ten years.", "english", ()),
    ],
)
def test_titles_and_definitions_give_questions(title: str, body: str, language: str, asked: tuple[str, ...]) -> None:
    assert questions(title, body, language) == asked


def test_at_most_five() -> None:
    body = "\n".join(f'"Term {word}" means a thing.' for word in ("one", "two", "three", "four", "five", "six"))
    assert len(questions("Scope of it", body)) == 5
