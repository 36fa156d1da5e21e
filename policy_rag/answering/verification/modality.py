"""Whether a statement obliges, permits, forbids and denies what the sentences that it stands on do."""

import re
from collections.abc import Mapping, Sequence

from policy_rag.answering.verification.bounds import Side
from policy_rag.answering.verification.modality_lexicon import ADVICE, EXEMPTION, OBLIGATION, PERMISSION, PROHIBITION
from policy_rag.answering.verification.quantities import quantities
from policy_rag.answering.verification.stems import stems_of
from policy_rag.answering.verification.surface_checks import (
    CLAUSE_END,
    CONDITION,
    NEGATIVE,
    NEGATORS,
    modals,
    negated_and_plain,
    whole,
)
from policy_rag.index.search.tokens import words

_NAMES = {
    OBLIGATION: "an obligation",
    PERMISSION: "a permission",
    ADVICE: "a recommendation",
    PROHIBITION: "a prohibition",
    EXEMPTION: "an exemption",
}
_ONLY = re.compile(r"\b(?:only|nur|uniquement|seulement|n(?:e\b|['’])[^.;]{1,40}\bqu['’e])", re.IGNORECASE)
_IF = re.compile(rf"{CONDITION.pattern}|\b(?:if|once|provided|wenn|falls|sofern|si|à condition)\b", re.IGNORECASE)
_CONDITIONAL = re.compile(rf"{CONDITION.pattern}[^.;!?]*", re.IGNORECASE)
_EXCEEDS = re.compile(
    r"\b(?:above|over|beyond|exceed\w*|more than|longer than|über|mehr als|länger als|überschreit\w+|übersteig\w+"
    r"|dépass\w+|excéd\w+|plus de|au-delà)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:below|under|less than|fewer than|before|unter|weniger als|kürzer als|vor|moins de|inférieure?s? à|avant)\b",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:except|unless|excluding|save|other than|without|außer|ausgenommen|es sei denn|ohne|sauf|hormis|excepté|sans)"
    r"\b([^.;!?]*)",
    re.IGNORECASE,
)


def wrong_stance(statement: str, prose: Sequence[str], rows: Sequence[str], language: str) -> str:
    """What a statement obliges, permits, forbids or denies otherwise than its source, or "".

    Args:
        statement: a sentence.
        prose: the sentences that it stands on.
        rows: the rows of tables that it stands on, in words.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.

    >>> wrong_stance("Staff may lock doors.", ["Staff must lock doors."], [], "english")
    'it states a permission before "lock", what it cites states an obligation'
    >>> wrong_stance("Doors are locked.", ["Doors are not locked."], [], "english")
    'what it cites negates "lock", it does not'
    """
    sources = [*prose, *rows]
    forbidden = modals(" \n".join(sources), language).get(PROHIBITION, frozenset())
    limited = forbidden if _limits_alike(statement, " ".join(sources)) else frozenset()
    return _wrong_modal(statement, sources, limited, language) or _wrong_negation(
        statement, prose, rows, limited, language
    )


# --- modals --------------------------------------------------------------------------------------------------------


def _wrong_modal(statement: str, sources: Sequence[str], limited: frozenset[str], language: str) -> str:
    evidence = " \n".join(sources)
    claimed, given = modals(statement, language), modals(evidence, language)
    for kind, heads in claimed.items():
        if kind == PERMISSION and limited:
            continue
        others = {stem: other for other, stems in given.items() if other != kind for stem in stems}
        turned = sorted(stem for stem in heads if stem in others and stem not in given.get(kind, frozenset()))
        if turned:
            return f'it states {_NAMES[kind]} before "{turned[0]}", what it cites states {_NAMES[others[turned[0]]]}'
        if (
            kind not in given
            and not _is_allowed(kind, frozenset(given), statement, evidence)
            and not _binds(kind, heads, sources, language)
        ):
            stands = f"; it states {' and '.join(_NAMES[one] for one in sorted(given))}" if given else ""
            return f"it states {_NAMES[kind]}, what it cites does not{stands}"
    return ""


