"""Which of some texts are nearest to questions: what an answer has to be told from."""

from collections.abc import Sequence

import numpy as np

from policy_rag.answering.extraction.scoring import Embed


def nearest(questions: Sequence[str], texts: Sequence[str], embed: Embed, count: int) -> list[list[int]]:
    """For each question the positions of the texts with the largest cosine, nearest first, `count` at most.

    >>> nearest(["a"], ["b", "a"], lambda some: np.array([[len(t), t == "a"] for t in some], np.float32), 1)
    [[1]]
    """
    if not questions or not texts:
        return [[] for _ in questions]
    cosines = embed(questions) @ embed(texts).T
    return [order[:count].tolist() for order in np.argsort(-cosines, axis=1, kind="stable")]
