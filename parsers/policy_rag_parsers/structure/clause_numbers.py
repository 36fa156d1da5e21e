"""Clause numbers as people write them."""

import re

from policy_rag_parsers.text.unit_words import (
    FORMS,
    INSERTED,
    ONE_SERIES,
    ORDINAL_VALUE,
    plain_value,
    words_pattern,
)

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_OTHERS = (
    "paragraphs?|paras?|points?|items?|§+|number|no|abs|absatz|ziffer|ziff|punkt|nr|apartado|alinéa|lid|"
    "sections?|sec|clauses?|articles?|art|rules?"
)
_PLAIN = words_pattern(form for form, unit in FORMS.items() if unit in ONE_SERIES and unit != "subsection")
_WORDS = rf"{_PLAIN}|{_OTHERS}"
_LEADING_WORD = re.compile(rf"^(?:{_WORDS})\.?\s*(?=[\dA-ZÚ(])", re.IGNORECASE)
_VALUE = re.compile(rf"{ORDINAL_VALUE}$|\d{{1,4}}{INSERTED}$")
_LAST_ITEM = re.compile(r"\.?\([^()]*\)$")


def number_key(number: str) -> str:
    """One spelling for all ways to write a clause number, for comparison.

    >>> number_key("Section 4.2 (b)"), number_key("1.1.1.(2)"), number_key("§ 7")
    ('4.2(b)', '1.1.1(2)', '7')
    """
    plain = "".join(_LEADING_WORD.sub("", _INVISIBLE.sub("", number).strip()).split())
    plain = _VALUE.sub(lambda match: plain_value(match.group()), plain, count=1)
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
