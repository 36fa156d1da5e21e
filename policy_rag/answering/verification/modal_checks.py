"""Whether a statement obliges, permits, forbids and denies what the sentences that it stands on do."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.bounds import Side
from policy_rag_parsers.text.lexicon import any_word
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import clause_end, condition, negative
from policy_rag_parsers.text.quantities import backing

_NAMES = {
    Modality.OBLIGATION: "an obligation",
    Modality.PERMISSION: "a permission",
    Modality.ADVICE: "a recommendation",
    Modality.PROHIBITION: "a prohibition",
    Modality.EXEMPTION: "an exemption",
}

_PREDICATE = 2  # words with which a sentence that rules something out says no more than that


def wrong_modal(statement: Sentence, evidence: Evidence) -> str:
    """A duty, permission, ban, advice or waiver that what supports the statement has not, or has of another kind."""
    limited = limited_alike(statement, evidence)
    given = evidence.modals
    for kind, heads in statement.modals.items():
        if kind is Modality.PERMISSION and limited:
            continue
        others = {stem: other for other, stems in given.items() if other is not kind for stem in stems}
        turned = sorted(stem for stem in heads if stem in others and stem not in given.get(kind, ()))
        if turned:
            return f'it states {_NAMES[kind]} before "{turned[0]}", what it cites states {_NAMES[others[turned[0]]]}'
        if kind not in given and not _is_allowed(kind, statement, evidence) and not _binds(kind, heads, evidence):
            stands = f"; it states {' and '.join(_NAMES[one] for one in sorted(given))}" if given else ""
            return f"it states {_NAMES[kind]}, what it cites does not{stands}"
    return ""


def limited_alike(statement: Sentence, evidence: Evidence) -> frozenset[str]:
    """What is forbidden where "may ... up to 5" stands for "must not ... above 5", or "from 5 on" for "not below 5"."""
    known = statement.lexicon
    sides = {one.bound.side for one in statement.figures if one.bound}
    alike = (Side.MOST in sides and evidence.says(known.above)) or (Side.LEAST in sides and evidence.says(known.below))
    return evidence.modals.get(Modality.PROHIBITION, frozenset()) if alike else frozenset()


@cache
def _conditional(language: str) -> re.Pattern[str]:
    return re.compile(rf"{condition(language).pattern}[^.;!?]*", re.IGNORECASE)


def _is_allowed(kind: Modality, statement: Sentence, evidence: Evidence) -> bool:
    known, given = statement.lexicon, frozenset(evidence.modals)
    if kind in {Modality.PROHIBITION, Modality.EXEMPTION}:
        # of "allowed, except in labs" only what is excepted is forbidden
        main = _conditional(evidence.language).sub(" ", " \n".join(evidence.said_of(statement)))
        return bool(negative(evidence.language).search(main))
    if not given:
        return True  # a policy's plain "are", "is" binds as it stands
    # "may not ... without approval" obliges to get approval, and permits with it;
    # and "may ... if it is approved" obliges to get approval.
    if kind is Modality.ADVICE or not given <= {Modality.PERMISSION, Modality.PROHIBITION}:
        return False
    further = (known.if_,) if kind is Modality.OBLIGATION else ()
    return bool(evidence.says(known.except_, known.only, known.until, known.without, *further))


def _binds(kind: Modality, heads: frozenset[str], evidence: Evidence) -> bool:
    """Whether a sentence says plainly what the statement obliges to: "are answered" for "must be answered"."""
    if kind is not Modality.OBLIGATION or not heads:
        return False
    ends = clause_end(evidence.language)
    clauses = (read(clause, evidence.language) for source in evidence.sources for clause in ends.split(source.text))
    return any(not heads.isdisjoint(clause.stems) for clause in clauses if not clause.modals)


# --- negations -----------------------------------------------------------------------------------------------------


def wrong_negation(statement: Sentence, evidence: Evidence) -> str:
    """What is negated in what supports the statement and not in the statement, or the other way round."""
    known = statement.lexicon
    claimed, claimed_plain = statement.negated_and_plain
    given, given_plain = evidence.negated_and_plain
    # "not paid unless approved" is "paid only if approved"
    limits = (known.except_, known.only, known.until, known.without)
    ours, theirs = bool(statement.says(known.only)), bool(evidence.says(known.only))
    restricted = (ours and not theirs and evidence.says(*limits)) or (theirs and not ours and statement.says(*limits))
    allowed = limited_alike(statement, evidence)
    of_sources = [clause for one in evidence.sources for clause in one.forbidden]
    if _is_of_row(statement, evidence):
        allowed |= frozenset(read(" ".join(evidence.titles), evidence.language).stems)
    for stem in _words_of(given):
        dropped = not restricted and given[stem] > claimed[stem] and claimed_plain[stem] > given_plain[stem]
        if dropped and stem not in allowed and not _is_forbidden(stem, of_sources, statement.forbidden, claimed):
            return f'what it cites negates "{stem}", it does not'
    opens = any_word(known.except_, known.besides, known.without)
    behind = (one.text[found.end() :] for one in evidence.sources for found in opens.finditer(one.text))
    excepted = read(" ".join(re.split(r"[.;!?]", text)[0] for text in behind), evidence.language).stems
    denies = negative(statement.language)
    for stem in _words_of(claimed):
        turned = not restricted and claimed[stem] > given[stem] and given_plain[stem] > claimed_plain[stem]
        if turned and stem not in excepted and not _is_forbidden(stem, statement.forbidden, of_sources, given):
            return f'it negates "{stem}", what it cites does not'
        if not given[stem] + given_plain[stem] and not any(denies.search(one.text) for one in evidence.sources):
            return f'it negates "{stem}", what it cites negates nothing'
    return ""


def _is_of_row(statement: Sentence, evidence: Evidence) -> bool:
    """Whether a row has all figures of a statement: of it the titles are said, which a sentence below may negate."""
    rows = [one.sentence.given for one in evidence.support if one.row]
    return bool(statement.claims) and any(all(backing(one, row) for one in statement.claims) for row in rows)


def _is_forbidden(
    stem: str, ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]], negated: Mapping[str, int]
) -> bool:
    """Whether what one text denies the other forbids as a whole, or denies another word of what the one forbids so.

    "Taking photographs of guests is prohibited" denies what "guests must not be photographed" does.
    """
    return any(stem in one for one in theirs) or any(stem in one and not one.isdisjoint(negated) for one in ours)


def ruled_out(statement: Sentence, evidence: Evidence) -> str:
    """A short sentence that rules out what the statement puts in the place of what the others say; or "".

    "Tell your manager by telephone. E-mails are not sufficient." names e-mails for nothing else: whoever says that a
    manager is told by e-mail has this word from there, and all others from what is said of the telephone.
    """
    known = statement.lexicon
    if statement.says(known.without) or negative(statement.language).search(statement.text):
        return ""
    titles = read(" ".join(evidence.titles), evidence.language).content
    hits = {one.hit for one in evidence.support}
    said = [one.sentence for one in evidence.passages if not one.row and one.hit in hits]
    out = [one for one in said if _rules_out(one)]
    plain = titles.union(*(one.content for one in said if one not in out))
    for one in out:
        named = one.content & statement.content - plain
        others = statement.content - one.content
        if (
            named
            and statement.content.isdisjoint(one.negated_and_plain[0])
            and len(one.content - named) <= _PREDICATE
            and 2 * len(others & plain) >= max(1, len(others))
        ):
            return f'what it cites says "{" ".join(one.text.split())}"'
    return ""


def _rules_out(sentence: Sentence) -> bool:
    """Whether a sentence negates, and neither limits that nor tells a figure or a measure."""
    known = sentence.lexicon
    conditions = (known.only, known.except_, known.besides, known.without, known.until, known.if_, known.when)
    denied = sentence.negators or any_word(known.bans, known.denials, known.excludes).search(sentence.text)
    return bool(denied) and not sentence.says(*conditions, known.above, known.below) and not sentence.claims


def _words_of(counted: Mapping[str, int]) -> list[str]:
    """All but figures, in order: "never after 90 days" denies no 90."""
    return sorted(stem for stem in counted if not stem[0].isdigit())
