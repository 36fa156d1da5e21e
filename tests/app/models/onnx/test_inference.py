"""Running a graph: what it gives, and how often at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import policy_rag.models.reader
from policy_rag.models.onnx.inference import InferenceSession, processors

GRAPH = (Path(policy_rag.models.reader.__file__).parent / "reader_weights" / "reader.onnx").read_bytes()
BATCH = {name: np.ones((1, 4), dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}


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
    assert set(session.inputs) == set(BATCH)
    everything = session.run(BATCH)
    start, relevance = session.run(BATCH, ("start", "relevance"))
    assert start.shape == (1, 4)
    assert relevance.shape == (1,)
    assert any(np.array_equal(start, one) for one in everything)


@pytest.mark.parametrize(("threads", "room"), [(None, 1), (2, 2), (4, 1), (8, 1)])
def test_no_more_run_at_once_than_the_processors_have_room_for(monkeypatch, threads, room):
    monkeypatch.setattr("policy_rag.models.onnx.inference.processors", lambda: 4)
    session = InferenceSession(GRAPH, threads)
    counted = session._session = Counted(session._session, room)
    with ThreadPoolExecutor(4) as pool:
        assert len(list(pool.map(lambda _: session.run(BATCH), range(4)))) == 4
    assert counted.most == room


def test_processors_are_those_that_may_be_used():
    assert processors() >= 1
