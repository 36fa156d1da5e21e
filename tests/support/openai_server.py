"""A small HTTP server on loopback that speaks the OpenAI chat protocol."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


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
    """

    reply: str = "Nothing."
    prompt_tokens: int | None = 1000
    status: int = 200
    error: str = ""
    raw: bytes | None = None
    silent: bool = False
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": self}))
        self._server.daemon_threads = True
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

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": self.error, "type": "error"}}).encode()
        message = {"role": "assistant", "content": self.reply}
        value: dict[str, Any] = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
        if self.prompt_tokens is not None:
            total = self.prompt_tokens + 7
            value["usage"] = {"prompt_tokens": self.prompt_tokens, "completion_tokens": 7, "total_tokens": total}
        return json.dumps(value).encode()


class _Handler(BaseHTTPRequestHandler):
    stand_in: "OpenAIStandIn"

    def log_message(self, *_: Any) -> None:
        """Standard error is the tests'."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        self.stand_in.requests.append((dict(self.headers), body))
        if self.stand_in.silent:
            self.stand_in.until_over()
            return
        payload = self.stand_in.body()
        self.send_response(self.stand_in.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)
