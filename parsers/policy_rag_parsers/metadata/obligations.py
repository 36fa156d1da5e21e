"""Obligations by pattern: who must or must not do what, and by when.

A sentence obliges where it has "must", "shall", "may not", "may only", "cannot", "is required to", "is to be done", "is
prohibited" and the like (German: "muss", "darf nicht", "ist verpflichtet", "sind einzureichen"); "nobody may" forbids.
Other languages are read by the modal expressions of their lexicons. A sentence that leads in a list ("A firm must:")
gives one for each item.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import NamedTuple

from policy_rag_parsers.metadata.extraction_results import Force, Obligation
from policy_rag_parsers.metadata.sanitise import cut_at_word, one_line
from policy_rag_parsers.metadata.temporal import DEADLINE
from policy_rag_parsers.text.lexicon import JOINING, LEXICONS, alternatives, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.sentences import LIST_MARK, Span

MOST_OBLIGATIONS = 30
_WHO_CHARS = 120
_WHAT_CHARS = 400
# What is longer is no sentence; reading on would cost time that grows with its square.
_LONGEST_SENTENCE = 4000
_NOT = re.compile(r"not|n['’]t|never|prohibited|forbidden", re.IGNORECASE)
# "Nobody may", "no employee shall": it is forbidden, whoever does it.
_NOBODY = re.compile(r"(?:nobody|none|neither|no)\b[^,;:.]{0,80}?\s(?P<modal>may|shall|must)\b", re.IGNORECASE)
_NOTHING = re.compile(r"nothing\b", re.IGNORECASE)  # "Nothing in this policy shall prevent ..." obliges nobody
_SUPPOSES = re.compile(r"\b(?:if|when\w*|where\w*|unless|although|because|as|since|while)\b", re.IGNORECASE)
_PARTICIPLE = (
    r"(?:\w+ed|(?!open\b)\w+en|\w+wn|\w*held|\w*drawn|understood|made|paid|said|laid|told|sold|kept|left|lost|met|set|put|"
    r"cut|sent|spent|lent|built|bought|brought|sought|taught|caught|thought|found|done|begun|run|won|read|dealt|borne|"
    r"led|fed|hit|shut|let)\b"
)
_MODAL = re.compile(
    r"\b(?P<modal>(?:must|shall|may)(?:not|\s(?:not|never))|must|shall|can(?:not|\snot|['’]t)|may(?=\s(?:be\s\w+\s)?only\b)|"
    # what is to be found or expected is no duty
    rf"(?:is|are)\sto(?=\sbe\s(?!(?:found|seen|read|expected|understood)\b)(?:\w+ly\s)?{_PARTICIPLE})|"
    r"(?:is|are)\s(?:not\s(?:permitted|allowed|authori[sz]ed)|required|obliged|obligated)\sto|"
    r"(?:is|are)\s(?:(?:strictly\s)?(?:prohibited|forbidden)(?:\sfrom)?|barred\sfrom)|(?:has|have)\sto)\b"
    r"(?!\shave\sbeen\b)",
    re.IGNORECASE,
)
_GERMAN = re.compile(r"\b(?P<modal>muss|müssen|darf|dürfen|hat|haben|ist|sind)\b")
_GERMAN_NOT = re.compile(r"\b(?:nicht|keine?[nrsm]?|niemand\w{0,2})\b", re.IGNORECASE)
_GERMAN_FORBIDDEN = re.compile(r"\b(?:verboten|untersagt|unzulässig)\b")
# "ist einzureichen", "hat zu prüfen"; what is to be found or expected is no duty.
_GERMAN_DUE = re.compile(
    r"\s(?:zu\s(?!(?:finden|entnehmen|verstehen|erwarten|sehen|erreichen)\b)[a-zäöüß]+e?n|"
    r"(?:ab|an|auf|aus|bei|durch|ein|fern|fest|fort|frei|her|hin|mit|nach|sicher|um|unter|vor|weg|weiter|zu|zurück|"
    r"zusammen)zu[a-zäöüß]+e?n)\b(?!\w)"
)
_PART = re.compile(r"[.;:]\s|,\s")
_ITEM_END = re.compile(rf"(?:\s(?:{alternatives(JOINING)}))?\s*$")
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
_LABEL = re.compile(r"(?:\*\*[^*\n]{1,80}\*\*|__[^_\n]{1,80}__|[A-Z][\w’' -]{0,40}:)\s+(?=\S)")
_PASSIVE = re.compile(
    rf"(?:not\s|also\s|only\s|always\s|immediately\s|promptly\s)*be\s(?:\w+ly\s)?{_PARTICIPLE}", re.IGNORECASE
)
# "Some features may not work", "the law may not be equivalent", "we cannot guarantee": what may be, not what must not.
_POSSIBLE = re.compile(
    r"(?:some|certain|many|most|it|this|that|these|other)\b[^|]*\||"
    r"[^|]*\|(?:always|necessarily|work|function|apply|contain|reflect|have|exist|match|result|display|know|need|want|see|"
    r"provide|guarantee|ensure|exclude|attend|agree|find|avoid|be\s(?:reached|guaranteed|excluded|avoided|ruled|determined)|be(?!\s(?:\w+ly\s)?"
    rf"{_PARTICIPLE}))\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\bby\s(?P<who>(?:the|a|an|each|every|any|their|its)\s"
    r"(?!\d|(?:end|start|beginning|close|same|next|following|first|second|third|last|date|time)\b)[\w’' -]{2,60}?)"
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


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The modal expressions of a language, and what tells of the clause that they stand in."""

    frees: re.Pattern[str]
    binds: re.Pattern[str]
    only: re.Pattern[str]
    depends: re.Pattern[str]
    verb: re.Pattern[str]
    passive: re.Pattern[str]
    refrains: re.Pattern[str]


