"""The words of each language that the workbench alone uses, one file a language, beside those of the lexicon."""

from collections.abc import Mapping

from policy_rag_eval.words.english import ENGLISH
from policy_rag_eval.words.french import FRENCH
from policy_rag_eval.words.german import GERMAN
from policy_rag_eval.words.portuguese import PORTUGUESE
from policy_rag_eval.words.record import WorkbenchWords
from policy_rag_eval.words.spanish import SPANISH

WORDS: Mapping[str, WorkbenchWords] = {
    "english": ENGLISH,
    "german": GERMAN,
    "french": FRENCH,
    "spanish": SPANISH,
    "portuguese": PORTUGUESE,
}
"""By the tokenizer's name of the language."""


def of_all(field: str) -> str:
    """What every language has in a field, as alternatives of a regular expression.

    >>> of_all("nobody").startswith("nobody|no one|")
    True
    """
    return "|".join(filter(None, (getattr(one, field) for one in WORDS.values())))