def _limits_alike(statement: str, evidence: str) -> bool:
    """Whether "may ... up to 5" stands for "must not ... above 5", or "from 5 on" for "not below 5"."""
    sides = {one.bound.side for one in quantities(statement) if one.bound}
    return bool((Side.MOST in sides and _EXCEEDS.search(evidence)) or (Side.LEAST in sides and _BELOW.search(evidence)))


def _is_allowed(kind: str, given: frozenset[str], statement: str, evidence: str) -> bool:
    if kind in {PROHIBITION, EXEMPTION}:
        # of "allowed, except in labs" only what is excepted is forbidden
        excepted = frozenset(words(" ".join(found[0] for found in _CONDITIONAL.finditer(evidence))))
        in_words = excepted - frozenset(words(_CONDITIONAL.sub(" ", evidence)))
        return bool(NEGATIVE.search(_CONDITIONAL.sub(" ", evidence))) or not in_words.isdisjoint(words(statement))
    if not given:
        return True  # a policy's plain "are", "is" binds as it stands
    # "may not ... without approval" obliges to get approval, and permits with it.
    if not given <= {PERMISSION, PROHIBITION}:
        return False
    # and "may ... if it is approved" obliges to get approval
    condition = CONDITION if kind == PERMISSION else _IF
    return kind in {OBLIGATION, PERMISSION} and bool(condition.search(evidence))


def _binds(kind: str, heads: frozenset[str], sources: Sequence[str], language: str) -> bool:
    """Whether a sentence says plainly what the statement obliges to: "are answered" for "must be answered"."""
    if kind != OBLIGATION or not heads:
        return False
    plain = [clause for source in sources for clause in CLAUSE_END.split(source) if not modals(clause)]
    return any(not heads.isdisjoint(stems_of(source, language)) for source in plain)


# --- negations -----------------------------------------------------------------------------------------------------


def _wrong_negation(
    statement: str, prose: Sequence[str], rows: Sequence[str], limited: frozenset[str], language: str
) -> str:
    evidence = " \n".join([*prose, *rows])
    claimed, claimed_plain = negated_and_plain(statement, language)
    given, given_plain = negated_and_plain(evidence, language)
    # "not paid unless approved" is "paid only if approved"
    restricted = _is_condition_turned(statement, evidence) or _is_condition_turned(evidence, statement)
    known = limited | (_denied(statement, language) if rows else frozenset())
    for stem in sorted(_dropped(given, given_plain, claimed, claimed_plain)):
        if not restricted and stem not in known:
            return f'what it cites negates "{stem}", it does not'
    excepted = frozenset(stems_of(" ".join(_EXCEPTED.findall(evidence)), language))
    for stem in sorted(_words_of(claimed)):
        turned = claimed[stem] > given[stem] and given_plain[stem] > claimed_plain[stem]
        if turned and stem not in excepted and not restricted:
            return f'it negates "{stem}", what it cites does not'
        if not given[stem] + given_plain[stem] and not NEGATIVE.search(evidence):
            return f'it negates "{stem}", what it cites negates nothing'
    return ""


def _is_condition_turned(only: str, unless: str) -> bool:
    """Whether one text says "only if" and the other, without an "only", "not unless"."""
    return bool(_ONLY.search(only) and CONDITION.search(unless)) and not _ONLY.search(unless)


def _dropped(
    given: Mapping[str, int], given_plain: Mapping[str, int], claimed: Mapping[str, int], plain: Mapping[str, int]
) -> list[str]:
    return [stem for stem in _words_of(given) if given[stem] > claimed[stem] and plain[stem] > given_plain[stem]]


def _words_of(counted: Mapping[str, int]) -> list[str]:
    """All but figures: "never after 90 days" denies no 90."""
    return [stem for stem in counted if not stem[0].isdigit()]


def _denied(statement: str, language: str) -> frozenset[str]:
    """The stems of clauses with a negation: "may not commit any capital" says "no capital" of a table."""
    clauses = [clause for clause in CLAUSE_END.split(whole(statement)) if not NEGATORS.isdisjoint(words(clause))]
    return frozenset(stems_of(" ".join(clauses), language))
