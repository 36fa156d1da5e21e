"""A small HTTP server on loopback that speaks the OpenAI chat protocol."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class StreamFault(Enum):
    """What goes wrong while a reply is sent in pieces, behind its first one."""

    SILENT = auto()
    DROPPED = auto()
    ENDS_EARLY = auto()  # the stream closes properly, yet without its last pieces
    MALFORMED = auto()
    ERROR = auto()
    USAGE_REFUSED = auto()  # an older server: it knows no `stream_options`


_HEAD: dict[str, Any] = {"id": "1", "created": 1, "model": "m"}


@dataclass
class OpenAIStandIn:
    """What the server says; `requests` is what it was asked: the headers and the body.

    Attributes:
        reply: the text of each reply.
        prompt_tokens: what it says of the prompt; None: it sends no usage.
        status: HTTP status; other than 200, `error` is the message.
        error: see `status`.
        raw: the body that is sent instead, status 200.
        silent: never answers.
        cut: how a reply is cut into the pieces that are sent where it is asked for in pieces; None: in two halves.
        before_piece: called with 0, 1, ... before each such piece.
        fault: what goes wrong with them, or None.
        first: the likeliest first tokens with their logarithms, told where they are asked for; None: it refuses to.
        forms: the types of `response_format` that it knows; others it refuses as llama-cpp-python does. None: all.
    """

    reply: str = "Nothing."
    prompt_tokens: int | None = 1000
    status: int = 200
    error: str = ""
    raw: bytes | None = None
    silent: bool = False
    cut: Callable[[str], list[str]] | None = None
    before_piece: Callable[[int], object] | None = None
    fault: StreamFault | None = None
    forms: tuple[str, ...] | None = None
    first: dict[str, float] | None = None
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": self}))
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # a client that hung up is no fault of the test
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def until_over(self) -> None:
        self._over.wait(30)

    def body(self, asked: dict[str, Any]) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": self.error, "type": "error"}}).encode()
        message = {"role": "assistant", "content": self.reply}
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop"}
        if asked.get("logprobs") and self.first is not None:
            told = [{"token": token, "logprob": value, "bytes": None} for token, value in self.first.items()]
            choice["logprobs"] = {"content": [{**told[0], "top_logprobs": told[: asked["top_logprobs"]]}]}
        value: dict[str, Any] = {**_HEAD, "object": "chat.completion", "choices": [choice]}
        return json.dumps({**value, **self.usage()}).encode()

    def usage(self) -> dict[str, Any]:
        if self.prompt_tokens is None:
            return {}
        total = self.prompt_tokens + 7
        return {"usage": {"prompt_tokens": self.prompt_tokens, "completion_tokens": 7, "total_tokens": total}}

    def pieces(self) -> list[dict[str, Any]]:
        half = len(self.reply) // 2
        texts = self.cut(self.reply) if self.cut else [self.reply[:half], self.reply[half:]]
        return [{"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]} for text in texts]


class _Handler(BaseHTTPRequestHandler):
    stand_in: "OpenAIStandIn"
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Standard error is the tests'."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        self.stand_in.requests.append((dict(self.headers), body))
        if self.stand_in.silent:
            self.stand_in.until_over()
            self.close_connection = True
            return
        form = body.get("response_format", {}).get("type")
        if form and self.stand_in.forms is not None and form not in self.stand_in.forms:
            message = f"1 validation error: {{'loc': ('body', 'response_format', 'type'), 'input': '{form}'}}"
            self._send(500, json.dumps({"error": {"message": message}}).encode())
        elif body.get("logprobs") and self.stand_in.first is None:
            self._send(400, json.dumps({"error": {"message": "logprobs are not supported here"}}).encode())
        elif self.stand_in.fault is StreamFault.USAGE_REFUSED and "stream_options" in body:
            self._send(400, json.dumps({"error": {"message": "unknown field stream_options"}}).encode())
        elif body.get("stream") and self.stand_in.raw is None and self.stand_in.status == 200:
            self._stream(counts="stream_options" in body)
        else:
            self._send(self.stand_in.status, self.stand_in.body(body))

    def _send(self, status: int, payload: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def _stream(self, *, counts: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(self.stand_in.pieces()):
            if self.stand_in.before_piece is not None:
                self.stand_in.before_piece(number)
            self._event(piece)
            if number == 0 and self._failed(self.stand_in.fault):
                return
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        if counts:
            self._event({"choices": [], **self.stand_in.usage()})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _failed(self, fault: StreamFault | None) -> bool:
        """What goes wrong behind the first piece; whether nothing follows it."""
        if fault is StreamFault.SILENT:
            self.stand_in.until_over()
        if fault in {StreamFault.SILENT, StreamFault.DROPPED}:
            self.close_connection = True
            return True
        if fault is StreamFault.ENDS_EARLY:
            self._chunk(b"")
            return True
        if fault is StreamFault.MALFORMED:
            self._chunk(b'data: {"choices": [{"ind\n\n')
        if fault is StreamFault.ERROR:
            self._event({"error": {"message": "the model has run out of memory"}})
        return False

    def _event(self, value: dict[str, Any]) -> None:
        self._chunk(b"data: " + json.dumps({**_HEAD, "object": "chat.completion.chunk", **value}).encode() + b"\n\n")

    def _chunk(self, payload: bytes) -> None:
        self.wfile.write(f"{len(payload):x}\r\n".encode() + payload + b"\r\n")
        self.wfile.flush()
