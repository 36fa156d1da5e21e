"""Golden trees."""

import pytest

from policy_rag_parsers.records import FileFormat, HeadingMark, PageMark, Section, SourceText
from policy_rag_parsers.structure.heading_profiles import BUILTIN_PROFILES
from policy_rag_parsers.structure.sections import parse_sections

Tree = list[tuple[int, str | None, str]]


def parse(text: str, kind: FileFormat = FileFormat.TEXT) -> tuple[Section, ...]:
    return parse_sections(SourceText(text, kind), title="Doc")


def tree(text: str, kind: FileFormat = FileFormat.TEXT) -> Tree:
    return [(section.level, section.number, section.title) for section in parse(text, kind)]


MARKDOWN = """# Travel policy

In force from 1 May.

## 1. Scope

Everyone who travels.

### 1.1 Purpose

Save money.

### 1.2 Exceptions

1. First ask.
2. Then wait.

## 2. Booking

2.1 Employees must book through the portal, as section
2.2 above says for hotels too.

2.2 Hotels may cost up to EUR 120.

```
## 3. Not a heading
4.1 Nor this
```

## 3. Claims

| 3.1 | Form | A |
| 3.2 | Form | B |
"""
NUMBERED = """TRAVEL POLICY

In force from 1 May.

1. Scope

Everyone who travels.

1.1 Purpose

Save money.

1.2 Exceptions

1. First ask.
2. Then wait.

2. Booking

2.1 Employees must book through the portal, as section
2.2 above says for hotels too.

2.2 Hotels may cost up to EUR 120.

3. Claims

With form A.
"""
BOLD = (
    NUMBERED.replace("1. Scope", "**1. Scope**")
    .replace("1.1 Purpose", "**1.1 Purpose**")
    .replace("1.2 Exceptions", "**1.2 Exceptions**")
    .replace("2. Booking", "**2. Booking**")
    .replace("3. Claims", "**3. Claims**")
    .replace("TRAVEL POLICY", "**Travel policy**")
)
TRAVEL: Tree = [
    (1, "1", "Scope"),
    (2, "1.1", "Purpose"),
    (2, "1.2", "Exceptions"),
    (1, "2", "Booking"),
    (2, "2.1", ""),
    (2, "2.2", ""),
    (1, "3", "Claims"),
]


@pytest.mark.parametrize(
    ("text", "kind", "title"),
    [
        (MARKDOWN, FileFormat.MARKDOWN, "Travel policy"),
        (NUMBERED, FileFormat.TEXT, ""),
        (NUMBERED, FileFormat.MARKDOWN, ""),
        (BOLD, FileFormat.TEXT, "Travel policy"),
        (BOLD, FileFormat.MARKDOWN, "Travel policy"),
    ],
)
def test_one_policy_gives_one_tree_however_it_is_written(text: str, kind: FileFormat, title: str) -> None:
    assert tree(text, kind) == [(0, None, title), *TRAVEL]


def marked(*lines: tuple[str, int]) -> SourceText:
    """Text whose lines above level 0 the format marks as headings."""
    text, marks = "", []
    for line, level in lines:
        if level:
            marks.append(HeadingMark(len(text), len(text) + len(line), level))
        text += line + "\n\n"
    return SourceText(text, FileFormat.HTML, headings=tuple(marks))


@pytest.mark.parametrize("flat", [False, True])
def test_numbers_nest_marked_headings_even_where_their_levels_are_flat(*, flat: bool) -> None:
    lines = [
        ("Travel policy", 1),
        ("In force from 1 May.", 0),
        ("1. Scope", 2),
        ("Everyone who travels.", 0),
        ("1.1 Purpose", 3),
        ("Save money.", 0),
        ("1.2 Exceptions", 3),
        ("1. First ask.", 0),
        ("2. Then wait.", 0),
        ("2. Booking", 2),
        ("2.1 Employees must book through the portal, as section 2.2 above says for hotels too.", 0),
        ("2.2 Hotels may cost up to EUR 120.", 0),
        ("3. Claims", 2),
        ("With form A.", 0),
    ]
    source = marked(*((line, min(level, 1) if flat else level) for line, level in lines))
    sections = parse_sections(source, title="Doc")
    assert [(one.level, one.number, one.title) for one in sections] == [(0, None, "Travel policy"), *TRAVEL]


