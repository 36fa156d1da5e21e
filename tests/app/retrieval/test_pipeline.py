"""Several queries for one question: fused by reciprocal rank, measured against the question, hidden where it must be."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from policy_rag.records.choices import Search, Transform
from policy_rag.records.search import Query, SearchRequest, SearchResult
from policy_rag.retrieval.pipeline import SearchPipeline, TracedSearch
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.transforms.aliases import aliases_of
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions
from policy_rag.tracing import Trace
from policy_rag_parsers.document_metadata.declarations import Declaration

TODAY = dt.date(2026, 9, 1)
SECTIONS = (
    ("1", "Officer", "The Data Protection Officer (DPO) answers requests within a month."),
    ("2", "Hotels", "A hotel room costs at most 120 euros a night."),
    ("3", "Meals", "Lunch is reimbursed up to 40 euros a day."),
    ("4", "Trains", "Travel by train is booked in second class."),
)


@pytest.fixture(scope="module")
def kept(indexed, document):
    """The index of both documents, which no test changes, and its embedding model."""
    plan = [("1", "Plan", "The Night Owl Team (NOT) watches hotels.")]
    return indexed(document("policy", SECTIONS), document("secret", plan, declaration=Declaration(access=("board",))))


@pytest.fixture
def searcher(kept):
    return Searcher(*kept)


def found(searcher, *queries: Query, question: str = "What does a hotel cost?", **options) -> SearchResult:
    made = [queries] if queries else None
    return searcher.search_many([SearchRequest(question)], SearchOptions(**options), today=TODAY, queries=made)[0]


def ids(result: SearchResult) -> list[str]:
    return [hit.section_id for hit in result.hits]


@pytest.mark.parametrize("search", list(Search))
def test_one_query_that_is_the_question_changes_nothing(searcher, search):
    asked = found(searcher, Query("What does a hotel cost?"), search=search)
    assert asked.hits == found(searcher, search=search).hits
    assert asked.queries == ()


def test_ranks_of_all_queries_are_summed_as_reciprocals(searcher):
    queries = (Query("hotel"), Query("lunch", Transform.DECOMPOSE), Query("hotel lunch", Transform.DECOMPOSE))
    lists = [ids(found(searcher, question=query.text, search=Search.KEYWORD)) for query in queries]
    scores: dict[str, float] = {}
    for listed in lists:
        for rank, section in enumerate(listed, 1):
            scores[section] = scores.get(section, 0) + 1 / (60 + rank)
    result = found(searcher, *queries, question="hotel", search=Search.KEYWORD)
    assert {hit.section_id: hit.score for hit in result.hits} == pytest.approx(scores)
    assert [hit.score for hit in result.hits] == sorted(scores.values(), reverse=True)
    assert result.queries == queries


def test_what_a_later_query_found_says_so_and_is_measured_by_the_question(searcher):
    result = found(
        searcher, Query("What does a hotel cost?"), Query("lunch", Transform.MULTI_QUERY), search=Search.KEYWORD
    )
    meal = next(hit for hit in result.hits if hit.section_id == "3")
    assert meal.found_by["multi-query"].rank == 1
    assert "keyword" not in meal.found_by
    hotel = next(hit for hit in result.hits if hit.section_id == "2")
    plain = found(searcher, search=Search.KEYWORD)
    assert hotel.found_by["keyword"] == plain.hits[0].found_by["keyword"]


def test_a_passage_is_searched_by_its_vector_as_a_passage(kept):
    index, embedder = kept
    passages: list[Sequence[str]] = []

    class Recording:
        embed_queries = staticmethod(embedder.embed_queries)

        def embed(self, texts: Sequence[str]):
            passages.append(list(texts))
            return embedder.embed(texts)

    own = Searcher(index, Recording())
    queries = (
        Query("hotel"),
        Query("Lunch is reimbursed.", Transform.HYDE, passage=True),
        Query("train", Transform.DECOMPOSE),
    )
    result = found(own, *queries)
    assert passages == [["Lunch is reimbursed."]]
    vector = embedder.embed(["Lunch is reimbursed."])[0]
    meal = next(hit for hit in result.hits if hit.section_id == "3")
    text = embedder.embed(["policy > Meals\n3 Meals\nLunch is reimbursed up to 40 euros a day."])[0]
    assert meal.found_by["hyde"].rank == 1
    assert meal.found_by["hyde"].score == pytest.approx(float(np.dot(vector, text)), abs=0.2)


def test_many_questions_keep_their_own_queries(searcher):
    requests = [SearchRequest("hotel"), SearchRequest("lunch", groups=("board",)), SearchRequest("train")]
    queries = [
        (Query("hotel"), Query("train", Transform.DECOMPOSE)),
        (Query("lunch"),),
        (Query("train"), Query("hotel", Transform.DECOMPOSE), Query("lunch", Transform.DECOMPOSE)),
    ]
    options = SearchOptions(search=Search.KEYWORD)
    together = searcher.search_many(requests, options, today=TODAY, queries=queries)
    for request, own, result in zip(requests, queries, together, strict=True):
        alone = searcher.search_many([request], options, today=TODAY, queries=[own])[0]
        assert (alone.hits, alone.queries) == (result.hits, result.queries)
    assert set(ids(together[0])) == {"2", "4"}


def test_and_that_finds_nothing_in_common_falls_back_with_all_queries(searcher):
    queries = (Query("zzz"), Query("lunch", Transform.DECOMPOSE))
    result = found(searcher, *queries, question="zzz", search=Search.AND, candidates=1, and_fallback=True)
    assert "3" in ids(result)


def pipeline(made, *names: Transform) -> SearchPipeline:
    return SearchPipeline(made[0], Searcher(*made), SearchOptions(), TODAY, names)


def test_names_come_only_from_documents_that_the_asker_may_read(kept):
    looking = pipeline(kept, Transform.MULTI_QUERY)
    question = "Who is the Night Owl Team?"
    (open_to_all,) = looking.search_many([SearchRequest(question)])
    (board,) = looking.search_many([SearchRequest(question, groups=("board",))])
    assert open_to_all.queries == ()
    assert [query.text for query in board.queries] == [question, "Who is the NOT?"]
    (officer,) = looking.search_many([SearchRequest("Who is the DPO?")])
    assert [query.text for query in officer.queries][1] == "Who is the Data Protection Officer?"


def test_names_are_read_again_when_the_index_changes(index, embedder, manifest, document):
    for sections, named in ((SECTIONS, True), ([("1", "Pets", "No dogs.")], False)):
        index.update([document("policy", sections)], manifest, embedder)
        with index.snapshot() as snapshot:
            aliases = aliases_of(Visibility.of(snapshot, SearchRequest("x"), TODAY))
        assert bool(aliases.named("the DPO")) is named


def test_a_transform_that_is_left_out_is_told_with_the_result(kept):
    result = pipeline(kept, Transform.HYDE).search(SearchRequest("hotel"))
    assert result.notices == ("hyde takes an LLM: left out",)
    assert result.hits


def test_a_clause_is_found_in_what_the_rewriting_leaves(kept):
    question = "Hello everyone, could you please tell me: what does section 3 of the policy say? Thanks in advance!"
    result = pipeline(kept, Transform.REWRITE).search(SearchRequest(question))
    assert "clause" in result.hits[0].found_by
    assert result.hits[0].section_id == "3"
    assert result.question == question


def test_an_asker_is_answered_by_what_is_asked_whatever_stands_around_it(kept):
    polite, plain = "Hello, could you please tell me: what does a hotel cost? Thanks!", "What does a hotel cost?"

    def asked(question, *names):
        return TracedSearch(pipeline(kept, *names), SearchRequest(question), None, Trace()).search(question)

    result = asked(polite)
    assert (result.question, result.matter) == (polite, plain)
    assert result.hits == asked(plain).hits == asked(polite, Transform.REWRITE).hits
    assert (asked(plain).question, asked(plain).asked) == (plain, "")


@pytest.fixture(scope="module")
def searched(indexed, document):
    dogs = [(str(n), "Pets", f"A dog of kind {n} stays in the yard.") for n in range(1, 10)]
    hotels = [(str(n), "Hotels", f"A hotel in town {n} costs 120 euros.") for n in range(10, 13)]
    looking = TracedSearch(pipeline(indexed(document("policy", [*dogs, *hotels]))), SearchRequest("x"), None, Trace())
    return lambda question, whole=None: looking.search(question, part_of=whole)


def test_what_the_whole_question_found_stands_beside_what_a_part_found(searched):
    whole = searched("What does a hotel in a town cost?")
    assert [one.path[-1] for one in whole.hits[:3]] == ["Hotels"] * 3
    part, alone = searched("May a dog stay in the yard?", whole).hits, searched("May a dog stay in the yard?").hits
    assert [one.section_id for one in part[:5]] == [one.section_id for one in alone[:5]]
    assert [one.section_id for one in part[5:8]] == [one.section_id for one in whole.hits[:3]]
    assert [one.rank for one in part] == list(range(1, len(part) + 1))
    assert sorted(one.section_id for one in part) == sorted({one.section_id for one in (*alone, *whole.hits[:3])})


def test_nothing_is_added_to_a_part_under_other_filters_nor_a_clause_that_another_asks_for(searched):
    whole, alone = searched("What does a hotel in a town cost?"), searched("May a dog stay in the yard?").hits
    other_day = replace(whole, filters=("as_of=2023-01-01",))
    assert searched("May a dog stay in the yard?", other_day).hits == alone
    numbered = searched("What does section 12 of the policy say?")
    assert "clause" in numbered.hits[0].found_by
    assert not any("clause" in one.found_by for one in searched("May a dog stay in the yard?", numbered).hits)
