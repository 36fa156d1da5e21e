"""What one call to a server may take: seconds in all and bytes, whatever it sends and however slowly."""

import contextlib
import json
import math
import re
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

_LINE_END = re.compile(rb"\r\n|\r|\n")
_OPENED = (".connect_tcp.complete", ".start_tls.complete")


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one call that asks a model.

    Attributes:
        seconds: from its beginning to the last byte of the answer.
        size: bytes of the answer.
    """

    seconds: float = 600.0
    size: int = 1 << 24


class LimitError(OSError):
    """A call that went beyond what it may take. The message follows the server's name."""


class Deadline:
    """Ends the connections of one call when its time is over.

    A socket's own time limit begins anew with each byte, and httpx passes over any number of `100 Continue`: a server
    that trickles would never exceed either.

    Args:
        seconds: how long the call may take in all.
        remedy: what may be done where that is not enough.
    """

    def __init__(self, seconds: float, remedy: str) -> None:
        self._seconds, self._remedy = seconds, remedy
        self._sockets: list[socket.socket] = []
        self._over = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._timer.cancel()
        if self._over and (error is None or isinstance(error, Exception)):
            raise LimitError(f"took more than {self._seconds:g} s in all: {self._remedy}") from error

    def on_event(self, event: str, info: Mapping[str, Any]) -> None:
        """To be given to httpx as the extension `trace`: tells of each connection that is opened."""
        if event.endswith(_OPENED):
            with self._lock:
                self._sockets.append(info["return_value"].get_extra_info("socket"))
            if self._over:
                self._end()

    def check(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The chunks, up to the deadline: what arrived before the end of a connection may still be read after it."""
        for chunk in chunks:
            if self._over:
                return
            yield chunk

    def _end(self) -> None:
        self._over = True
        with self._lock:
            for opened in self._sockets:
                with contextlib.suppress(OSError):
                    opened.shutdown(socket.SHUT_RDWR)


def capped(chunks: Iterable[bytes], size: int, remedy: str) -> Iterator[bytes]:
    """The chunks, of `size` bytes together at most.

    Raises:
        LimitError: there are more.
    """
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > size:
            raise LimitError(f"sent more than {size} bytes: {remedy}")
        yield chunk


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    r"""The lines of a text in UTF-8 that comes in chunks, blank ones left out.

    >>> list(lines_of([b"one\ntw", b"o\r", b"\n\nthree"]))
    ['one', 'two', 'three']
    """
    begun: list[bytes] = []
    for chunk in chunks:
        *ended, rest = _LINE_END.split(chunk)
        for part in ended:
            line = b"".join([*begun, part]).strip()
            begun = []
            if line:
                yield line.decode("utf-8", "replace")
        begun.append(rest)
    last = b"".join(begun).strip()
    if last:
        yield last.decode("utf-8", "replace")


def parsed(text: str | bytes) -> Any:
    """JSON as a server sent it.

    Raises:
        ValueError: it is none. NaN and infinite numbers are none, nor what is nested too deeply to be read.

    >>> parsed('{"a": [1]}')
    {'a': [1]}
    """
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("JSON that is nested too deeply") from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def count(value: object) -> int | None:
    """A count that a server tells; None where it tells none, or what cannot be one.

    >>> count(3), count(-1), count(True), count("3"), count(1e300)
    (3, None, None, None, None)
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31:
        return value
    return None


def likelihood(logarithm: float) -> float:
    """The probability that a server tells by its logarithm, 1 where that is above 0.

    >>> likelihood(0.0), likelihood(1e300), likelihood(-1e300)
    (1.0, 1.0, 0.0)
    """
    return math.exp(min(0.0, logarithm))


def text_of(value: object) -> str:
    """A text that a server sent, empty where it sent none; what no encoding can hold becomes a question mark.

    Raises:
        TypeError: it sent something else.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where a text should stand")
    return value.encode("utf-8", "replace").decode("utf-8")
