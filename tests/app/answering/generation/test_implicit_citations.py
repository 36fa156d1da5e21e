"""Which section holds a sentence word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_hits import made_hit as hit

from policy_rag.answering.generation.implicit_citations import neighbours_marks, section_with
from policy_rag.answering.generation.reply_parser import ReplySentence

FIRST = "Hotels cost up to 1,250.50 euros,\nunless the CFO agrees."
SECOND = "Rooms are booked by the desk. Hotels cost up to 1,250.50 euros."


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("Hotels cost up to 1,250.50 euros.", 1),
        ("hotels cost – up to 1,250.50 euros unless the CFO agrees", 1),
        ("Rooms are booked by the desk!", 2),
        ("Hotels cost up to 1,250 euros.", None),
        ("Hotels cost up to 1,250.50 euros unless the CEO agrees.", None),
        ("tels cost up to 1,250.50 euros.", None),
        ("By the desk.", None),
        ("", None),
        ("A refund of 20 % is paid.", 3),  # a sign is a word
        ("A refund of 20 € is paid.", None),
        ("A refund of 20 is paid.", None),
    ],
)
def test_the_words_stand_one_after_the_other_in_one_section(sentence, number):
    assert section_with(sentence, [hit(FIRST), hit(SECOND), hit("A refund of 20 % is paid at once.")]) == number


@given(st.lists(st.sampled_from(["must", "not", "pay", "25", "days", "the"]), min_size=4, max_size=12), st.data())
def test_any_run_of_words_is_found_and_none_with_a_word_left_out(words, data):
    text = " ".join(words)
    assert section_with(text, [hit("Else. " + text.replace(" ", "\n"))]) == 1
    gap = data.draw(st.integers(1, len(words) - 1))
    assert section_with(text, [hit(" ".join([*words[:gap], "never", *words[gap:]]))]) is None


def said(cited: tuple[int, ...], *, item: bool = False) -> ReplySentence:
    return ReplySentence("A.", "A.", cited, item)


@pytest.mark.parametrize(
    ("sentences", "marks"),
    [
        ([], []),
        ([said(()), said(())], [(), ()]),
        ([said(()), said(()), said((2, 3))], [(2, 3)] * 3),  # one mark behind the paragraph
        ([said((1,)), said(()), said(())], [(1,)] * 3),  # or before it
        ([said((1,)), said(()), said((2,))], [(1,), (2,), (2,)]),
        ([said(()), said((1,), item=True), said((), item=True), said(())], [(), (1,), (), ()]),
        ([said((1,)), said((), item=True), said((2,))], [(1,), (), (2,)]),
    ],
)
def test_a_sentence_without_a_mark_cites_what_its_neighbours_cite(sentences, marks):
    assert neighbours_marks(sentences) == marks
