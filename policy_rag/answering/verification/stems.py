"""The stems of a text by which a statement is laid against a source: every number in one notation."""

from policy_rag.answering.verification.number_words import number_in_words
from policy_rag.answering.verification.units import SIGNED, UNITS
from policy_rag.index.search.tokens import terms, words

_NO_NUMBER = frozenset(words("ein eins un une one zero null cent cents mille sept hundred thousand hundert tausend"))
_ONES = frozenset(words("a an one ein eine einen einem einer eines un une"))
_BEFORE_ONE = frozenset(
    words("within after to than least most for in under over before every innerhalb binnen nach bis als mindestens")
    + words("höchstens dans sous après avant moins plus de")
)
_MOST_WORDS = 8


def stems_of(text: str, language: str) -> list[str]:
    """The stems of a text's words in order, without stop words and names of units that a sign may stand for.

    Numbers in words come as digits, so that "ten years" meets "10 years" and "within an hour" "1 hour".

    Args:
        text: any text.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.

    >>> stems_of("Twenty-five euros for ten years", "english"), stems_of("EUR 25 for 10 years", "english")
    (['25', '10', 'year'], ['25', '10', 'year'])
    """
    tokens = words(text)
    found: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        number = None if token in _NO_NUMBER else number_in_words(tokens[place : place + _MOST_WORDS])
        if (
            token in _ONES
            and place
            and tokens[place - 1] in _BEFORE_ONE
            and UNITS.keys() & tokens[place + 1 : place + 2]
        ):
            number = (1, 1)
        if number:
            found.append(str(number[0]))
        elif token not in SIGNED:
            found.extend(terms(token, language))
        place += number[1] if number else 1
    return found
