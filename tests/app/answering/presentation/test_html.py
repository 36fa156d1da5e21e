"""An answer as HTML: complete, and with nothing in it that could act."""

import datetime as dt
from dataclasses import replace
from html.parser import HTMLParser

from made_hits import made_hit

from policy_rag.answering.presentation.html import answer_html
from policy_rag.answering.presentation.wording import refusal
from policy_rag.records.answer import Answer, Citation, Said, Status
from policy_rag.records.search import Hit, SearchRank
from policy_rag_parsers.text.answer_language import words_for

EVIL = "<script>alert(1)</script><img src=x onerror='go()'>&amp;\"quoted\""


def an_answer(text: str = "At most 120 euros. [1]", **changes: object) -> Answer:
    citation = Citation(1, "At most 120 euros.", "t", "4.0", "travel.md", "3.7", ("Travel", "Hotels"), 10, 28, 2)
    given: dict[str, object] = {
        "question": "How much is a hotel?", "status": Status.ANSWERED, "answer": text, "citations": (citation,),
        "confidence": 0.876, "llm": "extractive",
    }  # fmt: skip
    return Answer(**{**given, **changes})  # type: ignore[arg-type]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_answer_citation_place_and_support_are_shown() -> None:
    text = read(answer_html(an_answer(said=(Said("At most 120 euros.", 1, leads=True),)))).text
    for shown in (
        "How much is a hotel?",
        "At most 120 euros.",
        "Travel › Hotels",
        "travel.md",
        "version 4.0",
        "page 2",
    ):
        assert shown in text
    assert "characters" not in text, "they stay in the JSON form"
    assert "very likely right (confidence 0.88)" in text
    assert "quoted word for word, no language model" in text


def test_line_and_days_in_force_are_shown_and_a_quotation_as_people_read_it() -> None:
    first = replace(
        an_answer().citations[0], quote="At *most*\n120 euros.", text="At most 120 euros.", page=None, line=41,
        effective_from=dt.date(2025, 4, 1),
    )  # fmt: skip
    text = read(answer_html(an_answer(citations=(first,)))).text
    assert "line 41 · travel.md · version 4.0 · in force from 2025-04-01" in text
    assert "*" not in text


def test_only_marks_of_citations_are_set_off() -> None:
    page = answer_html(an_answer("Yes [1], as article [7] says. [12345]"))
    assert page.count("<sup") == 1
    assert "[7]" in read(page).text


def test_nothing_that_was_read_becomes_markup() -> None:
    hit = Hit(1, 1.0, EVIL, EVIL, EVIL, EVIL, None, EVIL, (EVIL,), 0, 4, 0, 4, 1, EVIL, {"vector": SearchRank(1, 0.5)})
    citation = Citation(1, EVIL, EVIL, EVIL, EVIL, EVIL, (EVIL,), 0, 4, 1)
    evil = an_answer(
        EVIL, question=EVIL, citations=(citation,), nearest=(hit,), removed=(EVIL,), notices=(EVIL,), llm=EVIL,
        clarification=EVIL + "?",
    )  # fmt: skip
    reader = read(answer_html(evil))
    assert set(reader.tags) <= {"div", "b", "sup", "blockquote"}
    assert reader.attributes <= {"style"}
    # question, answer, question back; path, file, version and quotation of the citation; path, file and version
    # of the nearest, removed, notice, model
    assert reader.text.count(EVIL) == 13


def test_a_refusal_shows_the_nearest_sections() -> None:
    hit = made_hit("text", file="travel.md", path=("Travel", "Hotels"))
    page = answer_html(an_answer("The policies do not say.", status=Status.REFUSED, citations=(), nearest=(hit,)))
    text = read(page).text
    assert "The policies do not say." in text
    assert "The nearest sections, which were not found to answer it" in text
    assert "Travel › Hotels" in text
    assert "Where it is written" not in text
    assert "page" not in text


def test_what_an_llm_wrote_in_vain_does_not_make_the_sections_silent() -> None:
    removed = ("Hotels cost 900 euros.",)
    said = refusal(words_for(""), removed)
    given = {"status": Status.REFUSED, "citations": (), "nearest": (made_hit("text"),), "removed": removed}
    text = read(answer_html(an_answer(said, **given))).text
    assert "do not answer" not in text
    assert "not found to answer" not in text
    assert "Nothing of what the LLM wrote is borne out by what it cites" in text
    assert "The sections found, which may answer it" in text


def test_a_question_back_is_shown_once_and_its_candidates_are_what_could_be_meant() -> None:
    asked = "Which policy do you mean?"
    given = {"status": Status.CLARIFY, "clarification": asked, "citations": (), "nearest": (made_hit("text"),)}
    text = read(answer_html(an_answer(asked, **given))).text
    assert text.count(asked) == 1
    assert "What could be meant" in text


def test_colours_follow_the_ground() -> None:
    page = answer_html(an_answer())
    assert "background" not in page
    assert "color:inherit" in page


def test_the_record_shows_itself() -> None:
    assert an_answer()._repr_html_() == answer_html(an_answer())
