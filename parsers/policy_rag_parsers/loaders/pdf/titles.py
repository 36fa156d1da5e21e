"""What reads like a title on a page of a PDF, and where one goes on over lines."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.bold_headings import number_depth
from policy_rag_parsers.loaders.pdf.lines import TextLine, make_line
from policy_rag_parsers.text.lexicon import JOINING, LINKING, line_sets

MAX_LENGTH: Final = 240
"""Characters of a title, at most."""

_NO_TITLE: Final = re.compile(r"=|://|@|[;,]\Z|\A\W*\Z")
_MOST_WORDS: Final = 16  # of a title
_MOST_WORDS_CLOSED: Final = 5  # of one that ends like a sentence
_LEADING: Final = 1.22  # times the usual distance of lines, at most, are those of one title apart
_SET_OFF: Final = 0.85  # font sizes, at least, lie between a title and the text that begins on its line
_CELL_GAP: Final = 1.5  # font sizes
_UNEVEN: Final = 2.0  # times as wide as the narrowest gap of its line, at least: justified lines have even ones
# What begins no title.
_INSIDE: Final = line_sets("joints") | JOINING


def is_title(text: str, *, large: bool = False) -> bool:
    """Whether a text reads like a title: not like a sentence, a label, a formula or an address.

    Args:
        text: the text.
        large: whether it is larger than the text of its page, so that it may be long, or end like a sentence.

    >>> [is_title(text) for text in ("Leave of absence", "Leave is granted by the manager.", "2.1 Pay")]
    [True, False, True]
    >>> is_title("What happens to my leave if I move to another country?", large=True)
    True
    """
    text = text.strip()
    if len(text) > MAX_LENGTH or not any(map(str.isalpha, text)) or text[0].islower() or _NO_TITLE.search(text):
        return False
    words = len(text.split())
    if large or text[-1] == "?":
        return words <= 2 * _MOST_WORDS
    closed = text[-1] in ".!" and words > _MOST_WORDS_CLOSED + (number_depth(text) > 0)
    return words <= _MOST_WORDS and not closed


def title_goes_on(lines: Sequence[TextLine], line: TextLine, spacing: float) -> bool:
    """Whether a line goes on with the title above it, which is of its style, whatever room that left.

    Titles are balanced, narrow or centred, and "§ 1" has its title below. So a line without a number belongs to the
    numbered title directly over it; where that has no number, words must say that the title goes on.

    Args:
        lines: the lines of the title so far, at least one.
        line: the next line.
        spacing: the usual distance between the bottoms of two lines of the text, in font sizes.
    """
    before, length = lines[-1], sum(len(above.text) + 1 for above in lines)
    near = 0 < line.bottom - before.bottom <= _LEADING * max(spacing, 1.2) * line.size
    if not near or length + len(line.text) > MAX_LENGTH or number_depth(line.text) or is_row(line):
        return False
    return title_is_open(before.text, line.text) or number_depth(lines[0].text) > 0


def title_is_open(before: str, after: str) -> bool:
    """Whether the words say that a title goes on from one line to the next.

    >>> title_is_open("Journeys of more", "than five days"), title_is_open("Duties of the", "Manager")
    (True, True)
    """
    first, last = after.split(maxsplit=1)[0], before.rsplit(maxsplit=1)[-1]
    if number_depth(after):
        return False
    if len(last) == 1 and last.isupper():  # "Appendix A"
        return first[0].islower()
    return first[0].islower() or first.casefold() in _INSIDE or last.casefold() in LINKING


def run_in_title(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[TextLine]] | None:
    """A paragraph as the title in bold that it begins with, set off by a wide blank, and its text; None without one.

    The text goes on under the title: beside a label it would stand in a column of its own.
    """
    for at, line in enumerate(lines):
        bold = next((place for place, word in enumerate(line.words) if not word.bold), None)
        if bold is None:
            continue
        if bold == 0 or at + 1 == len(lines) or lines[at + 1].x0 > lines[0].x0 + line.size / 2:
            return None
        head, rest = line.words[:bold], line.words[bold:]
        if rest[0].x0 - head[-1].x1 < _SET_OFF * line.size:
            return None
        return [*lines[:at], make_line(head)], [make_line(rest), *lines[at + 1 :]]
    return None


def is_row(line: TextLine) -> bool:
    """Whether a line has gaps as between the cells of a table: wide, and wider than those between its words."""
    gaps = sorted(after.x0 - before.x1 for before, after in pairwise(line.words))
    return bool(gaps) and gaps[-1] > _CELL_GAP * line.size and (len(gaps) == 1 or gaps[-1] > _UNEVEN * gaps[0])
