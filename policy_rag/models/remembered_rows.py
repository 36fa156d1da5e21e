"""Rows of texts that are embedded again and again: what an answer may quote, over the questions of a process."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from policy_rag.models.embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEPT = 20_000  # of about 2 KB each
_rows: "OrderedDict[tuple[str, str], NDArray[np.float32]]" = OrderedDict()
_lock = threading.Lock()


def embed_remembered(embedder: Embedder, texts: Sequence[str]) -> "NDArray[np.float32]":
    """The rows of `embedder.embed`, where the last `_KEPT` texts of a process are embedded once."""
    import numpy as np

    model = embedder.fingerprint
    keys = [(model, text) for text in texts]
    with _lock:
        known = {key: _rows[key] for key in keys if key in _rows}
    new = [key for key in dict.fromkeys(keys) if key not in known]
    known |= zip(new, embedder.embed([text for _, text in new]), strict=True) if new else ()
    with _lock:
        for key in dict.fromkeys(keys):
            _rows[key] = known[key]
            _rows.move_to_end(key)
        while len(_rows) > _KEPT:
            _rows.popitem(last=False)
    return np.stack([known[key] for key in keys]) if keys else np.empty((0, embedder.dimension), dtype=np.float32)


@contextmanager
def rows_set_aside() -> Iterator[None]:
    """Inside, no text counts as embedded before; afterwards those from before are known again, and no others."""
    with _lock:
        before = _rows.copy()
        _rows.clear()
    try:
        yield
    finally:
        with _lock:
            _rows.clear()
            _rows.update(before)
