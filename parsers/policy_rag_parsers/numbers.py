"""Clause numbers as people write them."""

import re

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_WORDS = (
    "sections?|sec|clauses?|articles?|art|rules?|paragraphs?|paras?|points?|items?|§+|number|no|"
    "abschnitte?|abs|absatz|ziffer|ziff|artikel|punkt|nr"
)
_LEADING_WORD = re.compile(rf"^(?:{_WORDS})\.?\s*(?=[\dA-Z(])", re.IGNORECASE)
_LAST_ITEM = re.compile(r"\.?\([^()]*\)$")


def number_key(number: str) -> str:
    """One spelling for all ways to write a clause number, for comparison.

    >>> number_key("Section 4.2 (b)"), number_key("1.1.1.(2)"), number_key("§ 7")
    ('4.2(b)', '1.1.1(2)', '7')
    """
    plain = "".join(_LEADING_WORD.sub("", _INVISIBLE.sub("", number).strip()).split())
    # "1)" and "1." are both 1, but the bracket of "4.2(b)" belongs to the number.
    closed = plain if "(" in plain else plain.rstrip(").:")
    return closed.rstrip(".:").replace(".(", "(").casefold()


def enclosing(key: str) -> str | None:
    """The number without its last bracket, or None where it has none.

    >>> enclosing("4.2(b)(ii)"), enclosing("4.2(b)"), enclosing("4.2")
    ('4.2(b)', '4.2', None)
    """
    shorter = _LAST_ITEM.sub("", key)
    return shorter if shorter != key and shorter else None
