"""An LLM behind an HTTP server: what is the same for every protocol."""

import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from urllib.parse import urlsplit

from policy_rag.errors import ModelError, PromptSizeError, UnansweredError
from policy_rag.llm.addresses import is_loopback, without_password
from policy_rag.llm.language_model import Reply, ReplyOptions, prompt_tokens, read_billions, reply_budget
from policy_rag.llm.limits import Deadline, LimitError, Limits, capped, lines_of, parsed
from policy_rag_parsers.llm.tokens import estimate_tokens, fewest_tokens, without_thinking

if TYPE_CHECKING:
    import httpx

_CONNECT_SECONDS = 5.0
_CHARS_A_TOKEN = 12  # tokens of no language are longer on average
_PIECES_A_TOKEN = 4  # where somebody cuts a reply into characters; a server's own pieces have a token or more
_FURTHER_PIECES = 64  # a role, an end, figures, signs of life
_RAISE_SECONDS = "raise the setting llm_deadline, or choose a smaller model"
_RAISE_SIZE = "raise the setting llm_reply_bytes if replies are meant to be so long"


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
        limits: what one call that asks a model may take.
    """

    def __init__(self, url: str, *, headers: Mapping[str, str] | None = None, limits: Limits | None = None) -> None:
        self.url = url.rstrip("/")
        self.shown = without_password(self.url)
        self.limits = limits or Limits()
        # An answer that is packed could be a thousand times as long as what arrives.
        self._headers = {"Accept-Encoding": "identity", **(headers or {})}
        self._client: httpx.Client | None = None

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return is_loopback(urlsplit(self.url).hostname or "")

    @property
    @abstractmethod
    def who(self) -> str:
        """The server in words, with its address."""

    def tell(self, method: str, path: str, body: Any = None, *, timeout: float) -> Any:
        """The JSON that the server answers to a small question; `timeout` is in seconds, for all of it."""
        deadline = Deadline(timeout, "see its log, or use --llm extractive")
        with self._answer(method, path, body, deadline, silence=timeout) as chunks:
            return parsed(b"".join(chunks))

    def request(self, path: str, body: Any, *, silence: float) -> Any:
        """The JSON that the server answers to a question that is posted; `silence` is in seconds, for each read."""
        deadline = Deadline(self.limits.seconds, _RAISE_SECONDS)
        with self._answer("POST", path, body, deadline, silence=silence) as chunks:
            return parsed(b"".join(chunks))

    def lines(self, path: str, body: Any, *, first: float, between: float) -> Iterator[str]:
        """The lines of a streamed answer, blank ones left out.

        Args:
            path: below the address.
            body: sent as JSON.
            first: seconds to wait for the first line: the model may have to be loaded.
            between: seconds to wait for each further one.
        """
        deadline = Deadline(self.limits.seconds, _RAISE_SECONDS)
        with self._answer("POST", path, body, deadline, silence=first, later=between) as chunks:
            yield from lines_of(chunks)

    @contextlib.contextmanager
    def _answer(
        self, method: str, path: str, body: Any, deadline: Deadline, *, silence: float, later: float | None = None
    ) -> Iterator[Iterator[bytes]]:
        """The body of an answer while it arrives; `silence` is for the head and each read, `later` for those behind."""
        import httpx

        timeout = httpx.Timeout(silence, connect=min(_CONNECT_SECONDS, silence))
        asked: dict[str, Any] = {"json": body, "timeout": timeout, "extensions": {"trace": deadline.on_event}}
        client = self._http()  # loading what it needs is no time of the server's
        with deadline, client.stream(method, self.url + path, **asked) as response:
            # The head of a stream comes with its first token. httpx looks this up before the body.
            response.request.extensions["timeout"]["read"] = silence if later is None else later
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise ValueError("a packed answer, which nobody asked for")
            chunks = capped(deadline.check(response.iter_raw()), self.limits.size, _RAISE_SIZE)
            if not response.is_success:
                raise StatusError(response.status_code, b"".join(chunks), response.headers.get("Location", ""))
            yield chunks

    def _http(self) -> "httpx.Client":
        import httpx

        if self._client is None:
            self._client = httpx.Client(
                headers=self._headers,
                # A proxy of the environment must not stand between us and a server on this machine.
                trust_env=not self.is_local,
                # Reading the system's certificates takes longer than a short reply.
                verify=not (self.is_local and self.url.startswith("http://")),
                # Nor does a server decide that another one reads what is asked.
                follow_redirects=False,
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
        except StatusError as error:
            raise self.refusal(model, error.status, error.message) from error
        except LimitError as error:
            raise UnansweredError(f"{self.who} {error}") from error
        except (
            httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, LookupError, TypeError, AttributeError
        ) as error:  # fmt: skip
            raise self.fault(model, error) from error

    @abstractmethod
    def refusal(self, model: str, status: int, message: str) -> ModelError:
        """The error for an HTTP status other than 2xx, or for an error in the midst of a reply (status 0)."""

    @abstractmethod
    def fault(self, model: str, error: Exception) -> ModelError:
        """The error for a server that is not there, falls silent, hangs up, or speaks another protocol."""


class CallOptions(TypedDict, total=False):
    """How a model is called, where that is not as `ServerModel` does by itself.

    Attributes:
        timeout: seconds to wait between two tokens, or for a whole reply that is not streamed.
        context: tokens that prompt and reply may have together.
        reply_tokens: most tokens of a reply; see `reply_budget` where None.
        temperature: the sampling temperature.
        seed: the sampling seed.
    """

    timeout: float
    context: int
    reply_tokens: int | None
    temperature: float
    seed: int


class ServerModel(ABC):
    """A model of a server. One call is one question: nothing is remembered between calls; safe for many threads.

    Args:
        name: as it is asked for in settings, with the kind of server before it (`ollama/llama3.2`).
        server: where it is.
        billions: of weights that it has, where the server says so; else the name may ("qwen2.5-7b").
        **options: how it is called.
    """

    def __init__(
        self, name: str, server: Server, *, billions: float | None = None, **options: Unpack[CallOptions]
    ) -> None:
        self.name = name
        self.context_window = options.get("context", 8192)
        self.reply_tokens = options.get("reply_tokens") or reply_budget(self.context_window)
        self.billions = read_billions(name) if billions is None else billions
        self._timeout = options.get("timeout", 120.0)
        self._temperature, self._seed = options.get("temperature", 0.0), options.get("seed", 0)
        self._model = name.partition("/")[2]
        self._server = server

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r} at {self._server.shown})"

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
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
        found = self._brief(messages) if how.get("first_tokens") else self._complete(messages, how)
        ms = (time.perf_counter() - started) * 1000
        if len(found.text) > self._most_chars:
            found = replace(found, text=found.text[: self._most_chars], done_reason="length")
        fewest = fewest_tokens(system) + fewest_tokens(user)
        if found.tokens_in and found.tokens_in < fewest:
            raise PromptSizeError(
                f"{self._server.who} cut the prompt: it read {found.tokens_in} tokens of at least {fewest}. "
                f"{self._enlarge}"
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
        """The text so far, after each piece and whether it is the last, to the most that was asked for."""
        text, ended = "", False
        with self._server.faults(self._model):  # what `on_partial` raises stays outside
            for number, (piece, last) in enumerate(pieces, 1):
                text, ended = text + piece, ended or last
                if piece:
                    yield text
                if len(text) > self._most_chars or number > _PIECES_A_TOKEN * self.reply_tokens + _FURTHER_PIECES:
                    return
            if not ended:
                raise ConnectionResetError("the reply has no end")

    @property
    def _most_chars(self) -> int:
        return _CHARS_A_TOKEN * self.reply_tokens

    @property
    @abstractmethod
    def _enlarge(self) -> str:
        """What gives the model a larger context."""

    @abstractmethod
    def _complete(self, messages: list[dict[str, str]], how: ReplyOptions) -> Completion:
        """The whole reply."""

    @abstractmethod
    def _brief(self, messages: list[dict[str, str]]) -> Completion:
        """The first words of a reply, with the likeliest first tokens where the server gives them."""


def one_line(error: object) -> str:
    """What an error says, on one line of at most 200 characters, without those that steer a terminal."""
    line = " ".join(str(error).split())[:200]
    return "".join(char if char.isprintable() else "?" for char in line)


class StatusError(Exception):
    """An answer whose status is not 2xx."""

    def __init__(self, status: int, body: bytes, location: str) -> None:
        self.status = status
        self.body = body.decode("utf-8", "replace")
        self.message = f"it points to {without_password(location)}" if location else _message_of(self.body)
        super().__init__(status)


def _message_of(body: str) -> str:
    """What a server says against a request: its own message where it is JSON with one, else the body."""
    try:
        error = parsed(body)["error"]
    except (ValueError, KeyError, TypeError):
        return body
    return str(error.get("message") if isinstance(error, dict) else error)
