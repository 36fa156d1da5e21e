"""Rewriting: the question without what is no part of it.

Greetings, thanks, politeness and the ways of asking to be told something ("could you please let me know whether ...")
share words with passages that do not answer, and weaken the vector of what does.
"""

import re

from policy_rag.index.search.terms import terms
from policy_rag_parsers.text.lexicon import LEXICONS, any_word

_YOU = r"(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody)(?: (?:please|kindly|possibly))?"
_TELL = (
    r"(?:tell|explain|clarify|describe|say|elaborate|advise|confirm|show|remind|help)(?: me| us)?"
    r"(?: (?:about|on|with|to))?"
)
_ON = r"(?:on|about|regarding|of|for|as to|concerning)"
_MORE = r"(?:(?:any|some|more|further|additional|detailed|specific)\s+)*"
_MATTER = r"(?:information|details?|guidance|clarification|explanation|insights?|examples?)"
_LEADS = tuple(
    re.compile(rf"\A\W*{pattern}\b(?!-)[\s,:;.!–—-]*", re.IGNORECASE)
    for pattern in (
        r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: (?:all|there|team|everyone|colleagues?|hr))*",
        r"(?:quick|short|just a|one more|another|one|a) (?:quick |short )?question(?: (?:about|on|regarding) this)?",
        r"(?:sorry|excuse me|thanks|thank you)(?: (?:to bother you|in advance|very much|a lot))*",
        r"(?:so|well|ok|okay|actually|basically|btw|by the way|um+)",
        rf"(?:please|kindly)(?: {_YOU})?(?: {_TELL})?",
        rf"{_YOU} {_TELL}",
        rf"{_YOU} (?:provide|give|offer|share)(?: me| us)? (?:an? )?{_MORE}{_MATTER} {_ON}",
        r"(?:do|does) (?:you|anyone|anybody|someone) (?:happen to )?know",
        r"i(?:['’]m| am| was)? (?:just |also )?(?:wondering|curious|trying to (?:find out|understand)|not sure|unsure)",
        r"i(?:['’]d| would)? (?:just |also )?(?:like|want|need|love) to (?:know|ask|find out|understand|learn|check)",
        r"(?:let me|please let me) know",
        r"(?:hallo|guten (?:tag|morgen)|liebe kolleg\w+)",
        r"(?:bitte|mal eine frage|kurze frage|eine frage)",
        r"(?:können|könnten|kannst|könntest) (?:sie|du|ihr) (?:mir |uns )?(?:bitte )?(?:sagen|erklären|mitteilen)",
        r"ich (?:möchte|würde gerne?|wollte) (?:gerne? )?(?:wissen|fragen)",
    )
)  # fmt: skip
_MOST_ROUNDS = 10  # a greeting, a thank-you and a request are three; thousands would be no question
_LINK = re.compile(r"\A\W*(?:if|whether|that|ob)\b\s*", re.IGNORECASE)
# A run of blanks or dots is taken whole, from its beginning: else each place of a long one would be a beginning.
_TAIL = re.compile(
    r"(?<![\s,.;:!–—-])[\s,.;:!–—-]*+(?<=[\s,.;:!?–—-])"
    r"(?:(?:many )?thanks|thank you|thx|cheers|(?:best |kind )?regards|bitte|danke"
    r"|(?:please )?(?:let me know|advise)|any help (?:is|would be) (?:much |greatly )?appreciated|please|kindly)"
    r"(?: (?:in advance|very much|a lot|so much|for your (?:help|time)|im voraus|sch[öo]n))*(?P<end>\W*)\Z",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"(?<=\w)(?:\s*+,)?\s++(?:please|kindly|bitte)\b,?(?=\s)", re.IGNORECASE)


def is_courtesy(question: str) -> bool:
    """Whether nothing is asked: it only greets, thanks or takes leave.

    >>> is_courtesy("Great, thank you very much!"), is_courtesy("Hello, may I fly?"), is_courtesy("?")
    (True, False, False)
    """
    pattern = any_word(*(one.courtesies for one in LEXICONS.values()))
    return any(map(str.isalpha, question)) and not any(map(str.isalnum, pattern.sub("", question)))


def rewrite(question: str) -> str:
    """A question without greetings, thanks, politeness and ways of asking to be told; the rest is kept as it is.

    Returns:
        The question itself where nothing telling would be left.

    >>> rewrite("Hi team, could you please tell me whether I may fly business class? Thanks in advance!")
    'I may fly business class?'
    """
    text = _INSIDE.sub("", question.strip())
    led = False
    for _ in range(_MOST_ROUNDS):
        before = text
        for lead in _LEADS:
            text, stripped = lead.subn("", text, count=1)
            led = led or bool(stripped)
        text = _TAIL.sub(lambda found: "?" if "?" in found["end"] else "", text)
        if text == before:
            break
    if led:
        text = _LINK.sub("", text)
    text = text.strip()
    if text == question.strip() or not terms(text):
        return question
    first = text[0].upper()
    return (first if first.lower() == text[0] else text[0]) + text[1:]  # some letters do not come back
