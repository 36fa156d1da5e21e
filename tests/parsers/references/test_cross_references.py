"""Cross-references: to sections of the text, to what is counted inside them, to other documents; and what is none."""

import time
from itertools import pairwise

import pytest

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.references.cross_references import Reference, find_references
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library
from tests.support.parsed_text import parsed

PLAIN = "".join(f"## {i}. Matter\n\nText.\n\n" for i in range(1, 6))
NESTED = (
    "## 1. A\n\nText.\n\n## 2. B\n\nText.\n\n## 3. C\n\nText.\n\n## 4. D\n\n### 4.1 E\n\nText.\n\n### 4.2 F\n\nText.\n"
)
WORDED = "".join(f"## {number} Matter\n\nText.\n\n" for number in ("Ziffer 1", "Ziffer 2", "Apartado 3"))


def checked(source: SourceText, found: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """References, whose ranges are exact, in order and apart."""
    assert all(one.text == source.text[one.start : one.end] for one in found)
    ranges = sorted({(one.start, one.end) for one in found})
    assert [(one.start, one.end) for one in found] == sorted((one.start, one.end) for one in found)
    assert all(before[1] <= one[0] for before, one in pairwise(ranges))
    return found


def targets(text: str) -> list[tuple[str, str | None]]:
    source, sections = parsed(text)
    return [(one.text, one.target_section_id) for one in checked(source, find_references(source, sections))]


@pytest.mark.parametrize(
    ("body", "sentence", "expected"),
    [
        (PLAIN, "Es gilt § 4 Abs. 1.", [("§ 4", "4")]),
        (PLAIN, "Es gilt § 4 Abs. 2 Nr. 1.", [("§ 4", "4")]),
        (PLAIN, "Es gilt § 4 Abs. 1 und 2.", [("§ 4", "4")]),
        (PLAIN, "Es gelten § 4 Abs. 1 und § 5 Abs. 2.", [("§ 4", "4"), ("§ 5", "5")]),
        (PLAIN, "See section 4, paragraph 2.", [("section 4", "4")]),
        (PLAIN, "See section 4, paragraph 2 and para. 3.", [("section 4", "4")]),
        (PLAIN, "See paragraph 2 of section 4.", [("section 4", "4")]),
        (PLAIN, "See section 9, paragraph 2.", [("section 9", None)]),
        (PLAIN, "Selon l'article 3, alinéa 2.", [("article 3", "3")]),
        (PLAIN, "Selon l'alinéa 2 de l'article 3.", [("article 3", "3")]),
        (PLAIN, "El artículo 4, apartado 5.", [("artículo 4", "4")]),
        (PLAIN, "El apartado 1 del artículo 3.", [("artículo 3", "3")]),
        (PLAIN, "Artikel 4, lid 2, geldt.", [("Artikel 4", "4")]),
        (PLAIN, "L'articolo 4, comma 2, vale.", [("articolo 4", "4")]),
        (PLAIN, "See paragraph 5.", [("paragraph 5", "5")]),
        (WORDED, "Es gilt Ziffer 2.", [("Ziffer 2", "Ziffer 2")]),
        (WORDED, "Siehe Nr. 1.", [("Nr. 1", "Ziffer 1")]),
        (WORDED, "Según el apartado 3.", [("apartado 3", "Apartado 3")]),
        (PLAIN, "See section 2. Paragraph 5 holds.", [("section 2", "2"), ("Paragraph 5", "5")]),
        (PLAIN, "See paragraph 2, paragraph 5.", [("paragraph 2", "2"), ("paragraph 5", "5")]),
        (PLAIN, "See section 2 and paragraph 5.", [("section 2", "2"), ("paragraph 5", "5")]),
        (PLAIN, "Articles 3 à 5.", [("Articles 3", "3"), ("5", "4"), ("5", "5")]),
        (PLAIN, "Les articles 2, 3 et 5.", [("articles 2", "2"), ("3", "3"), ("5", "5")]),
        (PLAIN, "Los artículos 2 y 3.", [("artículos 2", "2"), ("3", "3")]),
        (PLAIN, "Los artículos 2 a 4.", [("artículos 2", "2"), ("4", "3"), ("4", "4")]),
        (PLAIN, "Os artigos 2.º e 3.º.", [("artigos 2.º", "2"), ("3.º", "3")]),
        (PLAIN, "Gli articoli 2 e 3.", [("articoli 2", "2"), ("3", "3")]),
        (PLAIN, "Artikelen 2 tot en met 4.", [("Artikelen 2", "2"), ("4", "3"), ("4", "4")]),
        (PLAIN, "Sections 2, 3, and 5.", [("Sections 2", "2"), ("3", "3"), ("5", "5")]),
        (PLAIN, "L'article 3 et 5 jours.", [("article 3", "3")]),
        (PLAIN, "El artículo 3 y 5 días.", [("artículo 3", "3")]),
        (PLAIN, "See section\n4.", [("section\n4", "4")]),
        (PLAIN, "Rules\n\n4 people.", []),
        # what is counted inside a section with sections under it
        (NESTED, "Es gilt § 4 Abs. 2.", [("§ 4", "4"), ("Abs. 2", "4.2")]),
        (NESTED, "Es gelten § 4 Abs. 1 und 2.", [("§ 4", "4"), ("Abs. 1", "4.1"), ("2", "4.2")]),
        (NESTED, "See paragraph 2 of section 4.", [("paragraph 2", "4.2"), ("section 4", "4")]),
        (NESTED, "Es gilt Ziffer 4.1 Absatz 2.", [("Ziffer 4.1", "4.1")]),
        (NESTED, "Clause 4.1, paragraph 2 and para. 3.", [("Clause 4.1", "4.1")]),
        (NESTED, "See section 4, paragraph 4.2.", [("section 4", "4"), ("paragraph 4.2", "4.2")]),
        (NESTED, "See section 2, paragraph 4.2.", [("section 2", "2"), ("paragraph 4.2", "4.2")]),
    ],
)
def test_what_a_sentence_points_to(body, sentence, expected):
    assert targets(f"{body}\n{sentence}\n") == expected


def test_paragraphs_in_paragraphs_without_end_are_read_in_time_that_grows_with_the_length():
    # what is nested deeper than any text does it is not followed, in depth or in steps
    assert targets(f"{PLAIN}\nNach {'Abs. 1 Nr. 1 ' * 3000}gilt es.\n") == [("Abs. 1", "1")]


def test_a_paragraph_is_no_section_or_article_of_that_number() -> None:
    """In "the duties in paragraphs 1 and 2 do not apply" they are those of the article in which it stands."""
    articles = "".join(f"## Article {i}\n\nText.\n\n" for i in range(1, 4))
    assert targets(f"{articles}\nParagraphs 1 and 2 do not apply.\n") == [("Paragraphs 1", None), ("2", None)]
    chapters = "".join(f"## {name} Abschnitt\n\nText.\n\n" for name in ("Erster", "Zweiter"))
    assert targets(f"{chapters}\nAbsatz 2 gilt nicht.\n") == [("Absatz 2", None)]
    assert targets(f"{PLAIN}\nSee paragraph 2.\n") == [("paragraph 2", "2")]


@pytest.mark.parametrize(
    "text",
    [
        "# 1. Scope\n\nText.\n\n# 2. Rules\n\n## 2.1 Economy\n\nText.\n",
        "# 2. Rules\n## 2.1 Economy\n\nText.\n",
        "1. Scope\n\nText.\n\n2. Rules\n\n2.1 Economy class is booked.\n\n2.2 Rail is better.\n",
        "Appendix A: Schedule\n\nA.1 First.\n\nA.2 Second.\n",
        "# 1. Rule\n\nText\n\n# 2. Section\n# 3. End\n",
    ],
)
def test_the_number_of_the_next_section_is_not_that_of_a_word_at_a_title_s_end(text):
    assert targets(text) == []


UNITS = (
    "PART 1\nGeneral\n\nChapter 1\nScope\n\n1. All staff.\n\nPART 2\nWork\n\nChapter 1\nBackup\n\n"
    "2. Chapter 1 of this Part holds, and paragraph 1 of this section.\n\nSCHEDULE 1\nFORMS\n\n1. Form A.\n\n"
    "2. As paragraph 1 of this Schedule says.\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a schedule's own paragraphs are found in it
        (
            f"{PLAIN}# Schedule 1\n\n## 1. Fees\n\nSee Schedule 1, paragraph 2.\n\n## 2. Dues\n\nText.\n",
            [("Schedule 1", "Schedule 1"), ("paragraph 2", "2~2")],
        ),
        # the number of a section is no reference
        ("Section 1. Scope\n\nAll.\n\nSection 2. Days\n\nSee Section 1.\n", [("Section 1", "Section 1")]),
        # what is in this unit leads into it, and not to the same number elsewhere
        (UNITS, [("Chapter 1", "Chapter 1~2"), ("paragraph 1", "Chapter 1~2"), ("paragraph 1", "SCHEDULE 1")]),
        (
            "Article 1 – Jours\n\nTrois.\n\nArticle 2 – Fin\n\nL'alinéa 1 du présent article vaut.\n",
            [("alinéa 1", "Article 2")],
        ),
        # a number with a sign is no item of an annex
        (
            "§ 1 Zweck\n\nText.\n\n§ 2 Rahmen\n\nText.\n\nAnlage 1\n\n1. Antrag\nNach § 2.\n\n2. Ablage\nNach Nr. 1.\n",
            [("§ 2", "§ 2"), ("Nr. 1", "1")],
        ),
        (
            "1. Scope\n\nSee section 2.\n\n2. Roles\n\nNone.\n\nAnnex A\n\nSection 1\nA\n\nX.\n\nSection 2\nB\n\nY.\n",
            [("section 2", "2")],
        ),
        # entries of a table of contents are no references
        (
            "Contents\n\n§ 1 Zweck ........ 2\nAnlage 1 ......... 5\n\n§ 1 Zweck\n\nSiehe Anlage 1.\n\nAnlage 1\n\nText.\n",
            [("Anlage 1", "Anlage 1")],
        ),
        # numbers that an amendment put between two others
        ("§ 1 A\n\nJa.\n\n§ 2 B\n\nNach § 2a gilt es.\n\n§ 2a C\n\nFrei.\n\n§ 3 D\n\nNein.\n", [("§ 2a", "§ 2a")]),
        # a hyphen names an article of its own where there is one, and else a range
        (
            "Article 34 A\n\nText.\n\nArticle 34-1 B\n\nSee article 34-1 and articles 34-35.\n\nArticle 35 C\n\nText.\n",
            [("article 34-1", "Article 34-1"), *(("articles 34-35", f"Article {one}") for one in ("34", "34-1", "35"))],
        ),
        ("", []),
    ],
)
def test_what_a_text_points_to(text, expected):
    assert targets(text) == expected


