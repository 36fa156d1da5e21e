"""Questions that an English sentence of a policy answers, by its form alone.

A sentence is taken apart at its first auxiliary ("The report | must | be filed within ten days"). What cannot be taken
apart surely (a relative clause before the auxiliary, a pronoun for a subject) gives no question.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from policy_rag_eval.questions.drafts import QuestionStyle


@dataclass(frozen=True, slots=True)
class Generated:
    """A question that a sentence answers, the words in it that answer, and the rule that made it."""

    style: QuestionStyle
    text: str
    rule: str
    answer: str = ""


_NUMBER = (
    r"(?:\d[\d,.]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty|"
    r"ninety)"
)
_UNIT = r"(?:(?:working|calendar|business|full|further|paid|additional)\s)?(?:minute|hour|day|week|month|year)s?"
_PERIOD = rf"{_NUMBER}(?:\s(?:and|to|or)\s{_NUMBER})?\s{_UNIT}"
_AUXILIARY = re.compile(r"\b(must|shall|may|can|should|will|is|are|was|were)\b(?:\s(not|never|only)\b)?")
_NO_SUBJECT = re.compile(
    r"\A(?:it|they|this|these|those|that|he|she|we|there|such|both|each|none|some|many|most|others?|here|who|whoever|what|"
    r"which|then|if|when|where|while|during|for|in|on|at|by|with|without|after|before|until|from|as|to|of|under|within|"
    r"once|otherwise|however|and|or|but|only|not|no|nobody|nothing|neither|so|in addition|every)\b",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"\b(?:who|which|that|whose|where|whom|if|when|and then|because|unless)\b|[,;:()\"“”]", re.IGNORECASE
)
_DANGLING = re.compile(
    r"\b(?:it|its|they|them|this|these|those|such|he|she|him|her|thereof|therein|the same|there|above|below|latter|"
    r"former|otherwise|us|we|our|ours|you|your|following|so|anything|everything|something|one)\b",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(
    r"\A(?:you|(?:all )?(?:employees|staff|users)|every employee|each employee|an employee|the employee|everyone|"
    r"everybody|anyone|anybody)\Z",
    re.IGNORECASE,
)
_FIRST_PERSON = (
    (r"\b(?:you|they|he or she) are\b", "I am"),
    (r"\b(?:you|they|he or she) (?:have|has)\b", "I have"),
    (r"\b(?:you|they|he or she)\b", "I"),
    (r"\b(?:your own|their own|his or her own)\b", "my own"),
    (r"\b(?:your|their|his or her)\b", "my"),
    (r"\b(?:yourself|yourselves|themselves|himself or herself)\b", "myself"),
)
_CUT = re.compile(
    r"\s*(?:;|:(?!\d)|\(|,\s(?:is|are|must|and|but|or|nor|which|who|as|so|in particular|for instance|except|unless|"
    r"provided|others?|not even)\b|"
    r"\b(?:except|unless|provided that|as long as|because|since)\b|\s[–-]\s|"
    r"\b(?:and|but|or) (?:then |also |the \w+ )?(?:is|are|must|may|shall|should|can|will|be|have|has|within|by|at|not|"
    r"no|every|others?|\w{2,}(?:ed|es)|paid|told|sent|put|kept|made|given|taken|lapses?|names?|states?)\b).*"
)
_TAIL = re.compile(r"[\s,;:.]+\Z")
_NAME = "\ue000"  # stands before a first word that is a name, while its sentence is taken apart
_CALENDAR = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\Z|"
    r"(?:January|February|March|April|June|July|August|September|October|November|December)\Z"
)
_OPEN = frozenset(["and", "or", "but", "also", "then", "to", "not", "of", "in"])
_DECIDED = re.compile(
    r"(?:\w+ly )?(?:permitted|allowed|prohibited|forbidden|excluded|reimbursed|paid|required|needed|accepted|covered|"
    r"refunded|charged|recorded|counted|published|passed|available|open|entitled|obliged|exempt|mandatory|voluntary|enough|sufficient)\b"
)
_PARTICIPLE = re.compile(r"(?:\w+ly )?(?:\w+(?:ed|en|wn|pt|ld|id)|read|sent|put|made|told|kept|set|cut)\b")
_ONLY = re.compile(r"\bonly (?P<when>if|when|after|with|by|for|in|on|to|between|during|where|once)\b")
_SUBORDINATE = re.compile(r"\b(?:if|when|whether|unless|until|who|which|that)\b")
_LOOSE_END = re.compile(
    r"(?:[\s,]+(?:only|also|the|a|an|of|on|in|at|to|by|for|with|and|or|from|than|then|at most|at least))+\Z"
)
_SHARED = re.compile(rf"\band {_NUMBER} \w+\Z")  # "four hours before the start and two hours": of which is it asked?
_MOST_DECIDED_WORDS = 7
_MOST_WORDS = 32
_MOST_SUBJECT_WORDS = 14
_VERBS = frozenset(
    re.findall(
        r"\w+",
        "answer appoint apply approve ask assess begin check confirm continue cover decide delete destroy document end "
        "examine expire hear hold include inform issue keep lapse last meet name need notify offer pay provide publish "
        "receive record report request require return review send start store submit take tell test train update "
        "verify",
    )
)
_LIMITS = (
    ("within", re.compile(rf"\bwithin (?:a period of )?({_PERIOD})\b(?: (?:of|after|from|before) [^,;:]+)?"),
     "Within what time"),
    ("latest", re.compile(rf"\b(?:no|not) later than ({_PERIOD})\b|\bat the latest (?:after )?({_PERIOD})\b"),
     "By when at the latest"),
    ("ahead", re.compile(rf"\b(?:at least |at the latest )?({_PERIOD}) (?:ahead|in advance|beforehand)\b(?=\s*$)"),
     "How long in advance"),
    ("for", re.compile(rf"\bfor (?:up to |at least |at most |a maximum of |no more than )?({_PERIOD})\b"),
     "For how long"),
    ("often", re.compile(rf"\b((?:once|twice|{_NUMBER} times) (?:a|an|each|every|per) \w+|every (?:{_NUMBER} )?"
                         r"(?:day|week|month|year|quarter)s?|each year|annually|monthly|quarterly)\b"),
     "How often"),
)  # fmt: skip
_AGENT = re.compile(
    r"\bby (?!the end\b)((?:the|an?|internal|external|two|its|their)\s[\w’'& -]{3,60}|IT|Legal|Procurement)\Z"
)
_COUNT_SUBJECT = re.compile(
    rf"\A(?:up to|at most|at least|no more than|not more than|a maximum of)?\s*({_NUMBER})\s"
    r"((?:working |calendar |paid |additional |further )?[a-z]+s)\Z",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    rf"\A(?:up to|at most|at least|no more|not more|a maximum|(?!an?\b){_NUMBER}|EUR|GBP|USD)\b", re.IGNORECASE
)
_HAVE = re.compile(
    rf"\A(?P<subject>\ue000?[A-Z][\w’' -]{{2,60}}?) (?:has|have) (?P<count>(?:up to |at least |at most )?{_NUMBER}) "
    r"(?P<noun>(?:(?:working|paid|calendar|further|additional) )?[a-z]+s)\b(?P<rest>(?: [^\s,;:.()]+){0,9})"
)
_MONEY = re.compile(
    r"\b(?:up to |at most |no more than )?((?:EUR|GBP|USD|€|£|\$)\s?\d[\d,.]*\d|\d[\d,.]* (?:euros?|EUR|%|per cent))"
)
_IF_FIRST = re.compile(r"\A(?:If|Where|When) (?P<if>[^,;:()]{10,160}), (?P<main>.+)\Z")
_IF_LAST = re.compile(r"\A(?P<main>[^;:()]{15,200}?),? (?P<word>if|when|provided that) (?P<if>[^;:()]{10,140})\.\Z")


def english_questions(sentence: str, names: frozenset[str] = frozenset()) -> Iterator[Generated]:
    """The questions that a sentence answers, the surest first.

    Args:
        sentence: on one line, without markup.
        names: words that keep their capital letter wherever they stand.

    >>> [asked.text for asked in english_questions("Reports must be answered by Legal within 15 days.")]
    ['Within what time must reports be answered by Legal?', 'Must reports be answered by Legal?']
    >>> [asked.text for asked in english_questions("Employees may not use their work account to register with shops.")]
    ['Am I allowed to use my work account to register with shops?']
    """
    first, _, others = sentence.partition(" ")
    if first in names:
        sentence = f"{_NAME}{first} {others}"
    found = [*_conditional(sentence), *_have(sentence), *_from_clause(sentence)]
    for asked in found:
        if _is_sound(asked.text):
            yield replace(asked, text=asked.text.replace(_NAME, ""))


def _is_sound(question: str) -> bool:
    bare = question.rstrip("?")
    balanced = question.count("(") == question.count(")") and question.count('"') % 2 == 0
    return balanced and 3 <= len(bare.split()) <= _MOST_WORDS and not _DANGLING.search(bare)


def _conditional(sentence: str) -> Iterator[Generated]:
    """What applies if C, of "If C, M" and "M if C"."""
    first, last = _IF_FIRST.match(sentence), _IF_LAST.match(sentence)
    if first:
        clause = _first_person(first["if"]) if re.search(r"\byou\b", first["if"]) else first["if"]
        yield Generated(QuestionStyle.CONDITIONAL, f"What applies if {clause}?", "if_first")
    elif (
        last
        and not last["main"].endswith(" only")
        and not _INSIDE.search(last["if"])
        and not _NO_SUBJECT.match(last["main"])
    ):
        parts = _clause(last["main"] + ".")
        if parts and not re.match(r"\s*be\b\s*(?:able|the)\b", parts.rest):
            inverted = _inverted(parts, re.sub(r",?\s(?:except|also)\Z", "", parts.rest))
            yield Generated(QuestionStyle.CONDITIONAL, f"{inverted} if {last['if']}?", "if_last")


@dataclass(frozen=True, slots=True)
class _Clause:
    """Subject, auxiliary ("does" where there is none), negation or "only", and the rest without its full stop."""

    subject: str
    auxiliary: str
    mark: str
    rest: str


def _clause(sentence: str) -> _Clause | None:
    found = _AUXILIARY.search(sentence)
    body = _TAIL.sub("", sentence)
    if _NO_SUBJECT.match(sentence):
        return None
    if found:
        subject = sentence[: found.start()].strip()
        if _is_subject(subject):
            return _Clause(subject, found[1], found[2] or "", body[found.end() :].strip())
    return _with_do(body)


def _is_subject(subject: str) -> bool:
    words = subject.split()
    if not 1 <= len(words) <= _MOST_SUBJECT_WORDS or _INSIDE.search(subject) or words[-1].lower() in _OPEN:
        return False
    return not any(
        _base(word) in _VERBS and word != word.capitalize() and i
        for i, word in enumerate(words[1:], 1)
        if word.endswith("s") and not _after_determiner(words, i)
    )


def _after_determiner(words: list[str], place: int) -> bool:
    """Whether the word is a noun by what stands before it ("the reports", "of claims")."""
    return words[place - 1].lower() in {"the", "a", "an", "of", "all", "for", "and", "or", "to", "expense", "working"}


def _with_do(body: str) -> _Clause | None:
    """A clause in the simple present, by its verb: "The secretary confirms receipt"."""
    words = body.split()
    for place in range(1, min(len(words), 8)):
        word = words[place]
        base = _base(word)
        if word.islower() and word.endswith("s") and base in _VERBS and not _after_determiner(words, place):
            subject = " ".join(words[:place])
            if _INSIDE.search(subject) or not re.match(r"(?:The|An?|Each|\ue000?[A-Z]\w+(?: [A-Z]\w+)*\Z)", subject):
                return None
            return _Clause(subject, "does", "", " ".join([base, *words[place + 1 :]]))
    return None


def _base(verb: str) -> str:
    """A verb without its ending of the third person.

    >>> [_base(verb) for verb in ("decides", "publishes", "notifies", "continues", "expire")]
    ['decide', 'publish', 'notify', 'continue', 'expire']
    """
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if re.search(r"(?:sh|ch|ss|x|z)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _from_clause(sentence: str) -> Iterator[Generated]:
    parts = _clause(sentence)
    if parts is None:
        return
    only = list(_only(parts))
    if only:
        yield from only
        return
    yield from _limits(parts)
    yield from _count(parts)
    yield from _agent(parts)
    yield from _yes_or_no(parts)


def _limits(parts: _Clause) -> Iterator[Generated]:
    """Within what time, how often, up to what amount: "within ten days" and its like, asked for."""
    rest = _CUT.sub("", parts.rest)
    if parts.mark or not rest:
        return
    for name, pattern, words in _LIMITS:
        found = pattern.search(rest)
        if found is None:
            continue
        left = _joined(rest[: found.start()], rest[found.end() :])
        if not left or _SUBORDINATE.search(rest[: found.start()]) or _LOOSE_END.search(left) or _SHARED.search(left):
            continue
        answer = next(group for group in found.groups() if group)
        yield Generated(QuestionStyle.FACTUAL, f"{words} {_lower(_inverted(parts, left))}?", name, answer)
        return
    money = _MONEY.search(rest)
    if money and re.search(r"\b(?:reimbursed|paid|pays|pay|costs?|worth|deducted|charged)\b", rest[: money.start()]):
        left = rest[: money.start()].strip()
        if re.search(r"(?:reimbursed|paid|deducted|charged)\Z", left):
            yield Generated(
                QuestionStyle.FACTUAL, f"Up to what amount {_lower(_inverted(parts, left))}?", "money", money[1]
            )


def _count(parts: _Clause) -> Iterator[Generated]:
    """How many days, of "Up to five days may be carried over"."""
    found = _COUNT_SUBJECT.match(parts.subject)
    rest = _CUT.sub("", re.split(r"\band\b", parts.rest, maxsplit=1)[0]).strip()
    if found and rest and not parts.mark:
        yield Generated(
            QuestionStyle.FACTUAL, f"How many {found[2].lower()} {parts.auxiliary} {rest}?", "count", found[1]
        )


def _only(parts: _Clause) -> Iterator[Generated]:
    """Under what condition, of "... are paid only if ..."."""
    found = _ONLY.search(parts.rest)
    left = parts.rest[: found.start()].strip() if found else ""
    if found and left and not _CUT.search(left) and not _SUBORDINATE.search(left):
        asks = {
            "if": "Under what condition",
            "when": "When",
            "after": "When",
            "where": "In which cases",
            "once": "When",
        }
        words = asks.get(found["when"], "With what limitation")
        yield Generated(QuestionStyle.CONDITIONAL, f"{words} {_lower(_inverted(parts, left))}?", "only")


def _agent(parts: _Clause) -> Iterator[Generated]:
    """By whom, of "... is approved by the line manager"."""
    rest = _CUT.sub("", parts.rest).rstrip(".")
    found = _AGENT.search(rest)
    if found and not parts.mark and re.search(r"\b\w+(?:ed|en|wn|de|ld|id)\s*\Z", rest[: found.start()]):
        left = rest[: found.start()].strip()
        who = re.split(r" (?:before|on|in|only|alone|after|within|together|for|from)\b", found[1], maxsplit=1)[0]
        yield Generated(QuestionStyle.FACTUAL, f"By whom {_lower(_inverted(parts, left))}?", "agent", who)


def _have(sentence: str) -> Iterator[Generated]:
    found = _HAVE.match(sentence)
    if found and not _NO_SUBJECT.match(sentence) and not _INSIDE.search(found["subject"]):
        subject = found["subject"]
        head = re.split(r" (?:with|of|at|in|from|under|for|on) ", subject, maxsplit=1)[0]
        does = "do" if re.search(r"(?<!s)s\Z", head) else "does"
        if _EVERYBODY.match(subject):
            does, subject = "do", "I"
        rest = re.split(r"\b(?:who|which|that|whose|and|on the basis)\b", found["rest"], maxsplit=1)[0].rstrip()
        rest = _LOOSE_END.sub("", rest)
        yield Generated(
            QuestionStyle.PARAPHRASE if subject == "I" else QuestionStyle.FACTUAL,
            f"How many {found['noun']}{rest} {does} {_lower(subject)} have?",
            "have",
            found["count"],
        )


def _yes_or_no(parts: _Clause) -> Iterator[Generated]:
    """Whether something may, must or is done; for what everybody may or must, as one of them would ask it."""
    rest = _without_periods(_CUT.sub("", parts.rest))
    # What "may" leads to is no name: there a line broke off, and the next began with a capital.
    broken = rest[:1].isupper()
    if not rest or broken or parts.auxiliary in {"does", "will", "was", "were"} or _AMOUNT.match(parts.subject):
        return
    everybody = _EVERYBODY.match(parts.subject) is not None
    if everybody and parts.auxiliary in {"may", "must", "shall", "can", "should"}:
        own = _first_person(rest)
        if own.startswith("be "):  # "Employees can be reached": what is done to them is no leave of theirs
            return
        if parts.auxiliary in {"may", "can"} or parts.mark in {"not", "never"}:
            yield Generated(QuestionStyle.PARAPHRASE, f"Am I allowed to {own}?", "allowed")
        elif parts.mark != "only":
            yield Generated(QuestionStyle.PARAPHRASE, f"Do I have to {own}?", "obliged")
        return
    if parts.auxiliary in {"is", "are"}:
        # What is not done is worth asking; whether it is done as the sentence says is a leading question.
        negated = parts.mark in {"not", "never"} and _PARTICIPLE.match(rest)
        if not negated and (not _DECIDED.match(rest) or len(rest.split()) > _MOST_DECIDED_WORDS):
            return
        rest = re.split(r",? \b(?:up to|at most|from the|in full)\b", rest, maxsplit=1)[0]
        yield Generated(QuestionStyle.PARAPHRASE, f"{_inverted(parts, rest)}?", "is_it")
    elif parts.mark in {"not", "never", "only"}:
        yield Generated(QuestionStyle.PARAPHRASE, f"May {_lower(parts.subject)} {rest}?", "may_it")
    else:
        yield Generated(
            QuestionStyle.PARAPHRASE, f"{parts.auxiliary.capitalize()} {_lower(parts.subject)} {rest}?", "modal"
        )


def _without_periods(rest: str) -> str:
    """The rest of a clause without its time limits, which a yes or no does not ask for."""
    for name, pattern, _ in _LIMITS:
        if name in {"within", "latest"}:
            rest = (
                _joined(*(pattern.split(rest, maxsplit=1)[i] or "" for i in (0, -1))) if pattern.search(rest) else rest
            )
    return _TAIL.sub("", rest)


def _inverted(parts: _Clause, rest: str) -> str:
    subject = _lower(parts.subject)
    return f"{parts.auxiliary.capitalize()} {subject} {_TAIL.sub('', rest)}".strip()


def _joined(before: str, after: str) -> str:
    """What is left of a clause when a phrase is taken out; what hung on the phrase by a comma goes with it."""
    after = re.split(r",", after, maxsplit=1)[0]
    return re.sub(r"\s(?:only|also)\Z", "", _TAIL.sub("", f"{before.strip()} {after.strip()}".strip()))


def _first_person(text: str) -> str:
    for pattern, new in _FIRST_PERSON:
        text = re.sub(pattern, new, text, flags=re.IGNORECASE)
    return text


def _lower(text: str) -> str:
    """The text with a small letter at its front, unless its first word is a name (marked) or an acronym.

    >>> _lower("The AI Board"), _lower("IT staff"), _lower("Fridays")
    ('the AI Board', 'IT staff', 'Fridays')
    """
    first = re.split(r"[\s’']", text, maxsplit=1)[0]
    kept = any(char.isupper() for char in first[1:]) or any(char.isdigit() for char in first) or first == "I"
    return text if kept or first.startswith(_NAME) or _CALENDAR.match(first) else text[:1].lower() + text[1:]
