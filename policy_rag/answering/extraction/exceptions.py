"""Sentences that limit what stands before them: exceptions, exclusions, and what refers back and sets a bound."""

import re

from policy_rag_parsers.blocks.line_wording import limits

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
