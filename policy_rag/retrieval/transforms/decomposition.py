"""Decomposition: the questions in a question, each searched by itself.

By rules: "compare A and B", "the difference between A and B", "what is the A and the B", and questions joined by "and"
or standing in a row. A part that leaves out what the one before has said ("and how much for a phone?", "and for a
phone?") is completed by it, one that leans on it ("and who approves it?", "and how early must I ask?") takes its
telling words along; what is told before the questions ("I want to go to Canada.", "I am ill:") goes with each of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.index.search.terms import terms
from policy_rag.retrieval.transforms.conversation_rules import condense, is_follow_up, own_words, points
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives
from policy_rag_parsers.text.lexicon.question_words import QuestionWords
from policy_rag_parsers.text.sentences import sentence_spans

MOST = 4
_QUESTIONS = tuple(one.question for one in LEXICONS.values())
_AND = alternatives({word for one in LEXICONS.values() for word in one.and_})
_OR = alternatives({word for one in LEXICONS.values() for word in one.or_})


def _either(*fields: str) -> str:
    return "|".join(filter(None, fields))


def _begins(words: QuestionWords) -> str:
    """How a question begins in a language: with a word that asks, or with a verb and its subject."""
    asks = rf"(?:(?:{words.before})\s+)?(?:{words.asks})"
    return rf"(?:{_either(asks, _asked(words, _subject(words)))})(?!\w)"


def _subject(words: QuestionWords) -> str:
    return _either(words.subjects, alternatives(words.articles))


def _asked(words: QuestionWords, subject: str) -> str:
    """A verb with its subject: "must I", "puis-je"."""
    verb = rf"(?:{words.auxiliaries})\s++(?:{subject})" if words.auxiliaries else ""
    return _either(verb, words.begins)


_BEGINS = "|".join(map(_begins, _QUESTIONS))
_JOINS = _either(_AND, _OR, *(words.joins for words in _QUESTIONS))
_CASE = rf"(?:{_either(*(one.if_ for one in LEXICONS.values()))})\s[^,;?]{{1,80}},\s"
# "A" is an article in one language and a preposition in another.
_ARTICLES = alternatives(frozenset().union(*(words.articles for words in _QUESTIONS)))
_SUBJECTS = _either(*map(_subject, _QUESTIONS))
# What may lead a verb, "to pay", is a preposition only in front of an article or a capital: "to the owner".
_LEADING_VERBS = {word for words in _QUESTIONS for word in words.persons.intersection(words.before.split("|"))}
_INFINITIVE = rf"(?:{alternatives(_LEADING_VERBS)})\s++(?!(?:{_SUBJECTS})\b|(?-i:[A-ZÄÖÜ\d]))"
_PREPOSITION = rf"(?!(?:{_ARTICLES})\s)(?:{_either(*(words.before for words in _QUESTIONS))})(?=\s)"
_BEFORE = re.compile(rf"\b{_PREPOSITION}", re.IGNORECASE)
_JOINT = re.compile(
    rf"(?<!\s)(?:\s*+[,;]\s*+(?:{_JOINS})\s++|\s*+;\s++|\s++(?:{_AND})\s++)"
    rf"(?:(?:{_either(*(words.also for words in _QUESTIONS))})\s++)?(?=¿?(?:{_CASE})?(?:{_BEGINS}))"
    rf"|(?<!\s)\s*+,\s*+(?:{_AND})\s++(?=(?P<again>{_PREPOSITION})[^,;]*+\Z)",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"\W*+(?:{_BEGINS})", re.IGNORECASE)
_ASKING = "|".join(rf"(?:(?:{words.before})\s++)?(?:{words.asks})" for words in _QUESTIONS)
_ASKED_BY = "|".join(_asked(words, alternatives(words.persons)) for words in _QUESTIONS)
# A question that names no thing at all: "how early must I ask?", "how many can I carry over?", "to whom?"
_BARE = re.compile(
    rf"\W*+(?:{_ASKING})(?:\s++\w++)?(?:\s++(?:{_ASKED_BY})"
    rf"\s++\w++(?:\s++(?:{_either(*(words.particles for words in _QUESTIONS))}))?)?\W*+",
    re.IGNORECASE,
)
# A question that leaves its verb to the one before: "how much for a phone?", "for a phone?"; "how to pay?" has one.
_HOW_MANY = alternatives(frozenset().union(*(one.asking for one in LEXICONS.values())))
_GAPPED = re.compile(
    rf"\W*+(?!(?:{_ASKING})\s++{_INFINITIVE})(?:(?:{_ASKING})\s++(?:(?:{_HOW_MANY})\s++)?)?(?P<again>{_PREPOSITION})",
    re.IGNORECASE,
)
_BEHIND = "|".join(rf"(?:{words.before})\s++(?:{words.asks})(?:\s++\w++)?" for words in _QUESTIONS if words.before)
_WITHOUT_VERB = re.compile(rf"\W*+(?:{_BEHIND}|{_ASKING})\W*+", re.IGNORECASE)  # "to whom?", "from which day?"
_VERBS = _either(*(_either(words.auxiliaries, words.begins) for words in _QUESTIONS))
_ASKED = "|".join(_asked(words, _subject(words)) for words in _QUESTIONS)
# What stands in front of the verb: "by when" of "by when do I pay?", "how soon" of "how soon do I pay?", nothing of
# "do I pay?".
_FRONT = re.compile(
    rf"\W*+(?:(?:(?:{_ASKING})\s++)?(?=(?:{_VERBS})\s|\w++\s++(?:{_SUBJECTS})\s)"
    rf"|(?:\w++\s++){{1,6}}?(?=(?:{_ASKED})(?!\w)))",
    re.IGNORECASE,
)
_ENDS_ASKING = re.compile(rf"(?:^|\W)(?:{_ASKING})\s*\Z", re.IGNORECASE)
# What is told before a question in one sentence: "I go to Canada: who pays?", "If I lose, who pays?".
_TOLD = re.compile(rf"(?:[:,…]|\s[-–—]|\.{{3}})(?=\s++¿?(?:{_BEGINS}))", re.IGNORECASE)
_ELLIPSIS = re.compile(r"(?:…|\.{3})\W*\Z")
# "What is the fee and the deadline?" asks of each; "the date and the place of the visit" may be one thing.
_NOUN = rf"(?!(?:{_either(_AND, _OR, *(words.before for words in _QUESTIONS))})\b)\w[\w'’-]*+"
_THING = rf"(?:{_ARTICLES})(?:['’]|\s++){_NOUN}(?:\s++{_NOUN}){{0,2}}?"
_CASE_BEHIND = rf",?\s++(?:{_either(*(_either(one.if_, one.when) for one in LEXICONS.values()))})\s.++"
_OF_EACH = re.compile(
    rf"\W*+(?P<head>{_either(*(words.of_each for words in _QUESTIONS))})\s++(?P<first>{_THING})\s++(?:{_AND})\s++"
    rf"(?:(?P<again>\w++)\s++)?(?P<second>{_THING})(?P<case>{_CASE_BEHIND})?\W*",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    rf"\A\W*(?:{_either(*(words.compares for words in _QUESTIONS))})\s++(?=.)", re.IGNORECASE | re.DOTALL
)
_DIFFER = re.compile(r"(?<!\s)\s++(?:differ|compare)\b", re.IGNORECASE)
_END = re.compile(r"(?<!\W)\W++\Z")
_NEEDS_DIFFER = re.compile(r"\A\W*how do", re.IGNORECASE)
_BETWEEN = re.compile(rf"(?<!\s)\s++(?:{_either(_AND, *(words.between for words in _QUESTIONS))})\s++", re.IGNORECASE)
_HEAD = re.compile(
    rf"\A(?P<head>.+?\b(?P<link>{_either(*(words.links for words in _QUESTIONS))}))\s+(?P<first>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)


def sub_questions(question: str) -> tuple[str, ...]:
    """The questions in a question as they are searched; see `question_parts`.

    >>> sub_questions("Compare the deadlines for security incidents and for data breaches.")
    ('the deadlines for security incidents', 'the deadlines for data breaches')
    >>> sub_questions("Who may place an emergency order, and how long is it kept?")
    ('Who may place an emergency order?', 'How long is it kept? (place emergency order)')
    """
    return tuple(part.question for part in question_parts(question))


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A question within a question: to be understood alone, and in the asker's own words."""

    question: str
    words: str


