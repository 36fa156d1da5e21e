"""Clause numbers as people write and ask for them."""

import re

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_WORDS = (
    "sections?|sec|clauses?|articles?|art|rules?|paragraphs?|paras?|points?|items?|§+|number|no|"
    "abschnitte?|abs|absatz|ziffer|ziff|artikel|punkt|nr"
)
_LEADING_WORD = re.compile(rf"^(?:{_WORDS})\.?\s*(?=[\dA-Z(])", re.IGNORECASE)
_ITEMS = r"(?:\s?\.?\((?:[a-z]{1,5}|\d{1,3})\))"
_BASE = r"(?:[A-Z]\.)?\d+[A-Z]{0,2}"
# A bare "7" is a clause number only behind a word that says so; "4.2" or "7(b)" is one by its form.
_NAMED = re.compile(
    rf"(?:\b(?:{_WORDS})\b|§+)\.?\s*(?P<number>{_BASE}(?:\.\d+[A-Z]?)*{_ITEMS}*)(?![\w%€$£])", re.IGNORECASE
)
_FORMED = re.compile(
    rf"(?<![\w.,€$£])(?P<number>{_BASE}(?:(?:\.\d+[A-Z]?)+{_ITEMS}*|{_ITEMS}+)|[A-Z]\.\d+)(?![\w%€$£])(?!\.\d)"
)
_NOT_BEFORE = re.compile(r"(?:version|v\.?|release|[€$£]|eur|usd|gbp)\s*$", re.IGNORECASE)
_NOT_BEHIND = re.compile(
    r"\s*(?:%|€|\$|£|euros?\b|eur\b|usd\b|percent\b|per cent\b|million\b|hours?\b|days?\b|km\b)", re.IGNORECASE
)
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


def asked_numbers(question: str) -> tuple[str, ...]:
    """The clause numbers that a question asks for, as keys, in order, each once.

    Amounts, shares, periods and version numbers are none.

    >>> asked_numbers("What does 4.2 (b) of the expenses policy say?")
    ('4.2(b)',)
    >>> asked_numbers("Is section 7 of version 2.1 valid for trips above 2.5 hours in 2026?")
    ('7',)
    """
    found: dict[str, int] = {}
    for pattern in (_NAMED, _FORMED):
        for match in pattern.finditer(question):
            start, end = match.span("number")
            if not _NOT_BEHIND.match(question, end) and not _NOT_BEFORE.search(question[:start]):
                found.setdefault(number_key(match["number"]), start)
    return tuple(sorted(found, key=lambda key: found[key]))
