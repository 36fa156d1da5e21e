"""What was worked out of the documents read last."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class DocumentCache(Generic[Value]):
    """Keeps the values asked for last. Safe for many threads, of which two may work out the same.

    Args:
        most: how many values.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, read: Callable[[], Value]) -> Value:
        """The value of `key`, worked out by `read` where it is not kept.

        >>> cache = DocumentCache[str](1)
        >>> cache.get("a", lambda: "read"), cache.get("a", lambda: "read again")
        ('read', 'read')
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = read()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
