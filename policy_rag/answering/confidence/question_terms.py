"""What a question asks about: its content words as stems, and how much of them a text holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.terms import terms
from policy_rag_parsers.text.lexicon import lexicon

Idf = Callable[[Sequence[str]], NDArray[np.float32]]
"""Inverse document frequencies of terms in their order, all of them at least 0; `KeywordIndex.idf` is one."""

# Holds a blank control character, so no text has it: its idf is that of a word in no text.
_UNSEEN = "\x00"


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The content of a question in one language.

    Attributes:
        language: the language in which it is stemmed.
        stems: distinct stems, in the question's order.
        weights: idf of each stem.
        unseen: idf of a word that is in no text: the most a stem can weigh.
    """

    language: str
    stems: tuple[str, ...]
    weights: tuple[float, ...]
    unseen: float

    @property
    def total(self) -> float:
        """The weight of all stems."""
        return sum(self.weights)

    def matched(self, text_terms: Sequence[str]) -> float:
        """The weight of the stems that a text with these terms holds, from 0 to `total`."""
        held = set(text_terms)
        return sum(weight for stem, weight in zip(self.stems, self.weights, strict=True) if stem in held)


def question_terms(question: str, idf: Idf, language: str = "english") -> QuestionTerms:
    """The content words of `question`, without those of asking; all its words where nothing else is left.

    >>> flat = lambda stems: np.ones(len(stems), dtype=np.float32)
    >>> question_terms("May employees claim hotel costs?", flat).stems
    ('employe', 'claim', 'hotel', 'cost')
    """
    asking = _requests(language)
    found = terms(question, language)
    content = [term for term in found if term not in asking] or found
    stems = tuple(dict.fromkeys(content))
    *weights, unseen = (float(weight) for weight in idf([*stems, _UNSEEN]))
    return QuestionTerms(language=language, stems=stems, weights=tuple(weights), unseen=unseen)


@cache
def _requests(language: str) -> frozenset[str]:
    return frozenset(terms(" ".join(lexicon(language).question.requests), language))