LEGAL = """Part 1
General

Chapter 1 Definitions

Section 1 Meaning

In this law words mean what they say.
Section 9 of the other law applies.

Section 2 Reach

(1) Everywhere.

Chapter 2 Duties

Section 3 Care

Take care, as required by
Section 2

Part 2
Penalties

Section 4 — Fines

Up to 100.

Schedule 1
Forms

Part 1 Short forms

One page.

Schedule 2
Fees

None.
"""


ASIDE = "1. Aim\n\nText.\n\n2. Pay\n\n2.1 Pay goes on.\n\n{}\n\nKeep papers.\n\n2.2 It ends.\n\n3. Return\n\n3.1 Bring it.\n"


@pytest.mark.parametrize(
    "aside", ["**Important note for managers**", "Important note\n==============", "# Important note"]
)
def test_a_heading_without_a_number_does_not_take_the_numbers_behind_it(aside: str) -> None:
    nested = {section.number: section.parent for section in parse(ASIDE.format(aside), FileFormat.MARKDOWN)}
    del nested[None]
    assert nested == {"1": None, "2": None, "2.1": "2", "2.2": "2", "3": None, "3.1": "3"}


def test_a_schedule_without_a_number_is_a_title_and_no_chapter() -> None:
    text = "1. Aim\n\n1.1 It is for all.\n\n2. Pay\n\n2.1 It is paid.\n\nSCHEDULE OF FEES\n\nPaid.\n\n3. Return\n\n3.1 It is brought.\n"
    assert tree(text) == [
        (1, "1", "Aim"),
        (2, "1.1", ""),
        (1, "2", "Pay"),
        (2, "2.1", ""),
        (1, None, "SCHEDULE OF FEES"),
        (1, "3", "Return"),
        (2, "3.1", ""),
    ]


@pytest.mark.parametrize("levels", [(1, 1, 2, 3), (1, 2, 3, 4), (2, 3, 2, 1), (1, 2, 2, 2)])
def test_a_chapter_does_not_lie_in_the_one_before_it(levels: tuple[int, ...]) -> None:
    titles = ("1. Scope", "1.1 Reach", "2. Limits", "3. End")
    text = "".join(f"{'#' * level} {title}\n\nText.\n\n" for level, title in zip(levels, titles, strict=True))
    assert tree(text, FileFormat.MARKDOWN) == [
        (1, "1", "Scope"),
        (2, "1.1", "Reach"),
        (1, "2", "Limits"),
        (1, "3", "End"),
    ]


def test_numbers_that_run_on_stay_under_the_headings_that_group_them() -> None:
    grouped = "## General\n\n### 1. Aim\n\nText.\n\n### 2. Reach\n\nText.\n\n## Special\n\n### 3. Pay\n\nText.\n"
    levels = [(1, None, "General"), (2, "1", "Aim"), (2, "2", "Reach"), (1, None, "Special"), (2, "3", "Pay")]
    assert tree(grouped, FileFormat.MARKDOWN) == levels
    parts = "PART I GENERAL\n\n1. Aim\n\nText a.\n\n2. Reach\n\nText b.\n\nPART II SPECIAL\n\n3. Pay\n\nText c.\n\n4. End\n\nText d.\n"
    assert [level for level, *_ in tree(parts)] == [1, 2, 2, 1, 2, 2]
    restarted = "## 1. Aim\n\nText.\n\n## 2. Rules\n\n### 1. One\n\nText.\n\n### 2. Two\n\nText.\n\n### 3. Three\n\nText.\n\n## 3. End\n\nText.\n"
    assert [level for level, *_ in tree(restarted, FileFormat.MARKDOWN)] == [1, 1, 2, 2, 2, 1]


