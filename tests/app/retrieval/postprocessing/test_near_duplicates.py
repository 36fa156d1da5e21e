"""The same clause in two places, and clauses that only look the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.retrieval.postprocessing.near_duplicates import merged, resemblance

RULE = (
    "Staff who travel on business keep every receipt and hand it in with the claim at the end of the month so that "
    "finance can pay the amount together with the salary of that month"
)


def test_resemblance_by_hand():
    # Shingles abc bcd | abc bce: one in three is shared.
    assert resemblance(list("abcd"), list("abce")) == pytest.approx(1 / 3)
    assert resemblance(["a"], ["a"]) == 1.0
    assert resemblance([], []) == 1.0
    assert resemblance(["a"], []) == 0.0


def test_layout_and_case_do_not_tell_texts_apart():
    assert merged([RULE + ".", RULE.upper().replace(" ", "\n"), "Something else"], least=0.9) == [(0, (1,)), (2, ())]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("within 10 days", "within 12 days"),
        ("within ten days", "within twelve days"),
        ("they must sign it", "they must not sign it"),
        ("they must sign it", "they may sign it"),
        ("only with approval", "with approval"),
    ],
)
def test_a_changed_rule_is_another_rule_however_alike(one, other):
    texts = [f"{RULE}. {RULE}. {tail}" for tail in (one, other)]
    assert resemblance(texts[0].split(), texts[1].split()) > 0.8
    assert merged(texts, least=0.8) == [(0, ()), (1, ())]


@given(st.lists(st.sampled_from(["a b c d", "a b c e", "x y", "x y 1", "", "not a b"]), max_size=9), st.floats(0.1, 1))
def test_every_text_is_shown_or_merged_once(texts, least):
    found = merged(texts, least=least)
    assert sorted(i for kept, others in found for i in (kept, *others)) == list(range(len(texts)))
    assert [kept for kept, _ in found] == sorted(kept for kept, _ in found)
    assert all(kept < other for kept, others in found for other in others)
    worded = [texts[kept] for kept, _ in found if texts[kept]]
    assert len(set(worded)) == len(worded)
    assert len(found) - len(worded) == texts.count("")  # nobody can say that two texts without words are the same
