"""Sentences that limit what stands beside them: exceptions, exclusions, what refers back, what says the contrary."""

import re

from policy_rag_parsers.blocks.line_wording import limits
from policy_rag_parsers.text.tokenizer import words

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

_SHORTEST = 4  # letters of a word that tells something
_LEAST_TELLING = 3
_ALIKE = 0.6  # share of the telling words of the shorter of two that speak of the same


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
    """Whether of two sentences one denies much of what the other says: of other people, places or cases, mostly.

    >>> opposes("Guests are not insured on lab days.", "Guests are insured on open days.")
    True
    >>> opposes("Guests are insured.", "Pets are not allowed.")
    False
    """
    if (_NEGATION.search(one) is None) == (_NEGATION.search(other) is None):
        return False
    ours, theirs = (frozenset(filter(_is_telling, words(text))) for text in (one, other))
    least = min(len(ours), len(theirs))
    return least >= _LEAST_TELLING and len(ours & theirs) >= _ALIKE * least


def _is_telling(word: str) -> bool:
    return len(word) >= _SHORTEST and _NEGATION.fullmatch(word) is None