def question_parts(question: str) -> tuple[QuestionPart, ...]:
    """The questions in a question, in order, up to `MOST`, each once; none where it is one question.

    >>> question_parts("Who may place an emergency order, and how long is it kept?")[1].words
    'How long is it kept?'
    """
    compared = _compared(question)
    if compared:
        return tuple(QuestionPart(side, side) for side in compared)
    told: list[str] = []
    parts: list[str] = []
    for sentence in _sentences(question):
        if not (sentence.endswith("?") or _ASKS.match(sentence)):
            told.append(sentence)
            continue
        clause = "" if parts else _told_in(sentence)
        told += [clause] if clause else []
        asked = sentence[len(clause) :].strip()
        parts += [_as_question(part, asked) for part in _split(asked) if terms(part) or _ASKS.match(part)]
    distinct = list(dict.fromkeys(parts))
    return _alone(distinct[:MOST], " ".join(told), question) if len(distinct) > 1 else ()


def _sentences(question: str) -> list[str]:
    """Its sentences; three dots end one only where a question follows: who asks has paused.

    >>> _sentences("May I keep my days... I mean carry them over? Who signs?")
    ['May I keep my days... I mean carry them over?', 'Who signs?']
    """
    found: list[str] = []
    for start, end in sentence_spans(question, 0, len(question)):
        sentence = question[start:end].strip()
        if found and _ELLIPSIS.search(found[-1]) and not _ASKS.match(sentence):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _told_in(sentence: str) -> str:
    """What a sentence tells before it asks, with its mark; "" where it asks at once.

    >>> _told_in("I go to Leeds, by train: who pays?"), _told_in("Who signs, who pays?")
    ('I go to Leeds, by train:', '')
    """
    found = None if _ASKS.match(sentence) else _TOLD.search(sentence)
    clause = sentence[: found.end()] if found else ""
    return clause if own_words(clause) else ""


