import time

import pytest

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.references.cross_references import find_references
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
    references = find_references(
        source, sections, doc_id="leave", titles=TITLES, others={"travel": TRAVEL[1], "leave": sections}
    )
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
            [("Travel Policy", "travel", None), ("section 1", "travel", "1")],
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
