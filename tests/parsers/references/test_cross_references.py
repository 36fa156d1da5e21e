import time

import pytest

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library
from policy_rag_parsers.structure.sections import parse_sections

TITLES = {"travel": "Travel Policy", "code": "Code of Conduct", "leave": "Leave Policy"}


def document(text: str, title: str) -> tuple[SourceText, tuple[Section, ...]]:
    source = SourceText(text, FileFormat.MARKDOWN)
    return source, parse_sections(source, title=title)


LEAVE = document(
    "## 1. Scope\n\nAll staff.\n\n## 2. Rules\n\n### 2.1 Days\n\nThirty days.\n\n### 2.2 Notice\n\n(a) Early.\n\n"
    "(b) In writing.\n\n## 3. End\n\nHere.\n",
    "Leave Policy",
)
TRAVEL = document("## 1. Scope\n\nAll trips.\n\n## 3. Costs\n\nPaid.\n", "Travel Policy")


def found(sentence: str) -> list[tuple[str, str | None, str | None]]:
    text = LEAVE[0].text + "\n" + sentence + "\n"
    source, sections = document(text, "Leave Policy")
    known = {"travel": TRAVEL[1], "leave": sections, "code": ()}
    library = Library({doc: document_names(title) for doc, title in TITLES.items()}, lambda doc: known[doc])
    references = find_references(source, sections, library=library, doc_id="leave")
    for reference in references:
        assert source.text[reference.start : reference.end] == reference.text
    assert list(references) == sorted(references, key=lambda r: r.start)
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
def test_what_a_sentence_points_to(sentence: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert found(sentence) == expected


def test_the_number_of_a_section_is_no_reference() -> None:
    source, sections = document("Section 1. Scope\n\nAll.\n\nSection 2. Days\n\nSee Section 1.\n", "X")
    assert [(r.text, r.target_section_id) for r in find_references(source, sections)] == [("Section 1", "Section 1")]


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


def test_no_sections_no_references() -> None:
    assert find_references(SourceText("", FileFormat.TEXT), ()) == ()


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
    read = {doc_id: document(body, title) for doc_id, (title, body) in RULES.items()}
    read["code"] = document(RULES["code"][1] + text + "\n", "Code")
    names = {doc_id: document_names(title) for doc_id, (title, _) in RULES.items()}
    library = Library(names, lambda doc_id: read[doc_id][1])
    source, sections = read["code"]
    found = find_references(source, sections, library=library, doc_id="code")
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
    text = "".join(part.format(i=i) for i in range(4000))
    source = SourceText(text, FileFormat.MARKDOWN)
    sections = parse_sections(source, title="Rules")
    begun = time.process_time()
    found = find_references(source, sections)
    assert time.process_time() - begun < 5  # a second or two; quadratic, it was minutes
    assert len(found) >= 4000


def targets(text: str) -> list[tuple[str, str | None]]:
    source = SourceText(text, FileFormat.TEXT)
    references = find_references(source, parse_sections(source, title="Manual"))
    return [(one.text, one.target_section_id) for one in references]


def test_what_is_in_this_unit_leads_into_it_and_not_to_the_same_number_elsewhere() -> None:
    text = (
        "PART 1\nGeneral\n\nChapter 1\nScope\n\n1. All staff.\n\nPART 2\nWork\n\nChapter 1\nBackup\n\n"
        "2. Chapter 1 of this Part holds, and {}.\n\nSCHEDULE 1\nFORMS\n\n1. Form A.\n\n"
        "2. As paragraph 1 of this Schedule says.\n"
    )
    assert targets(text.format("paragraph 1 of this section")) == [
        ("Chapter 1", "Chapter 1~2"),
        ("paragraph 1", "Chapter 1~2"),
        ("paragraph 1", "SCHEDULE 1"),
    ]
    assert targets("Article 1 – Jours\n\nTrois.\n\nArticle 2 – Fin\n\nL'alinéa 1 du présent article vaut.\n") == [
        ("alinéa 1", "Article 2")
    ]


def test_a_number_with_a_sign_is_no_item_of_an_annex() -> None:
    text = "§ 1 Zweck\n\nText.\n\n§ 2 Rahmen\n\nText.\n\nAnlage 1\n\n1. Antrag\nNach § 2.\n\n2. Ablage\nNach Nr. 1.\n"
    assert targets(text) == [("§ 2", "§ 2"), ("Nr. 1", "1")]
    annexed = "1. Scope\n\nSee section 2.\n\n2. Roles\n\nNone.\n\nAnnex A\n\nSection 1\nA\n\nX.\n\nSection 2\nB\n\nY.\n"
    assert targets(annexed) == [("section 2", "2")]


def test_entries_of_a_table_of_contents_are_no_references() -> None:
    text = (
        "Contents\n\n§ 1 Zweck ........ 2\nAnlage 1 ......... 5\n\n§ 1 Zweck\n\nSiehe Anlage 1.\n\nAnlage 1\n\nText.\n"
    )
    assert targets(text) == [("Anlage 1", "Anlage 1")]
