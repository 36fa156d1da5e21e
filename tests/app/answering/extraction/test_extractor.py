"""Extractive answers: verbatim, whole, in order, no more than asked for."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from made_hits import flat_idf, made_hit, quoted_spans
from numpy.typing import NDArray

from policy_rag.answering.extraction.composition import Quote, compose
from policy_rag.answering.extraction.extractor import extract
from policy_rag.answering.extraction.quotable_units import units
from policy_rag.models.reader import Reader
from policy_rag.records.answer import Said
from policy_rag.records.search import Hit, SearchRank
from policy_rag.retrieval.hit_blocks import with_parsed_blocks


def a_hit(text: str, *, start: int = 100, doc: str = "d", title: str = "", **changes: Any) -> Hit:
    given = {"number": None, "path": ("Travel", title), "page": 3, "title": title, "file": f"{doc}.md", "doc_id": doc}
    return made_hit(text, start=start, **given | changes)


def parsed(text: str) -> Hit:
    return with_parsed_blocks([a_hit(text)])[0]


def along(word: str) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """Texts with `word` point where the question points, all others across it, each in its own direction."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for i, text in enumerate(texts):
            rows[i, 0 if word in text else 1 + sum(map(ord, text)) % 63] = 1
        return rows

    return embed


def ask(question: str, hits: Sequence[Hit], word: str, **changes: Any) -> tuple[Quote, ...]:
    vector = np.eye(64, dtype=np.float32)[0]
    return extract(
        question, with_parsed_blocks(hits), embed=along(word), embed_query=lambda _: vector, idf=flat_idf, **changes
    ).quotes


def test_a_small_table_is_quoted_whole_whichever_row_or_column_answers() -> None:
    table = "| Country | Limit |\n| --- | --- |\n| Italy | 140 |\n| Spain | 130 |"
    hit = parsed(f"The limits are:\n\n{table}\n\nMeals are extra.")
    assert quoted_spans(hit) == [[f"The limits are:\n\n{table}"]] * 3 + [["Meals are extra."]]
    assert [unit.text for unit in units(hit)][:2] == [
        "The limits are: | Country | Limit | | Italy | 140 |",
        "The limits are: | Country | Limit | | Spain | 130 |",
    ]
    assert quoted_spans(parsed(table)) == [[table]] * 3
    (found,) = ask("What is the limit in Spain?", [hit], "Spain")
    assert found.text == f"The limits are:\n\n{table}"


@pytest.mark.parametrize("lead", [[], ["The limits, in euros, are:"]])
def test_a_row_of_a_long_table_brings_the_header_and_what_leads_into_it(lead: list[str]) -> None:
    header = "| Country | Limit | Remark |"
    rows = [f"| Country number {n} | {100 + n} | to be agreed with the Travel Desk beforehand |" for n in range(9)]
    hit = parsed("\n".join([*lead, header, "| --- | --- | --- |", *rows]))
    assert quoted_spans(hit) == [[*lead, row] for row in rows]
    found = compose(ask("Which?", [hit], "number 5"))
    named = "Country: Country number 5 | Limit: 105 | Remark: to be agreed with the Travel Desk beforehand"
    assert found.text.splitlines()[-1] == f"{named} [{len(found.citations)}]"
    assert "Remark | [" not in found.text, "no header is quoted alone"


def test_of_a_long_list_the_items_that_are_joined_stay_together() -> None:
    filler = "having regard to all the circumstances of the case and to the interests of everybody concerned " * 8
    items = [f"(a) it asks {filler};", f"(b) it pays {filler};", "(c) it is closed; or", "(d) it is sold."]
    found = quoted_spans(parsed("\n".join(["The Board may act if:", *items])))
    assert [[part[:9] for part in unit] for unit in found] == [
        ["The Board", "(a) it as"],
        ["The Board", "(b) it pa"],
        ["The Board", "(c) it is"],
    ]
    assert found[-1][-1] == "(c) it is closed; or\n(d) it is sold."


def test_what_answers_is_quoted_with_its_place() -> None:
    hit = a_hit("Meals are extra. Hotels cost 120 euros. Trains are first class.")
    (found,) = ask("What may hotels cost?", [hit], "Hotels", most=1)
    assert (found.text, found.start, found.end, found.hit) == (hit.text, 100, 163, hit)  # its paragraph
    assert found.said == ((117, 139),)
    assert compose((found,)).text == "Hotels cost 120 euros. [1]"


