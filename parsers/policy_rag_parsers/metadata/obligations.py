"""Obligations by pattern: who must or must not do what, and by when, in English and German.

A sentence obliges where it has "must", "shall", "may not", "is required to", "is prohibited from" and the like (German:
"muss", "darf nicht", "ist verpflichtet"). A sentence that leads in a list ("A firm must:") gives one for each item.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from policy_rag_parsers.metadata.extraction_results import Force, Obligation
from policy_rag_parsers.metadata.sanitise import cut_at_word, one_line
from policy_rag_parsers.metadata.temporal import DEADLINE
from policy_rag_parsers.text.sentences import LIST_MARK, Span

MOST_OBLIGATIONS = 30
_WHO_CHARS = 120
_WHAT_CHARS = 400
# What is longer is no sentence; reading on would cost time that grows with its square.
_LONGEST_SENTENCE = 4000
_NOT = re.compile(r"not|never|prohibited|forbidden|nicht|kein|verboten|untersagt", re.IGNORECASE)
_MODAL = re.compile(
    r"\b(?P<modal>(?:must|shall|may)(?:not|\s(?:not|never))|must|shall|"
    r"(?:is|are)\s(?:not\s(?:permitted|allowed|authori[sz]ed)|required|obliged|obligated)\sto|"
    r"(?:is|are)\s(?:prohibited|forbidden|barred)\sfrom|(?:has|have)\sto)\b(?!\shave\sbeen\b)",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\b(?P<modal>muss|müssen|(?:ist|sind)(?=[^.;]{1,160}\bverpflichtet\b)|(?:hat|haben)(?=[^.;]{1,160}\szu\s\w+en\b)|"
    r"(?:darf|dürfen)(?=[^.;]{0,160}\b(?:nicht|kein\w{0,2}|nur)\b)|(?:ist|sind)(?=[^.;]{1,160}\b(?:verboten|untersagt)\b))\b",
)
_GERMAN_NOT = re.compile(r"\b(?:nicht|keine?[nrsm]?|verboten|untersagt)\b")
_ANY = re.compile(r"must|shall|may\s|required|obliged|prohibited|forbidden|permitted|"
                  r"allowed|barred|authori|\bha(?:s|ve)\sto|muss|müssen|darf|dürfen|ist\s|sind\s|hat\s|haben\s",
                  re.IGNORECASE)  # fmt: skip
# What may stand before the subject: a condition, a time, a place, with the comma that ends it.
_OPENING = re.compile(
    r"(?:if|when|where|whenever|wherever|unless|before|after|until|once|as|in|on|at|for|by|to|with|without|within|upon|"
    r"subject|except|however|notwithstanding|during|under|while|since|provided|following|pursuant|from|otherwise|"
    r"therefore|furthermore|in\saddition)\b[^;]*?,\s(?!(?:and|or|which|who)\b)",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    r";\s|:\s|\.\s|,\s(?:and|or|but|so|so\sthat|provided\sthat|in\swhich\scase)\s|"
    r",\s(?=(?:the|a|an|he|she|it|they|we|you)\s)"
)
_RELATIVE = re.compile(
    r"(?<!\sof)(?<!\sin)(?<!\sto)(?<!\sby)(?<!\son)(?<!\sfor)(?<!\sfrom)(?<!\swith)"
    r",?\s(?:that|which|who|whose|where|to\swhom|referred|listed|specified|described|defined|mentioned)\b.*",
    re.DOTALL,
)
_LABEL = re.compile(r"(?:\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__|[A-Z][\w’' -]{0,40}[.:])\s+(?=\S)")
_PARTICIPLE = (
    r"(?:\w+ed|(?!open\b)\w+en|\w+wn|\w*held|\w*drawn|understood|made|paid|said|laid|told|sold|kept|left|lost|met|set|put|"
    r"cut|sent|spent|lent|built|bought|brought|sought|taught|caught|thought|found|done|begun|run|won|read|dealt|borne|"
    r"led|fed|hit|shut|let)\b"
)
_PASSIVE = re.compile(
    rf"(?:not\s|also\s|only\s|always\s|immediately\s|promptly\s)*be\s(?:\w+ly\s)?{_PARTICIPLE}", re.IGNORECASE
)
# "Some features may not work", "the law may not be equivalent": what may be rather than what must not.
_POSSIBLE = re.compile(
    r"(?:some|certain|many|most|it|this|that|these|other)\b[^|]*\||"
    r"[^|]*\|(?:always|necessarily|work|function|apply|contain|reflect|have|exist|match|result|display|know|need|want|see|"
    r"provide|be(?!\s(?:\w+ly\s)?"
    rf"{_PARTICIPLE}))\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\bby\s(?P<who>(?:the|a|an|each|every|any|their|its)\s[\w’' -]{2,60}?)"
    r"(?=[,.;:]|$|\s(?:and|or|before|within|in|on|at|if|when|unless|for|to|after|as|with)\b)"
)
# A modal in a clause of these sorts obliges nobody: "checks whether it must be told", "rules under which he must".
_SUBORDINATE = re.compile(
    r"\b(?:which|that|who|whom)\s*(?:\w+ly\s|also\s|then\s)?\Z|\b(?:whether|why|how|what)\b|"
    r"\b(?:in|to|for|by|of|on|from|under|at|with)\s(?:which|whom)\s\S",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:it|they|this|that|these|those|he|she|there|such|which|who|both|one|none|neither|es|sie|er|dies\w*)\b\Z",
    re.IGNORECASE,
)
_GERMAN_WHO = re.compile(
    r"(?:der|die|das|jede[rs]?|alle|eine?[rn]?|beide|beschäftigte|führungskräfte|[A-ZÄÖÜ]\w+)\s?", re.IGNORECASE
)


class _Duty(NamedTuple):
    """An obligation, its predicate on one line, and whether a list goes on with that."""

    obligation: Obligation
    predicate: str
    leads: bool = False


def section_obligations(text: str, spans: Sequence[Span], language: str) -> tuple[Obligation, ...]:
    """The obligations in the sentences `spans` of a section's text, in order; at most `MOST_OBLIGATIONS`."""
    found: list[Obligation] = []
    lead: _Duty | None = None
    for start, end in spans:
        sentence = text[start:end]
        own = list(_duties(sentence[:_LONGEST_SENTENCE], start, language)) if _ANY.search(sentence) else []
        if lead and LIST_MARK.match(sentence):
            if not own:
                found.append(_item(lead, sentence, start))
                continue
        else:
            lead = None
        for duty in own:
            if duty.leads:
                lead = duty
            else:
                found.append(duty.obligation)
        if len(found) >= MOST_OBLIGATIONS:
            break
    return tuple(found[:MOST_OBLIGATIONS])


