"""A server on loopback that breaks HTTP and the protocols of LLMs in every way that a seed draws."""

import contextlib
import gzip
import json
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Self

GIVES_UP_S = 12.0
"""When an endless answer ends after all: far beyond any deadline of the tests."""
_PAUSE_S = 0.01

Bytes = Iterator[bytes]
Fault = Callable[[random.Random, str, bytes], Bytes]
"""Of a seed, the path that is asked and the body that an honest server would send, what is sent."""


class HostileServer:
    """Answers as it should on every path but one, and there with a fault.

    Args:
        path: where it is hostile.
        fault: what it does there.
        seed: what is drawn within the fault.
        answers: path to the body of an honest answer.
    """

    def __init__(self, path: str, fault: Fault, seed: int, answers: dict[str, bytes]) -> None:
        self._path, self._fault, self._seed, self._answers = path, fault, seed, answers
        self._over = threading.Event()

    def __enter__(self) -> Self:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            socket.create_connection(self._listening.getsockname(), 1).close()
        self._thread.join(GIVES_UP_S)
        self._listening.close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    def _accept(self) -> None:
        while not self._over.is_set():
            connection, _ = self._listening.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(2)
            path = _read_request(connection)
            honest = self._answers.get(path, b"{}")
            hostile = path == self._path
            sent = self._fault(random.Random(self._seed), path, honest) if hostile else _whole(honest)
            end = time.monotonic() + GIVES_UP_S
            for part in sent:
                if self._over.is_set() or time.monotonic() > end:
                    return
                if part == RESET:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                connection.sendall(part) if part else time.sleep(_PAUSE_S)
            connection.shutdown(socket.SHUT_WR)


