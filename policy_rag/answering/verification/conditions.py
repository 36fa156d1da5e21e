"""Whether a statement keeps the conditions of its source: "only", "unless", the "if" of a permission.

What a statement leaves out counts only where it follows its source closely: a shorter statement says less, not
something else. What it takes in against the source ("even where", "without", what the source excepts) counts always.
"""

import re
from collections.abc import Sequence

from policy_rag.answering.verification.clauses import segments
from policy_rag.answering.verification.modality_lexicon import PERMISSION, PROHIBITION
from policy_rag.answering.verification.near_copy_diff import followed
from policy_rag.answering.verification.stems import stems_of
from policy_rag.answering.verification.surface_checks import NEGATORS, modals
from policy_rag.index.search.tokens import words

RESTRICTS = re.compile(r"\b(?:only|solely|exclusively|nur|ausschließlich|uniquement|seulement)\b", re.IGNORECASE)
"""Words that restrict what is said to one case."""
_EXCEPTS = re.compile(r"\b(?:unless|except(?! that)|es sei denn|außer|sauf|à moins que)\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|provided|so long as|as long as|wenn|falls|sofern|à condition)\b", re.IGNORECASE)
_KEEPS = r"only|solely|exclusively|unless|except\w*|save|other than|excluding|without|until|nur|ausschließlich|ohne"
_KEEPS += r"|es sei denn|außer|ausgenommen|sofern|uniquement|seulement|sauf|qu"
_KEEPS_LIMIT = re.compile(rf"\b(?:{_KEEPS}|not|no|cannot|nicht|kein\w*)\b", re.IGNORECASE)
_KEEPS_EXCEPTION = re.compile(
    rf"\b(?:{_KEEPS}|if|when|where|provided|once|as long|so long|for so long|while|wenn|falls|si)\b", re.IGNORECASE
)
_CONTRASTS = re.compile(
    rf"\b(?:{_KEEPS}|but|however|though|otherwise|apart|aber|jedoch|sonst|mais|toutefois)\b", re.IGNORECASE
)
_WIDENS = re.compile(
    r"\b(?:even (?:if|where|when|though|without|for)|whatever|regardless|irrespective|no matter|without exception"
    r"|under all circumstances|auch wenn|auch ohne|selbst wenn|ausnahmslos|unabhängig davon|même (?:si|sans|pendant)"
    r"|y compris|sans exception|quel(?:le)? que soit)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(rf"{RESTRICTS.pattern}|{_EXCEPTS.pattern}|{_IF.pattern}|\b(?:after|nach|après)\b", re.IGNORECASE)
_WITHOUT = re.compile(
    r"\b(?:without|in the absence of|failing|ohne|mangels|sans|à défaut de)\s+([^.;:,]+)", re.IGNORECASE
)
_CLOSE = 0.75  # share of a statement's words that stand in the source in its order
_MOST_OF = 0.75  # share of a clause, without its exception, that the statement has
_LEAST_EXCEPTED = 2  # stems by which an exception is told


def other_condition(statement: str, sources: Sequence[str], language: str) -> str:
    """What a statement leaves out of the conditions of the sentences that it stands on, or takes in against them.

    >>> other_condition("Backups are deleted.", ["Backups are deleted unless a court forbids it."], "english")
    'it leaves out "unless"'
    >>> other_condition("Staff may fly without approval.", ["Staff may fly with approval."], "english")
    'it says "without approval", what it cites does not'
    """
    return next(
        filter(None, (_taken_in(statement, source, language) or _left_out(statement, source) for source in sources)),
        _without(statement, sources, language),
    )


def _left_out(statement: str, source: str) -> str:
    """The "only", "unless" or "if" of the half that the statement follows, where it has none."""
    half = max((half.whole for half in segments(source)), key=lambda text: followed(statement, text))
    kept = followed(statement, half)
    if kept < _CLOSE * len(words(statement)):
        return ""
    limit = RESTRICTS.search(half)
    if limit and not _KEEPS_LIMIT.search(statement):
        return f'it leaves out "{limit[0]}"'
    exception = _EXCEPTS.search(half) or (_IF.search(half) if _permits(statement) and _permits(half) else None)
    if exception and not _KEEPS_EXCEPTION.search(statement) and kept >= _MOST_OF * _main_words(half, exception):
        return f'it leaves out "{exception[0]}"'
    return ""


def _permits(text: str) -> bool:
    return PERMISSION in modals(text)


def _main_words(half: str, exception: re.Match[str]) -> int:
    """How many words a half has beside its exception."""
    before = words(half[: exception.start()])
    return len(before) or len(words(half[exception.end() :].partition(",")[2]))


def _taken_in(statement: str, source: str, language: str) -> str:
    """What a source restricts or excepts and the statement takes in."""
    widens = _WIDENS.search(statement)
    if widens and _LIMITS.search(source) and not _WIDENS.search(source):
        return f'it says "{widens[0]}", what it cites sets a condition'
    exception = _EXCEPTS.search(source)
    denies_more = _denials(statement) > _denials(source)  # "if no court forbids it"
    if exception is None or denies_more or _CONTRASTS.search(statement):
        return ""
    said = frozenset(stems_of(statement, language))
    excepted = frozenset(stems_of(re.split(r"[.;!?]", source[exception.end() :])[0], language))
    main = frozenset(stems_of(source[: exception.start()], language)) - excepted
    if len(excepted) >= _LEAST_EXCEPTED and excepted <= said and len(main & said) >= _MOST_OF * len(main):
        return f'it takes in what is behind "{exception[0]}"'
    return ""


def _denials(text: str) -> int:
    return sum(word in NEGATORS for word in words(text))


def _without(statement: str, sources: Sequence[str], language: str) -> str:
    """What is done without something that the sources have with it; "not without" asks for it, as they may do."""
    if not NEGATORS.isdisjoint(words(statement)) or PROHIBITION in modals(statement):
        return ""
    evidence = " ".join(sources)
    if not NEGATORS.isdisjoint(words(evidence)):
        return ""
    spared = frozenset(stems_of(" ".join(_WITHOUT.findall(evidence)), language))
    given = frozenset(stems_of(evidence, language))
    for found in _WITHOUT.finditer(statement):
        first = next(iter(stems_of(found[1], language)), "")
        if first in given - spared:
            return f'it says "{found[0].strip()}", what it cites does not'
    return ""