def _item(lead: _Duty, item: str, start: int) -> Obligation:
    """The obligation that a list's item makes with the words before the list."""
    mark = LIST_MARK.match(item)
    body = one_line(item[mark.end() :] if mark else item)
    body = re.sub(r"[;,]?\s?(?:and|or|und|oder)?\s*$", "", body).rstrip(";,. ")
    return replace(
        lead.obligation,
        what=cut_at_word(f"{lead.predicate} {body}".strip(), _WHAT_CHARS),
        when=_deadline(body) or lead.obligation.when,
        start=start,
        end=start + len(item),
    )


def _duties(sentence: str, start: int, language: str) -> Iterator[_Duty]:
    if language == "german":
        match = _GERMAN.search(sentence)
        if match:
            yield _german(sentence, start, match)
        return
    end = _begin(sentence)
    subject = ""
    for match in _MODAL.finditer(sentence):
        if match.start() < end:
            continue
        before = sentence[end : match.start()]
        clause = _last_clause(before)
        if _SUBORDINATE.search(clause) or _frees(clause, match["modal"]):
            continue
        subject = _subject(before, subject)
        following = _MODAL.search(sentence, match.end())
        # The predicate goes on to the next modal of the sentence, less the subject of that.
        stop = len(sentence)
        if following:
            cut = list(_CLAUSE_ENDS.finditer(sentence, match.end(), following.start()))
            stop = cut[-1].start() if cut else following.start()
        predicate = one_line(sentence[match.end() : stop]).lstrip(",;–— ")
        duty = _duty(sentence, start, match, subject, predicate)
        if duty:
            yield duty
        end = stop if following and stop < following.start() else match.end()


