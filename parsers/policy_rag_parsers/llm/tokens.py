"""Texts on their way to and from an LLM: how long they are in tokens, and what a model thought aloud."""

import re

_PIECE = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]")
_THINKING = re.compile(r"<(think|thinking|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<(think|thinking|thought)>.*\Z", re.DOTALL | re.IGNORECASE)
_CLOSED_THINKING = re.compile(r"\A.*</(think|thinking|thought)>", re.DOTALL | re.IGNORECASE)


def estimate_tokens(text: str) -> int:
    """Tokens that an English text has at most with the usual tokenizers, counted without one.

    A run of ASCII letters counts one for every four begun, a digit one, any other visible character one. Byte-pair
    tokenizers of current models need about 1.3 tokens for an English word; this gives about 1.7. A language that the
    tokenizer hardly knows may need more: that the server read the whole prompt is checked against its own count.

    >>> estimate_tokens("Leave of 25 days, at most.")
    10
    """
    total = 0
    for piece in _PIECE.findall(text):
        total += -(-len(piece) // 4) if piece[0].isascii() and piece[0].isalpha() else len(piece)
    return total


def fewest_tokens(text: str) -> int:
    """Tokens that a text has at least: one a word, since the usual tokenizers split at blanks.

    >>> fewest_tokens("Leave of 25 days.")
    4
    """
    return len(text.split())


def without_thinking(text: str) -> str:
    """A reply without what a model writes between `<think>` and `</think>`, closed or not, opened or not.

    >>> without_thinking("<think>Section 2 says so.</think> 25 days [2].")
    '25 days [2].'
    >>> without_thinking("so it is section 2.</think>25 days [2].")
    '25 days [2].'
    """
    text = _THINKING.sub("", text)
    text = _CLOSED_THINKING.sub("", text)
    return _OPEN_THINKING.sub("", text).strip()
