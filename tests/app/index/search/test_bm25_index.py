"""Keyword search: BM25 by hand, and the words of a text. What every store keeps of it: `test_keyword_search`."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.index.search.bm25_index import KeywordIndex, KeywordSettings, best_rows
from policy_rag.index.search.terms import detect_language, pairs, terms

WORDS_ONLY = {"pair_weight": 0.0}


def built(*texts, **settings):
    return KeywordIndex.build([terms(text) for text in texts], KeywordSettings(**settings))


def test_bm25_by_hand():
    index = built("hotel hotel train", "train", "taxi", k1=1.2, b=0.75)
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    length = 3 / ((3 + 1 + 1) / 3)
    expected = idf * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * length))
    assert index.scores(terms("hotels"), **WORDS_ONLY).tolist() == pytest.approx([expected, 0, 0], rel=1e-5)
    assert index.idf(["hotel"]).tolist() == pytest.approx([idf], rel=1e-6)


def test_clause_numbers_are_words_of_their_own():
    index = built("Section 7 Trains", "Section 8 Planes", "4.2 (b) Taxis", "4.20 Ships")
    assert best_rows(index.scores(terms("Section 8"), **WORDS_ONLY), 4).tolist()[0] == 1
    assert best_rows(index.scores(terms("4.2(b)"), **WORDS_ONLY), 4).tolist() == [2]


def test_hyphens_possessives_and_invisible_marks_do_not_part_words():
    assert terms("follow-up") == terms("follow up")
    assert terms("the company’s car") == terms("company car")
    assert terms("Rule \u200e1.3.3") == terms("rule 1.3.3")


def test_stems_are_those_of_the_language():
    assert terms("Urlaubstage", "german") == terms("Urlaubstagen", "german")
    french = "Les salariés ont droit à des congés payés et ils doivent les poser avant la fin."
    assert (detect_language(french), detect_language("")) == ("french", "english")


def test_texts_without_words_score_nothing_and_have_no_pairs():
    assert built().scores(["hotel"], pair_weight=0.3).tolist() == []
    assert built("the", "a").scores(["hotel"], pair_weight=0.3).tolist() == [0, 0]
    assert pairs([]) == pairs(["one"]) == []


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.5]), max_size=40), st.integers(1, 10))
def test_best_rows_are_the_highest_scores_in_order_of_the_row(scores, n):
    expected = sorted((i for i, s in enumerate(scores) if s > 0), key=lambda i: (-scores[i], i))[:n]
    assert best_rows(np.array(scores, dtype=np.float32), n).tolist() == expected
