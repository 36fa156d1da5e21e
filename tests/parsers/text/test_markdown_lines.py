"""Where Markdown's line ends are blanks, and which of its lines nobody reads."""

import pytest

from policy_rag_parsers.text.markdown_lines import comments, is_unread
from policy_rag_parsers.text.sentences import is_wrapped, paragraph_spans, sentence_spans


def sentences(text: str) -> list[str]:
    return [text[a:b] for a, b in sentence_spans(text, 0, len(text), soft=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ask the\n[Travel Desk](https://x.y/z) first. Then\nbook.", ["Ask the\n[Travel Desk](https://x.y/z) first.", "Then\nbook."]),
        ("Wait for the\n(IR) team. Go.", ["Wait for the\n(IR) team.", "Go."]),
        ("See page\n12. Then go.", ["See page\n12.", "Then go."]),
        ("Leave of at least\n2.5 days is paid.", ["Leave of at least\n2.5 days is paid."]),
        ("Staff must not\n4.1 smoke;\n4.2 shout.", ["Staff must not", "4.1 smoke;", "4.2 shout."]),
        ("1. Open the\n   Desk App\n2. Log in", ["1. Open the\n   Desk App", "2. Log in"]),
        ("Bring\n- a pass for\n  Room 2\n- a badge", ["Bring", "- a pass for\n  Room 2", "- a badge"]),
        ("A dash\n– like this –\nends nothing.", ["A dash\n– like this –\nends nothing."]),
        ("> Both of\n> Them go. They\n> Stay.\n>\n> Others leave.", ["Both of\n> Them go.", "They\n> Stay.", "Others leave."]),
        ("> - one for\n>   All\n> - two", ["- one for\n>   All", "- two"]),
        ("> [!NOTE]\n> Ask\n> First.", ["[!NOTE]", "Ask\n> First."]),
        ("{% alert %}\nAsk the\nDesk.\n{% endalert %}", ["{% alert %}", "Ask the\nDesk.", "{% endalert %}"]),
        ('Ask in\n{% channel "x" %}\nFirst.', ['Ask in\n{% channel "x" %}\nFirst.']),
        ("Desk 4  \nRoom 2\\\nFloor 3", ["Desk 4", "Room 2\\", "Floor 3"]),
        ("**Scope**\nThis is for\nAll.", ["**Scope**", "This is for\nAll."]),
        ("Never\n**Share Passwords**\nwith Others.", ["Never\n**Share Passwords**\nwith Others."]),
        ("Ask.\n[desk]: https://x.y\n[two]: <z> 'T'", ["Ask.", "[desk]: https://x.y", "[two]: <z> 'T'"]),
        ("See it.\n[^1]: A note of\nTwo lines.", ["See it.", "[^1]: A note of\nTwo lines."]),
        ("Text\n<div>\nMore\n</div>", ["Text", "<div>", "More", "</div>"]),
        ("Contents\nScope\nHotels", ["Contents", "Scope", "Hotels"]),
        ("Scope ..... 4\nHotels ..... 5", ["Scope ..... 4", "Hotels ..... 5"]),
    ],
)  # fmt: skip
def test_a_sentence_never_ends_at_a_soft_line_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


MARKS = (
    *("```", "~~~ yaml", "<!-- x -->", "</details>", '!!! note "Do"', ":::", "{: .wide}", "![a](b.png)", "[TOC]"),
    "<th>Room</th>",
)
WORDS = ("<https://x.y>", "[Desk](x)", "[^1]: A note.", "[Note]: ask a person", "Ask!", "a: b", "<td>Room</td>")


@pytest.mark.parametrize(("line", "unread"), [*((mark, True) for mark in MARKS), *((words, False) for words in WORDS)])
def test_marks_that_lay_out_are_not_read_and_words_are(line: str, unread: bool) -> None:
    assert is_unread(line, 0, len(line)) is unread


def test_a_text_is_wrapped_where_nearly_all_lines_were_full() -> None:
    sentence = "Everyone who travels books a Room through the Desk, keeps the Receipts and asks a Manager. "
    words, lines, line = (sentence * 12).split(), [], ""
    for word in words:
        if len(line) + len(word) >= 60:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    assert is_wrapped("\n".join([*lines, line]))
    assert not is_wrapped("\n".join(f"Item {n} costs {'x' * n}" for n in range(20)))
    assert not is_wrapped("One line.\nAnother")


def test_where_a_line_end_is_no_blank_short_lines_stay_apart() -> None:
    text = "Scope\nThis policy applies."
    assert len(paragraph_spans(text, 0, len(text))) == 2
    assert len(paragraph_spans(text, 0, len(text), soft=True)) == 1


def test_comments_of_both_kinds_are_found_and_one_that_is_never_closed_is_none() -> None:
    text = "a <!-- b --> c {% comment %} d {% endcomment %} e <!-- f"
    assert [text[a:b] for a, b in comments(text)] == ["<!-- b -->", "{% comment %} d {% endcomment %}"]


@pytest.mark.parametrize(
    "unit", ["<!-- ", "{% comment %}\n", "{% x %}\n", "<th>a</th>", "> ", "[a]: ", "**a**\n", "](", "{{"]
)
def test_long_runs_of_marks_end(unit: str) -> None:
    text = f"{unit * 5_000}."
    spans = paragraph_spans(text, 0, len(text), soft=True)
    assert all(first < last for first, last in spans)
    assert comments(text) == []
