"""What a question asks about: its content words as stems, and how much of them a text holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.terms import pairs, terms

Idf = Callable[[Sequence[str]], NDArray[np.float32]]
"""Inverse document frequencies of terms in their order, all of them at least 0; `KeywordIndex.idf` is one."""

# Words of asking rather than of what is asked; the stop words of the keyword search keep them.
_ASKING = {
    "english": "would could may might must shall ought please tell explain describe say mean us one",
    "german": "darf dürfen muss müssen soll sollen kann können bitte sagen erklären heißt",
}
# Holds a blank control character, so no text has it: its idf is that of a word in no text.
_UNSEEN = "\x00"


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The content of a question in one language.

    Attributes:
        language: the language in which it is stemmed.
        stems: distinct stems, in the question's order.
        weights: idf of each stem.
        neighbours: distinct pairs of neighbouring stems, as `pairs` joins them.
        neighbour_weights: sum of the idf of the two stems of each pair.
        unseen: idf of a word that is in no text: the most a stem can weigh.
    """

    language: str
    stems: tuple[str, ...]
    weights: tuple[float, ...]
    neighbours: tuple[str, ...]
    neighbour_weights: tuple[float, ...]
    unseen: float

    @property
    def total(self) -> float:
        """The weight of all stems."""
        return sum(self.weights)

    def matched(self, text_terms: Sequence[str]) -> float:
        """The weight of the stems that a text with these terms holds, from 0 to `total`."""
        held = set(text_terms)
        return sum(weight for stem, weight in zip(self.stems, self.weights, strict=True) if stem in held)

    def matched_neighbours(self, text_terms: Sequence[str]) -> float:
        """The share by weight of the neighbouring pairs that are neighbours in the text too, from 0 to 1."""
        if not self.neighbours:
            return 0.0
        held = set(pairs(list(text_terms)))
        both = zip(self.neighbours, self.neighbour_weights, strict=True)
        total = sum(self.neighbour_weights)
        return sum(weight for pair, weight in both if pair in held) / total if total > 0 else 0.0


def question_terms(question: str, idf: Idf, language: str = "english") -> QuestionTerms:
    """The content words of `question`, without those of asking; all its words where nothing else is left.

    >>> flat = lambda stems: np.ones(len(stems), dtype=np.float32)
    >>> question_terms("May employees claim hotel costs?", flat).stems
    ('employe', 'claim', 'hotel', 'cost')
    """
    asking = set(terms(_ASKING.get(language, ""), language))
    found = terms(question, language)
    content = [term for term in found if term not in asking] or found
    stems = tuple(dict.fromkeys(content))
    neighbours = tuple(dict.fromkeys(pairs(content)))
    *weights, unseen = (float(weight) for weight in idf([*stems, _UNSEEN]))
    weight_of = dict(zip(stems, weights, strict=True))
    return QuestionTerms(
        language=language,
        stems=stems,
        weights=tuple(weights),
        neighbours=neighbours,
        neighbour_weights=tuple(sum(weight_of[stem] for stem in pair.split(" ")) for pair in neighbours),
        unseen=unseen,
    )
