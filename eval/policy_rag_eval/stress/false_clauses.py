"""A false clause made from a true one by rule: another amount or period, or another modal."""

import random
import re
from dataclasses import dataclass, replace

from policy_rag.records.search import Hit

PLANTED_FILE = "superseded/"

_AMOUNT = re.compile(r"(?<![\w.,/§:+-])\d+(?:,\d{3})*(?![\w/:-]|[.,]\d)")
_NO_AMOUNT = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|paragraphs?|annex|appendix|table|no\.?|nos\.?|ext\.?|room|version|form|"
    r"abschnitt|absatz|ziffer|anlage|nr\.?|january|february|march|april|may|june|july|august|september|october|"
    r"november|december)|§{1,2}|\([a-z]\) and)\s*$",
    re.IGNORECASE,
)
_MONTH = re.compile(
    r"\.?\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|"
    r"märz|april|mai|juni|juli|oktober|dezember)\b",
    re.IGNORECASE,
)
_YEARS = range(1900, 2100)
_WORDED = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fourteen", "fifteen", "twenty",
    "thirty", "forty", "fifty", "sixty", "ninety",
    "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "zwölf", "zwanzig", "dreißig",
)  # fmt: skip
_GERMAN = _WORDED.index("zwei")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDED)})\b", re.IGNORECASE)
_TURNED = {
    "must not": "may", "may not": "may", "must": "need not", "shall": "need not", "may": "must not",
    "is not allowed": "is allowed", "are not allowed": "are allowed", "is required": "is optional",
    "are required": "are optional", "darf nicht": "darf", "dürfen nicht": "dürfen", "darf": "darf nicht",
    "dürfen": "dürfen nicht",
}  # fmt: skip
_MODAL = re.compile(rf"\b(?:{'|'.join(sorted(_TURNED, key=len, reverse=True))})\b")


@dataclass(frozen=True, slots=True)
class Change:
    """What is changed in a text: `[start, end)` of it becomes `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Planted:
    """A section with a false clause in it.

    Attributes:
        hit: the section as from an older edition of its document; offsets are of that edition.
        true: `(file, start, end)` of the words that were changed, where they are true.
        false: the same of what took their place.
    """

    hit: Hit
    true: tuple[str, int, int]
    false: tuple[str, int, int]


def change(text: str, rng: random.Random) -> Change | None:
    """One change that makes the text say something else, or None where no rule finds anything.

    An amount or period in digits is doubled or tripled; else one in words becomes another of the same language; else a
    modal is turned. Numbers of sections and forms, dates and years are left as they are.
    """
    amounts = [found for found in _AMOUNT.finditer(text) if _is_amount(text, found)]
    if amounts:
        found = rng.choice(amounts)
        value = int(found[0].replace(",", ""))
        new = rng.choice((2, 3)) * value if value else 10
        return Change(found.start(), found.end(), f"{new:,}" if "," in found[0] or new >= 10_000 else str(new))
    words = list(_NUMBER_WORD.finditer(text))
    if words:
        found = rng.choice(words)
        place = _WORDED.index(found[0].lower())
        own = _WORDED[_GERMAN:] if place >= _GERMAN else _WORDED[:_GERMAN]
        other = rng.choice([word for word in own if word != found[0].lower()])
        return Change(found.start(), found.end(), other.capitalize() if found[0][0].isupper() else other)
    turned = _MODAL.search(text)
    return None if turned is None else Change(turned.start(), turned.end(), _TURNED[turned[0]])


def _is_amount(text: str, found: re.Match[str]) -> bool:
    if found[0].isdigit() and int(found[0]) in _YEARS:
        return False
    return not _NO_AMOUNT.search(text[: found.start()]) and not _MONTH.match(text[found.end() :])


def plant(hit: Hit, start: int, end: int, rng: random.Random) -> Planted | None:
    """The section with one change inside `[start, end)` of its document's text, as from a superseded edition.

    It looks like the true one in all that the answerer is told of a section's origin, but for the first of its titles;
    and the searches would have found it at the same place.

    Args:
        hit: the true section.
        start: where the gold begins.
        end: one past where it ends.
        rng: chooses what is changed.

    Returns:
        None where no rule finds anything to change.
    """
    first, last = max(start, hit.start), min(end, hit.end)
    made = change(hit.text[first - hit.start : last - hit.start], rng) if first < last else None
    if made is None:
        return None
    begin, stop = first + made.start, first + made.end
    grown = len(made.new) - (stop - begin)
    file = PLANTED_FILE + hit.file
    text = hit.text[: begin - hit.start] + made.new + hit.text[stop - hit.start :]
    name = hit.path[0] if hit.path else hit.file
    planted = replace(
        hit,
        doc_id=PLANTED_FILE + hit.doc_id,
        version="superseded",
        file=file,
        path=(f"{name} (superseded edition)", *hit.path[1:]),
        end=hit.end + grown,
        chunk_start=hit.chunk_start + (grown if hit.chunk_start >= stop else 0),
        chunk_end=hit.chunk_end + (grown if hit.chunk_end >= stop else 0),
        text=text,
    )
    return Planted(planted, (hit.file, begin, stop), (file, begin, begin + len(made.new)))
