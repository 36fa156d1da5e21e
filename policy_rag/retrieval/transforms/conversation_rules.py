"""Questions that lean on another: how they are told, and how they are made to stand alone, by rules."""

import re
from functools import cache

from policy_rag.index.search.terms import detect_language, language_of, terms
from policy_rag.retrieval.transforms.value_substitution import without_replaced
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, lexicon
from policy_rag_parsers.text.units import unit_names

_MOST_WORDS = 12
_WORD = re.compile(r"\w+(?:[.'’-]\w+|(?<=\d),(?=\d)\w+)*")
_QUESTIONS = tuple(one.question for one in LEXICONS.values())
_AND = alternatives({word for one in LEXICONS.values() for word in one.and_})
OPENING = re.compile(rf"(?:\W*+(?:{_AND}|{'|'.join(words.opens for words in _QUESTIONS)})\b)+", re.IGNORECASE)
"""How a follow-up opens: "And what about"."""
_POINTING = re.compile(rf"\b(?:{'|'.join(words.points for words in _QUESTIONS)})\b")
# "What if I am a researcher?" puts another asker in place; "what if a patient refuses the vaccine?" asks anew.
_SUPPOSING = re.compile(
    rf"\W*+(?:{'|'.join(words.supposes for words in _QUESTIONS)})\s+"
    rf"(?P<being>(?:{'|'.join(words.being for words in _QUESTIONS)})\b)?",
    re.IGNORECASE,
)
_OWN_WORDS = 2
_SUPPOSED = 1
_LONGEST_WORD = 60
ASKING = frozenset(stem for one in LEXICONS.values() for stem in terms(" ".join(one.asking), one.language))
"""Stems of words that ask, whatever the matter."""
_UNITS = frozenset(stem for one in LEXICONS for stem in terms(" ".join(unit_names(one)), one))


def is_follow_up(question: str, beside: str = "") -> bool:
    """Whether a question leans on the one before: by how it opens, by a pronoun, or for want of a subject.

    A pronoun counts in a question of few words of its own: in a longer one it mostly refers to what the question names.
    So does "what if", unless it says what somebody is. What any matter may need is no subject: an approval, a receipt.

    Args:
        question: as asked.
        beside: what stands around it; it tells the language of a question too short to tell its own.

    >>> is_follow_up("Is a receipt needed?"), is_follow_up("Is a visa needed?")
    (True, False)
    >>> is_follow_up("And for contractors?"), is_follow_up("How long?"), is_follow_up("Who approves hotels?")
    (True, True, False)
    >>> is_follow_up("What if I am a researcher?"), is_follow_up("What if a patient refuses the vaccine?")
    (True, False)
    """
    around = detect_language(beside)
    language = language_of(question, [around]) or around
    own = len(_own_stems(question, language))
    supposing = _SUPPOSING.match(question)
    supposed = supposing is not None and (bool(supposing["being"]) or own <= _SUPPOSED)
    pointing = own <= _OWN_WORDS and points(question)
    return bool(supposed or OPENING.match(question) or pointing or not _names_subject(question, language))


def points(question: str) -> bool:
    """Whether a pronoun in it may stand for something outside it.

    >>> points("Who approves it?"), points("Who approves IT purchases?")
    (True, False)
    """
    return _POINTING.search(question) is not None


def own_words(question: str) -> int:
    """How many stems of a question name something; a length of time is nothing of its own.

    >>> own_words("How long may contractors work abroad?"), own_words("How many days a year?")
    (3, 0)
    """
    return len(_own_stems(question, detect_language(question)))


def _own_stems(question: str, language: str) -> set[str]:
    return set(terms(question, language)) - ASKING - _UNITS


def _names_subject(question: str, language: str) -> bool:
    """Whether a question has a word that tells one matter from another.

    >>> _names_subject("Do I need to tell my boss?", "english"), _names_subject("Do I tell my landlord?", "english")
    (False, True)
    >>> _names_subject("What happens if I break the rules?", "english"), _names_subject("Do I get a break?", "english")
    (False, True)
    """
    documents, breaking = _document_words(language), _breaking(language)
    named = _own_stems(question, language) - _of_any_matter(language)
    breaks_rules = named <= documents | breaking and bool(named & documents) and bool(named & breaking)
    return bool(named) and not breaks_rules


@cache
def _of_any_matter(language: str) -> frozenset[str]:
    known = lexicon(language)
    words = known.everyday.union(known.vague_nouns, known.question.any_policy, known.question.procedural, *known.roles)
    return frozenset(terms(" ".join(words), language)) - _document_words(language)


@cache
def _document_words(language: str) -> frozenset[str]:
    """What a document is called: "How do I follow the policy?" is asked back."""
    return frozenset(terms(" ".join(lexicon(language).naming.kinds), language))


@cache
def _breaking(language: str) -> frozenset[str]:
    return frozenset(terms(" ".join(lexicon(language).question.breaking), language))


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
