"""Sentences that limit what stands beside them: exceptions, exclusions, what refers back, what says the contrary."""

import re

from policy_rag_parsers.blocks.line_wording import limits
from policy_rag_parsers.text.modality import content_stems, negated_and_plain
from policy_rag_parsers.text.tokenizer import detect_language

_EXCLUSION = re.compile(
    r"\b(?:(?:do|does|did|shall|will)(?: not|n't) (?:apply|extend|cover|hold)"
    r"|n(?:either|or|one)\b.{0,40}\bappl(?:y|ies)"
    r"|not (?:eligible|entitled|covered)|ineligible|excluded|excepted|exempt(?:ed)?|notwithstanding|instead"
    r"|(?:gilt|gelten)(?: \w+){0,4} nicht|nicht anwendbar|ausgenommen|ausgeschlossen|befreit|abweichend"
    r"|(?:ne |n['’])s?['’]?applique(?:nt)? pas|exclue?s?|exceptée?s?|exemptée?s?)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|none|never|neither|nor|nobody|cannot|\w+n['’]t|without|unless|except|save|only|refused|rejected"
    r"|forbidden|prohibited|banned|void|lapses?|at most|limited to|capped|of (?:these|those|them)"
    r"|nicht|kein\w{0,2}|nie|niemals|ohne|außer|es sei denn|nur|höchstens|davon|verboten|untersagt"
    r"|verfällt|verfallen|entfällt"
    r"|ne|sauf|sans|uniquement|seulement|interdite?s?|refusée?s?)\b|\bn['’](?=[aeéiouy])",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:it|they|this|these|that|those|such|both|the same|anything|any|in (?:this|that|these|such) (?:case|cases|event)"
    r"|er|sie|es|dies|diese[rsmn]?|das|dabei|hierzu|hiervon|dann|il|elles?|ils|cela|ces?|cette)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:may|must|shall|if|where|when|until|darf|dürfen|muss|müssen|wenn|falls|sofern|soweit|bis"
    r"|peut|peuvent|doit|doivent|si)\b",
    re.IGNORECASE,
)

_LEAST_TELLING = 4  # stems
_ALIKE = 0.5  # share of the telling stems of the shorter of two that speak of the same


def excludes(line: str) -> bool:
    """Whether a sentence says of whom or what a rule does not hold, wherever in it that stands.

    >>> excludes("Distance learners are not eligible."), excludes("Guests pay nothing.")
    (True, False)
    """
    return limits(line) or _EXCLUSION.search(line) is not None


def restricts(line: str) -> bool:
    """Whether a sentence that follows a rule in its paragraph takes something from it or sets a bound to it.

    It excludes, denies, or refers back and names a condition or a modal.

    >>> [restricts(line) for line in ("No dogs.", "It may be extended once.", "Requests go to the desk.")]
    [True, True, False]
    """
    if excludes(line) or _NEGATION.search(line) is not None:
        return True
    return _BACK.match(line) is not None and _BOUND.search(line) is not None


def opposes(one: str, other: str) -> bool:
    """Whether two sentences speak of the same, and one denies a deed that the other states: elsewhere, or of others.

    >>> opposes("Guests are not insured in the lab on weekdays.", "Guests are insured in the yard on weekdays.")
    True
    >>> opposes("Guests are insured in the lab on weekdays.", "Guests do not sign in the lab on weekdays.")
    False
    """
    language = detect_language(f"{one} {other}")
    ours, theirs = (frozenset(content_stems(text, language)) for text in (one, other))
    least = min(len(ours), len(theirs))
    if least < _LEAST_TELLING or len(ours & theirs) < _ALIKE * least:
        return False
    (denied, _), (refuted, _) = negated_and_plain(one, language), negated_and_plain(other, language)
    return bool(denied.keys() & theirs - refuted.keys() or refuted.keys() & ours - denied.keys())
