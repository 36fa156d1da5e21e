"""Arrays are read by threads that read others at the same time."""

import gc
import sys
import threading

import numpy as np
import pytest

from policy_rag.index.search.arrays import load_array


class Cycle:
    """Garbage that runs code when it is collected, so that threads change places in the midst of anything."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        sum(range(20))


@pytest.fixture
def restless():
    """Threads change places, and garbage is collected, as often as can be."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)


def test_threads_that_read_at_once_all_read(tmp_path, restless):
    np.save(tmp_path / "a.npy", np.arange(10))
    failures = []

    def read():
        for _ in range(1000):
            Cycle()
            try:
                assert load_array(tmp_path / "a.npy").sum() == 45
            except SystemError as error:
                failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_what_is_mapped_and_what_is_read_is_the_same_and_no_memmap(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(3, dtype=np.float32))
    for mapped in (True, False):
        found = load_array(tmp_path / "a.npy", mapped=mapped)
        assert type(found) is np.ndarray
        assert found.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_objects_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"Python objects|Object arrays"):
        load_array(tmp_path / "a.npy")
