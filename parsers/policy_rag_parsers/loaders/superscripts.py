"""How raised digits are written: a note's mark, a power, a fraction, the number of a sentence.

Written as they stand they would change a figure: "11⁸ days" with a note 8 is not 118 days. Word, HTML and PDF mark
raised text each in its own way; what is made of it is the same for all three.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

_LOOK: Final = 40  # characters before and behind that can matter
_MARKS: Final = re.compile(r"\(?(?P<marks>[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3})*)\)?")
_NEGATIVE: Final = re.compile(r"[-–\u2212](?P<digits>[0-9]{1,3})")
_LENGTH_UNIT: Final = re.compile(r"(?<![^\W\d_])(?:[kcdmµ]?m|ft|yd)\Z")
_POWERS: Final = {"2": "²", "3": "³"}
_PRODUCT_OF_TEN: Final = re.compile(r"[×·∙⋅*]\s*10\Z")
_TEN: Final = re.compile(r"(?<![\d.,])10\Z")
# Powers of a bare 10 in texts: thousands, millions ... Others, and those before what is counted or paid, are notes.
_LARGE: Final = frozenset({"3", "6", "9", "12", "15"})
_COUNTED: Final = re.compile(
    r"\s*(?:%|€|\$|£|(?:EUR|USD|GBP|CHF|euros?|per\s?cent|percent|prozent|hours?|(?:working\s|calendar\s|business\s)?days?|"
    r"weeks?|months?|years?|minutes?|stunden?|(?:arbeits|werk|kalender)?tagen?|wochen?|monate?n?|jahre?n?|minuten?)\b)",
    re.IGNORECASE,
)


def with_superscripts(pieces: Sequence[str], raised_at: Collection[int], lead: str = "") -> list[str]:
    """The pieces of a block, those that are raised written so that they change no figure before them.

    Args:
        pieces: in order; neighbouring raised ones are one mark, of which all but the first become "".
        raised_at: the indices of those that are raised.
        lead: what stands before all.

    Returns:
        As many pieces.

    >>> "".join(with_superscripts(["up to 150", "1", " euros"], {1})), with_superscripts(["10 m", "2"], {1})
    ('up to 150[1] euros', ['10 m', '²'])
    """
    written = list(pieces)
    at = 0
    while at < len(pieces):
        end = at + 1
        if at in raised_at:
            while end in raised_at:
                end += 1
            before = lead + "".join(written[max(0, at - _LOOK) : at])
            written[at] = raised(before, "".join(pieces[at:end]), "".join(pieces[end : end + _LOOK]))
            written[at + 1 : end] = [""] * (end - at - 1)
        at = end
    return written


def raised(before: str, text: str, behind: str) -> str:
    """What is written for raised text.

    - digits behind a word or figure are the mark of a note, as Word's own notes are written: `[8]`, `[1, 2]`;
    - behind a unit of length 2 and 3 stay raised (`m²`), behind 10 and with a minus sign they are powers (`10^6`);
    - before a stroke they begin a fraction: "2 1/2";
    - behind a blank and directly before a word they number a sentence, as in German statutes: "2 Sie";
    - anything else, such as "st" or "*", is written as it is.

    Args:
        before: the text of the same block before it, written already; only its end matters.
        text: the raised text, whole where the file cuts it in pieces.
        behind: the text of the block behind it; only its beginning matters.

    Examples:
        >>> raised("more than 11", "8", " days"), raised("Area 20 m", "2", "."), raised("4 · 10", "6", " users")
        ('[8]', '²', '^6')
        >>> raised("It is paid. ", "2", "Sie gilt"), raised("the 1", "st", " day"), raised("2", "1", "/2 years")
        ('2 ', 'st', ' 1')
    """
    plain = text.strip()
    before, behind = before[-_LOOK:], behind[:_LOOK]
    if (negative := _NEGATIVE.fullmatch(plain)) and before[-1:].isalnum():
        return f"^-{negative['digits']}"
    match = _MARKS.fullmatch(plain)
    if match is None:
        return text
    marks = match["marks"]
    if behind[:1] in {"/", "⁄"}:
        return f" {plain}" if before[-1:].isdigit() else plain
    if marks == plain and (power := _power(before, plain, behind)):
        return power
    directly = behind[:1].isalpha()
    if directly and before[-1:].isspace():
        return f"{plain} "
    return f"[{marks}]" + (" " if directly else "")


def _power(before: str, digits: str, behind: str) -> str:
    """A power as it is written; "" where it is none."""
    if _LENGTH_UNIT.search(before):
        return _POWERS.get(digits, "")
    large = digits in _LARGE and _TEN.search(before) and not _COUNTED.match(behind)
    return f"^{digits}" if large or _PRODUCT_OF_TEN.search(before) else ""
