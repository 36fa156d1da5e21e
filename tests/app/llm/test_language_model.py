"""How many tokens a text has at most and at least, and replies without the model's thinking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.models.factory import load_embedder
from policy_rag_parsers.llm.tokens import estimate_tokens, fewest_tokens, without_thinking

POLICY = (
    "4.2(b) Employees may claim up to EUR 1,250.00 for each business trip (see Annex C), provided that the receipts "
    "are submitted within 30 calendar days. Notwithstanding clause 3.1, reimbursement shall not exceed the "
    "organisation's authorised limits; exceptions require written pre-approval by the Chief Compliance Officer."
)


def test_a_word_piece_tokenizer_stays_between_the_bounds() -> None:
    texts = [POLICY, POLICY.upper(), "a | b | 12 | EUR 3.50\n" * 20]
    counted = load_embedder().count_tokens(texts)
    for text, tokens in zip(texts, counted, strict=True):
        assert fewest_tokens(text) <= tokens <= estimate_tokens(text)


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_longer_text_never_has_fewer_tokens(left: str, right: str) -> None:
    assert estimate_tokens(left + " " + right) == estimate_tokens(left) + estimate_tokens(right)
    assert estimate_tokens(left + right) >= estimate_tokens(left)


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("25 days [1].", "25 days [1]."),
        ("<think>a</think>25 days [1].", "25 days [1]."),
        ("<thinking>\na\n\nb</thinking>\n\n25 days [1].", "25 days [1]."),
        ("a b c</think>\n25 days [1].", "25 days [1]."),
        ("25 days [1].<think>and then", "25 days [1]."),
        ("<THINK>a</THINK>25<think>b</think> days", "25 days"),
        ("<think>never ends", ""),
    ],
)
def test_thinking_is_left_out(reply: str, kept: str) -> None:
    assert without_thinking(reply) == kept
