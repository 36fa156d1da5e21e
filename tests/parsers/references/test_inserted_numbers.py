"""Numbers that an amendment put between two others: § 2a, Section 2a, 2a., 1.2a."""

import pytest

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.references.clause_lookup import find_clause
from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.structure.numbering import read_marker
from policy_rag_parsers.structure.sections import parse_sections
from tests.support.clause_keys import clause_query_keys

ORDER = """Ordnung

§ 1 Zweck

Für alle.

§ 2 Rahmen

Nach § 2a gilt:

1. eins,
2. zwei,
2a. zwei und
3. drei.

§ 2a Samstag

Frei.

§ 3 Ende

Schluss.
"""


def parsed(text: str) -> tuple[Section, ...]:
    return parse_sections(SourceText(text, FileFormat.TEXT), title="Doc")


@pytest.mark.parametrize("form", ["§ {}", "Section {}", "{}."])
def test_a_number_with_a_small_letter_comes_between_its_neighbours(form: str) -> None:
    numbers = [form.format(value) for value in ("1", "2", "2a", "3")]
    text = "\n\n".join(f"{number} Matter {at}\n\nText of it." for at, number in enumerate(numbers))
    assert [section.number for section in parsed(text + "\n")] == [number.rstrip(".") for number in numbers]


def test_a_dotted_number_with_a_small_letter_is_a_clause() -> None:
    text = "1. Scope\n\n1.1 It is so.\n\n1.2 It is thus.\n\n1.2a It is new.\n\n1.3 It is old.\n"
    assert [section.number for section in parsed(text)] == ["1", "1.1", "1.2", "1.2a", "1.3"]


@pytest.mark.parametrize("line", ["2h before", "2.5m people", "4x a year", "2ab. x"])
def test_amounts_are_no_such_numbers(line: str) -> None:
    assert read_marker(line) is None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("§ 2a", "§ 2a Samstag\n\nFrei."),
        ("§ 2A", "§ 2a Samstag\n\nFrei."),
        ("§ 2 Nr. 2a", "2a. zwei und"),
        ("§ 2 Nr. 3", "3. drei."),
    ],
)
def test_it_is_found_by_its_number(reference: str, expected: str) -> None:
    found = find_clause(ORDER, parsed(ORDER), reference)
    assert found is not None
    assert ORDER[found[0] : found[1]] == expected


def test_references_and_questions_name_it() -> None:
    references = find_references(SourceText(ORDER, FileFormat.TEXT), parsed(ORDER))
    assert [(one.text, one.target_section_id) for one in references] == [("§ 2a", "§ 2a")]
    assert clause_query_keys("Was sagt § 2a Nr. 2a, und was sagt 4.2a?") == ("2a(2a)", "4.2a")


def test_a_hyphen_names_an_article_of_its_own_where_there_is_one_and_else_a_range() -> None:
    text = "Article 34 A\n\nText.\n\nArticle 34-1 B\n\nSee article 34-1 and articles 34-35.\n\nArticle 35 C\n\nText.\n"
    source = SourceText(text, FileFormat.TEXT)
    found = find_references(source, parse_sections(source, title=""))
    assert [(one.text, one.target_section_id) for one in found] == [
        ("article 34-1", "Article 34-1"),
        *(("articles 34-35", one) for one in ("Article 34", "Article 34-1", "Article 35")),
    ]
    assert clause_query_keys("What does article 55-A say?") == ("55a",)
