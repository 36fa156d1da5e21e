"""What may be shown of a reply while it is being written."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from policy_rag.llm.streaming import text_so_far, without_begun
from policy_rag_parsers.llm.tokens import without_thinking

TAGS = ["<think>", "</think>", "<Thinking>", "</thinking>", "<thought>", "</thought>", "<", "</", "th", "ink>"]


@given(st.lists(st.sampled_from([*TAGS, "a", "b ", " c", "\n"]), max_size=12).map("".join))
@example("a <think>b</think> c")
@example("<thought>b<")
def test_what_is_shown_begins_what_is_shown_later_unless_all_was_thinking(reply: str) -> None:
    cuts = [text_so_far(reply[:end]) for end in range(len(reply) + 1)]
    for end, (before, after) in enumerate(pairwise(cuts), 1):
        assert after.startswith(before) or reply[:end].endswith(">"), reply[:end]
    whole = without_thinking(reply)
    assert whole.startswith(cuts[-1])
    assert not any("<think>" in cut.lower() for cut in cuts)


@given(st.text("abcAB ", max_size=12), st.sampled_from(["abc", "aab", "b", ""]))
def test_only_the_beginning_of_a_secret_is_held_back(text: str, whole: str) -> None:
    kept = without_begun(text, whole)
    held = text[len(kept) :]
    assert text == kept + held
    assert not held or (whole.startswith(held.lower()) and len(held) < len(whole))
    assert not any(n < len(whole) and text[-n:].lower() == whole[:n] for n in range(len(held) + 1, len(text) + 1))