def test_the_title_of_a_unit_may_stand_behind_a_blank_line() -> None:
    text = "RULES\n\nCHAPTER I\n\nGeneral provisions\n\nArticle 1\n\nSubject matter\n\n1. Text of it.\n\nArticle 2\n\n"
    text += "Each member acts alone.\n\nArticle 3\n\nAccess\nwithout a charge.\n\nCHAPTER II\n\nRights\n\nArticle 4\n\nEnd\n"
    assert tree(text)[1:] == [
        (1, "CHAPTER I", "General provisions"),
        (2, "Article 1", "Subject matter"),
        (2, "Article 2", ""),
        (2, "Article 3", ""),
        (1, "CHAPTER II", "Rights"),
        (2, "Article 4", "End"),
    ]


def test_a_marked_heading_below_a_unit_stays_a_heading() -> None:
    source = marked(("PART I GENERAL", 0), ("PART II", 0), ("Scope", 2), ("Text.", 0))
    assert [(one.number, one.title) for one in parse_sections(source, title="Doc")][-1] == (None, "Scope")


def test_legal_units_nest_by_custom() -> None:
    assert tree(LEGAL) == [
        (1, "Part 1", "General"),
        (2, "Chapter 1", "Definitions"),
        (3, "Section 1", "Meaning"),
        (3, "Section 2", "Reach"),
        (2, "Chapter 2", "Duties"),
        (3, "Section 3", "Care"),
        (1, "Part 2", "Penalties"),
        (2, "Section 4", "Fines"),
        (1, "Schedule 1", "Forms"),
        (2, "Part 1", "Short forms"),
        (1, "Schedule 2", "Fees"),
    ]


def test_sections_lie_inside_articles_where_articles_come_first_and_less_often() -> None:
    text = "".join(
        f"ARTICLE {roman}\nMatter {roman}\n\n"
        + "".join(f"Section {number} Topic\n\nThe text of it.\n\n" for number in (1, 2, 3))
        for roman in ("I", "II")
    )
    levels = [(level, number) for level, number, _ in tree(text)]
    inside = [(2, "Section 1"), (2, "Section 2"), (2, "Section 3")]
    assert levels == [(1, "ARTICLE I"), *inside, (1, "ARTICLE II"), *inside]


def test_articles_lie_inside_sections_otherwise() -> None:
    text = (
        "CHAPTER I\nGeneral\n\nArticle 1\nMatter\n\nText.\n\nArticle 2\nScope\n\nText.\n\n"
        "CHAPTER II\nRights\n\nSection 1\nAccess\n\nArticle 3\nCopies\n\nText.\n\nArticle 4\nFees\n\nText.\n\n"
        "ANNEX I\nForms\n"
    )
    assert [(level, number) for level, number, _ in tree(text)] == [
        (1, "CHAPTER I"),
        (2, "Article 1"),
        (2, "Article 2"),
        (1, "CHAPTER II"),
        (2, "Section 1"),
        (3, "Article 3"),
        (3, "Article 4"),
        (1, "ANNEX I"),
    ]


def test_german_paragraphs() -> None:
    text = "§ 1 Geltung\n\n(1) Für alle.\n\n§ 2 Arbeitszeit\n\n(1) Wie in\n§ 1 gesagt.\n\n§ 3 Schluss\n\nEnde.\n"
    assert tree(text) == [(1, "§ 1", "Geltung"), (1, "§ 2", "Arbeitszeit"), (1, "§ 3", "Schluss")]


def test_lines_that_an_editor_broke_are_no_titles() -> None:
    text = (
        "1. Scope\n\n1.1 This policy names the costs which we pay when employees travel or\nspend money for us.\n\n"
        "1.2 Costs of a home office in another country\nand of its light are paid by the owner.\n\n"
        "1.3 Travel\nThe portal is open.\n\n2. End\n\nThat is all.\n"
    )
    assert [title for _, _, title in tree(text)] == ["Scope", "", "", "Travel", "End"]


def test_steps_before_a_section_are_no_chapter() -> None:
    text = (
        "1. Scope\n\n1.1 It binds all of us and our guests.\n\n2. Travel\n\n2.1 The way to a ticket is this one.\n\n"
        "1. The owner asks for it first.\n2. The Board then decides it.\n3. The desk sends it to them.\n\n"
        "Article 3 Claims\n\n3.1 Claims are made within a month.\n\n3.2 They are paid at the end of it.\n"
    )
    assert [number for _, number, _ in tree(text)] == ["1", "1.1", "2", "2.1", "Article 3", "3.1", "3.2"]


