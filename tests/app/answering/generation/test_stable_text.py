"""How much of a reply is settled while it is written: never what a later word could change, and soon enough."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from policy_rag.answering.generation.reply_parser import raw_sentences, split_reply
from policy_rag.answering.generation.stable_text import StableText

FRAGMENTS = [
    "Leave is 25 days", "leave", "Ask HR", "It ends", "Dr. Li", "e.g. ", "No. ", "no. 5", "Sec. 3", "Inc. ", "a.m. ",
    "[1]", " [1][2]", "[", "]", "【1】", "[Section 3]", "[see ", "[1] Leave policy\n", "(a) ", "- ", "* ", "1. ", "4.2. ",
    ".", ". ", "...", "…", "?", " ", " ", "\n", "\n", "\n\n", " \n \n", ":", ";", "25. ", "25. Dezember ", "IV", "A.",
    "# ", "## Title\n", "**", "__", "**Bold**", "`", "|", " | ", "| a | b |\n", "|---|\n", "---\n", "===", "\t", "。",
    "Sources:", "Sources\n", "Sources of ", "References", '"', "”", ")", "(", "x" * 45 + " ", "word " * 12, "word " * 45,
    "Rule 4. ", "NOT ANSWERED", "–", "The ", "the ", "\u00a0", "\u2028", "_", "~", "=", "§ 3",
    "(Section 2)", "(see ", "Section 1)", "¹", "², ³", "²",
]  # fmt: skip
REPLIES = st.lists(st.sampled_from(FRAGMENTS), max_size=24).map("".join)


@settings(max_examples=400)
@given(REPLIES, st.lists(st.integers(1, 9), min_size=1, max_size=40))
@example("# # 25. Leave ends\n===\nIt ends. Ask HR now. ", [1])
@example("Leave is 25 days. It ends\nAsk HR now. " + "word " * 45, [1])
@example("Leave is 25 days. It ends | Ask HR now.", [1])
@example("**Leave is 25 days. It ends**\nAsk HR.", [1])
@example("Leave is 25 days [1]\nAsk HR [2]. The word\n" + "word " * 12, [1])
@example("Leave is 25 days. \n[1]\nAsk HR now. It ends.", [1])
def test_what_is_settled_stays_whatever_comes(reply: str, steps: list[int]) -> None:
    whole = raw_sentences(reply)
    settled, text, at = StableText(), "", 0
    for step in [*steps, *[7] * (len(reply) // 7 + 1)]:
        at += step
        before, text = text, settled.grow(reply[:at])
        assert text.startswith(before)
        assert reply[:at].startswith(text)
        kept = raw_sentences(text)
        assert whole[: len(kept)] == kept


@pytest.mark.parametrize(
    ("reply", "settled"),
    [
        ("Leave is 25 days [1].", ""),
        ("Leave is 25 days [1]. ", ""),
        ("Leave is 25 days [1]. Ask", ""),
        ("Leave is 25 days [1]. Ask HR", "Leave is 25 days [1]. "),
        ("Leave is 25 days. [1", ""),
        ("Leave is 25 days. [1] A", ""),
        ("Leave is 25 days. [1] A ", "Leave is 25 days. [1] "),
        ('It is "25 days." [1] (See HR ', 'It is "25 days." [1] '),
        ("Leave is 25 days.¹ Ask HR", "Leave is 25 days.¹ "),
        ("Leave is 25 days. (see Section", ""),
        ("Leave is 25 days. (Section 1) Ask", ""),
        ("Ask Dr. Li first [1]. He knows", "Ask Dr. Li first [1]. "),
        ("Leave is 25 days, i.e. five weeks [1]", ""),
        ("- Leave is 25 days [1]\n- Ask", "- Leave is 25 days [1]\n"),
        ("1. Leave is 25 days [1]\n2. **Ask", "1. Leave is 25 days [1]\n"),
        ("You may claim:\n- hotels", "You may claim:\n"),
        ("## Leave\nLeave is 25", "## Leave\n"),
        ("**Leave**\nLeave is 25", "**Leave**\n"),
        ("Leave is 25 days [1].\nAsk HR", "Leave is 25 days [1].\n"),
        ("Leave is 25 days [1]\nAsk HR", ""),  # the line may only be wrapped
        ("Leave is 25 days [1]\n\nAsk", "Leave is 25 days [1]\n\n"),
        ("Leave is 25 days [1]\n\n[2", ""),
        ("Leave is 25 days [1].\n\nSources:\n[1] Leave policy. It is", "Leave is 25 days [1].\n\n"),
        ("| Leave | 25. Ask HR [1]", ""),
        ("Leave | 25 days. Ask HR", ""),  # a row of a table is one sentence
        ("Leave is 25 days. Ask HR | or", "Leave is 25 days. "),
    ],
)
def test_a_sentence_is_settled_once_the_next_has_begun(reply: str, settled: str) -> None:
    at_once, by_character = StableText(), StableText()
    assert at_once.grow(reply) == settled
    assert [by_character.grow(reply[:end]) for end in range(len(reply) + 1)][-1] == settled


def test_another_reply_is_read_anew() -> None:
    settled = StableText()
    assert settled.grow("Leave is 25 days [1]. Ask HR") == "Leave is 25 days [1]. "
    assert settled.grow("So it is 25 days [1]. Ask") == ""
    assert settled.grow("So it is 25 days [1]. Ask HR") == "So it is 25 days [1]. "


def test_a_bar_behind_a_sentence_makes_no_row_of_its_line() -> None:
    found = split_reply("Leave is 25 days [1]. Ask HR | or your manager [2].")
    assert [s.text for s in found] == ["Leave is 25 days.", "Ask HR | or your manager."]
    assert [s.text for s in split_reply("Leave | 25 days. Ask HR [1]")] == ["Leave | 25 days. Ask HR"]
    assert [s.text for s in split_reply("| Leave | 25 days. Ask HR [1] |")] == ["Leave: 25 days. Ask HR"]
