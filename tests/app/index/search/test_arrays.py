"""Arrays are read by one thread at a time: CPython's parser, which NumPy reads a head with, fails where several are in it."""

import threading
import time

import numpy as np
import pytest

from policy_rag.index.search.arrays import load_array


def test_threads_that_read_at_once_wait_for_each_other(tmp_path, monkeypatch):
    np.save(tmp_path / "a.npy", np.arange(10))
    load, inside, most, read = np.load, [], [], []

    def slowly(*arguments, **options):
        inside.append(None)
        most.append(len(inside))
        time.sleep(0.002)
        inside.pop()
        return load(*arguments, **options)

    monkeypatch.setattr(np, "load", slowly)
    threads = [threading.Thread(target=lambda: read.append(load_array(tmp_path / "a.npy").sum())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (read, max(most)) == ([45] * 8, 1)


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