def test_a_number_that_a_program_set_against_its_title_is_read() -> None:
    source = marked(("1.1Review of 2.5", 2), ("All.", 0), ("1.2Costs", 2))
    sections = parse_sections(source, title="Doc")
    assert [(one.number, one.title) for one in sections] == [
        ("1.1", "Review of 2.5"),
        ("1.2", "Costs"),
    ]


def test_clauses_of_units_run_on_behind_their_number() -> None:
    text = (
        "Part 1 General\n\nPart 1.1 Reach\n\nPart 1.1.(1) The Board may act.\nPart 1.1.(2) The Board must tell why.\n"
    )
    assert [number for _, number, _ in tree(text)] == ["Part 1", "Part 1.1", "Part 1.1.(1)", "Part 1.1.(2)"]


def test_numbers_in_one_token_with_notes() -> None:
    text = (
        "1.\tINTRODUCTION\n1.1\tApplication\n1.1.1\t\n1.1.1.(1)\tThese rules apply to a Firm.\n"
        "1.1.1.Guidance\t\n1.1.1.Guidance.1.\tA Firm is a person.\n1.1.2\tThey apply to all its business.\n"
        "2.\tDUTIES\n2.Introduction\t\n2.1\tCare\n"
    )
    assert [(level, number) for level, number, _ in tree(text)] == [
        (1, "1"),
        (2, "1.1"),
        (3, "1.1.1"),
        (4, "1.1.1.(1)"),
        (4, "1.1.1.Guidance"),
        (5, "1.1.1.Guidance.1"),
        (3, "1.1.2"),
        (1, "2"),
        (2, "2.Introduction"),
        (2, "2.1"),
    ]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("steps of a list", "1. Open it.\n2. Read it.\n3. Sign it.\n"),
        ("a cross-reference", "2.2 above applies to this as well.\n"),
        ("a reference that a line break put first", "This is said in full in section\n2.2 Hotels and rooms\n"),
        ("an amount", "2.5 million euros were spent.\n"),
        ("a percentage", "2.2 % of the staff\n"),
        ("a date", "12 January 2025\n"),
        ("a dotted date", "2.2.2025\n"),
        ("a year", "2025 Annual report\n"),
        ("a version out of line", "7.4 Final draft\n"),
        ("a number of things", "3 people may come.\n"),
        ("rows of a table", "/Table Start\n2.2\tHotels\n2.3\tMeals\n/Table End\n"),
        ("rows with pipes", "| 2.2 | Hotels |\n| --- | --- |\n| 2.3 | Meals |\n"),
        ("rows with tabs", "2.2\t15\t15\tCustody\n2.3\t20\t25\tAdvice\n"),
        ("short rows with tabs", "No.\tMatter\tLimit\n2.2\tHotels\t150\n2.3\tMeals\t40\n"),
        ("cells on lines of their own", "No.\nMatter\n4.2\nHotels\n6.3\nMeals\n"),
        ("steps before a chapter", "1. The owner asks for it first.\n2. The Board then decides it.\n"),
        ("a German word", "Art\tZuschlag\n"),
        ("a bare page number", "12\n"),
        ("lettered items", "(a) one;\n(b) two.\n"),
        ("a reference to a rule", "Rule 2.2 requires care.\nSection 41(2) of the law does not apply.\n"),
    ],
)
def test_what_is_not_a_heading(name: str, lines: str) -> None:
    before = "1. Scope\n\nFor everyone.\n\n2. Travel\n\n2.1 Trains\n\nBy train where it can be done.\n"
    text = f"{before}{lines}\n3. End\n\nThat is all.\n"
    numbers = [section.number for section in parse(text)]
    assert numbers == ["1", "2", "2.1", "3"], name


def test_steps_in_a_memo_are_no_headings() -> None:
    assert tree("To book a trip:\n1. Open the portal\n2. Click on book\n3. Submit\n\nThat is all.\n") == [(0, None, "")]