@cache
def _patterns(language: str) -> _Patterns:
    known = lexicon(language)
    forbids, obliges, permits = (
        known.modals[kind] for kind in (Modality.PROHIBITION, Modality.OBLIGATION, Modality.PERMISSION)
    )
    return _Patterns(
        frees=any_word(known.modals[Modality.EXEMPTION]),
        binds=any_word(rf"(?P<forbids>{forbids})", rf"(?P<obliges>{obliges})", rf"(?P<permits>{permits})"),
        only=any_word(known.only),
        depends=any_word(known.if_, known.when, known.relative, known.until),
        verb=any_word(known.modal_verbs),
        passive=any_word(known.document.lines.passive),
        refrains=re.compile(rf"(?:{known.document.lines.refrains})\s+", re.IGNORECASE),
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
        own = list(_duties(sentence[:_LONGEST_SENTENCE], start, language))
        if lead and LIST_MARK.match(sentence):
            if not own:
                found.append(_item(lead, sentence, start, language))
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


def _item(lead: _Duty, item: str, start: int, language: str) -> Obligation:
    """The obligation that a list's item makes with the words before the list."""
    mark = LIST_MARK.match(item)
    body = one_line(item[mark.end() :] if mark else item)
    body = _ITEM_END.sub("", body).rstrip(";,. ")
    denied = _patterns(language).refrains.match(body) if lead.obligation.force is Force.MUST else None
    body = body[denied.end() :] if denied else body
    return replace(
        lead.obligation,
        force=Force.MUST_NOT if denied else lead.obligation.force,
        what=cut_at_word(f"{lead.predicate} {body}".strip(), _WHAT_CHARS),
        when=_deadline(body) or lead.obligation.when,
        start=start,
        end=start + len(item),
    )


def _duties(sentence: str, start: int, language: str) -> Iterator[_Duty]:
    if language == "german":
        yield from _german(sentence, start)
        return
    if language != "english" and language in LEXICONS:
        yield from _worded(sentence, start, language)
        return
    end = _begin(sentence)
    if _NOBODY.match(sentence, end):
        yield _whole(sentence, start, Force.MUST_NOT)
        return
    subject = ""
    modals = [match for match in _MODAL.finditer(sentence) if not _is_supposed(sentence, match)]
    for match, following in zip_longest(modals, modals[1:]):
        if match.start() < end:
            continue
        before = sentence[end : match.start()]
        clause = _last_clause(before)
        if _SUBORDINATE.search(clause) or _frees(clause, match["modal"]):
            continue
        subject = _subject(before, subject)
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


def _is_supposed(sentence: str, match: "re.Match[str]") -> bool:
    """Whether a "cannot" or "is to" only supposes or explains something: "ask if it cannot be done"."""
    clause = re.split(r"[,;:.]", sentence[: match.start()])[-1]
    return match["modal"].lower().startswith(("can", "is to", "are to")) and _SUPPOSES.search(clause) is not None


def _duty(sentence: str, start: int, match: "re.Match[str]", subject: str, predicate: str) -> _Duty | None:
    modal = " ".join(match["modal"].split())
    if modal.lower().endswith(("prohibited", "forbidden")):  # what, not who
        return _whole(sentence, start, Force.MUST_NOT)
    leads = predicate.endswith(":") or not predicate
    predicate = re.sub(r"\s(?:and|or|but)\Z", "", predicate.rstrip(":;,. "))
    if not predicate and not leads:
        return None
    if modal.lower().startswith(("may", "can")) and _POSSIBLE.match(f"{subject}|{predicate}"):
        return None
    active = modal.lower().startswith(("is ", "are ", "has", "have")) and modal.lower() not in {"is to", "are to"}
    passive = _PASSIVE.match(predicate) is not None and not active
    who, what = subject, predicate
    if passive:
        by = _BY.search(predicate)
        who = by["who"] if by else ""
        # Without a subject that stands beside it the sentence says best what is to be done.
        what = f"{subject} {modal} {predicate}" if subject else _said(sentence)
    force = Force.MUST_NOT if _NOT.search(modal) else Force.MUST
    return _Duty(_obligation(sentence, start, who, force, what), predicate, leads)


def _obligation(sentence: str, start: int, who: str, force: Force, what: str) -> Obligation:
    """The obligation of a whole sentence."""
    end = start + len(sentence)
    return Obligation(
        cut_at_word(who, _WHO_CHARS), force, cut_at_word(what, _WHAT_CHARS), _deadline(sentence), start, end
    )


def _said(sentence: str) -> str:
    return one_line(sentence[_begin(sentence) :]).rstrip(";. ")


def _whole(sentence: str, start: int, force: Force) -> _Duty:
    """An obligation of which the sentence says best what it is."""
    what = _said(sentence)
    return _Duty(_obligation(sentence, start, "", force, what), what)


def _worded(sentence: str, start: int, language: str) -> Iterator[_Duty]:
    """The obligation of a sentence by the first modal expression of its language that makes one."""
    patterns, begin = _patterns(language), _begin(sentence)
    bare = patterns.frees.sub(lambda found: " " * len(found[0]), sentence.replace("’", "'"))
    for match in patterns.binds.finditer(bare, begin):
        clause = _PART.split(bare[begin : match.start()])[-1]
        restricts = patterns.only.search(clause) is not None
        kept = match["permits"] is None or restricts or patterns.only.search(_PART.split(bare[match.start() :])[0])
        if not kept or patterns.depends.search(clause):
            continue
        force = Force.MUST_NOT if match["forbids"] else Force.MUST
        who, what = one_line(clause), one_line(sentence[match.end() :]).rstrip(".; ")
        named = who and len(who) <= _WHO_CHARS and not restricts
        named = named and patterns.verb.search(match[0]) is not None and not patterns.passive.match(what)
        leads = what.endswith(":") or not what
        said = what if named or leads else _said(sentence)
        yield _Duty(_obligation(sentence, start, who if named else "", force, said), what.rstrip(": "), leads)
        return


def _german(sentence: str, start: int) -> Iterator[_Duty]:
    """The obligation of a German sentence: that of its first modal verb that makes one."""
    for match in _GERMAN.finditer(sentence, _begin(sentence)):
        force = _german_force(sentence, match)
        if force is not None:
            yield _german_duty(sentence, start, match, force)
            return


def _german_force(sentence: str, match: "re.Match[str]") -> Force | None:
    """What a modal verb does with its clause; None where it obliges nobody: "muss nicht" is "need not"."""
    part = _PART.search(sentence, match.end())
    clause = sentence[match.start() : part.start() if part else len(sentence)]
    before = _last_clause(sentence[: match.start()])
    denied = bool(_GERMAN_NOT.search(clause) or _GERMAN_NOT.search(before))
    modal = match["modal"]
    if modal in {"darf", "dürfen"}:
        if denied or _GERMAN_NOT.search(sentence, match.end()):
            return Force.MUST_NOT
        return Force.MUST if re.search(r"\bnur\b", clause) else None
    if modal in {"ist", "sind"} and _GERMAN_FORBIDDEN.search(clause):
        return Force.MUST_NOT
    owed = modal in {"muss", "müssen"} or "verpflichtet" in clause or _GERMAN_DUE.search(clause)
    return Force.MUST if owed and not denied else None


def _german_duty(sentence: str, start: int, match: "re.Match[str]", force: Force) -> _Duty:
    before = one_line(sentence[_begin(sentence) : match.start()])
    after = one_line(sentence[match.end() :]).rstrip(".;")
    active = match["modal"] not in {"ist", "sind"} or "verpflichtet" in after
    active = active and _patterns("german").passive.search(after) is None
    named = active and _GERMAN_WHO.match(before) and not _GERMAN_NOT.match(before)
    who = before if named and "," not in before and len(before) <= 80 else ""
    what = after if who else f"{before} {match['modal']} {after}".strip()
    return _Duty(_obligation(sentence, start, who, force, what), after)


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
    """Whether a clause says that nobody has to, or only supposes: "if smoking is prohibited"."""
    if modal.lower().endswith("to"):
        return re.search(r"\b(?:nobody|no\s\w+)\s*\Z", clause, re.IGNORECASE) is not None
    supposed = modal.lower().endswith(("prohibited", "forbidden")) and _SUPPOSES.match(clause.lstrip())
    return bool(supposed or _NOTHING.match(clause.lstrip()))


def _deadline(text: str) -> str:
    """The first deadline that a text names, or ""."""
    found = DEADLINE.search(text)
    return one_line(found[0]) if found else ""
