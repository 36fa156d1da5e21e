"""What can be checked of a statement word by word against the sentences that it should stand on.

Each check is a function of the statement and its evidence that answers with a reason, or "" where it finds nothing.
None of them understands what it reads: together they find most of what a changed word does to a sentence.
"""

import re

from policy_rag.answering.verification.modality_lexicon import ADVICE, EXEMPTION, OBLIGATION, PERMISSION, PROHIBITION
from policy_rag.answering.verification.surface_checks import (
    CONDITION,
    NEGATIVE,
    is_verbatim,
    modals,
    negated_and_plain,
    quotations,
    unknown_acronyms,
)
from policy_rag.index.search.tokens import words
from policy_rag_eval.judges.support_evidence import SECTION_MARK, Evidence, stems
from policy_rag_eval.judges.support_numbers import number_beside, number_of_another, wrong_number

_UNIVERSAL = re.compile(
    r"\b(?:all|every|everybody|everyone|any|anybody|anyone|always|never|whatever|whoever|each time"
    r"|alle|jeder|immer|nie)\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"\b(?:nobody|no one|nothing|none|neither|niemand|keine?)\b", re.IGNORECASE)
_FREE = re.compile(
    r"\b(?:free to|voluntary|voluntarily|nobody is obliged|not obliged|need not|needs? no|without (?:asking|permission)"
    r"|freiwillig|steht\w* frei)\b",
    re.IGNORECASE,
)
_RESTRICTION = re.compile(
    r"\b(?:if|unless|only|provided|except|until|once|where|when|without|subject to|as long as|since|because"
    r"|wenn|falls|nur|sofern|soweit|außer)\b",
    re.IGNORECASE,
)
_STRONG_CONDITION = re.compile(
    r"\b(?:only if|only with|only on|unless|provided that|except|if|sofern|soweit|nur wenn|außer)\b", re.IGNORECASE
)
_ROLE = re.compile(
    r"\b(?:(?:Head|Director|Chair|President) of (?:the )?[A-Z][a-z]+(?: [A-Z][a-z]+)*"
    r"|(?:[A-Z][a-z]+ ){1,3}(?:Officer|Board|Committee|Counsel|Manager|Office|Desk|Department|Team|Hotline|Control)"
    r"|(?:(?!the|a|an|his|her|their|your|our|of|by|to|and|or|any|each)[a-z]+ )?(?:manager|officer|supervisor|director"
    r"|leader|buyer|requester|dispatcher|engineer|nurse|partner|department|council|committee|board|dean|desk|team|office)"
    r"|Dean|Ombudsperson)\b"
)
_OPPOSITES = tuple(
    tuple(pair.replace("_", " ").split("/"))
    for pair in (
        "before/after with/without above/below over/under gross/net highest/lowest higher/lower earliest/latest "
        "first/last inside/outside internal/external included/excluded paid/unpaid more/less maximum/minimum "
        "at least/at most increase/decrease optional/mandatory earlier/later longer/shorter vor/nach mit/ohne "
        "mindestens/höchstens"
    )
    .replace("at ", "at_")
    .split()
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|neither|cannot|\w+n't|forbidden|prohibited|nicht|kein\w*|nie)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"\b(?:unless|except|only|until|whatever|without|nur|außer|sondern)\b", re.IGNORECASE)
_POLAR = re.compile(r"[;:]\s|,\s|\bbut\b|\baber\b|\band\b|\bund\b", re.IGNORECASE)
_ENOUGH_TO_COMPARE = 2
_NOT = re.compile(r"\b(?:not|no|never|nicht|kein\w*)\b", re.IGNORECASE)


def first_fault(statement: str, evidence: Evidence) -> str:
    """The first reason why a statement does not hold, or ""; the surer checks come first."""
    for check in (
        wrong_quotation,
        unknown_name,
        wrong_number,
        number_of_another,
        number_beside,
        mixed_rows,
        opposite,
        wrong_modality,
        wrong_negation,
        turned_round,
        too_general,
        dropped_condition,
    ):
        reason = check(statement, evidence)
        if reason:
            return reason
    return ""


def wrong_quotation(statement: str, evidence: Evidence) -> str:
    """A quotation must stand so in the contexts."""
    for quotation in quotations(statement):
        if not is_verbatim(quotation, [*evidence.contexts, evidence.question]):
            return f'"{quotation}" is not in the contexts'
    return ""


def unknown_name(statement: str, evidence: Evidence) -> str:
    """A role must be named where the statement stands, an acronym anywhere in the contexts.

    >>> unknown_name("The Dean decides.", Evidence(("The Chief Financial Officer decides.",), (), "Who decides?"))
    'Dean is not named where it stands'
    """
    near = f"{evidence.text} {evidence.question}".casefold()
    wide = f"{near} {' '.join(' '.join(evidence.contexts).split())}".casefold()
    for role in _ROLE.findall(statement):
        bare = re.sub(r"^(?:The|A|An|Only|Yes|No) (?:the )?", "", role)
        last = bare.rpartition(" ")[2]
        # What the contexts call the line manager may be "the manager" in the sentence itself.
        if bare.casefold() not in near and not (bare.casefold() in wide and last.casefold() in near):
            return f"{bare} is not named where it stands"
    strangers = unknown_acronyms(statement, [*evidence.contexts, evidence.question])
    return f"{strangers[0]} is not in the contexts" if strangers else ""


def mixed_rows(statement: str, evidence: Evidence) -> str:
    """What a statement takes from a table must stand in one row, or in its header.

    >>> mixed_rows("Clerks need two offers.", Evidence(("| clerk | one |", "| buyer | two offers |"), (), "How many?"))
    'it joins what stands in different rows of a table'
    """
    rows = [frozenset(stems(row, evidence.language)) for row in evidence.sentences if row.startswith("|")]
    if not rows or not evidence.sentences[0].startswith("|"):
        return ""
    told = frozenset(stems(statement, evidence.language))
    asked = frozenset(stems(evidence.question, evidence.language))
    loose = frozenset().union(*(stems(text, evidence.language) for text in evidence.sentences if text[0] != "|"))
    wanted = (told & frozenset().union(*rows)) - loose - asked
    return "" if any(wanted <= row for row in rows) else "it joins what stands in different rows of a table"


def opposite(statement: str, evidence: Evidence) -> str:
    """A word must not stand for its opposite.

    >>> opposite("Tell them after the award.", Evidence(("They are told before the award.",), (), "When?"))
    '"after" stands for "before"'
    """
    best = evidence.sentences[0] if evidence.sentences else ""
    if _NOT.search(best):
        return ""  # "not before" is "after": nothing can be told
    told, there, asked = (f" {_plain(text)} " for text in (statement, best, evidence.question))
    for pair in _OPPOSITES:
        for here, other in (pair, pair[::-1]):
            if f" {here} " in told and f" {here} " not in there + asked and f" {other} " in there and other not in told:
                return f'"{here}" stands for "{other}"'
    return ""


def _plain(text: str) -> str:
    return " ".join(words(text))


def wrong_modality(statement: str, evidence: Evidence) -> str:
    """What is a duty, a permission, advice or a ban there must be so in the statement.

    >>> wrong_modality("Staff may share keys.", Evidence(("Staff must not share keys.",), (), ""))
    'it permits what is forbidden there'
    """
    claimed = modals(statement, evidence.language)
    given = modals(evidence.text, evidence.language)
    bans = PROHIBITION in given or bool(NEGATIVE.search(evidence.text))
    kept = CONDITION.search(evidence.text) and NEGATIVE.search(statement)
    faults = (
        (PERMISSION in claimed and PROHIBITION in given and PERMISSION not in given and not kept,
         "it permits what is forbidden there"),
        (PROHIBITION in claimed and not bans, "it forbids what is not forbidden there"),
        (EXEMPTION in claimed and not bans, "it waives what is not waived there"),
        (ADVICE in claimed and ADVICE not in given, "it advises where nothing is advised"),
    )  # fmt: skip
    found = next((reason for is_fault, reason in faults if is_fault), "")
    if found or OBLIGATION not in claimed:
        return found
    return _needless_duty(statement, evidence, frozenset(given))


def _needless_duty(statement: str, evidence: Evidence, given: frozenset[str]) -> str:
    if _FREE.search(evidence.text) and not _NOT.search(statement):
        return "it obliges where everybody is free"
    bound = not given or not given <= {PERMISSION, ADVICE} or _RESTRICTION.search(evidence.text)
    return "" if bound else "it obliges where nobody is obliged"


def wrong_negation(statement: str, evidence: Evidence) -> str:
    """What is negated in one of the two must be so in the other.

    >>> wrong_negation("Calls are recorded.", Evidence(("Calls are not recorded.",), (), ""))
    '"record" is negated there, and not here'
    """
    claimed, claimed_plain = negated_and_plain(statement, evidence.language)
    given, given_plain = negated_and_plain(evidence.text, evidence.language)
    restricted = _RESTRICTION.search(statement) and CONDITION.search(evidence.text)
    for stem in sorted(given):
        if given[stem] > claimed[stem] and claimed_plain[stem] > given_plain[stem] and not restricted:
            return f'"{stem}" is negated there, and not here' if not NEGATIVE.search(statement) else ""
    turned = sorted(stem for stem in claimed if given_plain[stem])
    if turned and not NEGATIVE.search(evidence.text):
        return f'"{turned[0]}" is negated here, and nothing there'
    return ""


def turned_round(statement: str, evidence: Evidence) -> str:
    """A clause must be negated where the clause of the evidence nearest in words is, and not where that is not.

    Nothing is said of clauses that share too few words (half of the statement's, a third of their own), nor where an
    exception stands.

    >>> turned_round("Fines are paid by us.", Evidence(("Parking is paid; fines are never paid.",), (), ""))
    '"fines are never paid." is turned round'
    """
    there = [clause for one in evidence.sentences for clause in _POLAR.split(SECTION_MARK.sub("", one)) if clause]
    for said in _POLAR.split(statement):
        told = frozenset(stems(said or "", evidence.language))
        if len(told) < _ENOUGH_TO_COMPARE:
            continue
        nearest = max(there, key=lambda one: len(told & frozenset(stems(one, evidence.language))), default="")
        held = frozenset(stems(nearest, evidence.language))
        shared = len(told & held)
        if 2 * shared < len(told) or 3 * shared < len(held) or _EXCEPTION.search(f"{said} {nearest}"):
            continue
        if bool(_NEGATED.search(said)) != bool(_NEGATED.search(nearest)):
            return f'"{nearest.strip()}" is turned round'
    return ""


def too_general(statement: str, evidence: Evidence) -> str:
    """What is said of all, of every time, of never must be said so there too.

    >>> too_general("All staff may go.", Evidence(("Staff may go after six months.",), (), "Who may go?"))
    '"All" is not said there'
    """
    if _UNIVERSAL.search(evidence.text) or _NOBODY.search(evidence.text):
        return ""
    found = _UNIVERSAL.search(statement)
    return f'"{found[0]}" is not said there' if found else ""


def dropped_condition(statement: str, evidence: Evidence) -> str:
    """The sentence that a statement stands on has a condition, and the statement restricts nothing.

    >>> dropped_condition("Pets may come.", Evidence(("Pets may come if the manager agrees.",), (), ""))
    'the condition "if" is left out'
    """
    first = evidence.sentences[0] if evidence.sentences else ""
    found = _STRONG_CONDITION.search(first)
    if not found or _RESTRICTION.search(statement):
        return ""
    if NEGATIVE.search(statement) and found[0].casefold() not in {"if", "provided that", "sofern", "soweit"}:
        return ""  # "not unless" is mostly "not"
    clause = re.split(r"[,;.](?=\s|$)", first[found.end() :], maxsplit=1)[0]
    known = frozenset(stems(f"{statement} {evidence.question}", evidence.language))
    condition = frozenset(stems(clause, evidence.language))
    if condition and len(condition & known) >= len(condition) / 3:
        return ""
    return f'the condition "{found[0]}" is left out'
