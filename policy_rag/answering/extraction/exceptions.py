"""Sentences that limit what stands beside them: exceptions, exclusions, what refers back, what says the contrary."""

import re
from functools import cache

from policy_rag.answering.extraction.leaning import exceeds, refers_back
from policy_rag_parsers.blocks.line_wording import limits
from policy_rag_parsers.text.dates import MONTHS
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, any_word, in_all, lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import content_stems, joined_non, modals, negated_and_plain
from policy_rag_parsers.text.quantities import ORDINAL, TIME_UNITS, claimed_quantities
from policy_rag_parsers.text.tokenizer import detect_language, language_of

_EXCLUSION = any_word(in_all("excludes"))

_LEAST_TELLING = 4  # stems
_DEED_AND_ONE = 2  # stems
_ALIKE = 0.5  # share of the telling stems of the shorter of two that speak of the same


def excludes(line: str) -> bool:
    """Whether a sentence says of whom or what a rule does not hold, wherever in it that stands.

    >>> excludes("Distance learners are not eligible."), excludes("Guests pay nothing.")
    (True, False)
    """
    return limits(line) or _EXCLUSION.search(line) is not None


def restricts(line: str) -> bool:
    """Whether a sentence that follows a rule in its paragraph takes something from it or sets a bound to it.

    It excludes, denies, or refers back and names a condition, a modal, or a most or least.

    >>> [restricts(line) for line in ("No dogs.", "Use them by 30 June.", "Requests go to the desk.")]
    [True, True, False]
    """
    takes_away, bounds = _restricting(language_of(line))
    if excludes(line) or takes_away.search(joined_non(line)) is not None:
        return True
    return refers_back(line) and (bounds.search(line) is not None or _is_bounded(line))


def _is_bounded(line: str) -> bool:
    return any(one.bound for one in claimed_quantities(line, detect_language(line)))


@cache
def _restricting(language: str | None) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words that take something away, and those that set a bound, in a language; in all where it is not known."""
    known = [LEXICONS[language]] if language in LEXICONS else LEXICONS.values()
    takes_away = any_word(
        *(alternatives(one.negators) for one in known),
        *("|".join((one.bans, one.only, one.except_, one.without.split("|")[0], one.takes_away)) for one in known),
    )
    # The first two of a kind are its plain verbs: "must", "may".
    modals = (one.modals[kind].split("|")[:2] for one in known for kind in (Modality.OBLIGATION, Modality.PERMISSION))
    bounds = any_word(*("|".join((one.if_, one.when, one.until)) for one in known), *("|".join(two) for two in modals))
    return takes_away, bounds


def alters(one: str, other: str) -> bool:
    """Whether a sentence tells what holds in other cases than the one before it: beyond its bound, or by a figure anew.

    The figure is in the same unit, and of the same: it refers back, begins with the case, or has most of the words.

    >>> alters("Gifts up to £10 may be kept.", "Anything above goes back.")
    True
    >>> alters("Staff are told within 3 months.", "In complex cases this may take up to 6 months.")
    True
    >>> alters("Staff are told within 3 months.", "Records of all calls are kept for 6 months.")
    False
    """
    if exceeds(one, other):
        return True
    language = detect_language(f"{one} {other}")
    ours, theirs = ({_kind(each.unit) for each in claimed_quantities(text, language)} for text in (one, other))
    if (ours & theirs).isdisjoint({*ours} - {None, ORDINAL, *MONTHS}):
        return False
    own, new = (frozenset(content_stems(text, language)) for text in (one, other))
    known = LEXICONS[language] if language in LEXICONS else LEXICONS["english"]
    case = any_word(known.front, known.above, known.exceeding).match(other)
    return bool(case) or refers_back(other) or len(own & new) >= _ALIKE * min(len(own), len(new))


def _kind(unit: str | None) -> str | None:
    """A unit, those of time as one; working days are days."""
    bare = unit.rpartition(" ")[2] if unit else unit
    return "time" if bare in TIME_UNITS else bare


def opposes(one: str, other: str) -> bool:
    """Whether two sentences speak of the same, and one denies a deed that the other states: elsewhere, or of others.

    So does one that forbids the deed which the other permits, if it goes on with a word of the other's.

    >>> opposes("Guests are not insured in the lab on weekdays.", "Guests are insured in the yard on weekdays.")
    True
    >>> opposes("Office staff may work from home.", "Drivers and cleaners cannot work from home at any time.")
    True
    >>> opposes("Visitors may use the canteen.", "Visitors must not use the printers.")
    False
    >>> opposes("Guests are insured in the lab on weekdays.", "Guests do not sign in the lab on weekdays.")
    False
    """
    language = detect_language(f"{one} {other}")
    ours, theirs = (frozenset(content_stems(text, language)) for text in (one, other))
    if _permitted_and_forbidden(one, other, language):
        return True
    least = min(len(ours), len(theirs))
    if least < _LEAST_TELLING or len(ours & theirs) < _ALIKE * least:
        return False
    (denied, _), (refuted, _) = negated_and_plain(one, language), negated_and_plain(other, language)
    return bool(denied.keys() & theirs - refuted.keys() or refuted.keys() & ours - denied.keys())


def _permitted_and_forbidden(one: str, other: str, language: str) -> bool:
    """Whether one sentence permits a deed that the other forbids, and both go on with the same: "work from home"."""
    nothing = frozenset[str]()
    ours, theirs = modals(one, language), modals(other, language)
    pairs = ((ours, theirs), (theirs, ours))
    deeds = [
        first.get(Modality.PERMISSION, nothing) & second.get(Modality.PROHIBITION, nothing) for first, second in pairs
    ]
    shared = _behind_verb(one, language) & _behind_verb(other, language)
    return any(deed and len(shared | deed) >= _DEED_AND_ONE for deed in deeds)


def _behind_verb(text: str, language: str) -> frozenset[str]:
    verb = any_word(lexicon(language).verbs).search(text)
    return frozenset(content_stems(text[verb.end() :], language)) if verb else frozenset()
