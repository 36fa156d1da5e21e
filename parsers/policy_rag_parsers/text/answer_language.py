"""The language in which a question is answered, and what answers say of themselves in it."""

import re
from collections.abc import Sequence
from functools import cache

from policy_rag_parsers.text.lexicon import LEXICONS, any_word, lexicon
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.tokenizer import language_of


def answer_language(question: str, languages: Sequence[str] = ()) -> str:
    """The language in which a question is answered: its own where its words tell that, else the first of the documents.

    Of those that are as likely by its words it is one in which questions begin so, or one of the documents.

    >>> answer_language("An wen? (Unfall)"), answer_language("Hotel Paris", ["french", "german"])
    ('german', 'french')
    """
    begun = [language for language in LEXICONS if _opening(language).match(question.lstrip(" ¿"))]
    return language_of(question, begun or languages) or next(iter(begun or languages), "english")


@cache
def _opening(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    asks = (
        rf"(?:(?:{known.question.before})\s+)?(?:{known.question.asks})"
        if known.question.before
        else known.question.asks
    )
    return any_word(known.asks_yes_or_no, asks, known.question.begins)


def words_for(question: str, languages: Sequence[str] = ()) -> AnswerWords:
    """What an answer to a question says of itself; in English where we do not know the words of its language.

    >>> words_for("Darf ich das?").refused
    'Die gefundenen Richtlinien beantworten diese Frage nicht.'
    """
    return lexicon(answer_language(question, languages)).answers
