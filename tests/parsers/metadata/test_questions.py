"""Questions by rule: grammatical ones, or none."""

import pytest

from policy_rag_parsers.metadata.corpus_terms import corpus_terms
from policy_rag_parsers.metadata.obligations import section_duties
from policy_rag_parsers.metadata.questions import section_questions
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText
from policy_rag_parsers.text.sentences import sentence_spans


def questions(title: str, body: str, *, document: str = "Leave Policy", language: str = "english") -> tuple[str, ...]:
    heading = f"{title}\n" if title else ""
    section = SectionText("1", heading + body, title, len(heading), (document, title))
    corpus = corpus_terms([SectionedDocument("d", document, (section,), language)])
    duties = section_duties(section.text, sentence_spans(section.text, section.body, len(section.text)), language)
    return section_questions(section, duties, corpus, document_title=document, language=language)


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Retention period", "What is the retention period?"),
        ("Notice periods", "What are the notice periods?"),
        ("Purpose", "What is the purpose of the Leave Policy?"),
        ("Purpose and scope", "What are the purpose and scope of the Leave Policy?"),
        ("Exceptions", "What are the exceptions in the Leave Policy?"),
        ("Annual leave", "What are the rules on annual leave?"),
        ("BOOKING TRAVEL", "What are the rules on booking travel?"),
        ("Sick children (all sites)", 'What are the rules under "Sick children"?'),
        ("Second factor", 'What are the rules under "Second factor"?'),
        ("Criteria", "What are the criteria in the Leave Policy?"),
        ("INSIDE INFORMATION", "What are the rules on inside information?"),
        ("Exclusions. Provision of finance", "What are the rules on exclusions?"),
        ("Staff meeting", 'What are the rules under "Staff meeting"?'),
        ("Crisis", 'What are the rules under "Crisis"?'),
        ("Who decides?", None),
        ("When may I leave?", "When may I leave?"),
    ],
)
def test_titles(title: str, question: str | None) -> None:
    assert questions(title, "Text of the section.") == ((question,) if question else ())


@pytest.mark.parametrize(
    "title",
    ["", "Introduction", "Definitions", "Leave Policy", "What counts", "Travellers pay for themselves", "Rule 7", "Immediately",
     "Leave is requested", "During leave", "A title of far too many words to be asked about in a question"],
)  # fmt: skip
def test_titles_that_make_no_good_question_make_none(title: str) -> None:
    assert questions(title, "Text of the section.") == ()


def test_definitions() -> None:
    assert questions("", '"Approver" means the line manager.') == ('What does "Approver" mean?',)
    assert questions("", "„Rahmen“ bezeichnet die Zeit.", language="german") == ("Was bedeutet „Rahmen“?",)


@pytest.mark.parametrize(
    ("body", "question"),
    [
        ("Employees must report losses within two hours.", "When must employees report losses?"),
        ("Line managers must keep the records.", "Who must keep the records?"),
        ("Gifts must be declared.", "Must gifts be declared?"),
        ("Gifts must be declared to the board.", "Must gifts be declared to the board?"),
        ("Employees must not share passwords.", "May employees share passwords?"),
        ("The report must name the owner.", "Must the report name the owner?"),
        ("The firm must keep a register, a log and a file.", None),
        ("It must be signed by the board.", None),
        ("No employee may not do so.", None),
        ("The firm must ensure that it is safe.", None),
    ],
)
def test_obligations(body: str, question: str | None) -> None:
    assert questions("", body) == ((question,) if question else ())


def test_german_titles_are_quoted_and_no_obligation_is_asked_about() -> None:
    asked = questions("Gleitzeit", "Die Führungskraft muss zustimmen.", document="Arbeitszeit", language="german")
    assert asked == ("Was ist zu „Gleitzeit“ geregelt?",)
    assert questions("Congés", "Le salarié doit demander.", language="french") == ()


def test_what_could_be_asked_of_any_document_is_not_asked() -> None:
    assert questions("Fees", "Text of the section.", document="adgm-7") == ()
    assert questions("Annual fees", "Text of the section.", document="adgm-7") == ("What are the annual fees?",)
