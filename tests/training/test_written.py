"""What was written for the training: its form, and the groups that come of it."""

import pytest

from training.figures import written_figures
from training.support_sets import shared_class
from training.text_spans import roc_area
from training.written import quotable, read_written
from training.written_groups import ranking_groups, reading_groups, sentence_groups, support_groups

TRAINS = """=== Travel Guide > Trains
Book in the Ridgeway portal. First class is for journeys of more than four hours. Claims reach Finance within ten days.
---
q: How long must I sit to get first class? || more than four hours
n: Who signs off first class?
t paraphrase: Six hours on the rails earn the better carriage. || First class is for journeys of more than four hours.
f deadline: A claim can wait for a month. || Claims reach Finance within ten days.
u: Night trains count as hotels.
"""
HOTELS = """=== Travel Guide > Hotels
Rooms cost up to 120 euros. Breakfast is paid.
Bring back:
- the bill
- the voucher
---
q: Is breakfast on the firm? || Breakfast is paid.
"""


@pytest.fixture
def sections(tmp_path):
    (tmp_path / "firm.txt").write_text(f"{TRAINS}\n{HOTELS}", encoding="utf-8")
    return read_written(tmp_path)


def test_sections_are_read_with_what_was_written_on_them(sections):
    trains, hotels = sections
    assert (trains.organisation, trains.titles) == ("firm", "Travel Guide > Trains")
    assert [item.kind for item in trains.items] == ["q", "n", "t", "f", "u"]
    assert trains.passage[slice(*trains.items[0].quote)] == "more than four hours"
    assert hotels.passage.endswith("- the voucher")


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [("\n---\n", "\n", "a line ---"), ("q: How", "x: How", "no question"), ("|| more", "|| nor more", "not in its")],
)
def test_what_is_out_of_form_is_told(tmp_path, was, becomes, told):
    (tmp_path / "firm.txt").write_text(TRAINS.replace(was, becomes, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        read_written(tmp_path)


def test_items_stand_behind_what_leads_into_them(sections):
    assert [text for _, text in quotable(sections[1].passage)] == [
        "Rooms cost up to 120 euros.",
        "Breakfast is paid.",
        "Bring back: the bill",
        "Bring back: the voucher",
    ]


def test_rows_stand_behind_their_header():
    assert [text for _, text in quotable("| Days | Who |\n| --- | --- |\n| 3 | Ann |")] == ["Days | Who\n3 | Ann"]


def test_a_whole_section_answers_or_does_not(sections):
    asked = {group.text: group for group in reading_groups(sections, 1)}
    own, *others = asked["How long must I sit to get first class?"].pairs
    assert (own.answerable, own.relevant) == (True, True)
    assert own.passage[slice(*own.span)] == "more than four hours"
    assert all(pair.answerable is False for pair in others)
    silent, _ = asked["Who signs off first class?"].pairs
    assert (silent.relevant, silent.answerable, silent.span) == (True, False, None)


def test_one_sentence_answers_and_none_of_what_is_not_said(sections, by_letters):
    asked = {group.text: group.pairs for group in sentence_groups(sections, 1, by_letters)}
    answering = [pair.passage for pair in asked["Is breakfast on the firm?"] if pair.answerable]
    assert answering == ["Travel Guide > Hotels: Breakfast is paid."]
    assert len(asked["Is breakfast on the firm?"]) > 3
    assert not any(pair.answerable for pair in asked["Who signs off first class?"])


def test_sections_that_treat_the_matter_rank_first(sections):
    for group in ranking_groups(sections, 1):
        assert [pair.relevant for pair in group.pairs] == [True, False]


def test_statements_stand_with_what_bears_them_out_and_with_what_does_not(tmp_path):
    near = (
        "t near: First class is for journeys over four hours. || First class is for journeys of more than four hours."
    )
    far = "f far: You may wait ten months before asking for money. || Claims reach Finance within ten days."
    (tmp_path / "firm.txt").write_text(TRAINS.replace("u: Night", f"{near}\n{far}\nu: Night"), encoding="utf-8")
    (section,) = read_written(tmp_path)
    made = {group.text: group.pairs for group in support_groups([section], 1)}
    first, second, third = section.passage.replace(". ", ".\n").split("\n")
    labels = {pair.passage: str(pair.support) for pair in made["Night trains count as hotels."]}
    assert set(labels.values()) == {"neutral"}
    # Both share one word of five or six with what they are about; of the other classes of shared words none has both.
    assert {text for text in made if "?" not in text and text != "Night trains count as hotels."} == {
        "Six hours on the rails earn the better carriage.",
        "You may wait ten months before asking for money.",
    }
    told = {pair.passage: str(pair.support) for pair in made["You may wait ten months before asking for money."]}
    assert told == {
        f"{second}\n{third}": "contradicted",
        f"{first}\n{second}": "neutral",
        section.passage: "contradicted",
    }
    asked = {pair.passage: str(pair.support) for pair in made["How long must I sit to get first class?"]}
    assert asked.pop(second) == "entailed"
    assert set(asked.values()) == {"neutral"}


def test_all_that_was_written_is_in_form_and_balanced():
    sections = read_written()
    kinds = [item.kind for section in sections for item in section.items]
    assert len({section.passage for section in sections}) == len(sections)
    assert abs(kinds.count("q") - kinds.count("n")) < 0.1 * kinds.count("q")
    assert abs(kinds.count("t") - kinds.count("f")) < 0.15 * kinds.count("t")


def test_words_that_are_shared_say_little_of_what_is_learnt():
    sections = read_written()[:300]
    quoted = {
        item.text: shared_class(item.text, one.passage[slice(*item.quote)])
        for one in sections
        for item in one.items
        if item.kind in "tf"
    }
    shared: dict[str, list[float]] = {"entailed": [], "contradicted": []}
    for group in support_groups(sections, 1):
        if group.text in quoted:
            shared[str(group.pairs[-1].support)].append(quoted[group.text])
    assert 0.45 < roc_area(shared["entailed"], shared["contradicted"]) < 0.55


def test_figures_of_what_was_written_are_areas_and_shares():
    def asked(kind, answerable, best, **more):
        return {"kind": kind, "answerable": answerable, "best": best, **more}

    rows = [
        asked("q", 2.0, 1.0, said="ten days", answers=["ten days"], first=True),
        asked("q", 0.0, 3.0, said="Ann", answers=["ten days"], first=False),
        asked("n", 1.0, 0.0),
        asked("n", -1.0, 2.0),
        *({"kind": kind, "supported": score} for kind, score in (("t", 0.9), ("t", 0.2), ("f", 0.3), ("u", 0.1))),
    ]
    made = written_figures(rows)
    assert (made["questions"], made["f1"][0], made["first"][0]) == (4, 0.5, 0.5)
    # Of four pairs: 2 over 1 and -1, 0 over -1 alone; by sentences 1 over 0 alone, 3 over both.
    assert (made["roc_whole"][0], made["roc_sentence"][0]) == (0.75, 0.75)
    assert (made["roc_false"][0], made["roc_neither"][0]) == (0.5, 1.0)
