"""Questions that lean on another: how they are told, and how they are made to stand alone, by rules."""

import re

from policy_rag.index.search.terms import detect_language, terms
from policy_rag.retrieval.transforms.value_substitution import without_replaced
from policy_rag_parsers.text.lexicon import LEXICONS, lexicon

_MOST_WORDS = 12
_WORD = re.compile(r"\w+(?:[.'’-]\w+|(?<=\d),(?=\d)\w+)*")
OPENING = re.compile(
    r"(?:\W*+(?:and|or|but|also|what about|how about|und|oder|aber|auch|wie ist es(?: mit)?)\b)+", re.IGNORECASE
)
"""How a follow-up opens: "And what about"."""
# "IT" is a department, hence no ignoring of case; "that" and "this" point only where no noun follows.
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|she|him|her|these|those|[Tt]hat one|[Tt]his one|the same|davon|dafür"
    r"|(?:[Tt]hat|[Tt]his)(?=\W*(?:$|\?|is|are|was|apply|applies|mean|means|include|includes|cover|covers|too|also))"
    r"|(?:[Ii]s|[Aa]re|[Dd]oes) (?:that|this|these)(?= \w+\W*$)|[Dd]ies(?:e|er|es)?)\b"
)
# "What if I am a researcher?" puts another asker in place; "what if a patient refuses the vaccine?" asks anew.
_SUPPOSING = re.compile(
    r"\W*+(?:(?:what|even|only) if|suppos(?:e|ing)(?: that)?|assuming(?: that)?|was(?: ist)?,? wenn|angenommen,?|et si)"
    r"\s+"
    r"(?P<being>(?:(?:i|we|you|they|he|she|it|there)(?:['’](?:m|re|s)|\s+(?:am|are|is|was|were))"
    r"|(?:ich|wir|sie|er|es)\b.{0,60}\b(?:bin|ist|sind|wäre|bist))\b)?",
    re.IGNORECASE,
)
_OWN_WORDS = 2
_SUPPOSED = 1
_LONGEST_WORD = 60
ASKING = frozenset(stem for language in LEXICONS for stem in terms(" ".join(lexicon(language).asking), language))


def is_follow_up(question: str) -> bool:
    """Whether a question leans on the one before: by how it opens, by a pronoun, or for want of a subject.

    A pronoun counts in a question of few words of its own: in a longer one it mostly refers to what the question names.
    So does "what if", unless it says what somebody is.

    >>> is_follow_up("And for contractors?"), is_follow_up("How long?"), is_follow_up("Who approves hotels?")
    (True, True, False)
    >>> is_follow_up("What if I am a researcher?"), is_follow_up("What if a patient refuses the vaccine?")
    (True, False)
    """
    own = own_words(question)
    supposing = _SUPPOSING.match(question)
    supposed = supposing is not None and (bool(supposing["being"]) or own <= _SUPPOSED)
    return bool(not own or supposed or OPENING.match(question) or (own <= _OWN_WORDS and points(question)))


def points(question: str) -> bool:
    """Whether a pronoun in it may stand for something outside it.

    >>> points("Who approves it?"), points("Who approves IT purchases?")
    (True, False)
    """
    return _POINTING.search(question) is not None


def own_words(question: str) -> int:
    """How many stems of a question name something.

    >>> own_words("How long may contractors work abroad?")
    3
    """
    return len(set(terms(question, detect_language(question))) - ASKING)


def condense(question: str, topic: str) -> str:
    """A follow-up with the telling words of the question on which it leans.

    Returns:
        The follow-up, then the words of `topic` that it lacks, in their order, 12 at most. An amount, a period, a year
        or a clause of `topic` gives way to the follow-up's own.

    >>> condense("And for contractors?", "How many days of annual leave do employees have?")
    'And for contractors? (days annual leave employees)'
    >>> condense("and for 20,000?", "Who approves an order of GBP 300,000?")
    'and for 20,000? (approves order GBP)'
    """
    language = detect_language(f"{question} {topic}")
    present = set(terms(question, language)) | ASKING
    given = set(_WORD.findall(question))
    words: list[str] = []
    for word in _WORD.findall(without_replaced(question, topic)):
        # A figure is one word: the "000" of 20,000 says nothing of 300,000.
        stems = {word} if any(char.isdigit() for char in word) else set(terms(word, language))
        if stems and len(word) <= _LONGEST_WORD and not present.union(given).issuperset(stems):
            words.append(word)
            present.update(stems)
    return f"{question} ({' '.join(words[:_MOST_WORDS])})" if words else question
