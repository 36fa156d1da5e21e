"""Statements that follow a sentence nearly word for word: what counts as turned round, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.verification.near_copy_diff import departure

SOURCE = (
    "Staff must report a loss within 24 hours, and the Officer may extend this by 10 days unless the loss is not minor."
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("24 hours", "10 hours", 'says "10"'),  # 10 stands in the sentence, of something else
        ("within 24", "no earlier than 24", 'says "no earlier than"'),
        ("24 hours", "24 cents", 'says "24 cents"'),
        ("24 hours", "forty hours", 'says "forty"'),
        ("must", "may", 'says "may"'),  # both modals stand in the sentence
        ("may extend", "must extend", 'says "must"'),
        ("may extend", "may not extend", 'puts in "not"'),
        ("is not minor", "is minor", 'leaves out "not"'),
        ("must report", "must not report", 'puts in "not"'),
        ("must report", "need not report", 'says "need not"'),
    ],
)
def test_what_is_turned_round_is_named(old: str, new: str, said: str) -> None:
    assert old in SOURCE
    assert said in departure(SOURCE.replace(old, new), SOURCE)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (SOURCE, SOURCE),
        (f"The policy says that {SOURCE}", SOURCE),
        (SOURCE.replace("must", "is required to"), SOURCE),
        (SOURCE.replace("10 days", "ten days"), SOURCE),
        (SOURCE.replace("loss within", "theft or loss within"), SOURCE),
        ("Keys must not be copied by the staff.", "Keys may not be copied by the staff."),
        ("Keys are not permitted to be copied by the staff.", "Keys may not be copied by the staff."),
        ("Claims are sent in by 3 May to the desk.", "Claims are sent in not later than 3 May to the desk."),
        ("Late claims by staff are paid only if approved.", "Late claims by staff are not paid unless approved."),
        ("Staff report a loss within 24 hours.", SOURCE),  # the rest is left out
        ("Pets are welcome, but not 3 snakes.", SOURCE),  # not made from it
        ("A fee of 5 may be due.", "A fee of 5 may be due."),
        ("Leave that is left lapses on 31.03. at noon.", "Leave that is left lapses on 31 March at noon."),
        ("A drive is paid with 30 cents a mile.", "A drive is paid with 0.30 euros a mile."),
    ],
)
def test_other_words_for_the_same_are_not(statement: str, sentence: str) -> None:
    assert departure(statement, sentence) == ""


def test_numbers_of_one_sentence_may_not_change_places() -> None:
    source = "The hotel costs 120 euros in Germany and 155 euros in France."
    assert departure(source.replace("120", "155", 1), source) == 'it says "155" where what it cites says "120"'


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_compare_and_a_text_never_departs_from_itself(first: str, second: str) -> None:
    assert isinstance(departure(first, second), str)
    assert departure(first, first) == ""
