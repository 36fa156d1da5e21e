"""Which questions are trained on and which are measured on, the same in every run."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

FOLDS = 5
HELD_OUT = 0


def fold_of(key: str, folds: int = FOLDS) -> int:
    """A fold for a key, by its digest: it depends on nothing else.

    >>> fold_of("a") == fold_of("a"), 0 <= fold_of("b") < 5
    (True, True)
    """
    return int(sha256(key.encode()).hexdigest()[:8], 16) % folds


def is_held_out(key: str, folds: int = FOLDS) -> bool:
    """Whether what belongs to this key is measured on, and never trained on."""
    return fold_of(key, folds) == HELD_OUT


def linked(gold: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """A key for each question, the same for questions that share a relevant passage, directly or through others.

    >>> linked({"q1": ["a", "b"], "q2": ["b"], "q3": ["c"]})
    {'q1': 'a', 'q2': 'a', 'q3': 'c'}
    """
    above: dict[str, str] = {}

    def root(label: str) -> str:
        while above.setdefault(label, label) != label:
            label = above[label]
        return label

    for labels in gold.values():
        roots = sorted({root(label) for label in labels})
        for other in roots[1:]:
            above[other] = roots[0]
    return {question: root(min(labels)) for question, labels in gold.items()}