@pytest.mark.parametrize("rows", [1, 40])
def test_an_item_is_quoted_with_its_list_while_that_is_short(rows: int) -> None:
    items = [f"- Hotels in region {n} cost {100 + n} euros." for n in range(rows)]
    hit = a_hit("\n".join(["Meals are extra.", "", *items, "- Trains are paid.", "", "Taxis are not."]))
    (found,) = ask("Are trains paid?", [hit], "Trains", most=1)
    whole = f"{items[0]}\n- Trains are paid."
    assert found.text == (whole if rows == 1 else "- Trains are paid.")
    assert [hit.text[a - 100 : b - 100] for a, b in found.said or ((found.start, found.end),)] == ["- Trains are paid."]


def test_what_answers_is_said_first_and_what_limits_it_after_an_empty_line() -> None:
    hit = a_hit("Meals are extra. Hotels cost 120 euros. Trains are first class.")
    (found,) = ask("What may hotels cost?", [hit], "Hotels", most=1)
    made = compose((replace(found, said=((100, 163),)),), ((117, 139),))
    assert made.said == (
        Said("Hotels cost 120 euros.", 1, leads=True, quote="Hotels cost 120 euros."),
        Said("Trains are first class.\nMeals are extra.", 1, quote=" Trains are first class.\nMeals are extra. "),
    )
    assert made.text == "Hotels cost 120 euros. [1]\n\nTrains are first class.\nMeals are extra. [1]"
    # what answers in two ranges that meet is said in one
    made = compose((replace(found, said=((100, 117), (117, 139))),), ((100, 139),))
    words = "Meals are extra. Hotels cost 120 euros."
    assert made.said == (Said(words, 1, leads=True, quote=words),)


def test_what_leads_into_an_item_is_said_with_it_however_far_above() -> None:
    items = [f"({mark}) it {what};" for mark, what in zip("abcdefgh", ("asks " * 15, "pays " * 15) * 4, strict=True)]
    hit = a_hit("\n".join(["The Board may act if:", *items]))
    lead, item = ((100, 121), (hit.end - len(items[-1]), hit.end))
    made = compose((Quote(hit.text[:21], *lead, hit), Quote(items[-1], *item, hit)), (lead, item))
    assert [(one.n, one.leads) for one in made.said] == [(1, True), (2, True)]
    assert "\n\n" not in made.text


def test_the_likeliest_comes_first_wherever_it_stands_and_one_wording_once() -> None:
    late = a_hit("Hotels cost 120 euros.", start=500, doc="b", rank=1)
    early = a_hit("Hotels are booked early.", start=10, doc="b", rank=2)
    assert ask("hotels", [late, early], "Hotels")[0].start == 500
    again = a_hit("Hotels  cost 120 euros.", doc="a", rank=2)
    assert [statement.hit for statement in ask("hotels", [late, again], "Hotels")] == [with_parsed_blocks([late])[0]]


def test_length_is_kept_but_the_best_is_taken_however_long() -> None:
    long = "Hotels " + "are described here at length " * 40 + "once."
    hit = a_hit(f"{long} Meals are extra.\n\nTrains are late.")
    assert [s.text for s in ask("hotels", [hit], "Hotels", max_chars=100)] == [long]
    assert len(ask("hotels", [hit], "Hotels", max_chars=len(long) + 16)) == 1
    short = ask("hotels", [hit], "Trains", max_chars=40)
    assert [s.text for s in short] == ["Trains are late."]  # meals would fit, but are far below


def test_hits_beyond_the_first_are_not_looked_into() -> None:
    hits = [a_hit("Meals are extra.", rank=1), a_hit("Hotels cost 120 euros.", rank=2, doc="e")]
    assert [s.text for s in ask("hotels", hits, "Hotels", max_hits=1)] == ["Meals are extra."]


@pytest.mark.parametrize(("rank", "expected"), [(5, "Statement 20 is on hotels."), (6, "Statement 0 is on folders.")])
def test_of_a_hit_far_down_the_five_nearest_units_alone_are_weighed(rank: int, expected: str) -> None:
    """No unit shares a word with the question: the first five of a hit are its nearest."""
    said = [f"Statement {n} is on {'hotels' if n == 20 else 'folders'}." for n in range(25)]
    hit = a_hit("\n\n".join(said), rank=rank)
    assert ask("Where do I sleep?", [hit], "hotels", max_hits=rank)[0].text.startswith(expected)


