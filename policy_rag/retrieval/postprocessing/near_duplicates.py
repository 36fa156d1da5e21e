"""The same clause in two policies: shown once, with both places.

Two texts are near-duplicates where their sets of three neighbouring words overlap enough (resemblance, the Jaccard
coefficient of shingles: Broder 1997), and where numbers and the words that turn a rule round are the same: "ten days"
is not "twelve days", "must" not "must not", however alike the rest is.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from policy_rag.index.search.terms import words
from policy_rag_parsers.text.lexicon import LEXICONS
from policy_rag_parsers.text.modality import negative
from policy_rag_parsers.text.numbers import number_in_words

SHINGLE = 3
_FIGURE = re.compile(r"\d")


def resemblance(first: Sequence[str], second: Sequence[str]) -> float:
    """The Jaccard coefficient of the shingles of two lists of words, 0 to 1.

    >>> resemblance("a b c d".split(), "a b c e".split()) == 1 / 3
    True
    """
    one, two = _shingles(first), _shingles(second)
    return len(one & two) / len(one | two) if one or two else 1.0


def merged(texts: Sequence[str], *, least: float) -> list[tuple[int, tuple[int, ...]]]:
    """Each text that is no near-duplicate of an earlier kept one, and the later ones that are its duplicates.

    The best comes first; two texts are the same from a resemblance of `least` on, above 0 and at most 1. A text
    without words, such as that of an image, is no duplicate.

    Returns:
        Pairs of a position and the rising positions of its duplicates; every position occurs once.

    >>> merged(["Keep 2 copies.", "Keep a receipt.", "Keep 2 copies"], least=0.9)
    [(0, (2,)), (1, ())]
    """
    kept: list[tuple[int, list[str], Counter[str], list[int]]] = []
    for i, text in enumerate(texts):
        found = words(text)
        telling = _telling(found)
        alike = (k for k in kept if k[2] == telling and resemblance(k[1], found) >= least)
        same = next(alike, None) if found else None
        if same is None:
            kept.append((i, found, telling, []))
        else:
            same[3].append(i)
    return [(i, tuple(others)) for i, _, _, others in kept]


def _shingles(found: Sequence[str]) -> set[tuple[str, ...]]:
    if len(found) < SHINGLE:
        return {tuple(found)} if found else set()
    return {tuple(found[i : i + SHINGLE]) for i in range(len(found) - SHINGLE + 1)}


def _telling(found: Sequence[str]) -> Counter[str]:
    return Counter(word for word in found if _FIGURE.search(word) or _turns(word))


@lru_cache(maxsize=50_000)
def _turns(word: str) -> bool:
    """Whether a word counts, binds, negates or restricts in one of the languages."""
    return any(
        word in known.modal_words or negative(language).fullmatch(word) or number_in_words([word], language)
        for language, known in LEXICONS.items()
    )
