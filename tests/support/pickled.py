"""What LlamaIndex and multiprocessing do with the objects of other programs; ours keep nothing so."""

import pickle  # noqa: TID251
from typing import Any


def pickled(thing: Any) -> bytes:
    """A thing as it is sent to another process."""
    return pickle.dumps(thing)


def unpickled(state: bytes) -> Any:
    """What arrives there."""
    return pickle.loads(state)  # noqa: S301 - made by the test itself
