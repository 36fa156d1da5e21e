"""Rewriting: the question without what is no part of it.

Greetings, thanks, politeness and the ways of asking to be told something ("could you please let me know whether ...")
share words with passages that do not answer, and weaken the vector of what does.
"""

import re

from policy_rag.index.search.terms import terms
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, in_all

_LEAD = re.compile(rf"\A\W*(?:{in_all('wanting.leads')})\b(?!-)[\s,:;.!–—-]*", re.IGNORECASE)
_MOST_ROUNDS = 10  # a greeting, a thank-you and a request are three; thousands would be no question
_LINK = re.compile(rf"\A\W*(?:{in_all('wanting.whether')})\b\s*", re.IGNORECASE)
# A run of blanks or dots is taken whole, from its beginning: else each place of a long one would be a beginning.
_TAIL = re.compile(
    r"(?<![\s,.;:!–—-])[\s,.;:!–—-]*+(?<=[\s,.;:!?–—-])"
    rf"(?:{in_all('wanting.thanks')})(?: (?:{in_all('wanting.thanks_for')}))*(?P<end>\W*)\Z",
    re.IGNORECASE,
)
_INSIDE = re.compile(rf"(?<=\w)(?:\s*+,)?\s++(?:{in_all('wanting.please')})\b,?(?=\s)", re.IGNORECASE)


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
        text, stripped = _LEAD.subn("", text, count=1)
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
