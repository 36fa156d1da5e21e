"""Lists are quoted with the words that govern them, at every level, and never cut before they are complete."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_hits import parsed_hit, quoted_spans

from policy_rag.answering.extraction.quotable_units import Unit, units
from policy_rag.records.search import Hit


def a_hit(text: str, title: str = "", number: str | None = None) -> Hit:
    return parsed_hit(text, start=50, title=title, path=("Travel", title), number=number)


def quotes(text: str, title: str = "") -> list[list[str]]:
    return quoted_spans(a_hit(text, title))


def all_of(text: str, unit: Unit) -> list[str]:
    """All that is quoted with a unit."""
    return [text[a - 50 : b - 50] for a, b in unit.quoted]


def whole(text: str, sentence: str) -> list[str]:
    """All that is quoted with the unit that begins with a sentence."""
    return next(all_of(text, unit) for unit in units(a_hit(text)) if text.startswith(sentence, unit.start - 50))


# A section, and what is quoted of it with each of its units in turn; "..." stands for units that the case is not about.
_CASES = {
    "a heading": ("## 3. Hotels\n\nHotels cost 120 euros.\n\nMeals are extra.", [["Hotels cost 120 euros."], ["Meals are extra."]]),
    "a shouted heading": ("EXPENSES POLICY\n\nCosts are paid.", [["Costs are paid."]]),
    "a bold heading": ("**Hotels**\n\nCosts are paid.", [["Costs are paid."]]),
    "a heading with something around it": ("Article 5 - Hotels\nCosts are paid.", [["Costs are paid."]]),
    "nothing but a heading": ("Hotels", []),
    "a run-in heading": ("3.7 Hotels. The limit is 120 euros. Meals are extra.", [["3.7 Hotels. The limit is 120 euros."], ["Meals are extra."]]),
    "a run-in heading with a word": ("Costs are paid. Art. 5 Hotels. The limit is 120 euros.", [["Costs are paid."], ["Art. 5 Hotels. The limit is 120 euros."]]),
    "another one": ("Clause 4 Meals.\nMeals are extra.", [["Clause 4 Meals.\nMeals are extra."]]),
    "a German one": ("Ziff. 6 Ruhezeit. Sie dauert elf Stunden.", [["Ziff. 6 Ruhezeit. Sie dauert elf Stunden."]]),
    "a sentence on a clause": ("Section 4 applies. Meals are extra.", [["Section 4 applies."], ["Meals are extra."]]),
    "a heading that denies": ("Costs are paid. 6. No pets. Dogs stay out.", [["Costs are paid."], ["6. No pets. Dogs stay out."]]),
    "a title inside": ("Costs are paid.\n\nPrivate travel\n\nIt is not paid.\n\nNo exceptions", [["Costs are paid."], ["It is not paid."], ["No exceptions"]]),
    "a number without words": ("A2.4.Guidance.1.\n\nMeals are extra.", [["Meals are extra."]]),
    "a bare number": ("7.3.\n\nMeals are extra.", [["Meals are extra."]]),
    "a bare marker": ("(12)\n\nMeals are extra.", [["Meals are extra."]]),
    "bare units": ("Part 6.Chapter 2.\n\nMeals are extra.", [["Meals are extra."]]),
    "an exception": ("Hotels cost 120. However, in Munich more is paid. Meals are extra.", [["Hotels cost 120. However, in Munich more is paid."], ["Meals are extra."]]),
    "a condition over several lines": ("Trips are booked by the desk\nunless the manager\nhas agreed otherwise.", [["Trips are booked by the desk\nunless the manager\nhas agreed otherwise."]]),
    "a list": ("2.1 The fund pays for:\n- books;\n- courses.\nIt does not pay for games.", [["2.1 The fund pays for:", "- books;"], ["2.1 The fund pays for:", "- courses."], ...]),
    "joined by and": ("Leave is refused if:\n(a) the team is short; and\n(b) it is stocktaking.", [["Leave is refused if:\n(a) the team is short; and\n(b) it is stocktaking."]]),
    "one of the following": ("Give one of the following reasons:\n1. It is full.\n2. It is far.\nTell the desk.", [["Give one of the following reasons:\n1. It is full.\n2. It is far."], ["Tell the desk."]]),
    "the contrary beside it": ("Staff on trips at home will not be paid for theft insurance. Staff on trips abroad will be paid for theft insurance. Meals are extra.", [
        ["Staff on trips at home will not be paid for theft insurance.", "Staff on trips abroad will be paid for theft insurance."],
        ["Staff on trips at home will not be paid for theft insurance.", "Staff on trips abroad will be paid for theft insurance."],
        ["Meals are extra."],
    ]),
    "joined by or": ("Leave is refused if:\n(a) the team is short; or\n(b) it is stocktaking.", [["Leave is refused if:\n(a) the team is short; or\n(b) it is stocktaking."]]),
    "joined by unless": ("Leave is given if:\n(a) it is asked for; unless\n(b) it is stocktaking.", [["Leave is given if:\n(a) it is asked for; unless\n(b) it is stocktaking."]]),
    "a short lead is no title": ("Taxis may be taken\n\n(a) after ten; or\n(b) with luggage.", [["Taxis may be taken\n\n(a) after ten; or\n(b) with luggage."]]),
    "nor is one above bullets": ("Company premises\n\n- no smoking;\n- no dogs.", [["Company premises", "- no smoking;"], ["Company premises", "- no dogs."]]),
    "a heading that only names a matter": ("## Equipment\n\n- chairs;\n- desks.", [["- chairs;"], ["- desks."]]),
    "each level brings its lead": (
        "4.2 Leave is asked for:\n(a) in writing;\n(b) at least\n(i) one day before;\n(ii) four weeks before.\n4.3 Else not.",
        [
            ["4.2 Leave is asked for:", "(a) in writing;"],
            ["4.2 Leave is asked for:", "(b) at least", "(i) one day before;"],
            ["4.2 Leave is asked for:", "(b) at least", "(ii) four weeks before."],
            ["4.3 Else not."],
        ],
    ),
    "two markers in one place": (
        "Leave is:\n(a) (i) asked for;\n(ii) given.",
        [["Leave is:", "(a)", "(i) asked for;"], ["Leave is:", "(a)", "(ii) given."]],
    ),
    "an item of figures": ("It is the larger of:\n(a) $2,000; or\n(b) $100.", [["It is the larger of:\n(a) $2,000; or\n(b) $100."]]),
    "bullets below one with a colon": (
        "- Trains:\n- first class;\n- second class;\n- Planes:\n- economy.",
        [["- Trains:", "- first class;"], ["- Trains:", "- second class;"], ["- Planes:", "- economy."]],
    ),
    "items without markers": (
        "Cars are hired if:\n\nNo train runs; and\n\nTwo people travel.\n\nMeals are extra.",
        [["Cars are hired if:\n\nNo train runs; and\n\nTwo people travel."], ["Meals are extra."]],
    ),
    "this, in an item": (
        "Refused are:\n(a) minibars;\n(b) the laundry of short stays. This includes ironing.",
        [..., ..., ["Refused are:", "(b) the laundry of short stays.", "This includes ironing."]],
    ),
    "they": (
        "Passwords have 14 characters. They expire never.\n\nThey are ours.",
        [["Passwords have 14 characters.", "They expire never."]] * 2 + [["They are ours."]],
    ),
    "a verb left out": ("Phones may be used. Laptops of your own may not. Laptops are checked.", [..., ["Phones may be used.", "Laptops of your own may not."], ["Laptops are checked."]]),
    "too": ("Phones are checked. Tablets must too. Laptops are free.", [..., ["Phones are checked.", "Tablets must too."], ["Laptops are free."]]),
    "cannot": ("Phones may be used. Laptops cannot. They are checked here.", [..., ["Phones may be used.", "Laptops cannot."], ...]),
    "limits up to the first sentence that is none": (
        "Staff may work at home. Interns may not. It may be ended. Requests go to the desk. Nobody is forced.",
        [["Staff may work at home.", "Interns may not.", "It may be ended."], ..., ..., ..., ...],
    ),
    "an exclusion brings its rule": ("Staff may work at home. Production is excluded.", [["Staff may work at home.", "Production is excluded."]] * 2),
    "an answer is one with its question": ("Who pays for dogs? The owner pays.", [["Who pays for dogs? The owner pays."]]),
    "another paragraph limits nothing": ("Staff may work at home.\n\nNo dogs.", [["Staff may work at home."], ["No dogs."]]),
    "nor does one below a bullet": ("- trains;\n- planes.\nIt may not be ships.", [..., ["- planes."], ...]),
    "one below a clause does": (
        "2.1 Trains of all countries are paid.\nThey may not be first class.",
        [["2.1 Trains of all countries are paid.", "They may not be first class."], ...],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), _CASES.values(), ids=_CASES)
def test_what_is_quoted_of_a_section(text: str, expected: list[object]) -> None:
    found = quotes(text, "Hotels" if "Hotels" in text else "Equipment")
    assert len(found) == len(expected)
    assert [one for one, other in zip(found, expected, strict=True) if other is not ...] == [
        other for other in expected if other is not ...
    ]


@pytest.mark.parametrize("blank", ["\n", "\n\n", "\n\n    "])
@pytest.mark.parametrize("lead", ["Staff must not", "First class may be booked", "Taxis may be taken only if"])
def test_a_lead_needs_no_colon(lead: str, blank: str) -> None:
    text = f"This binds everybody. {lead}{blank}(a) smoke inside; or\n(b) drink at lunch."
    assert quotes(text)[-1] == [text[text.index(lead) :]]


@pytest.mark.parametrize(
    "lead",
    [
        "Offices close on these days.",
        "Apply the following rules.",
        "See the list below.",
        "Die Büros sind an diesen Tagen geschlossen.",
        "Es gilt, wie folgt.",
        "Les jours suivants sont payés.",
        "Están cerradas en estos días.",
        "São pagos os seguintes dias.",
    ],
)
def test_a_sentence_that_points_on_leads_into_the_list_below(lead: str) -> None:
    assert quotes(f"{lead}\n\n- one thing of that kind;\n- another.")[0] == [lead, "- one thing of that kind;"]
    assert quotes(f"{lead}\n\nAnother thing.")[0] == [lead]


@pytest.mark.parametrize(
    "sentence", ["These days are paid.", "It is paid on the following day.", "Es wird am folgenden Tag gezahlt."]
)
def test_a_sentence_that_points_elsewhere_leads_into_nothing(sentence: str) -> None:
    assert quotes(f"{sentence}\n\n- one thing;\n- another.") == [[sentence], ["- one thing;"], ["- another."]]


@pytest.mark.parametrize("behind", ["", " Trainees are paid for them."])
def test_a_sentence_that_points_to_a_table_is_quoted_with_all_of_it(behind: str) -> None:
    lead, table = "Offices close on these days.", table_of(9, 30)
    text = f"{lead}{behind}\n\n{table}"
    first, *rows = [unit for unit in units(a_hit(text)) if unit.table or unit.text == lead]
    assert len(table) > 450
    assert first.text == lead
    assert all_of(text, first) == [lead, table]
    assert all_of(text, rows[0])[0] == lead
    assert lead not in rows[0].text
    assert units(a_hit(f"{lead}\n\n{table_of(9, 200)}"))[0].text != lead  # too long to be quoted


@pytest.mark.parametrize(
    "heading", ["## Staff must not", "**What is forbidden**", "PROHIBITED", "2.3. Taxis may be taken"]
)
def test_a_heading_that_governs_comes_with_its_list(heading: str) -> None:
    bare = heading.strip("#* ")
    assert quotes(f"{heading}\n\n- smoke;\n- drink.", bare) == [[bare, "- smoke;"], [bare, "- drink."]]


@pytest.mark.parametrize("lead", ["The fund pays for:", "Staff must not –", "- Hotels are paid:", "(b) at least"])
def test_a_lead_into_nothing_is_not_quoted(lead: str) -> None:
    assert quotes(lead if lead[0] != "(" else f"{lead}:") == []
    assert quotes(f"Costs are paid.\n\n{lead.rstrip(':')}:\n\n## Next\n\nMeals are extra.") == [
        ["Costs are paid."],
        ["Meals are extra."],
    ]


def test_an_i_behind_an_h_goes_on_with_the_letters() -> None:
    items = [f"({mark}) matter {mark};" for mark in "fghij"]
    assert quotes("\n".join(["It covers:", *items])) == [["It covers:", item] for item in items]
    inside = "It covers:\n(h) costs:\n(i) of trains;\n(ii) of cars;\n(i) meals;"
    assert quotes(inside)[:2] == [["It covers:", "(h) costs:", item] for item in ("(i) of trains;", "(ii) of cars;")]


def test_a_list_of_which_much_is_repealed_is_one_list() -> None:
    items = ["(a) trains;", "(b) planes", "(h) ships;", "(k) cars."]
    assert quotes("\n".join(["It covers:", *items]))[-1] == ["It covers:", "\n".join(items)]
    assert all("(b)" not in part for part in quotes("\n".join(["It covers:", *items, "(l) " + "carts " * 80]))[-1])


def test_a_list_without_punctuation_is_quoted_whole_while_it_is_short() -> None:
    text = "Bring:\n- a passport\n- a visa"
    assert quotes(text) == [["Bring:", "- a passport\n- a visa"]] * 2
    assert [unit.text for unit in units(a_hit(text))] == ["Bring: - a passport", "Bring: - a visa"]
    long = [f"- the paper of number {number} that the border asks for in this case" for number in range(9)]
    assert quotes("\n".join(["Bring:", *long])) == [["Bring:", item] for item in long]


@pytest.mark.parametrize(
    "lead", ["Follow these steps:", "Gehen Sie in diesen Schritten vor:", "Siga los siguientes pasos:"]
)
def test_steps_are_quoted_from_the_first_to_the_last_and_compared_one_by_one(lead: str) -> None:
    steps = [
        f"{number}. Sign the paper of desk {number}, and bring it to the next one that day." for number in range(1, 9)
    ]
    text = "\n".join([lead, *steps])
    assert quotes(text) == [[lead, "\n".join(steps)]] * 8
    assert [unit.text for unit in units(a_hit(text))] == [f"{lead} {step}" for step in steps]
    assert quotes("\n".join(["Papers:", *steps])) == [["Papers:", step] for step in steps]


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_what_limits_a_list_comes_with_each_of_its_items(blank: str) -> None:
    tail = "However, guests do not."
    assert quotes(f"Staff pay for:\n- drinks;\n- games.{blank}{tail}\n\nMeals are extra.") == [
        ["Staff pay for:", "- drinks;", tail],
        ["Staff pay for:", "- games.", tail],
        ["Meals are extra."],
    ]
    inside = "3.1 Gifts are refused. However, flowers may be kept.\n3.2 They are listed."
    assert quotes(inside)[0] == ["3.1 Gifts are refused. However, flowers may be kept."]


def test_a_mark_on_a_line_of_its_own_marks_what_stands_below() -> None:
    assert quotes("Staff must not\n\n(a)\n\nsmoke inside;\n\n(b)\n\ndrink.")[0][0] == "Staff must not"


def test_a_row_of_a_table_that_blanks_draw_brings_what_leads_into_it_and_not_its_header() -> None:
    header = "Record                          Period          From"
    kept = [
        f"Papers of number {number}              {number} years         the end of the contract" for number in range(9)
    ]
    table = "\n".join([header, "-" * 30 + "  " + "-" * 14 + "  " + "-" * 24, *kept])
    assert quotes(f"Papers are kept for these periods:\n\n{table}\n\nElse none.") == [
        *([["Papers are kept for these periods:", row] for row in kept]),
        ["Else none."],
    ]
    small = "\n".join([header, *kept[:2]])
    assert quotes(f"Periods\n{small}\nElse none.")[-5:] == [[f"Periods\n{small}"]] * 4 + [["Else none."]]


def table_of(rows: int, width: int = 60) -> str:
    body = [f"| {place} | {'x' * width} | boss {place} |" for place in range(rows)]
    return "\n".join(["| Level | Examples | **Approved** by |", "| --- | --- | --- |", *body])


def columns(text: str) -> list[str]:
    return [unit.text for unit in units(a_hit(text)) if "; 1: " in unit.text]


def test_a_column_of_a_table_tells_each_rows_cell_and_is_quoted_with_all_of_it() -> None:
    text = f"Each trip has a level.\n\n{table_of(6)}"
    told = "; ".join(f"{place}: boss {place}" for place in range(6))
    assert [one for one in columns(text) if "boss" in one] == [f"Each trip has a level. Approved by: {told}"]
    assert [one[:32] for one in columns(text) if "xx" in one] == ["Each trip has a level. Examples:"]
    (unit,) = [one for one in units(a_hit(text)) if "boss 5; 6" in one.text or "4; 5: boss" in one.text]
    assert all_of(text, unit) == ["Each trip has a level.", table_of(6)]


@pytest.mark.parametrize(
    "table", [table_of(9, 5), table_of(8, 200), table_of(1), table_of(2) + "\n| 2 | y | z | extra |"]
)
def test_no_column_of_a_large_table_a_row_or_rows_of_unequal_lengths(table: str) -> None:
    assert columns(f"Each trip has a level.\n\n{table}") == []


def test_a_column_without_a_cell_or_a_name_is_none() -> None:
    found = units(a_hit("| Level | Note | | By |\n| --- | --- | --- | --- |\n| 1 | | a | b |\n| 2 | | c | |"))
    assert [unit.text for unit in found if unit.is_column] == ["By: 1: b"]


def test_lists_in_lists_without_end_are_read() -> None:
    bullets = "\n".join(" " * depth + "- more:" for depth in range(1500))
    colons = "\n\n".join(["Also:"] * 1500)
    assert quotes(f"{bullets}\n\n{colons}\n\nDone.")[-1][-1] == "Done."


# --- any list -----------------------------------------------------------------------------------------------------

_STYLES = [
    (("(a)", "(b)", "(c)", "(d)"), ("(i)", "(ii)", "(iii)", "(iv)"), ("A.", "B.", "C.", "D.")),
    (("1.", "2.", "3.", "4."), ("(a)", "(b)", "(c)", "(d)"), ("(i)", "(ii)", "(iii)", "(iv)")),
    (("4.1", "4.2", "4.3", "4.4"), ("a)", "b)", "c)", "d)"), ("-",) * 4),
    (("-",) * 4, ("•",) * 4, ("1)", "2)", "3)", "4)")),
    (("-",) * 4, ("  -",) * 4, ("    -",) * 4),
]


@dataclass(slots=True)
class Line:
    """A line of a drawn list: its range, the places of those that lead into it, and of the next of its list."""

    start: int
    end: int
    leads: tuple[int, ...]
    is_lead: bool
    after: int | None = None


@st.composite
def drawn_lists(draw: st.DrawFn) -> tuple[str, list[Line], list[int]]:
    """A text, its lines, and the places of the sentences that limit the list."""
    styles = draw(st.sampled_from(_STYLES))
    closing = draw(st.sampled_from([";", "", ".", "; and", " or"]))
    text, lines = "", []

    def add(words: str, leads: tuple[int, ...], *, is_lead: bool) -> int:
        nonlocal text
        text += ("\n" * draw(st.integers(1, 2)) if text else "") + (indent := words[: len(words) - len(words.lstrip())])
        lines.append(Line(len(text), len(text) + len(words) - len(indent), leads, is_lead))
        text += words.lstrip()
        return len(lines) - 1

    def items(level: int, leads: tuple[int, ...]) -> None:
        count = draw(st.integers(2, 3))
        before = None
        for number in range(count):
            mark = styles[level][number]
            nested = level < 2 and draw(st.booleans())
            ends = draw(st.sampled_from(["", ":", " –", ","])) if nested else closing if number < count - 1 else "."
            place = add(f"{mark} matter m{len(lines)} is dealt with{ends}", leads, is_lead=nested)
            if before is not None:
                lines[before].after = place
            if nested:
                items(level + 1, (*leads, place))
            before = place

    top = add("On all premises the staff must not" + draw(st.sampled_from(["", ":", " –"])), (), is_lead=True)
    items(0, (top,))
    limits = [add("However, m99 is free.", (), is_lead=False)] if draw(st.booleans()) else []
    add("Another matter is settled elsewhere.", (), is_lead=False)
    return text, lines, limits


def covered(unit: Unit, line: Line) -> bool:
    return any(start - 50 <= line.start and line.end <= end - 50 for start, end in unit.spans)


def touched(unit: Unit, line: Line) -> bool:
    return any(start - 50 < line.end and line.start < end - 50 for start, end in unit.spans)


@given(drawn=drawn_lists())
def test_nothing_of_a_list_is_quoted_without_what_governs_it(drawn: tuple[str, list[Line], list[int]]) -> None:
    text, lines, limits = drawn
    found = units(a_hit(text))
    items = lines[1 : -1 - len(limits)]
    is_whole = items[-1].end - items[0].start <= 450  # a longer list without marks is quoted item by item
    for unit in found:
        for place, line in enumerate(lines):
            assert touched(unit, line) == covered(unit, line)
            if not covered(unit, line):
                continue
            assert all(covered(unit, lines[lead]) for lead in line.leads)
            assert all(covered(unit, lines[limit]) for limit in limits) or place == len(lines) - 1
            below = [other for other in lines if place in other.leads]
            assert not line.is_lead or any(covered(unit, other) for other in below)
            if is_whole and line.after is not None and not line.is_lead and text[line.end - 1] not in ".;":
                assert covered(unit, lines[line.after])
    assert all(any(covered(unit, line) for unit in found) for line in lines)


def test_a_short_list_below_a_lead_is_quoted_whole_and_a_long_one_is_not() -> None:
    items = "(a) holidays;\n(b) a failure of your computer;\n(c) paid work."
    found = whole(f"Not accepted are:\n{items}", "(b)")
    assert found == ["Not accepted are:", items, "(b) a failure of your computer;"]
    long = items.replace("holidays", "holidays of " + "many " * 70 + "days")
    assert whole(f"Not accepted are:\n{long}", "(b)") == ["Not accepted are:", "(b) a failure of your computer;"]
    alone = "(1) Trains are paid.\n\n(2) Cars are paid."
    assert whole(alone, "(2)") == ["(2) Cars are paid."]


def test_a_short_numbered_paragraph_is_quoted_whole() -> None:
    text = "2.1 Receipts are handed in with it. Small sums need one of your own.\n\n2.2 Meals are extra."
    assert whole(text, "Small") == ["2.1 Receipts are handed in with it.", "Small sums need one of your own."]
    assert whole(text, "2.1") == whole(text, "Small")
    assert whole(text.replace("with it", "with it " + "soon " * 50), "Small") == ["Small sums need one of your own."]
    assert whole("Receipts are handed in. Small sums are not.", "Receipts")[0] == "Receipts are handed in."


@pytest.mark.parametrize("table", ["| A | B |\n|---|---|\n| c | 1 |", "A     B\n----  ----\nc     1\nd     2"])
def test_a_table_brings_the_paragraph_before_it(table: str) -> None:
    text = f"Nobody pays more. All sums exclude tax.\n\n{table}"
    assert all_of(text, units(a_hit(text))[-1])[:3] == ["Nobody pays more.", "All sums exclude tax.", table]
    apart = units(a_hit(f"Nobody pays more.\n\n## Sums\n\n{table}"))[-1]
    assert apart.quoted[0][0] > 50 + len("Nobody pays more.")


@pytest.mark.parametrize(
    ("mark", "note"), [("[^1]", "[^1]: Not in May."), ("*", "\\* Not in May."), ("†", "† Not in May.")]
)
def test_a_mark_brings_its_note(mark: str, note: str) -> None:
    text = f"| A | B |\n|---|---|\n| Codeine{mark} | 1 |\n\nMeals are extra.\n\n{note}"
    assert all_of(text, units(a_hit(text))[0])[-1] == note
    bare = text.replace(mark + " |", " |", 1)
    assert units(a_hit(bare))[0].quoted[-1][1] - 50 == bare.index("\n\nMeals")
    # a sign that begins several lines is a bullet
    assert whole("Codeine* is counted.\n\n* one\n\n* two", "Codeine") == ["Codeine* is counted."]


def test_the_only_paragraph_of_a_numbered_section_is_quoted_whole_while_it_is_short() -> None:
    text = "## 4 Resits\n\nOne resit is given. Marks count half. The dean hears appeals."
    for number, expected in (("4", 3), (None, 1)):
        assert len(units(a_hit(text, "Resits", number))[0].quoted) == expected
    two = a_hit(text.replace("half. ", "half.\n\n"), "Resits", "4")
    assert [len(unit.quoted) for unit in units(two)] == [1, 1, 1]
