"""Decomposition: the questions in a question, each searched by itself.

By rules: "compare A and B", "the difference between A and B", and questions joined by "and" or standing in a row. A
part that leans on another ("and who approves it?", "and how early must I ask?") takes that one's telling words along;
what is told before the questions ("I want to go to Canada.") goes with each of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.index.search.terms import terms
from policy_rag.retrieval.transforms.conversation_rules import condense, is_follow_up, points
from policy_rag_parsers.text.sentences import sentence_spans

MOST = 4
_ASKS = (
    r"(?:(?:by|until|since|from|in|to|for|with|at|on|within|under|of|about|between|after|bis|seit|ab|in|zu|für|mit|an|von)"
    r"\s+)?(?:how|what|who|whom|whose|when|where|which|why|wie|was|wer|wen|wem|wessen|wann|wo|welche[rnsm]?|warum|wieso)\b"
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|need"
    r"|ist|sind|war|hat|habe|haben|darf|dürfen|muss|müssen|kann|können|soll|sollen|wird|werden|gibt)"
)
_SUBJECT = (
    r"(?:i|we|you|he|she|it|they|one|there|the|an?|my|our|your|their|his|her|this|that|these|those|any|anyone|somebody"
    r"|someone|everyone|employees?|staff|managers?|ich|wir|man|es|sie|er|der|die|das|den|ein\w*|mein\w*|unser\w*|jemand)"
)
_JOINT = re.compile(
    rf"(?<!\s)(?:\s*+[,;]\s*+(?:and|or|but|as well as|und|oder|sowie)\s++|\s*+;\s++|\s++(?:and|und)\s++)"
    rf"(?:(?:also|then|auch)\s++)?"
    rf"(?={_ASKS}|{_AUXILIARY}\s+{_SUBJECT}\b)",
    re.IGNORECASE,
)
# A question that names no thing at all: "how early must I ask?", "how many can I carry over?"
_BARE = re.compile(
    rf"\W*+(?:{_ASKS})(?:\s++\w++)?\s++{_AUXILIARY}\s++(?:i|we|you|one|ich|wir|man|sie|du)\s++\w++"
    rf"(?:\s++(?:over|off|up|out|in|on|back|down|away|for|at|to|with|about))?\W*+",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"\A\W*(?:(?:please\s+)?compare|what(?:['’]s| is| are) the differences? between|how do(?:es)?|"
    r"(?:what|which) differences? (?:is|are) there between|differences? between|vergleiche(?:n sie)?|"
    r"was ist der unterschied zwischen)\s++(?=.)",
    re.IGNORECASE | re.DOTALL,
)
_DIFFER = re.compile(r"(?<!\s)\s++(?:differ|compare)\b", re.IGNORECASE)
_END = re.compile(r"(?<!\W)\W++\Z")
_NEEDS_DIFFER = re.compile(r"\A\W*how do", re.IGNORECASE)
_BETWEEN = re.compile(r"(?<!\s)\s++(?:and|with|to|versus|vs\.?|against|und|mit)\s++", re.IGNORECASE)
_HEAD = re.compile(
    r"\A(?P<head>.+?\b(?P<link>for|of|on|in|under|from|when|during|für|von|bei|in))\s+(?P<first>.+)\Z",
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
    sentences = [question[start:end].strip() for start, end in sentence_spans(question, 0, len(question))]
    told: list[str] = []
    parts: list[str] = []
    for sentence in sentences:
        split = [part.strip() for part in _JOINT.split(sentence) if terms(part)]
        if sentence.rstrip().endswith("?") or _asks(sentence):
            parts += split
        else:
            told.append(sentence)
    distinct = list(dict.fromkeys(_as_question(part) for part in parts))
    return _alone(distinct[:MOST], " ".join(told)) if len(distinct) > 1 else ()


def _asks(sentence: str) -> bool:
    return re.match(rf"\W*(?:{_ASKS}|{_AUXILIARY}\s+{_SUBJECT}\b)", sentence, re.IGNORECASE) is not None


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


def _alone(whole: Sequence[str], told: str) -> tuple[QuestionPart, ...]:
    """Parts that lean on the first one with its words; what is told before goes with all."""
    if told:
        return tuple(QuestionPart(f"{told} {part}", part) for part in whole)
    later = (QuestionPart(condense(part, whole[0]) if _leans(part) else part, part) for part in whole[1:])
    return (QuestionPart(whole[0], whole[0]), *later)


def _leans(part: str) -> bool:
    return is_follow_up(part) or points(part) or _BARE.fullmatch(part) is not None


def _as_question(part: str) -> str:
    """A part with a capital at its beginning and a mark at its end."""
    marked = part if part[-1] in ".?!" else f"{part}?"
    return marked[:1].upper() + marked[1:]