def _split(sentence: str) -> list[str]:
    """The parts of a sentence; "when and how do I pay?" is one, and "who do I tell and how?", which names no thing.

    >>> _split("How do I pay, and to whom?"), _split("When and how do I pay?")
    (['How do I pay', 'to whom?'], ['When and how do I pay?'])
    """
    cuts = [
        cut
        for cut in _JOINT.finditer(sentence)
        if not _ENDS_ASKING.search(sentence[: cut.start()])
        and (terms(sentence[cut.end() :]) or own_words(sentence[: cut.start()]))
        and (cut["again"] is None or _last(cut["again"], sentence[: cut.start()]) is not None)
    ]
    begins, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(sentence)]
    return [one for begin, end in zip(begins, ends, strict=True) for one in _of_each(sentence[begin:end].strip())]


def _of_each(part: str) -> list[str]:
    """What a part asks of each of two things, each asked alone; the part itself where it does not.

    >>> _of_each("What happens to my days and my laptop when I leave?")
    ['What happens to my days when I leave', 'What happens to my laptop when I leave']
    """
    found = _OF_EACH.fullmatch(part)
    if not found or (found["again"] and found["again"].lower() != found["head"].split()[-1].lower()):
        return [part]
    return [f"{found['head']} {found[thing]}{found['case'] or ''}".rstrip("?! ") for thing in ("first", "second")]


def _compared(question: str) -> tuple[str, ...]:
    """The two sides of a comparison, each with what both are asked about."""
    found = _COMPARE.match(question)
    if not found:
        return ()
    pair, *differ = _DIFFER.split(question[found.end() :], maxsplit=1)
    if _NEEDS_DIFFER.match(question) and not differ:
        return ()
    sides = _BETWEEN.split((pair if differ else _END.sub("", pair)).strip())
    if len(sides) != 2:
        return ()
    first, second = sides
    head = _HEAD.match(first)
    if head:
        second = re.sub(rf"\A{re.escape(head['link'])}\s+", "", second, flags=re.IGNORECASE)
        second = f"{head['head']} {second}"
    return (first, second) if terms(first) and terms(second) else ()


def _alone(whole: Sequence[str], told: str, asked: str) -> tuple[QuestionPart, ...]:
    """Parts that lean on the one before with its words; what is told before all goes with each."""
    alone = [whole[0]]
    for part in whole[1:]:
        alone.append(_completed(part, alone[-1], told, asked))
    goes_on = told.endswith((":", ",", "-", "–", "—"))
    begun = [f"{one[:2].lower()}{one[2:]}" if goes_on else one for one in alone]
    return tuple(QuestionPart(f"{told} {one}".lstrip(), part) for one, part in zip(begun, whole, strict=True))


def _completed(part: str, before: str, told: str, asked: str = "") -> str:
    """A part with what it leaves to the one before it; what a pronoun stands for may have been told before both.

    >>> _completed("To whom?", "How do I pay?", ""), _completed("How much for a van?", "What do I pay for a car?", "")
    ('To whom do I pay?', 'What do I pay for a van?')
    >>> _completed("To whom?", "How soon do I have to pay?", ""), _completed("From when?", "How many may I get?", "")
    ('To whom do I have to pay?', 'From when may I get?')
    """
    bare = _WITHOUT_VERB.fullmatch(part)
    front = _FRONT.match(before) if bare else None
    if front is not None:
        rest = before[front.end() :]
        whole = f"{_END.sub('', part)} {rest if front[0].strip() else rest[:1].lower() + rest[1:]}"
        return whole if is_follow_up(_BEFORE.sub("", front[0]), asked) else condense(whole, before)
    gapped = None if bare else _GAPPED.match(part)
    same = _last(gapped["again"], before) if gapped else None
    if gapped and same is not None:
        return before[:same] + gapped["again"].lower() + part[gapped.end() :]
    if told and points(part):
        return part
    leans = bare or gapped or is_follow_up(part, asked) or points(part) or _BARE.fullmatch(part)
    return condense(part, before) if leans else part


def _last(word: str, text: str) -> int | None:
    """Where a word begins for the last time in a text as a preposition.

    >>> _last("to", "Do I pay to the firm?"), _last("to", "Do I have to pay?")
    (9, None)
    """
    places = re.finditer(rf"\b(?!{_INFINITIVE}){re.escape(word)}\s", text, re.IGNORECASE)
    return max((found.start() for found in places), default=None)


def _as_question(part: str, sentence: str) -> str:
    """A part with a capital at its beginning and a mark at its end, both marks as the sentence has them."""
    begin = "¿" if sentence.startswith("¿") else ""
    bare = part.removeprefix("¿")
    end = "" if bare[-1] in ".?!" else " ?" if sentence.endswith(" ?") else "?"
    return f"{begin}{bare[:1].upper()}{bare[1:]}{end}"