def _duty(sentence: str, start: int, match: "re.Match[str]", subject: str, predicate: str) -> _Duty | None:
    modal = " ".join(match["modal"].split())
    leads = predicate.endswith(":") or not predicate
    predicate = re.sub(r"\s(?:and|or|but)\Z", "", predicate.rstrip(":;,. "))
    if not predicate and not leads:
        return None
    if modal.lower().startswith("may") and _POSSIBLE.match(f"{subject}|{predicate}"):
        return None
    passive = _PASSIVE.match(predicate) is not None and not modal.lower().startswith(("is ", "are ", "has", "have"))
    who, what = subject, predicate
    if passive:
        by = _BY.search(predicate)
        who = by["who"] if by else ""
        # Without a subject that stands beside it the sentence says best what is to be done.
        what = f"{subject} {modal} {predicate}" if subject else one_line(sentence[_begin(sentence) :]).rstrip(";. ")
    obligation = Obligation(
        cut_at_word(who, _WHO_CHARS),
        Force.MUST_NOT if _NOT.search(modal) else Force.MUST,
        cut_at_word(what, _WHAT_CHARS),
        _deadline(sentence),
        start,
        start + len(sentence),
    )
    return _Duty(obligation, predicate, leads)


def _german(sentence: str, start: int, match: "re.Match[str]") -> _Duty:
    before = one_line(sentence[_begin(sentence) : match.start()])
    after = one_line(sentence[match.end() :]).rstrip(".;")
    passive = re.search(r"\b(?:werden|worden)\b", after) is not None
    who = before if not passive and _GERMAN_WHO.match(before) and "," not in before and len(before) <= 80 else ""
    what = after if who else f"{before} {match['modal']} {after}".strip()
    obligation = Obligation(
        who,
        Force.MUST_NOT if _GERMAN_NOT.search(sentence, match.start()) else Force.MUST,
        cut_at_word(what, _WHAT_CHARS),
        _deadline(sentence),
        start,
        start + len(sentence),
    )
    return _Duty(obligation, after)


def _begin(sentence: str) -> int:
    """Where a sentence begins behind its list mark and a label in bold or with a full stop."""
    mark = LIST_MARK.match(sentence)
    at = mark.end() if mark else 0
    at += len(sentence[at:]) - len(sentence[at:].lstrip())
    label = _LABEL.match(sentence, at)
    return label.end() if label else at


def _subject(before: str, previous: str) -> str:
    """The subject in what stands before a modal; that of the modal before where there is none ("... and must")."""
    clause = _last_clause(before)
    while opening := _OPENING.match(clause):
        clause = clause[opening.end() :]
    words = one_line(_RELATIVE.sub("", clause)).strip(" ,;:")
    if re.fullmatch(r"(?:and|or|but|then|also|,)?\s?(?:also|then)?", words):
        return previous
    words = re.sub(r"^(?:and|or|but|that|then)\s|\s(?:may|can|should)\s(?:and|or)$", "", words)
    if re.search(r"\s(?:and|or|but)$", words):
        # "must test and must not release" goes on with its subject; else another verb comes first, and where the
        # subject ends is not known.
        return previous
    plain = not _OPENING.match(words + ", ") or (words[:1].isupper() and " " not in words)
    return words if plain and len(words) <= _WHO_CHARS and not _PRONOUN.match(words) else ""


def _last_clause(before: str) -> str:
    clause = before
    for found in _CLAUSE_ENDS.finditer(before):
        rest = before[found.end() :]
        if rest.strip():
            clause = rest
    return clause


def _frees(clause: str, modal: str) -> bool:
    """Whether it is said that nobody has to."""
    return modal.lower().endswith("to") and re.search(r"\b(?:nobody|no\s\w+)\s*\Z", clause, re.IGNORECASE) is not None


def _deadline(text: str) -> str:
    """The first deadline that a text names, or ""."""
    found = DEADLINE.search(text)
    return one_line(found[0]) if found else ""