def test_an_asked_clause_is_quoted_itself() -> None:
    text = "4. Meals\n(a) Lunch is paid.\n(b) Hotels are booked early.\n(c) Tips are not."
    at = text.index("(b)")
    clause = a_hit(
        text, found_by={"clause": SearchRank(1, 1.0)}, chunk_start=100 + at, chunk_end=100 + text.index("\n(c)")
    )
    near = a_hit("Lunch is never paid.", doc="e", rank=2)
    assert [s.text for s in ask("What does 4(b) say about lunch?", [clause, near], "Lunch")] == [
        "4. Meals",
        "(b) Hotels are booked early.",
    ]


def test_of_an_asked_clause_with_a_table_nothing_is_counted_twice() -> None:
    rows = [f"| {level} | {'x' * 60} | {'y' * 60} | {'z' * 60} |" for level in range(3)]
    table = "\n".join(["| Level | Trips | Cars | Rooms |", "| --- | --- | --- | --- |", *rows])
    text = f"4.1 Costs are paid by level.\n\n{table}\n\nAppeals go to the board."
    clause = a_hit(text, found_by={"clause": SearchRank(1, 1.0)}, chunk_start=100, chunk_end=100 + len(text))
    quoted = "\n".join(one.text for one in ask("What does 4.1 say?", [clause], "Costs"))
    assert all(one in quoted for one in ("4.1 Costs are paid by level.", *rows, "Appeals go to the board."))


def test_an_asked_item_comes_with_those_that_it_is_joined_to() -> None:
    text = "4.1 Costs are paid.\n4.2 Hotels are paid if\n(a) they are booked early; and\n(b) they are cheap."
    begin = 100 + text.index("(b)")
    clause = a_hit(text, found_by={"clause": SearchRank(1, 1.0)}, chunk_start=begin, chunk_end=100 + len(text))
    assert [s.text for s in ask("What does 4.2(b) say?", [clause], "Hotels")] == [text[text.index("4.2") :]]


def test_nothing_to_quote_is_no_answer() -> None:
    assert ask("hotels", [], "Hotels") == ()
    assert ask("hotels", [a_hit("## Hotels\n\n---\n", title="Hotels")], "Hotels") == ()


def test_the_answer_is_its_quotations_numbered() -> None:
    hit = a_hit("Hotels are booked early. Meals are extra. Hotels cost 120 euros.", title="Hotels")
    found = compose(ask("hotels", [hit], "Hotels are", most=2))
    assert found.text == "Hotels are booked early. [1]"
    (cited,) = found.citations
    assert (cited.n, cited.quote, cited.start, cited.page, cited.path) == (1, hit.text, 100, 3, ("Travel", "Hotels"))
    assert (compose(()).text, compose(()).citations) == ("", ())


_LINES = st.sampled_from(
    ["# Hotels", "Hotels cost 120 euros.", "However, not in May.", "- books; and", "- courses", "| a | b |", "|---|---|", "",
     "It pays for:", "(a) They pay.", "3.7 Meals. Lunch is paid. They agree", "unless it rains.", "\t", "A\tB\tC"]
)  # fmt: skip
_TEXTS = st.lists(_LINES, max_size=9).map("\n".join) | st.text("aB.:\n |-#*(1) ", max_size=60)


_WINDOWS = st.lists(st.tuples(st.booleans(), st.integers(0, 80), st.integers(1, 300)), min_size=1, max_size=4)


@given(texts=st.tuples(_TEXTS, _TEXTS), windows=_WINDOWS, chars=st.integers(1, 300))
@example(texts=("- books; and\n- books; and", ""), windows=[(False, 0, 300)], chars=1)
@example(texts=("3.7 Meals. Lunch is paid. They agree", ""), windows=[(False, 3, 3), (False, 3, 9)], chars=3)
def test_always_verbatim_and_never_twice(
    texts: tuple[str, str], windows: list[tuple[bool, int, int]], chars: int
) -> None:
    # Hits of one document may overlap, as chunks do; each is a part of its text.
    hits = [
        a_hit(texts[of][start : start + length], start=start, rank=rank, doc=f"d{of:d}")
        for rank, (of, start, length) in enumerate(windows, 1)
    ]
    found = ask("What do hotels cost?", hits, "Hotels", max_chars=chars)
    for statement in found:
        hit = statement.hit
        assert hit.start <= statement.start < statement.end <= hit.end
        assert statement.text == hit.text[statement.start - hit.start : statement.end - hit.start]
        assert statement.text == statement.text.strip()
    order = [(s.hit.doc_id, s.start) for s in found]
    assert len(order) == len(set(order))
    for one, other in combinations(found, 2):
        assert one.hit is not other.hit or one.end <= other.start or other.end <= one.start


