"""A small HTTP server on loopback that speaks Ollama's protocol, with scripted replies and faults on demand."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Fault(Enum):
    """What goes wrong while a chat is answered."""

    SLOW_FIRST_TOKEN = auto()
    SLOW_LATER_TOKEN = auto()
    DROPPED_MIDWAY = auto()
    ENDS_EARLY = auto()  # the stream closes properly, yet without its last line
    HTTP_500 = auto()
    MALFORMED_LINE = auto()
    ERROR_LINE = auto()


@dataclass
class OllamaStandIn:
    """What the server has, says and does wrong; `requests` is what it was asked.

    Attributes:
        models: names with tags.
        replies: one a chat, in order; the last one again when they run out. A function is given the request's body.
        context_length: of every model, as `/api/show` tells it; None: it does not tell.
        parameters: of every model, as `/api/show` tells them.
        capabilities: of every model.
        details: of every model, such as its parameter size.
        prompt_tokens: what it says of the prompt; None: one for four characters.
        done_reason: how each reply ends.
        fault: what goes wrong in each chat, or None.
        raw: path to the body that is sent instead, status 200.
        reply: gives every reply, where set; `replies` is not read then.
        fault_of: gives what goes wrong in each chat, where set; `fault` is not read then.
        delay: seconds before each reply.
        answered: bodies of the chats whose reply was sent to its end.
        cut: how a reply is cut into the pieces that are sent; None: in two halves.
        first: the likeliest first tokens of each reply with their logarithms, where they are asked for; None: an older
            server, which tells none.
        before_piece: called with 0, 1, ... before each piece of a reply is sent, and once more before its end.
    """

    models: list[str] = field(default_factory=lambda: ["llama3.2:latest"])
    replies: list[str | Callable[[dict[str, Any]], str]] = field(default_factory=lambda: ["Nothing."])
    context_length: int | None = 131072
    parameters: str = ""
    capabilities: list[str] = field(default_factory=lambda: ["completion"])
    details: dict[str, Any] = field(default_factory=dict)
    prompt_tokens: int | None = None
    done_reason: str = "stop"
    fault: Fault | None = None
    raw: dict[str, bytes] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    reply: Callable[[dict[str, Any]], str] | None = None
    fault_of: Callable[[dict[str, Any]], Fault | None] | None = None
    delay: float = 0.0
    answered: list[dict[str, Any]] = field(default_factory=list)
    cut: Callable[[str], list[str]] | None = None
    first: Callable[[dict[str, Any]], dict[str, float]] | None = None
    before_piece: Callable[[int], object] | None = None

    def __enter__(self) -> Self:
        self._start(0)
        return self

    def _start(self, port: int) -> None:
        self._over = threading.Event()
        self._server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), {"stand_in": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def restart(self) -> None:
        """Stop, dropping what is being answered, and start again on the same port."""
        port = self._server.server_address[1]
        self.__exit__()
        self._server.drop_all()
        self._start(port)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def chats(self) -> list[dict[str, Any]]:
        return [body for path, body in self.requests if path == "/api/chat"]

    def has(self, name: str) -> bool:
        return name in self.models or f"{name}:latest" in self.models

    def until_over(self) -> None:
        """Keep silent until the test is over, so that no test waits for a clock of the server's."""
        self._over.wait(30)

    def next_reply(self, body: dict[str, Any]) -> str:
        if self.reply is not None:
            return self.reply(body)
        reply = self.replies[min(len(self.chats) - 1, len(self.replies) - 1)]
        return reply if isinstance(reply, str) else reply(body)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_: Any) -> None:
        """A client that was killed, or a connection that `restart` dropped, is no fault of the test."""

    def drop_all(self) -> None:
        for request in list(self._open):
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    stand_in: "OllamaStandIn"
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Standard error is the tests'."""

    def do_GET(self) -> None:
        self.stand_in.requests.append((self.path, {}))
        if self._sent_raw():
            return
        if self.path == "/api/version":
            self._send({"version": "0.12.0"})
        elif self.path == "/api/tags":
            self._send({"models": [{"name": name, "model": name, "size": 1} for name in self.stand_in.models]})
        else:
            self._send({"error": "not found"}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.stand_in.requests.append((self.path, body))
        if self._sent_raw():
            return
        model = str(body.get("model"))
        if not self.stand_in.has(model):
            self._send({"error": f"model '{model}' not found"}, 404)
        elif self.path == "/api/show":
            self._send(_shown(self.stand_in))
        elif self.path == "/api/chat":
            self._chat(body)
        else:
            self._send({"error": "not found"}, 404)

    def _sent_raw(self) -> bool:
        raw = self.stand_in.raw.get(self.path)
        if raw is not None:
            self._send_bytes(raw, 200)
        return raw is not None

    def _send(self, value: Any, status: int = 200) -> None:
        self._send_bytes(json.dumps(value).encode(), status)

    def _send_bytes(self, payload: bytes, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def _chat(self, body: dict[str, Any]) -> None:
        fault = self.stand_in.fault_of(body) if self.stand_in.fault_of else self.stand_in.fault
        if self.stand_in.delay:
            time.sleep(self.stand_in.delay)
        if fault is Fault.HTTP_500:
            self._send({"error": "llama runner process has terminated"}, 500)
            return
        if fault is Fault.SLOW_FIRST_TOKEN:
            self.stand_in.until_over()
            self.close_connection = True
            return
        if body.get("stream") is False:
            self._send(_whole(self.stand_in, body))
            self.stand_in.answered.append(body)
            return
        lines = _stream(self.stand_in, body)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._piece(0, lines[0])
        if fault is Fault.SLOW_LATER_TOKEN:
            self.stand_in.until_over()
        if fault in {Fault.SLOW_LATER_TOKEN, Fault.DROPPED_MIDWAY}:
            self.close_connection = True
            return
        if fault is Fault.MALFORMED_LINE:
            self._chunk(b'{"model": "llama3.2", "message": {"rol\n')
        if fault is Fault.ERROR_LINE:
            self._line({"error": "an error was encountered while running the model"})
        for number, line in enumerate(lines[1:-1] if fault is Fault.ENDS_EARLY else lines[1:], 1):
            self._piece(number, line)
        self._chunk(b"")
        self.stand_in.answered.append(body)

    def _piece(self, number: int, line: Any) -> None:
        if self.stand_in.before_piece is not None:
            self.stand_in.before_piece(number)
        self._line(line)

    def _line(self, value: Any) -> None:
        self._chunk(json.dumps(value).encode() + b"\n")

    def _chunk(self, payload: bytes) -> None:
        self.wfile.write(f"{len(payload):x}\r\n".encode() + payload + b"\r\n")
        self.wfile.flush()


def _shown(server: OllamaStandIn) -> dict[str, Any]:
    info: dict[str, Any] = {"general.architecture": "llama"}
    if server.context_length is not None:
        info["llama.context_length"] = server.context_length
    return {
        "model_info": info,
        "parameters": server.parameters,
        "capabilities": server.capabilities,
        "details": server.details,
    }


def _stream(server: OllamaStandIn, body: dict[str, Any]) -> list[dict[str, Any]]:
    reply = server.next_reply(body)
    half = len(reply) // 2
    pieces = server.cut(reply) if server.cut else [reply[:half], reply[half:]]
    head = {"model": body["model"], "created_at": "2025-01-01T00:00:00Z"}
    parts = [{**head, "message": {"role": "assistant", "content": part}, "done": False} for part in pieces]
    prompt = sum(len(message["content"]) for message in body["messages"])
    last = {
        **head,
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": server.done_reason,
        "total_duration": 1,
        "prompt_eval_count": prompt // 4 if server.prompt_tokens is None else server.prompt_tokens,
        "eval_count": max(1, len(reply) // 4),
    }
    return [*parts, last]


def _whole(server: OllamaStandIn, body: dict[str, Any]) -> dict[str, Any]:
    """A reply in one piece, with the logarithms of its first tokens where they are asked for."""
    *parts, last = _stream(server, body)
    text = "".join(part["message"]["content"] for part in parts)
    whole = {**last, "message": {"role": "assistant", "content": text}}
    if not body.get("logprobs") or server.first is None:
        return whole
    told = [{"token": token, "logprob": value} for token, value in server.first(body).items()]
    return {**whole, "logprobs": [{**told[0], "top_logprobs": told[: body["top_logprobs"]]}]}
