"""The support score: features derived by hand, and the direction in which evidence moves it."""

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_hits import flat_idf as flat
from made_hits import made_hit

from policy_rag.answering.confidence.model import (
    DEFAULT_WEIGHTS,
    DEPTH,
    Features,
    SupportPiece,
    Weights,
    confidence,
    features,
    weights_of,
)
from policy_rag.answering.confidence.question_terms import question_terms
from policy_rag.errors import SettingsError
from policy_rag.records.search import Hit, SearchRank

QUESTION = "May employees claim the cost of a hotel?"


def a_hit(
    text: str, *, rank: int = 1, vector: tuple[int, float] | None = None, keyword: tuple[int, float] | None = None
) -> Hit:
    found = {name: SearchRank(*one) for name, one in (("vector", vector), ("keyword", keyword)) if one}
    return made_hit(text, rank=rank, start=10, title="", path=(), found_by=found)


def test_features_of_one_hit_by_hand() -> None:
    # Stems: employe, claim, cost, hotel: 8 in all. The text holds three (6).
    hit = a_hit("Employees: the cost of a hotel", vector=(1, 0.5), keyword=(3, 2.0))
    found = features(QUESTION, [hit], idf=flat)
    assert found.cosine == pytest.approx(0.5)
    assert found.mean_cosine == pytest.approx(0.5 / DEPTH)
    assert found.coverage == pytest.approx(6 / 8)
    assert found.substance == pytest.approx(6 / (6 + 4))
    assert found.keyword == pytest.approx(2 / 8)
    assert found.agreement == pytest.approx(1 / math.log2(4))
    assert found.clause == 0


def test_words_outside_the_found_chunk_do_not_count_and_titles_do() -> None:
    text = "Employees travel. Hotel bills."
    hit = replace(a_hit(text), chunk_start=10, chunk_end=10 + len("Employees travel."))
    assert features(QUESTION, [hit], idf=flat).coverage == pytest.approx(1 / 4)
    assert features(QUESTION, [replace(hit, path=("Cost",))], idf=flat).coverage == pytest.approx(2 / 4)


def test_the_words_of_one_section_are_not_added_to_those_of_another() -> None:
    hits = [a_hit("Employees claim", rank=1), a_hit("cost of a hotel", rank=2)]
    assert features(QUESTION, hits, idf=flat).coverage == pytest.approx(1 / 2)


def test_a_hit_far_down_counts_by_its_cosine_alone() -> None:
    near = a_hit("nothing of it", vector=(2, 0.3))
    far = a_hit("employees claim the cost of a hotel", rank=DEPTH + 1, vector=(1, 0.6))
    found = features(QUESTION, [near, far], idf=flat)
    assert found.coverage == 0
    assert found.cosine == pytest.approx(0.6)
    assert found.mean_cosine == pytest.approx(0.9 / DEPTH)


def test_a_question_is_read_in_its_own_language_whatever_others_the_index_holds() -> None:
    both = ("english", "german")
    # In German "may", "the", "of" and "a" would be content, and be found.
    hit = a_hit("May the sum of a claim be paid?")
    assert features(QUESTION, [hit], idf=flat, languages=both) == features(QUESTION, [hit], idf=flat)
    question, german = "Welche Kosten der Übernachtungen?", a_hit("Kosten der Übernachtung")
    assert features(question, [german], idf=flat, languages=both).coverage == 1


def test_a_question_without_stop_words_is_read_in_each_language_of_the_index() -> None:
    question, hit = "Übernachtungen Kosten", a_hit("Kosten der Übernachtung")
    assert features(question, [hit], idf=flat, languages=("english", "german")).coverage == 1
    assert features(question, [hit], idf=flat, languages=("english",)).coverage < 1


def test_the_size_of_the_index_counts_against_the_score() -> None:
    weights = Weights(0.0, (SupportPiece("cosine", 1.0),), 0.5, "by hand", by_size=0.5)
    # 0.6 - 0.5 * 4
    found = features(QUESTION, [a_hit("text", vector=(1, 0.6))], idf=flat)
    assert found.size == 4
    assert confidence(found, weights) == pytest.approx(1 / (1 + math.exp(1.4)))
    assert weights.at(4.0) == Weights(-2.0, (SupportPiece("cosine", 1.0),), 0.5, "by hand")
    assert confidence(found, weights.at(4.0)) == pytest.approx(confidence(found, weights))


