"""Texts that are embedded again: once, and with the same rows."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from policy_rag.models import remembered_rows
from policy_rag.models.remembered_rows import embed_remembered


class Counting:
    """Rows by the length of a text; tells what it was asked."""

    dimension = 2

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def test_a_text_is_embedded_once_by_each_model() -> None:
    one, other = Counting("one"), Counting("other")
    assert embed_remembered(one, ["ab", "a", "ab"]).tolist() == [[2, 1], [1, 1], [2, 1]]
    assert embed_remembered(one, ["abc", "a"]).tolist() == [[3, 1], [1, 1]]
    assert embed_remembered(other, ["a"]).tolist() == [[1, 1]]
    assert embed_remembered(one, []).shape == (0, 2)
    assert (one.asked, other.asked) == ([["ab", "a"], ["abc"]], [["a"]])


def test_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_rows, "_KEPT", 2)
    model = Counting("few")
    for texts in (["x"], ["xx"], ["x"], ["xxx"], ["xx"]):
        embed_remembered(model, texts)
    assert model.asked == [["x"], ["xx"], ["xxx"], ["xx"]]
