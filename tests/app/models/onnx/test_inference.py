"""Running a graph: what it gives, and how often at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest

from policy_rag.models.onnx.inference import InferenceSession

GRAPH = onnx.parser.parse_model("""
    <ir_version: 10, opset_import: ["" : 20]>
    reading (int64[texts, tokens] ids, int64[texts, tokens] mask) => (float[texts, tokens] start, float[texts] best)
    <int64[1] tokens = {1}> {
        read = Mul(ids, mask)
        start = Cast<to = 1>(read)
        best = ReduceMax<keepdims = 0>(start, tokens)
    }""").SerializeToString()


def batch_of(tokens):
    return {name: np.ones((1, tokens), dtype=np.int64) for name in ("ids", "mask")}


BATCH = batch_of(4)


class Counted:
    """The session within, and how many runs were under way at once at most; a run waits until others could join it."""

    def __init__(self, within, expected):
        self._within, self._lock = within, threading.Lock()
        self._together = threading.Barrier(expected)
        self.now = self.most = 0

    def run(self, outputs, inputs):
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self._together.wait(10)
        try:
            return self._within.run(outputs, inputs)
        finally:
            with self._lock:
                self.now -= 1


def test_it_gives_what_is_asked_for_in_that_order():
    session = InferenceSession(GRAPH)
    assert session.inputs == ("ids", "mask")
    inputs = {"ids": np.array([[3, 1, 4, 9], [2, 7, 1, 8]]), "mask": np.array([[1, 1, 1, 0], [1, 1, 1, 1]])}
    start, best = [[3, 1, 4, 0], [2, 7, 1, 8]], [4, 8]
    assert [one.tolist() for one in session.run(inputs)] == [start, best]
    assert [one.tolist() for one in session.run(inputs, ("best", "start"))] == [best, start]


def test_as_many_run_at_once_as_there_are_processors(monkeypatch):
    monkeypatch.setattr("policy_rag.models.onnx.inference.processors", lambda: 3)
    session = InferenceSession(GRAPH)
    counted = session._session = Counted(session._session, 3)
    with ThreadPoolExecutor(6) as pool:
        assert len(list(pool.map(lambda _: session.run(BATCH), range(6)))) == 6
    assert counted.most == 3


def test_long_texts_run_one_by_one(monkeypatch):
    monkeypatch.setattr("policy_rag.models.onnx.inference._LONG", 3)
    session = InferenceSession(GRAPH)
    counted = session._session = Counted(session._session, 1)
    assert len(list(session.run_all(range(3), lambda _: BATCH))) == 3
    assert counted.most == 1


@pytest.mark.parametrize("at_once", [1, 3])
def test_batches_come_back_in_order(monkeypatch, at_once):
    monkeypatch.setattr("policy_rag.models.onnx.inference.processors", lambda: at_once)
    session = InferenceSession(GRAPH)
    lengths = [9, 1, 5, 3, 7]
    found = session.run_all(lengths, batch_of, ("start",))
    assert [start.shape for (start,) in found] == [(1, n) for n in lengths]
    assert list(session.run_all([], lambda _: BATCH)) == []


def test_an_error_of_a_batch_comes_through_and_the_rest_is_given_up(monkeypatch):
    monkeypatch.setattr("policy_rag.models.onnx.inference.processors", lambda: 2)
    session, asked = InferenceSession(GRAPH), []

    def inputs(batch):
        asked.append(batch)
        if batch == 0:
            raise KeyboardInterrupt
        return BATCH

    with pytest.raises(KeyboardInterrupt):
        list(session.run_all(range(5000), inputs))
    assert len(asked) < 5000