@pytest.mark.parametrize("style", ["{}.", "{})", "{}.\t"])
def test_single_numbers_are_headings_where_titles_have_text_under_them(style: str) -> None:
    titles = ["Purpose", "Scope", "Duties"]
    text = "".join(f"{style.format(n)} {title}\n\nSome text about it.\n\n" for n, title in enumerate(titles, 1))
    assert tree(text) == [(1, str(n), title) for n, title in enumerate(titles, 1)]


def test_letters_and_numerals_count_too() -> None:
    for labels in (["A", "B", "C"], ["I", "II", "III"]):
        text = "".join(f"{label}. Title {label}\n\nSome text about it.\n\n" for label in labels)
        assert [number for _, number, _ in tree(text)] == labels


def test_a_table_of_contents_holds_no_headings() -> None:
    body = "1. Scope\n\nFor all.\n\n2. Travel\n\nBy train.\n\n3. Claims\n\nBy form.\n"
    expected = [(0, None, ""), (1, "1", "Scope"), (1, "2", "Travel"), (1, "3", "Claims")]
    for contents in (
        "Contents\n1. Scope ....... 1\n2. Travel ...... 1\n3. Claims ...... 2\n\n",
        "Contents\n1. Scope\t1\n2. Travel\t1\n3. Claims\t2\n\n",
        "Contents\n\n1. Scope\n2. Travel\n3. Claims\n\n",
    ):
        assert tree(contents + body) == expected


def test_a_markdown_heading_over_a_table_of_contents_goes_with_it() -> None:
    text = "# Doc\n\n## Contents\n\n- [Scope](#scope)\n- [Travel](#travel)\n\n## Scope\n\nAll.\n\n## Travel\n\nTrain.\n"
    assert tree(text, FileFormat.MARKDOWN) == [(0, None, "Doc"), (1, None, "Scope"), (1, None, "Travel")]


def test_setext_headings() -> None:
    text = "Policy\n======\n\nScope\n-----\n\nAll.\n\nTravel\n------\n\nTrain.\n\nText\n\n---\n\nMore\n"
    assert tree(text, FileFormat.MARKDOWN) == [(0, None, "Policy"), (1, None, "Scope"), (1, None, "Travel")]


def test_a_heading_in_bold_may_run_into_its_text() -> None:
    text = (
        "# P\n\n## 1. Scope\n\n**1.1 Reach.** It binds all of us.\n\n**1.2** It binds guests.\n\n**Note:** read it.\n"
    )
    sections = parse(text, FileFormat.MARKDOWN)
    assert [(one.number, one.title) for one in sections[1:]] == [("1", "Scope"), ("1.1", "Reach"), ("1.2", "")]
    assert text[sections[2].body :].startswith("It binds all of us.")


def test_titles_in_capitals_where_nothing_else_marks_headings() -> None:
    text = "PURPOSE\n\nWe care about it.\n\nSCOPE\n\nEveryone here.\n\nDUTIES\n\nBe kind.\n"
    assert [title for _, _, title in tree("Note to all.\n\n" + text)] == ["", "PURPOSE", "SCOPE", "DUTIES"]


def test_prose_is_one_preamble() -> None:
    (only,) = parse("  We respect your privacy.\n\nWe sell no data. WE MEAN IT.\n")
    assert (only.section_id, only.level, only.number, only.path) == ("preamble", 0, None, ("Doc",))
    assert (only.start, only.end, only.body) == (2, 56, 2)


def test_nothing_visible_gives_no_sections() -> None:
    assert parse(" \n\t\n") == ()
    assert parse("") == ()


