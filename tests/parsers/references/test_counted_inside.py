"""Paragraphs, numbers and letters of a section, lists and ranges in every language, and titles that are no reference."""

from itertools import pairwise

import pytest

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.structure.sections import parse_sections

PLAIN = "".join(f"## {i}. Matter\n\nText.\n\n" for i in range(1, 6))
NESTED = (
    "## 1. A\n\nText.\n\n## 2. B\n\nText.\n\n## 3. C\n\nText.\n\n## 4. D\n\n### 4.1 E\n\nText.\n\n### 4.2 F\n\nText.\n"
)


def led_to(body: str, sentence: str = "") -> list[tuple[str, str | None]]:
    source = SourceText(f"{body}\n{sentence}\n", FileFormat.MARKDOWN)
    found = find_references(source, parse_sections(source, title="Doc"))
    assert all(one.text == source.text[one.start : one.end] for one in found)
    ranges = sorted({(one.start, one.end) for one in found})
    assert all(before[1] <= one[0] for before, one in pairwise(ranges))
    return [(one.text, one.target_section_id) for one in found]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Es gilt § 4 Abs. 1.", [("§ 4", "4")]),
        ("Es gilt § 4 Abs. 2 Nr. 1.", [("§ 4", "4")]),
        ("Es gilt § 4 Abs. 1 und 2.", [("§ 4", "4")]),
        ("Es gelten § 4 Abs. 1 und § 5 Abs. 2.", [("§ 4", "4"), ("§ 5", "5")]),
        ("See section 4, paragraph 2.", [("section 4", "4")]),
        ("See section 4, paragraph 2 and para. 3.", [("section 4", "4")]),
        ("See paragraph 2 of section 4.", [("section 4", "4")]),
        ("See section 9, paragraph 2.", [("section 9", None)]),
        ("Selon l'article 3, alinéa 2.", [("article 3", "3")]),
        ("Selon l'alinéa 2 de l'article 3.", [("article 3", "3")]),
        ("El artículo 4, apartado 5.", [("artículo 4", "4")]),
        ("El apartado 1 del artículo 3.", [("artículo 3", "3")]),
        ("Artikel 4, lid 2, geldt.", [("Artikel 4", "4")]),
        ("L'articolo 4, comma 2, vale.", [("articolo 4", "4")]),
        ("See paragraph 5.", [("paragraph 5", "5")]),
        ("See section 2. Paragraph 5 holds.", [("section 2", "2"), ("Paragraph 5", "5")]),
        ("See paragraph 2, paragraph 5.", [("paragraph 2", "2"), ("paragraph 5", "5")]),
        ("See section 2 and paragraph 5.", [("section 2", "2"), ("paragraph 5", "5")]),
        ("Articles 3 à 5.", [("Articles 3", "3"), ("5", "4"), ("5", "5")]),
        ("Les articles 2, 3 et 5.", [("articles 2", "2"), ("3", "3"), ("5", "5")]),
        ("Los artículos 2 y 3.", [("artículos 2", "2"), ("3", "3")]),
        ("Los artículos 2 a 4.", [("artículos 2", "2"), ("4", "3"), ("4", "4")]),
        ("Os artigos 2.º e 3.º.", [("artigos 2.º", "2"), ("3.º", "3")]),
        ("Gli articoli 2 e 3.", [("articoli 2", "2"), ("3", "3")]),
        ("Artikelen 2 tot en met 4.", [("Artikelen 2", "2"), ("4", "3"), ("4", "4")]),
        ("Sections 2, 3, and 5.", [("Sections 2", "2"), ("3", "3"), ("5", "5")]),
        ("L'article 3 et 5 jours.", [("article 3", "3")]),
        ("El artículo 3 y 5 días.", [("artículo 3", "3")]),
        ("See section\n4.", [("section\n4", "4")]),
        ("Rules\n\n4 people.", []),
    ],
)
def test_what_a_sentence_points_to(sentence, expected):
    assert led_to(PLAIN, sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Es gilt § 4 Abs. 2.", [("§ 4", "4"), ("Abs. 2", "4.2")]),
        ("Es gelten § 4 Abs. 1 und 2.", [("§ 4", "4"), ("Abs. 1", "4.1"), ("2", "4.2")]),
        ("See paragraph 2 of section 4.", [("paragraph 2", "4.2"), ("section 4", "4")]),
        ("Es gilt Ziffer 4.1 Absatz 2.", [("Ziffer 4.1", "4.1")]),
        ("Clause 4.1, paragraph 2 and para. 3.", [("Clause 4.1", "4.1")]),
        ("See section 4, paragraph 4.2.", [("section 4", "4"), ("paragraph 4.2", "4.2")]),
        ("See section 2, paragraph 4.2.", [("section 2", "2"), ("paragraph 4.2", "4.2")]),
    ],
)
def test_what_is_counted_inside_a_section_with_sections_under_it(sentence, expected):
    assert led_to(NESTED, sentence) == expected


def test_a_schedule_s_own_paragraphs_are_found_in_it():
    body = f"{PLAIN}# Schedule 1\n\n## 1. Fees\n\nSee Schedule 1, paragraph 2.\n\n## 2. Dues\n\nText.\n"
    assert led_to(body) == [("Schedule 1", "Schedule 1"), ("paragraph 2", "2~2")]


def test_paragraphs_in_paragraphs_without_end_are_read_in_time_that_grows_with_the_length():
    # what is nested deeper than any text does it is not followed, in depth or in steps
    assert led_to(PLAIN, "Nach " + "Abs. 1 Nr. 1 " * 3000 + "gilt es.") == [("Abs. 1", "1")]


@pytest.mark.parametrize(
    "body",
    [
        "# 1. Scope\n\nText.\n\n# 2. Rules\n\n## 2.1 Economy\n\nText.\n",
        "# 2. Rules\n## 2.1 Economy\n\nText.\n",
        "1. Scope\n\nText.\n\n2. Rules\n\n2.1 Economy class is booked.\n\n2.2 Rail is better.\n",
        "Appendix A: Schedule\n\nA.1 First.\n\nA.2 Second.\n",
        "# 1. Rule\n\nText\n\n# 2. Section\n# 3. End\n",
    ],
)
def test_the_number_of_the_next_section_is_not_that_of_a_word_at_a_title_s_end(body):
    assert led_to(body) == []


def test_a_paragraph_is_no_section_or_article_of_that_number() -> None:
    """In "the duties in paragraphs 1 and 2 do not apply" they are those of the article in which it stands."""
    articles = "".join(f"## Article {i}\n\nText.\n\n" for i in range(1, 4))
    assert led_to(articles, "Paragraphs 1 and 2 do not apply.") == [("Paragraphs 1", None), ("2", None)]
    chapters = "".join(f"## {name} Abschnitt\n\nText.\n\n" for name in ("Erster", "Zweiter"))
    assert led_to(chapters, "Absatz 2 gilt nicht.") == [("Absatz 2", None)]
    assert led_to(PLAIN, "See paragraph 2.") == [("paragraph 2", "2")]
