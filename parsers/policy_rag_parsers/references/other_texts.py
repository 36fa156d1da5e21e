"""Numbers of texts that are no documents we know: "Article 5 GDPR", "ISO 27001, clause 5", "de la loi n° 78-17"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from policy_rag_parsers.records import Section
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, line_sets, reference_words
from policy_rag_parsers.text.lexicon.record import Lexicon
from policy_rag_parsers.text.unit_words import BACK_MATTER, FORMS

# An abbreviation has three letters or more, so that it is no department ("section 4 HR"): capitals, or with small ones
# between them as German laws have ("ArbZG"). What stands with a small letter at its end is no name of a law ("CEOs").
_NAME = r"(?P<name>[A-ZÄÖÜ]{3,7}|(?=(?:[^\W\d_]*[A-ZÄÖÜ]){2})[A-ZÄÖÜ](?:[^\W\d_]|-(?=[A-ZÄÖÜ])){1,11}[A-ZÄÖÜ]|ISO/IEC)"
# By law and sign two letters are enough: "Art. 5 GG", "§ 5 AO".
_SHORT_NAME = rf"(?:{_NAME}|(?P<short>[A-ZÄÖÜ]{{2}}))"
_FIGURES = r"(?P<figures>(?:[ \u00a0-](?:[A-Z]{2} )?\d[\d.:/–-]*)?)"
_BEHIND: Final = re.compile(
    rf"(?:[ \u00a0]{{1,3}}\n?|\n)(?:{_SHORT_NAME})(?![\w&]|-[a-z]|[ \u00a0](?![IVX]+\b)[A-Z]{{3,}}\b)"
)
_BEHIND_IN_BRACKETS: Final = re.compile(rf",[ \u00a0]{{1,3}}{_NAME}{_FIGURES}(?=[)\]])")
_BEFORE: Final = re.compile(rf"(?<![\w/&.-]){_NAME}{_FIGURES}(?P<comma>,?)[ \u00a0]{{1,3}}\Z")
_CAPITALS: Final = re.compile(r"[A-ZÄÖÜ]{2,}[ \u00a0]\Z")
_LEAST_SHOUTED: Final = 4  # letters of a word in capitals that is no abbreviation
_ROMAN: Final = re.compile(r"[IVXLC]+")
# "de la loi n° 78-17", "de la ley 3/2018", "of the agreement of 3 May 2020"
_NUMBERED: Final = re.compile(
    r"[^\W\d_]+(?: [^\W\d_]+)? (?:(?i:n[°º]|n\.\s?[°º]|no\.|núm\.|nr\.)\s?\d|\d+/\d"
    rf"|(?:{reference_words('of')}|vom) \d{{1,2}}(?:er|\.)? (?:de )?[^\W\d_]{{3,9}} (?:de )?\d{{4}}\b)"
)
_GOES_ON: Final = re.compile(
    rf"[ \u00a0](?:[A-ZÀ-Þ]|(?:{alternatives(line_sets('joints'))}|{reference_words('of')})(?:\b|(?<=['’])))"
)
_BEFORE_REACH: Final = 48
_CURRENCIES: Final = frozenset(
    name.upper() for one in LEXICONS.values() for unit in ("eur", "usd", "gbp", "chf", "aed", "brl")
    for name in one.units.get(unit, "").split()
)  # fmt: skip


def _sentence_words(one: Lexicon) -> frozenset[str]:
    listed = one.modal_words | one.negators | one.and_ | one.or_ | one.all_
    return listed.union(re.findall(r"[^\W\d_]+", f"{one.verbs} {one.modal_verbs} {one.front} {one.only} {one.when}"))


# "Section 4 MUST be kept": words that some write in capitals.
_STRESSED: Final = frozenset(word.upper() for one in LEXICONS.values() for word in _sentence_words(one))


@dataclass(frozen=True, slots=True)
class OwnNames:
    """What a document is called, in lower case.

    `whole` holds its names; `heads` the words that say what it is, as "the Policy" for the Leave Policy.
    """

    whole: frozenset[str]
    heads: frozenset[str]

    @classmethod
    def of(cls, sections: Sequence[Section]) -> "OwnNames":
        """Those of the document with these sections, by the title at the head of their paths."""
        names = document_names(sections[0].path[0] if sections[0].path else "")
        words = re.findall(r"[^\W\d_]+", names.plain.casefold())
        whole = frozenset(name.casefold() for name in (*names.titles, *names.short, *names.initials))
        return cls(whole, frozenset((words[0], words[-1]) if words else ()))


def name_beside(text: str, start: int, end: int, *, worded: str, own: OwnNames) -> str | None:
    """The name of another text right beside numbers at `[start, end)`, or None.

    Args:
        text: the document's.
        start: first character of the numbers, of the unit's word in front of them.
        end: one past them and what is counted inside them.
        worded: the unit's word, or its sign.
        own: the document's names.
    """
    if (worded.isupper() and len(worded) > 1) or FORMS.get(worded.casefold()) in BACK_MATTER:
        return None  # all is written in capitals; "SSP Attachment 4" is the plan's own
    behind = _BEHIND.match(text, end) or _BEHIND_IN_BRACKETS.match(text, end)
    if behind is not None:
        by_sign = worded.startswith("§") or worded.casefold().startswith("art")
        name = behind["name"] or (behind.groupdict().get("short") if by_sign else None)
        if name and _is_other(name, own):
            return name
    before = _BEFORE.search(text, max(0, start - _BEFORE_REACH), start)
    if before is None or not _is_other(before["name"], own):
        return None
    bracket = text[max(0, before.start() - 1) : before.start()] in {"(", "["}
    beside = not before["comma"] or before["figures"] or bracket
    return before["name"] if beside and not _shouted(text, before) else None


def _is_other(name: str, own: OwnNames) -> bool:
    return not _ROMAN.fullmatch(name) and name not in _CURRENCIES | _STRESSED and name.casefold() not in own.whole


def _shouted(text: str, before: re.Match[str]) -> bool:
    """Whether a name is the last word of a line in capitals: "CODE OF CONDUCT section 4"."""
    lead = text[max(0, before.start() - _BEFORE_REACH) : before.start()]
    words = 0
    while capitals := _CAPITALS.search(lead):
        words += 1 + (len(capitals.group()) > _LEAST_SHOUTED)
        lead = lead[: capitals.start()]
    return words > 1


def named_at(text: str, at: int, own: OwnNames) -> bool:
    """Whether another text is named at a place behind "of the": by a capital, a number or a date."""
    if not text[at : at + 1].isupper():
        return _NUMBERED.match(text, at) is not None
    return not any(_stands_for(text, at, name) for name in own.whole | own.heads)


def _stands_for(text: str, at: int, name: str) -> bool:
    """Whether the document's own name stands there, and no longer one that begins with it."""
    end = at + len(name)
    written = text[at:end].casefold() == name and not text[end : end + 1].isalnum()
    return written and _GOES_ON.match(text, end) is None
