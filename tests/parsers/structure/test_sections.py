"""Golden trees: those of `trees.yaml`, and what else a section's record says."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from policy_rag_parsers.records import FileFormat, HeadingMark, PageMark, Section, SourceText
from policy_rag_parsers.structure.heading_profiles import BUILTIN_PROFILES
from policy_rag_parsers.structure.sections import parse_sections

Tree = list[tuple[int, str | None, str]]


def parse(text: str, kind: FileFormat = FileFormat.TEXT) -> tuple[Section, ...]:
    return parse_sections(SourceText(text, kind), title="Doc")


def tree(text: str, kind: FileFormat = FileFormat.TEXT) -> Tree:
    return [(section.level, section.number, section.title) for section in parse(text, kind)]


TRAVEL: Tree = [
    (1, "1", "Scope"),
    (2, "1.1", "Purpose"),
    (2, "1.2", "Exceptions"),
    (1, "2", "Booking"),
    (2, "2.1", ""),
    (2, "2.2", ""),
    (1, "3", "Claims"),
]


TREES = yaml.safe_load(Path(__file__).with_name("trees.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in TREES])
def test_golden_trees(case: dict[str, Any]) -> None:
    found = tree(case["text"], FileFormat(case.get("format", "text")))
    assert [f"{level} | {number or ''} | {title}".rstrip() for level, number, title in found] == case["tree"]


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


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (  # titles numbered through, though the format marks some between them
            [
                *(("1. Joining", 0), ("Whoever is proposed may join.", 0), ("2. Steps", 0), ("By post", 2)),
                *(("The clerk helps.", 0), ("In person", 2), ("So does the treasurer.", 0), ("3. Leaving", 0)),
                *(("Write to the clerk.", 0), ("4. Fees", 0), ("They are paid in May.", 0)),
            ],
            [
                *(("1", "Joining"), ("2", "Steps"), (None, "By post"), (None, "In person"), ("3", "Leaving")),
                ("4", "Fees"),
            ],
        ),
        (  # a marked heading below a unit stays one
            [("PART I GENERAL", 0), ("PART II", 0), ("Scope", 2), ("Text.", 0)],
            [("PART I", "GENERAL"), ("PART II", ""), (None, "Scope")],
        ),
        (  # a number that a program set against its title is read
            [("1.1Review of 2.5", 2), ("All.", 0), ("1.2Costs", 2)],
            [("1.1", "Review of 2.5"), ("1.2", "Costs")],
        ),
    ],
)
def test_marked_headings_stand_among_numbered_ones(
    lines: list[tuple[str, int]], expected: list[tuple[str | None, str]]
) -> None:
    assert [(one.number, one.title) for one in parse_sections(marked(*lines), title="Doc")] == expected


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


@pytest.mark.parametrize("style", ["{}.", "{})", "{}.\t"])
def test_single_numbers_are_headings_where_titles_have_text_under_them(style: str) -> None:
    titles = ["Purpose", "Scope", "Duties"]
    text = "".join(f"{style.format(n)} {title}\n\nSome text about it.\n\n" for n, title in enumerate(titles, 1))
    assert tree(text) == [(1, str(n), title) for n, title in enumerate(titles, 1)]


def test_a_number_that_nothing_runs_on_from_is_a_heading_where_a_tab_parts_it() -> None:
    text = "Words.\n\n2.1{}Scope\n\nIt binds all of us.\n"
    assert tree(text.format("\t")) == [(0, None, ""), (1, "2.1", "Scope")]
    assert tree(text.format(" ")) == [(0, None, "")]


def test_a_heading_in_bold_may_run_into_its_text() -> None:
    text = (
        "# P\n\n## 1. Scope\n\n**1.1 Reach.** It binds all of us.\n\n**1.2** It binds guests.\n\n**Note:** read it.\n"
    )
    sections = parse(text, FileFormat.MARKDOWN)
    assert [(one.number, one.title) for one in sections[1:]] == [("1", "Scope"), ("1.1", "Reach"), ("1.2", "")]
    assert text[sections[2].body :].startswith("It binds all of us.")


def test_prose_is_one_preamble() -> None:
    (only,) = parse("  We respect your privacy.\n\nWe sell no data. WE MEAN IT.\n")
    assert (only.section_id, only.level, only.number, only.path) == ("preamble", 0, None, ("Doc",))
    assert (only.start, only.end, only.body) == (2, 56, 2)
    assert parse(" \n\t\n") == parse("") == ()


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


@pytest.mark.parametrize(
    "lead",
    [
        *("Taxis may be taken", "Staff may take a taxi", "Hire cars may be used only if"),
        *("First class is for journeys that last more than four hours unless", "The company pays", "We reimburse"),
        *("Taxis dürfen genutzt werden", "Where no train runs, taxis may be taken"),
        *("For the purposes of this part –", "Le salarié doit", "Nous remboursons", "Los empleados pueden viajar"),
        *("O colaborador deve", "Viagens para"),
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


TITLES = (
    *("Costs that may be claimed", "Gifts you may be offered", "Who may work at home", "Who this policy applies to"),
    *("What the company pays for", "Cases in which the Board may be asked", "Eligible costs", "Where and when"),
    *("Was gilt", "Wer reisen darf", "Holidays in May"),
)


@pytest.mark.parametrize(
    ("clause", "title"),
    [
        *((f"{title}\n\n(a) trains;\n(b) buses.", title) for title in TITLES),
        *(
            (f"{grant}\n\nThe manager has agreed to it before.", "")
            for grant in ("Taxis may be taken", "Night trains, but only if", "Trams dürfen genutzt werden")
        ),
        *(
            (f"The owner of the process reviews the list of all suppliers every\n{count}", "")
            for count in ("10 months, and tells us.", "31 January of the next year.", "% of the sum.")
        ),
    ],
)
def test_what_stands_beside_a_number_is_a_title_or_its_clause(clause: str, title: str) -> None:
    text = f"1. Scope\n\nFor all.\n\n1.1 {clause}\n\n2. End\n\nNow.\n"
    assert tree(text) == [(1, "1", "Scope"), (2, "1.1", title), (1, "2", "End")]


@pytest.mark.parametrize(
    "title", ["Congés annuels", "Ce qui est remboursé", "Qui peut voyager", "Lo que se paga", "Férias e ausências"]
)
def test_titles_in_other_languages(title: str) -> None:
    assert tree(f"1. Objet\n\nTout.\n\n2. {title}\n\nVoir plus bas.\n") == [(1, "1", "Objet"), (1, "2", title)]


@pytest.mark.parametrize("form", ["§ {}", "Section {}", "{}."])
def test_a_number_with_a_small_letter_comes_between_its_neighbours(form: str) -> None:
    numbers = [form.format(value) for value in ("1", "2", "2a", "3")]
    text = "\n\n".join(f"{number} Matter {at}\n\nText of it." for at, number in enumerate(numbers))
    assert [section.number for section in parse(text)] == [number.rstrip(".") for number in numbers]


def test_a_dotted_number_with_a_small_letter_is_a_clause() -> None:
    text = "1. Scope\n\n1.1 It is so.\n\n1.2 It is thus.\n\n1.2a It is new.\n\n1.3 It is old.\n"
    assert [section.number for section in parse(text)] == ["1", "1.1", "1.2", "1.2a", "1.3"]
