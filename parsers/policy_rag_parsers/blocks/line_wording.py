"""What the words of a line say of its place: whether it closes, leads into a list, says how one is meant, limits."""

import re

from policy_rag_parsers.text.lexicon import JOINING, alternatives, line_words

_TERMINAL = re.compile(r"[.!?…:;。！？][\"'”’»)\]*_]*$")
_MARKUP = re.compile(r"[\s#*_|>]+")
# What makes a line without a full stop a clause, and what of a title changes the meaning of the list below it.
_GOVERNS = re.compile(
    rf"(?<!\w)(?:{line_words('finite', 'governs')})(?!\w)"
    rf"|(?<!\S)(?!(?-i:[A-Z]\b))(?:{alternatives(JOINING)}|{line_words('joints', 'ends', 'small', 'opens')})\W*$",
    re.IGNORECASE,
)
_LIMITS = re.compile(rf"(?:{line_words('limits')})\b", re.IGNORECASE)

_POINTS_ON = re.compile(rf"(?<!\w)(?:{line_words('points_on')})(?!\w)", re.IGNORECASE)


def is_terminal(line: str) -> bool:
    """Whether a line ends in a mark that closes a sentence, an item or a lead.

    >>> is_terminal("(a) it pays;"), is_terminal("Staff must not")
    (True, False)
    """
    return _TERMINAL.search(line) is not None


def introduces(line: str) -> bool:
    """Whether a line ends in a colon or a dash."""
    return line.rstrip("*_ ").endswith((":", "—", "–"))


def points_on(sentence: str) -> bool:
    """Whether a sentence points to a list or a table right below it, though it ends as any other.

    >>> points_on("Offices close on these days."), points_on("These days are paid."), points_on("See the table below.")
    (True, False, True)
    """
    return _POINTS_ON.search(sentence) is not None


def governs(line: str) -> bool:
    """Whether a line without a full stop says how a list below it is meant.

    >>> governs("Staff must not"), governs("Prohibited items"), governs("Travel costs")
    (True, True, False)
    """
    return _GOVERNS.search(line) is not None


def limits(line: str) -> bool:
    """Whether a sentence begins as an exception to what stands before it does."""
    return _LIMITS.match(line) is not None


def plain(line: str) -> str:
    """A line without markup and punctuation, in small letters, as titles are compared."""
    words = re.sub(r"[^\w\s.()]", " ", _MARKUP.sub(" ", line)).casefold()
    return " ".join(part.strip(".()") for part in words.split()).strip()