TITLES = {"travel": "Travel Policy", "code": "Code of Conduct", "leave": "Leave Policy"}


LEAVE = (
    "## 1. Scope\n\nAll staff.\n\n## 2. Rules\n\n### 2.1 Days\n\nThirty days.\n\n### 2.2 Notice\n\n(a) Early.\n\n"
    "(b) In writing.\n\n## 3. End\n\nHere.\n"
)
TRAVEL = "## 1. Scope\n\nAll trips.\n\n## 3. Costs\n\nPaid.\n"


def found(sentence: str) -> list[tuple[str, str | None, str | None]]:
    source, sections = parsed(f"{LEAVE}\n{sentence}\n", title="Leave Policy")
    known = {"travel": parsed(TRAVEL, title="Travel Policy")[1], "leave": sections, "code": ()}
    library = Library({doc: document_names(title) for doc, title in TITLES.items()}, known.__getitem__)
    references = checked(source, find_references(source, sections, library=library, doc_id="leave"))
    return [(r.text, r.target_document, r.target_section_id) for r in references]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("See section 2.1 for days.", [("section 2.1", None, "2.1")]),
        ("Subject to Rule 2.2(b), all may.", [("Rule 2.2(b)", None, "2.2")]),
        ("It is as defined in 2.1 and no more.", [("2.1", None, "2.1")]),
        ("Sections 2.1 and 3 apply.", [("Sections 2.1", None, "2.1"), ("3", None, "3")]),
        ("Section \u200e2.1\u200e(a) applies.", [("Section \u200e2.1\u200e(a)", None, "2.1")]),
        ("See section 9.9.", [("section 9.9", None, None)]),
        ("See section 3 of the Travel Policy.", [("section 3 of the Travel Policy", "travel", "3")]),
        ("See section 8 of the Travel Policy.", [("section 8 of the Travel Policy", "travel", None)]),
        ("The Travel Policy, section 3, says so.", [("Travel Policy, section 3", "travel", "3")]),
        ("The Code of Conduct applies.", [("Code of Conduct", "code", None)]),
        (
            "An annex to the Travel Policy (section 1 there).",
            [("Travel Policy (section 1", "travel", "1")],
        ),
        ("See section 2 of this Leave Policy.", [("section 2", None, "2")]),
        ("See section 2 of the Leave Policy.", [("section 2 of the Leave Policy", None, "2")]),
        ("See section 2 of the Companies Act.", [("section 2", None, None)]),
        ("Trips under 2.1 days or 2.1 % do not count.", []),
        ("Version 2.1 of 3 June costs 2.2 EUR.", []),
    ],
)
def test_what_a_sentence_points_to_among_documents(
    sentence: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert found(sentence) == expected


def test_a_schedule_has_numbers_of_its_own() -> None:
    def section(number: str, start: int, end: int, subtree: int, parent: str | None = None) -> Section:
        return Section(number, number, "", 1, ("X",), parent, None, None, start, end, start, subtree)

    text = "1 A. See section 1 of Schedule 1 and Schedule 1 and Schedule 2.\nSchedule 1\n1 B.\n"
    first, schedule = text.index("Schedule 1\n"), text.index("1 B.")
    sections = (
        section("1", 0, first, first),
        section("Schedule 1", first, schedule, len(text)),
        section("Schedule 1.1", schedule, len(text), len(text), "Schedule 1"),
    )
    inner = Section("1~2", "1", "", 2, ("X",), "Schedule 1", None, None, schedule, len(text), schedule, len(text))
    targets = [r.target_section_id for r in find_references(SourceText(text, FileFormat.TEXT), (*sections[:2], inner))]
    assert targets == ["1~2", "Schedule 1", "Schedule 1", None]


def test_where_a_number_comes_twice_the_nearer_one_is_meant() -> None:
    text = "A\n1 x\n2 see section 1\nB\n1 y\n2 see section 1\n"
    at = [0, 2, 6, 22, 24, 28, len(text)]
    numbers = [None, "1", "2", None, "1", "2"]
    ids = ["a", "1", "2", "b", "1~2", "2~2"]
    parents = [None, "a", "a", None, "b", "b"]
    ends = [22, 6, 22, len(text), 28, len(text)]
    sections = tuple(
        Section(ids[i], numbers[i], "", 1, ("X",), parents[i], None, None, at[i], at[i + 1], at[i], ends[i])
        for i in range(6)
    )
    targets = [r.target_section_id for r in find_references(SourceText(text, FileFormat.TEXT), sections)]
    assert targets == ["1", "1~2"]


RULES = {
    "gen": (
        "General Rules 2021 (GEN)",
        "## 1. Scope\n\n## 2. Systems\n\n### 2.1 A\n\n### 2.2 B\n\n### 2.3 C\n\n## 3. End\n",
    ),
    "act": ("Markets Act", "# Part 1 Names\n\n## 91. One\n\n## 92. Two\n\n# Part 2 Fees\n\n## 93. Three\n"),
    "code": ("Code", "## 1. Scope\n\n## 2. Rules\n\n### 2.1 D\n\n### 2.2 E\n\n## 3. End\n\n"),
}


def led_to(text: str) -> list[tuple[str, str | None, str | None]]:
    """What the Code refers to with a text at its end."""
    read = {doc_id: parsed(body, title=title) for doc_id, (title, body) in RULES.items()}
    read["code"] = parsed(f"{RULES['code'][1]}{text}\n", title="Code")
    names = {doc_id: document_names(title) for doc_id, (title, _) in RULES.items()}
    library = Library(names, lambda doc_id: read[doc_id][1])
    source, sections = read["code"]
    found = checked(source, find_references(source, sections, library=library, doc_id="code"))
    return [(r.text, r.target_document, r.target_section_id) for r in found]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("GEN 2.1 and 2.3 apply.", [("GEN 2.1", "gen", "2.1"), ("2.3", "gen", "2.3")]),
        ("Rule GEN 2.1(a) applies.", [("GEN 2.1(a)", "gen", "2.1")]),
        ("GEN Rule 2.1 and Rule 2.3 apply.", [("GEN Rule 2.1", "gen", "2.1"), ("Rule 2.3", "gen", "2.3")]),
        ("GEN Rule 2.1 and section 2.2 apply.", [("GEN Rule 2.1", "gen", "2.1"), ("section 2.2", None, "2.2")]),
        ("The General Rules (GEN) Rule 2.1 applies.", [("General Rules", "gen", None), ("GEN) Rule 2.1", "gen", "2.1")]),
        ("Section 91 or section 92 of the Markets Act.", [
            ("Section 91", "act", "91"), ("section 92 of the Markets Act", "act", "92"),
        ]),
        ("Part 2 of the Markets Act.", [("Part 2 of the Markets Act", "act", "Part 2")]),
        ("Rules 2.1 to 2.3 of GEN.", [
            ("Rules 2.1", "gen", "2.1"), ("2.3 of GEN", "gen", "2.2"), ("2.3 of GEN", "gen", "2.3"),
        ]),
        ("Paragraphs 1-3 of GEN.", [("Paragraphs 1-3 of GEN", "gen", number) for number in "123"]),
        ("Chapter 2 of GEN.", [("Chapter 2 of GEN", "gen", "2")]),  # which calls none of its units a chapter
        ("Section 2.1 of the Rules in General (“GEN”).", [("Section 2.1 of the Rules in General (“GEN", "gen", "2.1")]),
        ("The Markets Act (the “Act”) is dear. Section 93 of the Act too.", [
            ("Markets Act", "act", None), ("Section 93 of the Act", "act", "93"),
        ]),
        ("The Fish Markets Act is another.", []),
        ("GEN is short, the markets act is not a name.", []),
        ("For the purposes of 2.1(a), see Rules 2.2(a) and (b).", [("2.1(a)", None, "2.1"), ("Rules 2.2(a)", None, "2.2"), ("(b)", None, None)]),
    ],
)  # fmt: skip
def test_what_a_sentence_points_to_in_other_documents(sentence, expected):
    assert led_to(sentence) == expected


def test_a_number_that_a_document_has_not_is_one_of_that_to_which_it_gives_all_such_numbers():
    said = "Section 91 of the Markets Act and section 92 of the Markets Act hold. "
    assert led_to(said + "Section 93 too.")[-1] == ("Section 93", "act", "93")
    assert led_to(said + "Section 2.1 too.")[-1] == ("Section 2.1", None, "2.1")
    assert led_to(said + "Section 94 too.")[-1] == ("Section 94", None, None)
    assert led_to(said + "Section 1 of the Fish Act and section 93.")[-1] == ("section 93", None, None)


@pytest.mark.parametrize(
    "part",
    ["# Part {i}\n\n## 1. Scope\n\nSee section 1 and section 1.\n\n", "## 1. Scope\n\nSee section 1 of this.\n\n"],
)
def test_a_number_that_thousands_of_sections_have_is_resolved_in_time_that_grows_with_the_length(part):
    source, sections = parsed("".join(part.format(i=i) for i in range(2000)))
    begun = time.process_time()
    found = find_references(source, sections)
    assert time.process_time() - begun < 2.5  # a second; quadratic, it was half a minute
    assert len(found) >= 2000
