"""Keywords by TF-IDF, summaries by centrality: against numbers derived by hand and a dense oracle."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.metadata.centrality import DAMPING, word_centrality
from policy_rag_parsers.metadata.corpus_terms import corpus_terms
from policy_rag_parsers.metadata.keywords import section_keywords
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText
from policy_rag_parsers.metadata.summaries import ScoredSentence, summary


def keywords(*texts: str, title: str = "", language: str = "english") -> tuple[str, ...]:
    """Those of the first text, in a corpus of all."""
    sections = tuple(SectionText(str(at), text, title if not at else "") for at, text in enumerate(texts))
    corpus = corpus_terms([SectionedDocument("d", "D", sections, language)])
    return section_keywords(corpus.sections[0][0], corpus, language)


def test_the_rarer_word_comes_first_and_the_more_frequent_of_equals() -> None:
    # idf = ln(4/3)+1 = 1.29 of "pension" (in 2 of 3), ln(4/2)+1 = 1.69 of "bicycle" and "garage" (in 1 of 3);
    # "garage" comes twice: 1.69 * (1 + ln 2) = 2.87
    found = keywords("Bicycle. Pension. Garage. Garage.", "Pension.", "Helmet.")
    assert found == ("garage", "bicycle", "pension")


def test_idf_is_smoothed() -> None:
    sections = tuple(SectionText(str(at), text) for at, text in enumerate(["pension", "pension bicycle", "helmet"]))
    corpus = corpus_terms([SectionedDocument("d", "D", sections)])
    assert corpus.idf("pension") == pytest.approx(math.log(4 / 3) + 1)
    assert corpus.idf("nowhere") == pytest.approx(math.log(4) + 1)


def test_a_phrase_needs_a_second_mention_or_the_title() -> None:
    others = ("Helmet.", "Garage.", "Visa.")
    assert "parking permit" not in keywords("A parking permit costs nothing.", *others)
    assert keywords("A parking permit. The parking permit.", *others)[0] == "parking permit"
    assert "parking permit" in keywords("A parking permit costs nothing.", "Lost parking permit.", *others)
    assert keywords("It costs nothing.", *others, title="Parking permit")[0] == "parking permit"


def test_what_mostly_repeats_a_better_one_is_left_out() -> None:
    assert keywords("A parking permit. The parking permit.", "Helmet.") == ("parking permit",)


def test_words_of_rules_numbers_and_addresses_are_no_keywords() -> None:
    text = "1.2 Section 4 must apply (a) to desk@brannholt.example and https://brannholt.example/desk, 2026."
    assert keywords(text, "Helmet.") == ()


def test_spelling_follows_the_text() -> None:
    assert "DPO" in keywords("Ask the DPO.", "Helmet.")
    assert keywords("Helmets protect. Wear helmets.", "Visa.")[0] == "helmets"
    assert "Data Officer" in keywords("Ask the Data Officer. The Data Officer answers.", "Visa.")
    assert "Gleitzeit" in keywords("Die Gleitzeit endet.", "Urlaub.", language="german")


def _dense(vectors: np.ndarray) -> np.ndarray:
    """LexRank with its matrix: the oracle."""
    cosine = vectors @ vectors.T
    passing = (cosine / cosine.sum(axis=1, keepdims=True)).T
    count = len(vectors)
    rank = np.full(count, 1 / count)
    for _ in range(100):
        rank = (1 - DAMPING) / count + DAMPING * passing @ rank
    return rank


weights = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.1, 5), min_size=1)


@given(st.lists(st.lists(weights, min_size=1, max_size=6), min_size=1, max_size=4))
def test_centrality_by_words_is_that_of_the_full_matrix(groups: list[list[dict[str, float]]]) -> None:
    for group, ours in zip(groups, word_centrality(groups), strict=True):
        rows = np.array([[sentence.get(term, 0.0) for term in "abcdef"] for sentence in group])
        expected = _dense(rows / np.linalg.norm(rows, axis=1, keepdims=True))
        assert ours == pytest.approx(expected, abs=1e-4)


def test_a_sentence_without_words_gets_least_and_all_sum_to_one() -> None:
    (ranks,) = word_centrality([[{"a": 1.0}, {}, {"a": 1.0, "b": 1.0}]])
    assert ranks.sum() == pytest.approx(1)
    assert ranks.argmin() == 1
    assert [len(group) for group in word_centrality([[], [{}]])] == [0, 1]
    assert word_centrality([]) == []


def test_a_summary_takes_the_most_central_in_their_order() -> None:
    texts = ["First of all four words.", "Second has four words.", "Third has four words."]
    sentences = [ScoredSentence(text, {text: 1.0}) for text in texts]
    ranks = np.array([0.3, 0.2, 0.5])
    assert summary(sentences, ranks, most=2, chars=400) == f"{texts[0]} {texts[2]}"
    assert summary(sentences, ranks, most=2, chars=30) == texts[2]  # the other would not fit
    assert summary(sentences, ranks, most=1, chars=12) == "Third has…"
    assert summary([], np.zeros(0), most=2, chars=400) == ""


def test_whole_sentences_go_before_items_rows_and_fragments() -> None:
    texts = ["a | b | c | d", "it lacks a full stop", "Whole sentences are taken first.", "Too short."]
    sentences = [ScoredSentence(text, {text: 1.0}) for text in texts]
    assert summary(sentences, np.array([0.4, 0.3, 0.1, 0.2]), most=2, chars=400) == texts[2]
    assert summary(sentences[:1], np.ones(1), most=2, chars=400) == texts[0]


def test_what_says_the_same_is_taken_once() -> None:
    same = {"a": 1.0, "b": 1.0}
    sentences = [ScoredSentence("It is said here once.", same), ScoredSentence("It is said here twice.", same)]
    assert summary(sentences, np.array([0.4, 0.6]), most=2, chars=400) == "It is said here twice."
