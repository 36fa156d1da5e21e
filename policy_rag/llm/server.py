"""An LLM behind an HTTP server: what is the same for every protocol."""

import contextlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from policy_rag.errors import ModelError, PromptSizeError
from policy_rag.llm.addresses import is_loopback, without_password
from policy_rag.llm.protocol import (
    Reply,
    TextCallback,
    estimate_tokens,
    fewest_tokens,
    prompt_tokens,
    reply_budget,
    without_thinking,
)

if TYPE_CHECKING:
    import httpx

_CONNECT_SECONDS = 5.0
_CHARS_A_TOKEN = 12  # tokens of no language are longer on average: what goes on beyond is a model that does not stop


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply as a server sent it; tokens are None where it does not count them. See `Reply`."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    done_reason: str
    first: tuple[tuple[str, float], ...] = ()


class Server(ABC):
    """An HTTP server that runs LLMs. Faults of any kind come as one `ModelError` that names it and what to run.

    Args:
        url: its address; a user and password in it are sent, and never shown.
        headers: sent with each request.
    """

    def __init__(self, url: str, *, headers: Mapping[str, str] | None = None) -> None:
        self.url = url.rstrip("/")
        self.shown = without_password(self.url)
        self._headers = dict(headers or {})
        self._client: httpx.Client | None = None

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return is_loopback(urlsplit(self.url).hostname or "")

    def request(self, method: str, path: str, body: Any = None, *, timeout: float) -> Any:
        """The JSON that the server answers at once; `timeout` is in seconds."""
        response = self._http().request(method, self.url + path, json=body, timeout=timeout)
        response.raise_for_status()
        return response.json()

    def lines(self, path: str, body: Any, *, first: float, between: float) -> Iterator[str]:
        """The lines of a streamed answer, blank ones left out.

        Args:
            path: below the address.
            body: sent as JSON.
            first: seconds to wait for the first line: the model may have to be loaded.
            between: seconds to wait for each further one.
        """
        import httpx

        timeout = httpx.Timeout(first, connect=min(_CONNECT_SECONDS, first))
        with self._http().stream("POST", self.url + path, json=body, timeout=timeout) as response:
            if response.is_error:
                response.read()
            response.raise_for_status()
            # Its head comes with the first token. httpx looks this up before each further read.
            response.request.extensions["timeout"]["read"] = between
            yield from filter(None, map(str.strip, response.iter_lines()))

    def _http(self) -> "httpx.Client":
        import httpx

        if self._client is None:
            self._client = httpx.Client(
                headers=self._headers,
                # A proxy of the environment must not stand between us and a server on this machine.
                trust_env=not self.is_local,
                follow_redirects=True,
                # Questions are minutes apart, and nobody closes a model.
                limits=httpx.Limits(max_keepalive_connections=0),
            )
        return self._client

    @contextlib.contextmanager
    def faults(self, model: str = "") -> Iterator[None]:
        """Turn whatever goes wrong with the server into one ModelError that names it and what to run."""
        import httpx

        try:
            yield
        except httpx.HTTPStatusError as error:
            raise self.refusal(model, error.response.status_code, _message_of(error.response)) from error
        except (httpx.HTTPError, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise self.fault(model, error) from error

    @abstractmethod
    def refusal(self, model: str, status: int, message: str) -> ModelError:
        """The error for an HTTP status from 400, or for an error in the midst of a reply (status 0)."""

    @abstractmethod
    def fault(self, model: str, error: Exception) -> ModelError:
        """The error for a server that is not there, falls silent, hangs up, or speaks another protocol."""


class ServerModel(ABC):
    """A model of a server. One call is one question: nothing is remembered between calls; safe for many threads.

    Args:
        name: as it is asked for in settings, with the kind of server before it (`ollama/llama3.2`).
        server: where it is.
        context_window: tokens that prompt and reply may have together.
        reply_tokens: most tokens of a reply; see `reply_budget` where None.
    """

    def __init__(self, name: str, server: Server, *, context_window: int, reply_tokens: int | None = None) -> None:
        self.name = name
        self.context_window = context_window
        self.reply_tokens = reply_tokens or reply_budget(context_window)
        self._model = name.partition("/")[2]
        self._server = server

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r} at {self._server.shown})"

    def chat(
        self,
        system: str,
        user: str,
        *,
        json_schema: Mapping[str, Any] | None = None,
        on_partial: TextCallback | None = None,
        first_tokens: bool = False,
    ) -> Reply:
        """The model's reply; see `LanguageModel.chat`.

        Raises:
            PromptSizeError: the prompt does not fit, or the server cut it.
            UnansweredError: the server is not there, fell silent or failed.
            ModelError: it refuses; each of these names the server.
        """
        expected = prompt_tokens(system, user)
        if expected + self.reply_tokens > self.context_window:
            raise PromptSizeError(
                f"the prompt for {self.name} has about {expected} tokens, more than its window of "
                f"{self.context_window} leaves beside the reply: raise the setting llm_context or lower --top-k"
            )
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        started = time.perf_counter()
        found = self._brief(messages) if first_tokens else self._complete(messages, json_schema, on_partial)
        ms = (time.perf_counter() - started) * 1000
        fewest = fewest_tokens(system) + fewest_tokens(user)
        if found.tokens_in and found.tokens_in < fewest:
            raise PromptSizeError(
                f"{self._who} cut the prompt: it read {found.tokens_in} tokens of at least {fewest}. {self._enlarge}"
            )
        return Reply(
            text=without_thinking(found.text),
            tokens_in=found.tokens_in or expected,
            tokens_out=estimate_tokens(found.text) if found.tokens_out is None else found.tokens_out,
            ms=ms,
            done_reason=found.done_reason,
            first=found.first,
        )

    def _streamed(self, pieces: Iterator[tuple[str, bool]]) -> Generator[str, None, None]:
        """The text so far, after each piece; a piece comes with whether it is the last.

        What goes wrong in here is the server's: those of `on_partial` stay outside.
        """
        text, ended = "", False
        with self._server.faults(self._model):
            for piece, last in pieces:
                text, ended = text + piece, ended or last
                if piece:
                    yield text
                if len(text) > _CHARS_A_TOKEN * self.reply_tokens:
                    return
            if not ended:
                raise ConnectionResetError("the reply has no end")

    @property
    @abstractmethod
    def _who(self) -> str:
        """The server in words."""

    @property
    @abstractmethod
    def _enlarge(self) -> str:
        """What gives the model a larger context."""

    @abstractmethod
    def _complete(
        self,
        messages: list[dict[str, str]],
        json_schema: Mapping[str, Any] | None,
        on_partial: TextCallback | None,
    ) -> Completion:
        """The whole reply."""

    @abstractmethod
    def _brief(self, messages: list[dict[str, str]]) -> Completion:
        """The first words of a reply, with the likeliest first tokens where the server gives them."""


def one_line(error: object) -> str:
    """What an error says, on one line of at most 200 characters."""
    return " ".join(str(error).split())[:200]


def _message_of(response: "httpx.Response") -> str:
    """What a server says against a request: its own message where it is JSON with one, else the body."""
    try:
        error = json.loads(response.text)["error"]
    except (ValueError, KeyError, TypeError):
        return response.text
    return str(error.get("message") if isinstance(error, dict) else error)