def _read_request(connection: socket.socket) -> str:
    got = b""
    while b"\r\n\r\n" not in got:
        part = connection.recv(65536)
        if not part:
            return ""
        got += part
    head, _, body = got.partition(b"\r\n\r\n")
    length = next(
        (int(line.partition(b":")[2]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
    )
    while len(body) < length:
        body += connection.recv(65536) or b" " * length
    return head.split(b" ")[1].decode()


RESET = b"<reset>"
PAUSE = b""
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def _whole(body: bytes, head: bytes = _OK) -> Bytes:
    yield head + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


def _to_the_end(*parts: bytes, head: bytes = _OK) -> Bytes:
    """A body that ends with the connection."""
    yield head + b"Connection: close\r\n\r\n"
    yield from parts


def _slowly(data: bytes) -> Bytes:
    for i in range(len(data)):
        yield data[i : i + 1]
        yield PAUSE


def _for_ever(part: Callable[[], bytes], *, slow: bool) -> Bytes:
    while True:
        yield part()
        if slow:
            yield PAUSE


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


# --- faults of HTTP ---------------------------------------------------------------------------------------------


def silent(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield _OK[: draw.randrange(len(_OK))] if draw.random() < 0.5 else PAUSE
    yield from _for_ever(lambda: PAUSE, slow=True)


def hangs_up(draw: random.Random, path: str, honest: bytes) -> Bytes:
    whole = b"".join(_whole(honest))
    yield whole[: draw.randrange(len(whole) - 1)]
    if draw.random() < 0.5:
        yield RESET


def trickled_head(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield from _slowly(_OK)
    yield from _for_ever(lambda: b"X-%d: y\r\n" % draw.randrange(999), slow=True)


def trickled_line(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield draw.choice([b"HTTP/1.1 200 ", b"X", _OK + b"X-Long: "])
    yield from _for_ever(lambda: b"a", slow=True)


def flooded_head(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield _OK
    yield from _for_ever(
        lambda: b"X-%d: %s\r\n" % (draw.randrange(999), b"y" * draw.choice([1, 100, 9000])), slow=False
    )


def endless_continue(draw: random.Random, path: str, honest: bytes) -> Bytes:
    status = draw.choice([b"100 Continue", b"102 Processing", b"103 Early Hints\r\nLink: </a>"])
    yield from _for_ever(lambda: b"HTTP/1.1 " + status + b"\r\n\r\n", slow=draw.random() < 0.5)


def garbage(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield draw.choice([b"", b"HTTP/1.1 ", b"\x16\x03\x01", b"ICY 200 OK\r\n\r\n"]) + draw.randbytes(
        draw.randrange(3000)
    )


def odd_status(draw: random.Random, path: str, honest: bytes) -> Bytes:
    status = draw.choice(
        ["999 ?", "000 ?", "99", "204 No Content", "206 Partial Content", "304 Not Modified", "101 Switching Protocols",
         "401 Unauthorized", "407 Proxy", "429 Slow", "500 Oops", "503 Busy", "600 x", "-1 x", "2e2 OK"]
    )  # fmt: skip
    yield from _whole(honest, f"HTTP/1.1 {status}\r\n".encode())


def points_elsewhere(draw: random.Random, path: str, honest: bytes) -> Bytes:
    place = draw.choice(
        ["/", path, "http://192.0.2.1/api", "http://[::1", "file:///etc/passwd", "//", "http://u:p@h/", "\x01"]
    )
    status = draw.choice([301, 302, 303, 307, 308])
    head = f"HTTP/1.1 {status} Moved\r\nLocation: {place}\r\n".encode()
    yield from draw.choice([_whole(b"", head), _to_the_end(*[b"x" * 65536] * 50, head=head)])


def packed(draw: random.Random, path: str, honest: bytes) -> Bytes:
    once = gzip.compress(b" " * 5_000_000)
    coding, body = draw.choice(
        [(b"gzip", once), (b"gzip, gzip", gzip.compress(once)), (b"br", once), (b"zstd", b"x"), (b"deflate", honest)]
    )
    yield from _whole(body, _OK + b"Content-Encoding: " + coding + b"\r\n")


def wrong_length(draw: random.Random, path: str, honest: bytes) -> Bytes:
    length = draw.choice(
        [b"-1", b"x", b"1e3", b"9" * 30, b"9999999", b"0", b"1", b"5\r\nContent-Length: 6", b"5, 5", b""]
    )
    yield _OK + b"Content-Length: " + length + b"\r\nConnection: close\r\n\r\n" + honest
    if draw.random() < 0.3:
        yield from _for_ever(lambda: PAUSE, slow=True)


def wrong_chunks(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield _OK + b"Transfer-Encoding: chunked\r\n\r\n"
    kind = draw.randrange(5)
    if kind == 0:
        yield draw.choice([b"zz\r\n", b"-5\r\n", b"F" * 40 + b"\r\n", b"5\r\nabc", b"\r\n\r\n"])
    elif kind == 1:
        yield b"5;"
        yield from _for_ever(lambda: b"a=b;", slow=draw.random() < 0.5)
    elif kind == 2:
        yield _chunk(honest) + b"0\r\n"
        yield from _for_ever(lambda: b"T: x\r\n", slow=draw.random() < 0.5)
    elif kind == 3:
        yield from _for_ever(lambda: _chunk(b" "), slow=draw.random() < 0.5)
    else:
        yield _chunk(honest)  # and no end


# --- faults of what is said -------------------------------------------------------------------------------------


def trickled_body(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield from _to_the_end(*draw.choice([[], [honest[: len(honest) // 2]]]))
    yield from _for_ever(lambda: draw.choice([b" ", b"\n", b"\r"]), slow=True)


def flooded_body(draw: random.Random, path: str, honest: bytes) -> Bytes:
    part = draw.choice([b" ", b"a", b"[", b'{"a":', b"\n", b'"', b"data: ", b"\xff", b": ping\n\n"]) * 4096
    yield from _to_the_end(draw.choice([b"", b'{"a": "', b"data: {"]))
    yield from _for_ever(lambda: part, slow=False)


def endless_tokens(draw: random.Random, path: str, honest: bytes) -> Bytes:
    text = draw.choice(["", " ", "word ", "x", "<think>", "\n", "\ud83d"])
    field = draw.choice(["content", "content", "thinking", "reasoning_content"])
    ollama = {"message": {"role": "assistant", field: text}, "done": False}
    openai = {"choices": [{"delta": {field: text}}]}
    line = json.dumps(ollama).encode() if "api" in path else b"data: " + json.dumps(openai).encode() + b"\n"
    yield from _to_the_end()
    yield from _for_ever(lambda: line + b"\n", slow=draw.random() < 0.5)


def goes_on_behind_the_end(draw: random.Random, path: str, honest: bytes) -> Bytes:
    yield from _to_the_end(honest + b"\n")
    part = draw.choice([b"\n", b"{}\n", b": ping\n\n", honest + b"\n"])
    yield from _for_ever(lambda: part, slow=draw.random() < 0.5)


def nested(draw: random.Random, path: str, honest: bytes) -> Bytes:
    depth = draw.choice([900, 5_000, 200_000])
    opening, closing = draw.choice([(b"[", b"]"), (b'{"a":', b"}"), (b'{"error":', b"}"), (b"[[", b"]]")])
    body = opening * depth + b"1" + closing * depth
    prefix = b"data: " if path.endswith("completions") and draw.random() < 0.7 else b""
    status = draw.choice([b"200 OK", b"400 Bad", b"500 Oops"])
    yield from _whole(prefix + body, b"HTTP/1.1 " + status + b"\r\n")


def says_why_not(draw: random.Random, path: str, honest: bytes) -> Bytes:
    said: Any = draw.choice(
        ["no", "", None, 5, [], {}, {"message": None}, {"message": ["x"]}, "line\nline\r\x1b[2J", "x" * 100_000, "\ud800", KEY,
         {"message": f"key {KEY}"}, float("nan"), {"message": {"a": KEY}}, KEY[:10] + "\n" + KEY]
    )  # fmt: skip
    body = draw.choice([json.dumps({"error": said}), json.dumps(said), f"<html>{said}", json.dumps({"detail": said})])
    status = draw.choice([200, 400, 401, 403, 404, 408, 413, 422, 429, 500, 501, 502, 503])
    prefix = "data: " if status == 200 and path.endswith("completions") else ""
    yield from _whole((prefix + body).encode("utf-8", "replace"), f"HTTP/1.1 {status} Said\r\n".encode())


KEY = "sk-very-secret-0123456789"
_ODD: list[Any] = [
    None, True, False, 0, -1, 3, 1 << 40, 10**400, -(10**30), 1e308, float("nan"), float("inf"), "", "x", "\ud800", "\x00",
    "\u202e", "5", [], [None], [[]], {}, {"a": 1}, {"message": 1}, "\x1b]0;x\x07", "stop", "length", [{}], 0.5,
]  # fmt: skip


def altered(draw: random.Random, path: str, honest: bytes) -> Bytes:
    """An honest answer in which up to three values are others, or gone."""
    lines = []
    for line in honest.decode().splitlines():
        prefix, mark, text = ("data: ", "data: ", line[6:]) if line.startswith("data: ") else ("", "", line)
        if not text.startswith("{"):
            lines.append(line)
            continue
        value = json.loads(text)
        for _ in range(draw.randrange(1, 4)):
            value = _altered(draw, value)
        lines.append(prefix * bool(mark) + json.dumps(value))
    body = "\n".join(lines) + "\n"
    if draw.random() < 0.2:
        body = body.replace("1", "1" * 5000, 1)
    yield from _whole(body.encode())


def _altered(draw: random.Random, value: Any) -> Any:
    if draw.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return draw.choice(_ODD)
    if isinstance(value, list):
        at = draw.randrange(len(value))
        return [*value[:at], _altered(draw, value[at]), *value[at + 1 :]]
    name = draw.choice(sorted(value))
    if draw.random() < 0.2:
        return {key: kept for key, kept in value.items() if key != name}
    return {**value, name: _altered(draw, value[name])}


def cut_or_broken(draw: random.Random, path: str, honest: bytes) -> Bytes:
    body = bytearray(honest)
    for _ in range(draw.randrange(1, 6)):
        body[draw.randrange(len(body))] = draw.choice([0, 10, 13, 34, 92, 123, 125, 0xC3, 0xFF, draw.randrange(256)])
    yield from _whole(bytes(body[: draw.randrange(1, len(body) + 1)]))


def odd_charset(draw: random.Random, path: str, honest: bytes) -> Bytes:
    charset = draw.choice(
        ["undefined", "idna", "zlib", "rot13", "utf-16", "utf-7", "unicode_escape", "\xff", "hex", "x" * 99]
    )
    head = f"HTTP/1.1 {draw.choice([200, 500])} OK\r\nContent-Type: application/json; charset={charset}\r\n".encode(
        "latin-1"
    )
    yield from _whole(honest, head)


FAULTS: tuple[Fault, ...] = (
    silent, hangs_up, trickled_head, trickled_line, flooded_head, endless_continue, garbage, odd_status, points_elsewhere,
    packed, wrong_length, wrong_chunks, trickled_body, flooded_body, endless_tokens, goes_on_behind_the_end, nested,
    says_why_not, altered, cut_or_broken, odd_charset,
)  # fmt: skip