def test_a_limit_of_a_quoted_hit_is_quoted_and_that_of_another_is_not() -> None:
    hits = [a_hit("Hotels are paid.", section_id="2.1"), a_hit("Lunch is paid.", section_id="9", rank=2)]
    text = "2.2 Section 2.1 does not hold in May."
    limits = [a_hit(text, section_id="2.2", start=300, found_by={"limits": SearchRank(rank, 1.0)}) for rank in (1, 2)]
    assert [s.text for s in ask("Hotels?", hits, "Hotels", related=limits[:1])] == ["Hotels are paid.", text]
    assert [s.text for s in ask("Hotels?", hits, "Hotels", related=limits[1:], most=1)] == ["Hotels are paid."]
    assert [s.hit.section_id for s in ask("Hotels?", hits, "Hotels", related=limits[:1])] == ["2.1", "2.2"]


def test_the_title_above_a_sentence_tells_what_it_is_of() -> None:
    texts = ["Notice is given in time.", "One month is paid for each year."]
    hits = [a_hit(text, rank=rank, start=100 * rank, section_id=str(rank)) for rank, text in enumerate(texts, 1)]
    named = replace(hits[1], path=("Travel", "Redundancy pay", "3.1"))
    for second, expected in ((hits[1], texts[:1]), (named, [texts[1]])):
        found = ask("redundancy pay?", [hits[0], second], "Nothing", most=1)
        assert [statement.text for statement in found] == expected


def test_a_note_comes_with_the_words_that_lead_to_it_and_no_others() -> None:
    hit = a_hit("Hotels are paid[^1] early. Lunch is paid[^2] late.")
    by = {"note": SearchRank(1, 1.0)}
    notes = [a_hit(f"[^{mark}]: In May only.", start=300 + 50 * mark, found_by=by) for mark in (1, 2)]
    for word, note in zip(("Hotels", "Lunch"), notes, strict=True):
        found = ask(f"{word}?", [hit], word, related=notes, most=1)
        assert [statement.text for statement in found[1:]] == [note.text]


def test_who_asks_since_when_a_policy_holds_gets_what_says_so_or_nothing() -> None:
    asked = "Since when is the travel policy in force?"
    hit = a_hit("Hotels are paid.\n\nIn force from 1 May 2025.")
    assert [statement.text for statement in ask(asked, [hit], "Hotels")] == ["In force from 1 May 2025."]
    assert ask(asked, [a_hit("Hotels are paid.")], "Hotels") == ()


def test_the_day_of_a_cover_answers_no_question_that_asks_for_another_time() -> None:
    text = "Larkfield, Inc.\n\nEffective January 1, 2026"
    cover, section = a_hit(text, path=("Handbook",)), a_hit(text)
    asked = "When do I get my wage statement?"
    assert "Effective" not in " ".join(one.text for one in ask(asked, [cover], "Effective"))
    assert [one.text for one in ask(asked, [section], "Effective", most=1)] == ["Effective January 1, 2026"]
    assert [one.text for one in ask("When does it take effect?", [cover], "Effective", most=1)] == [
        "Effective January 1, 2026"
    ]


def test_a_clause_that_is_only_mentioned_comes_before_what_is_as_near() -> None:
    hits = [a_hit(f"Hotels of kind {n} are paid.", rank=n, start=100 * n, section_id=str(n)) for n in (1, 2)]
    named = replace(hits[1], found_by={**hits[1].found_by, "mention": SearchRank(1, 1.0)})
    for second, expected in ((hits[1], "1"), (named, "2")):
        (only,) = ask("Who approves 9?", [hits[0], second], "Hotels", most=1)
        assert only.hit.section_id == expected


def test_who_asks_for_a_time_is_answered_by_the_sentence_that_has_one() -> None:
    """The first sentence has more of the question's words; the second has what is asked for."""
    hit = a_hit("A lost badge is reported to the desk.\n\nThe desk hears of the badge within two hours.")
    assert ask("Who is told of a lost badge at the desk?", [hit], "badge")[0].text.startswith("A lost")
    assert ask("How soon is a lost badge reported to the desk?", [hit], "badge")[0].text.startswith("The desk")


def test_as_many_sections_are_read_as_are_quoted_from() -> None:
    # Stress tests look into more sections than an answer does; the reader then reads them all.
    fillers = [f"Rule {n} treats of the colour of folders." for n in range(6)]
    hits = [a_hit(text, rank=n, doc=f"d{n}") for n, text in enumerate([*fillers, "A parrot costs EUR 90 a month."], 1)]
    found = ask("What does a parrot cost?", hits, "parrot", max_hits=len(hits), reader=Reader.load())
    assert found[0].hit.rank == 7
