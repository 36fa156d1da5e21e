"""Finds the words that an LLM or a person quotes, where they stand in a section."""

import re
import unicodedata

from policy_rag_parsers.text.sentences import Span, trimmed

_LOOKS = str.maketrans({
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'",
    "–": "-", "—": "-", "‑": "-", "−": "-", "‹": "<", "…": ".",
})  # fmt: skip
_MARKUP = frozenset("*_|#\\")
_AROUND = re.compile(r"\A[\s\"“”„«»'‘’.…]+|(?:[\s\"“”„«»'‘’…]|\.{2,})+\Z")


def find_quote(text: str, start: int, end: int, quote: str) -> Span | None:
    r"""Where a quote stands in `text[start:end]`: verbatim, else up to blanks, case, markup and the kinds of marks.

    Of several places the first is taken. Quotation marks and dots around the quote do not matter.

    Returns:
        The place in `text`, without blanks at its ends; None where it stands nowhere, or the quote says nothing.

    >>> text = "Pay is made **up to**\nfull net pay, “as usual”."
    >>> text[slice(*find_quote(text, 0, len(text), '"pay is made up to full net pay, \'as usual\'"'))]
    'Pay is made **up to**\nfull net pay, “as usual'
    >>> find_quote(text, 0, len(text), "half net pay") is None
    True
    """
    wanted = quote.strip()
    if not any(char.isalnum() for char in wanted):
        return None
    at = text.find(wanted, start, end)
    if at >= 0:
        return at, at + len(wanted)
    plain, places = _plain(text, start, end)
    for form in dict.fromkeys((_plain_text(wanted), _plain_text(_AROUND.sub("", wanted)))):
        found = plain.find(form) if form else -1
        if found >= 0:
            return trimmed(text, places[found], places[found + len(form) - 1] + 1)
    return None


def holds_whole(text: str, words: str) -> bool:
    """Whether words stand in a text as they are, and not inside of a longer word or number.

    >>> [holds_whole(text, "5 days") for text in ("Take 5 days.", "Take 15 days.", "Take 1,5 days")]
    [True, False, False]
    """
    before = r"(?<!\w)(?<!\d[.,])" if words[:1].isalnum() else ""
    after = r"(?!\w)(?![.,]\d)" if words[-1:].isalnum() else ""
    return re.search(before + re.escape(words) + after, text) is not None


def _plain_text(text: str) -> str:
    return _plain(text, 0, len(text))[0].strip()


def _plain(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """The text as it is compared, and for each of its characters the place that it comes from."""
    chars: list[str] = []
    places: list[int] = []
    for place in range(start, end):
        char = text[place]
        if char.isspace() or char in _MARKUP:
            if chars and chars[-1] != " ":
                chars.append(" ")
                places.append(place)
            continue
        if unicodedata.category(char) == "Cf":
            continue
        looks = unicodedata.normalize("NFKC", char).translate(_LOOKS).casefold()
        # Marks alike in looks may have been doubled in writing: '' for ".
        for one in looks.replace("'", '"'):
            chars.append(one)
            places.append(place)
    return "".join(chars), places
