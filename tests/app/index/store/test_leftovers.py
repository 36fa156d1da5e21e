"""What an ingest left behind that was killed while it deleted old derived files."""

import pytest

from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.snapshot_files import FOLDER


@pytest.mark.parametrize("left", ["0", ".writing-0123", "17"])
@pytest.mark.parametrize("names", [(), ("stamp.json",), ("passages.npy", "mean.npy")])
def test_the_next_ingest_removes_it_though_nothing_changed(index, document, manifest, embedder, left, names):
    made = document("leave.md", [("1", "Scope", "All staff.")])
    index.update([made], manifest, embedder)
    (index.folder / FOLDER / left).mkdir()
    for name in names:
        (index.folder / FOLDER / left / name).write_bytes(b"x")
    assert not verify(index).ok
    assert index.update([made], manifest, embedder).unchanged == 1
    assert verify(index).ok
