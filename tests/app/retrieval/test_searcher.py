"""Searching one index: what is found, in what order, by whom, and for which day."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy_rag.errors import UsageError
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration

TODAY = dt.date(2026, 9, 1)
LEAVE = [
    ("1", "Scope", "This policy is for all employees of the company."),
    (
        "2",
        "Annual leave",
        "Thirty days of paid holiday a year.\n(a) Unused days may be carried over.\n(b) They lapse in March.",
    ),
]
TRAVEL = [
    ("1", "Trains", "Employees travel second class by train."),
    ("2", "Hotels", "A hotel room costs 120 euros at most.\n(a) Breakfast is extra.\n(b) Minibars are never paid."),
]
BOARD = [("1", "Merger", "The merger with the zebra company is secret.")]


@pytest.fixture(scope="module")
def made(indexed, document):
    """The index and its embedding model."""
    over = Declaration(effective_to=dt.date(2025, 12, 31), version="1.0")
    old = [("1", "Hotels", "A hotel room costs 90 euros at most.")]
    return indexed(
        document("leave.md", LEAVE, title="Leave Policy"),
        document("travel.md", TRAVEL, title="Travel Policy"),
        document("board.md", BOARD, title="Board Paper", declaration=Declaration(access=("board",))),
        document("old.md", old, title="Travel Policy", declaration=over),
    )


@pytest.fixture
def searcher(made):
    return Searcher(*made)


def search(searcher, question, *, groups=(), where=(), as_of=None, **options):
    request = SearchRequest(question, tuple(where), tuple(groups), as_of)
    (result,) = searcher.search_many([request], SearchOptions(**options), today=TODAY)
    return result


@pytest.mark.parametrize("how", Search)
def test_every_search_finds_the_section_and_says_where_it_stands(searcher, how):
    hit = search(searcher, "How much may a hotel room cost?", search=how).hits[0]
    assert (hit.rank, hit.doc_id, hit.section_id, hit.number, hit.title) == (1, "travel.md", "2", "2", "Hotels")
    assert hit.path == ("Travel Policy", "Hotels")
    assert hit.text.startswith("2 Hotels\nA hotel room costs 120 euros")
    assert hit.end - hit.start == len(hit.text)
    assert set(hit.found_by) == {"vector": {"vector"}, "keyword": {"keyword"}}.get(how.value, {"vector", "keyword"})


def test_found_by_tells_rank_and_score_in_each_search(searcher):
    by = {
        how: search(searcher, "hotel room", search=how).hits[0] for how in (Search.VECTOR, Search.KEYWORD, Search.RRF)
    }
    fused = by[Search.RRF]
    assert fused.found_by["vector"].score == by[Search.VECTOR].score
    assert fused.found_by["keyword"].score == by[Search.KEYWORD].score
    assert fused.score == pytest.approx(sum(1 / (60 + f.rank) for f in fused.found_by.values()))


def test_a_keyword_search_has_no_hit_without_a_shared_word(searcher):
    result = search(searcher, "submarine", search=Search.KEYWORD)
    assert result.hits == ()
    assert result.notices == ("nothing was found",)


def test_more_questions_than_fit_together_have_the_hits_that_they_have_alone(searcher):
    kinds = [
        SearchRequest("hotel room"),
        SearchRequest("trains"),
        SearchRequest("merger", groups=("board",)),
        SearchRequest("hotel room", as_of=dt.date(2025, 6, 1)),
        SearchRequest("paid holiday", where=("doc_id=leave.md",)),
    ]
    results = searcher.search_many(kinds * 260, SearchOptions(), today=TODAY)
    alone = [searcher.search_many([kind], SearchOptions(), today=TODAY)[0].hits for kind in kinds]
    assert [hits[0].doc_id for hits in alone] == ["travel.md", "travel.md", "board.md", "old.md", "leave.md"]
    assert all(result.hits == alone[i % 5] for i, result in enumerate(results))
    assert searcher.search_many([], SearchOptions(), today=TODAY) == ()


def test_what_is_no_longer_in_force_is_found_only_for_its_day(searcher):
    for day, versions in ((None, []), (dt.date(2025, 12, 31), ["1.0"])):
        hits = search(searcher, "hotel room costs euros", as_of=day, top_k=9).hits
        assert [hit.version for hit in hits if hit.doc_id == "old.md"] == versions


def test_filters_that_match_nothing_give_nothing_and_say_why(searcher):
    result = search(searcher, "hotel", where=["language=de"])
    assert result.hits == ()
    assert result.notices == ("no document that you may read has such a language: it is english",)
    for where in ("version>=99", "doc_id=old.md"):
        assert "matches the filters" in search(searcher, "hotel", where=[where]).notices[0]
    with pytest.raises(UsageError, match="no document has 'dept'"):
        search(searcher, "hotel", where=["dept=x"])


def test_top_k_cuts_last(searcher):
    few, many = (search(searcher, "employees hotel holiday", top_k=k).hits for k in (2, 50))
    assert len(few) == 2
    assert many[:2] == few
    assert len({(h.doc_id, h.section_id) for h in many}) == len(many)


def test_each_search_brings_its_candidates(searcher):
    hits = search(searcher, "employees hotel holiday", candidates=1, top_k=9, search=Search.OR).hits
    assert len(hits) <= 2


def test_a_long_section_comes_once_with_its_best_chunk(indexed, document):
    body = "Rules on parking. " * 20 + "Submarines stay in the dock. " + "Rules on bicycles. " * 20
    searcher = Searcher(*indexed(document("long.md", [("1", "All", body)], chunk_chars=100)))
    (hit,) = search(searcher, "submarines in the dock", top_k=9, candidates=3).hits
    assert "Submarines" in hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start]
    assert hit.chunk_end - hit.chunk_start <= 100


def test_a_question_by_number_goes_straight_to_the_place(searcher):
    hit = search(searcher, "What does 2(b) of the travel policy say?").hits[0]
    assert (hit.doc_id, hit.section_id) == ("travel.md", "2")
    assert "clause" in hit.found_by
    assert hit.text[hit.chunk_start - hit.start : hit.chunk_end - hit.start].strip() == "(b) Minibars are never paid."
    assert search(searcher, "section 2 of the leave policy").hits[0].doc_id == "leave.md"


def test_a_reranker_sees_all_candidates_and_has_the_last_word(made):
    class Longest:
        blend = 1.0
        depth = None

        def score_many(self, questions):
            (self.seen,) = (list(texts) for _, texts in questions)
            return [[float(len(text)) for text in texts] for _, texts in questions]

    reranker = Longest()
    hits = search(Searcher(*made, reranker), "hotel", top_k=2).hits
    assert len(reranker.seen) > 2
    assert hits[0].score == max(len(text) for text in reranker.seen)
    assert hits[0].found_by["reranker"].rank == 1


def test_threads_share_one_index(searcher):
    expected = search(searcher, "hotel room").hits
    with ThreadPoolExecutor(6) as pool:
        assert all(found.hits == expected for found in pool.map(lambda _: search(searcher, "hotel room"), range(120)))


@pytest.mark.parametrize(
    "question", ["'; DROP TABLE documents; --", "a OR b AND (c*", "\x00\x01", "%s {0} \\", "ß" * 9000]
)
def test_operators_of_other_languages_are_words(searcher, question):
    for how in Search:
        assert len(search(searcher, question, search=how, top_k=9).hits) <= 9
    assert search(searcher, "hotel room").hits[0].doc_id == "travel.md"


words = st.sampled_from(["hotel", "train", "merger", "salary", "leave", "board", "section 1", "1(a)"])
groups = st.lists(st.sampled_from(["hr", "board", "it"]), max_size=2, unique=True)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    access=st.lists(groups, min_size=1, max_size=5),
    bodies=st.lists(words, min_size=5, max_size=5),
    asked=st.lists(st.tuples(words, groups), min_size=1, max_size=8),
    how=st.sampled_from(Search),
)
def test_no_search_leaks_a_document(tmp_path_factory, document, manifest, embedder, access, bodies, asked, how):
    documents = [
        document(
            f"{i}.md", [("1", body, f"All about {body}.\n(a) {body} first")], declaration=Declaration(access=tuple(a))
        )
        for i, (a, body) in enumerate(zip(access, bodies, strict=False))
    ]
    allowed = {f"{i}.md": set(a) for i, a in enumerate(access)}
    with Index(tmp_path_factory.mktemp("leak"), create=True) as index:
        index.update(documents, manifest, embedder)
        requests = [SearchRequest(question, groups=tuple(g)) for question, g in asked]
        results = Searcher(index, embedder).search_many(requests, SearchOptions(search=how, top_k=9), today=TODAY)
        for request, result in zip(requests, results, strict=True):
            for hit in result.hits:
                assert not allowed[hit.doc_id] or allowed[hit.doc_id] & set(request.groups)


def test_the_vector_search_is_exact(indexed, document):
    rng = np.random.default_rng(3)
    vocabulary = [f"word{i}" for i in range(50)]
    documents = [
        document(f"{d}.md", [(str(s), "T", " ".join(rng.choice(vocabulary, 12))) for s in range(1, 6)], chunk_chars=30)
        for d in range(12)
    ]
    index, embedder = indexed(*documents)
    question = "word1 word2 word3"
    with index.snapshot() as snapshot:
        chunks = snapshot.derived.chunks
        cosines = snapshot.vectors.vectors(np.arange(len(chunks))) @ embedder.embed_queries([question])[0]
        best = {}
        for (row, *_), cosine in zip(chunks.tolist(), cosines.tolist(), strict=True):
            best[row] = max(cosine, best.get(row, -2))
    hits = search(Searcher(index, embedder), question, search=Search.VECTOR, candidates=10, top_k=10).hits
    assert [h.score for h in hits] == pytest.approx(sorted(best.values(), reverse=True)[:10], abs=1e-6)
