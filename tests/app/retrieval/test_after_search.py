"""What is done with hits after the search, asked for through the options."""

import datetime as dt
from dataclasses import replace

import pytest

from policy_rag.records.choices import Expansion, Search
from policy_rag.records.search import SearchRequest
from policy_rag.records.serialization import to_json
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration

TODAY = dt.date(2026, 9, 1)
RECEIPTS = "Keep every receipt of a business trip and hand it in with the claim at the end of the month of travel."
SECTIONS = [
    ("1", "Words", '"Carrier" means a company that sells tickets.'),
    ("2", "Booking", "Book with a Carrier as section 3 says and section 1 of the Board Paper allows."),
    ("3", "Approval", "The manager approves each zeppelin."),
    ("4", "Receipts", RECEIPTS),
    ("5", "Meals", "Meals on a trip are paid up to a daily amount."),
]


@pytest.fixture(scope="module")
def searcher(indexed, document):
    board = Declaration(access=("board",))
    documents = (
        document("travel.md", SECTIONS, title="Travel Policy"),
        document("expenses.md", [("9", "Receipts", RECEIPTS)], title="Expenses Policy"),
        document("board.md", [("1", "Receipts", RECEIPTS)], title="Board Paper", declaration=board),
    )
    return Searcher(*indexed(*documents))


def ask(searcher, question, groups=(), **options):
    request = SearchRequest(question, groups=tuple(groups))
    return searcher.search_many([request], SearchOptions(**options), today=TODAY)[0]


def test_and_falls_back_to_or_only_when_asked_and_says_so(searcher):
    plain = ask(searcher, "submarine", search=Search.AND)
    assert (plain.hits, plain.notices) == ((), ("both searches together found nothing: try --search or",))
    found = ask(searcher, "submarine", search=Search.AND, and_fallback=True)
    assert found.hits == ask(searcher, "submarine", search=Search.OR).hits != ()
    assert found.notices == ("no section was found by both searches: these were found by one of them",)
    both = ask(searcher, "zeppelin", search=Search.AND, and_fallback=True)
    assert (both.hits[0].section_id, both.notices) == ("3", ())


def test_a_score_threshold_drops_what_is_below_it(searcher):
    every = ask(searcher, "zeppelin approval", top_k=9).hits
    least = every[1].score
    assert ask(searcher, "zeppelin approval", top_k=9, min_score=least).hits == every[:2]
    none = ask(searcher, "zeppelin approval", min_score=99.0)
    assert none.hits == ()
    assert none.notices == ("nothing was found with a score of 99 or more: lower the setting min_score",)


def test_the_list_is_cut_where_the_scores_fall_off(searcher):
    every = ask(searcher, "zeppelin", top_k=9).hits
    cut = ask(searcher, "zeppelin", top_k=9, gap_share=0.4).hits
    assert [hit.section_id for hit in cut] == ["3"]
    assert cut == every[:1]


def test_the_same_clause_in_two_policies_is_shown_once_with_both_places(searcher):
    plain = ask(searcher, "receipt of a business trip", top_k=2).hits
    assert {hit.doc_id for hit in plain} == {"travel.md", "expenses.md"}
    first, second = ask(searcher, "receipt of a business trip", top_k=2, merge_duplicates=0.9).hits
    assert (first.score, first.text) == (plain[0].score, plain[0].text)
    (also,) = first.also_at
    assert {first.doc_id, also.doc_id} == {"travel.md", "expenses.md"}
    assert (also.start, also.end) == (plain[1].start, plain[1].end)
    assert second.text != first.text
    assert "also_at" not in to_json(first)


def test_merging_shows_no_place_that_the_caller_may_not_see(searcher):
    def places(*groups):
        hits = ask(searcher, "receipt of a business trip", groups=groups, merge_duplicates=0.9).hits
        return {hits[0].doc_id, *(place.doc_id for place in hits[0].also_at)}

    assert places() == {"travel.md", "expenses.md"}
    assert places("board") == {"travel.md", "expenses.md", "board.md"}


def test_mmr_puts_another_text_before_a_repetition(searcher):
    plain = ask(searcher, "receipt of a business trip", top_k=2).hits
    assert plain[0].text.split()[2:] == plain[1].text.split()[2:]
    found = ask(searcher, "receipt of a business trip", top_k=2, mmr=0.5).hits
    assert found[0].section_id == plain[0].section_id
    assert found[1].section_id not in {"4", "9"}
    assert found[0].score >= found[1].score


def test_a_clause_that_is_asked_for_outlives_every_cut(searcher):
    found = ask(searcher, "What does section 5 of the travel policy say?", min_score=999.0, gap_share=0.1, mmr=0.5)
    assert [hit.section_id for hit in found.hits] == ["5"]


def related(searcher, question, *kinds, groups=()):
    result = ask(searcher, question, groups=groups, top_k=1, expand=kinds)
    return [(hit.doc_id, hit.section_id, *hit.found_by) for hit in result.related]


def test_a_hit_brings_what_it_refers_to_and_the_terms_it_uses(searcher):
    question = "book with a carrier"
    assert ask(searcher, question, top_k=1).hits[0].section_id == "2"
    assert ask(searcher, question, top_k=1).related == ()
    assert ("travel.md", "3", "references") in related(searcher, question, Expansion.REFERENCES)
    assert related(searcher, question, Expansion.DEFINITIONS) == [("travel.md", "1", "definitions")]
    result = ask(searcher, question, top_k=1, expand=(Expansion.DEFINITIONS,))
    assert result.related[0].text == '"Carrier" means a company that sells tickets.'
    assert "related" not in to_json(result)


def test_what_is_brought_is_open_to_the_caller(searcher):
    def documents(*groups):
        found = related(searcher, "book with a carrier", *Expansion, groups=groups)
        return {doc_id for doc_id, *_ in found}

    assert documents() == {"travel.md"}
    assert documents("board") == {"travel.md", "board.md"}


def test_a_section_brings_its_parent(indexed, document):
    made = document("leave.md", [("1", "Leave", "General rules."), ("1.1", "Days", "Thirty days a year.")], title="L")
    parent, child = made.sections
    sections = (replace(parent, subtree_end=child.end), replace(child, parent="1", level=2))
    searcher = Searcher(*indexed(replace(made, sections=sections)))
    assert related(searcher, "thirty days a year", Expansion.PARENT) == [("leave.md", "1", "parent")]
    assert related(searcher, "general rules", Expansion.PARENT) == []