def test_records_know_their_place() -> None:
    text = "# Pay\n\nIntro.\n\n## 1. Scope\n\nAll.\n\n### 1.1 Reach\n\nFar.\n\n## 2. Rates\n"
    source = SourceText(text, FileFormat.MARKDOWN, pages=(PageMark(0, 1), PageMark(text.index("### 1.1"), 2)))
    preamble, scope, reach, rates = parse_sections(source, title="Pay policy")
    assert [one.section_id for one in (preamble, scope, reach, rates)] == ["preamble", "1", "1.1", "2"]
    assert preamble.title == "Pay"
    assert text[preamble.body : preamble.end] == "Intro."
    assert reach.path == ("Pay policy", "Scope", "Reach")
    assert (scope.parent, reach.parent, rates.parent) == (None, "1", None)
    assert (preamble.previous, scope.previous, reach.next, rates.next) == (None, "preamble", "2", None)
    assert text[scope.start : scope.end] == "## 1. Scope\n\nAll."
    assert text[scope.body : scope.end] == "All."
    assert text[scope.start : scope.subtree_end].endswith("Far.")
    assert (rates.body, rates.end) == (len(text) - 1, len(text) - 1)
    assert [one.page for one in (scope, reach, rates)] == [1, 2, 2]


def test_a_clause_without_title_gives_its_number_in_the_path() -> None:
    sections = parse("1. Scope\n\n1.1 Employees must ask before they travel abroad.\n\n1.2 Guests must not travel.\n")
    assert [one.path for one in sections] == [("Doc", "Scope"), ("Doc", "Scope", "1.1"), ("Doc", "Scope", "1.2")]
    assert sections[1].title == ""


def test_two_documents_in_one_file_keep_apart() -> None:
    one = "1. Scope\n\n1.1 Purpose\n\nSave money.\n\n2. Claims\n\nBy form.\n\n"
    sections = parse(one + one)
    assert [section.section_id for section in sections] == ["1", "1.1", "2", "1~2", "1.1~2", "2~2"]
    assert [section.parent for section in sections] == [None, "1", None, None, "1~2", None]


def test_front_matter_belongs_to_no_section() -> None:
    matter = "---\ntitle: Pay\n---\n"
    source = SourceText(f"{matter}# Pay\n\n## 1. Scope\n\nAll.\n", FileFormat.MARKDOWN, body_start=len(matter))
    sections = parse_sections(source, title="Pay")
    assert sections[0].start == len(matter)
    assert [section.section_id for section in sections] == ["preamble", "1"]


def test_a_named_profile_limits_what_is_found() -> None:
    source = SourceText(
        "Part 1 General\n\n1. Scope\n\n1.1 Reach\n\nAll.\n\nPart 2 Rest\n\n2. End\n\nNow.\n", FileFormat.TEXT
    )
    assert [one.number for one in parse_sections(source, title="Doc")] == ["Part 1", "1", "1.1", "Part 2", "2"]
    numbered = parse_sections(source, title="Doc", profile=BUILTIN_PROFILES["numbered"])
    assert [one.number for one in numbered] == [None, "1", "1.1", "2"]
    assert len(parse_sections(source, title="Doc", profile=BUILTIN_PROFILES["prose"])) == 1


def test_numbers_with_the_escaped_dots_that_converters_write_are_read() -> None:
    text = "1\\. Scope\n\nAll staff.\n\n1.1\\. Access is granted by the owner.\n\n2\\. Claims\n\nBy form.\n"
    assert tree(text, FileFormat.MARKDOWN) == [(1, "1", "Scope"), (2, "1.1", ""), (1, "2", "Claims")]
    headed = "## 1\\. Scope\n\nAll.\n\n## 2\\. Claims\n\n1\\. by form\n2\\. in time\n"
    assert tree(headed, FileFormat.MARKDOWN) == [(1, "1", "Scope"), (1, "2", "Claims")]


def test_headings_in_tags_of_html_stand_among_those_of_markdown() -> None:
    text = "## 2. Claims\n\n### 2.1 Forms\n\nBy form.\n\n<h3>2.2 Exceptions</h3>\n\nNone in an <h3> tag.\n\n"
    text += '<h3 class="x"><a id="r"></a><b>2.3 Rest</b></h3>\nAll.\n\n```\n<h3>2.4 Code</h3>\n```\n'
    found = [(1, "2", "Claims"), (2, "2.1", "Forms"), (2, "2.2", "Exceptions"), (2, "2.3", "Rest")]
    assert tree(text, FileFormat.MARKDOWN) == found
