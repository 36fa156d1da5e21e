"""Sentences that cannot stand without the one before them: what says "they", goes on from a bound, or has no word."""

import re

from policy_rag_parsers.text.lexicon import any_word, in_all
from policy_rag_parsers.text.quantities import claimed_quantities
from policy_rag_parsers.text.tokenizer import detect_language

_LEANS = any_word(*map(in_all, ("leans", "leans_within")))
_BACK = any_word(*map(in_all, ("leans", "leans_within", "resumes")))
_REMAINDER = any_word(in_all("remainder"))
_EXCEEDING = any_word(in_all("exceeding"))
# "Laptops of your own may not.": what they may not stands before
_ELLIPTIC = re.compile(rf"\b(?:{in_all('elliptic')})[.!]\W*\Z", re.IGNORECASE)
_YES_OR_NO = re.compile(rf"\W*(?:{in_all('yes')}|{in_all('no')})\W*", re.IGNORECASE)


def leans(line: str) -> bool:
    """Whether a sentence speaks of what stands before it, or leaves out its verb.

    >>> [leans(line) for line in ("Use them by June.", "Then tell the desk.", "Dogs may not.", "Keep this policy.")]
    [True, True, True, False]
    """
    return _LEANS.match(line) is not None or _ELLIPTIC.search(line) is not None


def refers_back(line: str) -> bool:
    """Whether a sentence speaks of what stands before it, or may do so: "any", "the same".

    >>> refers_back("Any of it is paid."), refers_back("Meals are paid.")
    (True, False)
    """
    return _BACK.match(line) is not None


def exceeds(one: str, other: str) -> bool:
    """Whether a sentence tells what holds beyond the bound that the one before it sets, or of what that leaves.

    One that gives a figure of its own stands by itself.

    >>> [exceeds(one, "Larger gifts go back.") for one in ("Gifts up to £10 may be kept.", "Gifts are listed.")]
    [True, False]
    >>> exceeds("Cars are free.", "Anything else costs.")
    True
    """
    if _REMAINDER.match(other):
        return True
    if not _EXCEEDING.match(other):
        return False
    language = detect_language(f"{one} {other}")
    return bool(claimed_quantities(one, language)) and not claimed_quantities(other, language)


def opens_answer(line: str) -> bool:
    """Whether what a sentence says stands in the next one: a question, or nothing but "yes" or "no".

    >>> [opens_answer(line) for line in ("Lost it?", "No.", "**Yes!**", "No dogs.")]
    [True, True, True, False]
    """
    return asks(line) or _YES_OR_NO.fullmatch(line) is not None


def asks(line: str) -> bool:
    """Whether a sentence is a question.

    >>> asks("**Lost it?**"), asks("Ask yourself why.")
    (True, False)
    """
    return line.rstrip("*_ ").endswith("?")