def test_the_largest_score_of_a_reranker_counts_whatever_its_scale_and_wherever_it_lies() -> None:
    hits = [a_hit("text", rank=rank, vector=(rank, 0.2)) for rank in (1, 2)]
    assert features(QUESTION, hits, idf=flat).reranked == 0
    scored = [
        replace(hit, found_by={**hit.found_by, "reranker": SearchRank(hit.rank, -float(hit.rank))}) for hit in hits
    ]
    expected = pytest.approx(1 / (1 + math.e))  # of -1, the larger
    assert features(QUESTION, scored, idf=flat).reranked == expected
    assert features(QUESTION, hits, idf=flat, reranked=scored).reranked == expected
    assert features(QUESTION, scored[1:], idf=flat).reranked == pytest.approx(1 / (1 + math.exp(2)))


def test_asking_words_are_not_content_unless_they_are_all_there_is() -> None:
    assert question_terms("Could you tell us what must be claimed?", flat).stems == ("claim",)
    assert question_terms("Must we?", flat).stems == ("must",)


def test_no_hits_is_no_support() -> None:
    assert features(QUESTION, [], idf=flat) == Features()
    assert confidence(Features(), replace(DEFAULT_WEIGHTS, intercept=30.0)) == 0


def test_a_question_without_words_is_harmless() -> None:
    found = features("???", [a_hit("text", vector=(1, 0.2))], idf=flat)
    assert found.coverage == 0
    assert found.cosine == pytest.approx(0.2)


def test_confidence_by_hand() -> None:
    weights = Weights(-1.0, (SupportPiece("cosine", 2.0, 0.2, 0.6), SupportPiece("coverage", 1.0)), 0.5, "by hand")
    # -1 + 2 * 0.6 (held) + 0.5 = 0.7
    assert confidence(Features(cosine=0.9, coverage=0.5), weights) == pytest.approx(1 / (1 + math.exp(-0.7)))
    for intercept in (-1e6, 1e6):
        assert 0 <= confidence(Features(cosine=1), Weights(intercept, (), 0.5, "")) <= 1


def test_the_settings_give_weights_of_their_own() -> None:
    weights = weights_of(-1.0, [("cosine", 2.0, 0.2, 0.6)])
    assert weights.pieces == (SupportPiece("cosine", 2.0, 0.2, 0.6),)
    assert (weights.intercept, weights.threshold, weights.by_size) == (-1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("feature", "weight", "low", "message"),
    [
        ("cosine", -0.1, 0.0, "the weight of cosine is -0.1"),
        ("charm", 1.0, 0.0, "there is no feature 'charm'"),
        ("cosine", math.nan, 0.0, "the weight of cosine is nan"),
        ("cosine", 1.0, 3.0, "the weight of cosine is 1.0"),
    ],
)
def test_weights_that_reward_worse_evidence_are_refused(feature: str, weight: float, low: float, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        weights_of(0.0, [(feature, weight, low, 2.0)])


def test_the_shipped_weights_tell_support_from_none() -> None:
    good = a_hit("Employees may claim the cost of a hotel.", vector=(1, 0.8), keyword=(1, 7.0))
    rest = [a_hit("The cost of travel.", rank=r, vector=(r, 0.5), keyword=(r, 2.0)) for r in range(2, 6)]
    poor = [a_hit("Sensors are calibrated.", rank=r, vector=(r, 0.15)) for r in range(1, 6)]
    strong = confidence(features(QUESTION, [good, *rest], idf=flat), DEFAULT_WEIGHTS)
    weak = confidence(features(QUESTION, poor, idf=flat), DEFAULT_WEIGHTS)
    assert weak < DEFAULT_WEIGHTS.threshold < strong


@given(values=st.lists(st.floats(0, 2), min_size=8, max_size=8), raised=st.integers(0, 7), by=st.floats(0, 1))
def test_more_of_a_feature_never_lowers_the_score(values: list[float], raised: int, by: float) -> None:
    name = fields(Features)[raised].name
    less = Features(*values)
    more = replace(less, **{name: getattr(less, name) + by})
    assert confidence(less, DEFAULT_WEIGHTS) <= confidence(more, DEFAULT_WEIGHTS)
