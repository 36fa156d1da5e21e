"""Ollama: where its server is, what it has, and a model of it behind LlamaIndex's `Ollama`."""

import contextlib
import math
import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from policy_rag.errors import ModelError
from policy_rag.llm.addresses import is_loopback
from policy_rag.llm.protocol import (
    BRIEF_TOKENS,
    Listener,
    Reply,
    estimate_tokens,
    fewest_tokens,
    reply_budget,
    without_thinking,
)
from policy_rag.llm.streaming import text_so_far

if TYPE_CHECKING:
    import httpx
    from llama_index.core.base.llms.types import ChatResponse
    from llama_index.llms.ollama import Ollama
    from ollama import Client

DEFAULT_OLLAMA_MODEL = "llama3.2"
_CONNECT_SECONDS = 5.0
_LOADING_FACTOR = 3.0  # loading a model takes longer than any pause between two tokens
_ROLE_TOKENS = 32  # what the model's chat template adds around the two messages
_ALTERNATIVES = 10  # for a first token


class OllamaServer:
    """An Ollama server at `url`: its version, its models, and what each is."""

    def __init__(self, url: str, *, timeout: float = 10.0) -> None:
        """Nothing is asked before a method is called; `timeout` is seconds for each of these small questions."""
        self.url = url
        self._timeout = timeout

    @property
    def start_command(self) -> str:
        """What starts the server when it is this machine's, else what points to another."""
        if is_loopback(urlsplit(self.url).hostname or ""):
            return "start it with `ollama serve`, or set OLLAMA_HOST to where it runs"
        return "start it there, or set OLLAMA_HOST to where it runs"

    def version(self) -> str:
        """The server's version.

        Raises:
            ModelError: nothing that speaks Ollama's protocol answers there.
        """
        with self.faults():
            return str(self._ask("GET", "/api/version")["version"])

    def models(self) -> list[str]:
        """Names of the models that the server has, with their tags (`llama3.2:latest`), in its order.

        Raises:
            ModelError: it does not answer, or answers nonsense.
        """
        with self.faults():
            return [str(model.get("model") or model["name"]) for model in self._ask("GET", "/api/tags")["models"]]

    def show(self, model: str) -> dict[str, Any]:
        """What the server tells of one model.

        Raises:
            ModelError: it does not have the model, does not answer, or answers nonsense.
        """
        with self.faults(model):
            return self._ask("POST", "/api/show", {"model": model})

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        import httpx

        trust = not is_loopback(urlsplit(self.url).hostname or "")
        with httpx.Client(timeout=self._timeout, trust_env=trust, follow_redirects=True) as client:
            response = client.request(method, self.url + path, json=body)
            response.raise_for_status()
            return dict(response.json())

    def client(self, *, first: float, between: float) -> "Client":
        """Ollama's own client for this server; `first` and `between` are seconds to wait for tokens."""
        import httpx
        from ollama import Client

        loopback = is_loopback(urlsplit(self.url).hostname or "")
        timeout = httpx.Timeout(first, connect=min(_CONNECT_SECONDS, first))
        # A proxy of the environment must not stand between us and a server on this machine.
        return Client(
            self.url,
            timeout=timeout,
            transport=_patient_transport(between) if loopback else None,
            trust_env=not loopback,
            limits=_no_idle_connections(),
        )

    @contextlib.contextmanager
    def faults(self, model: str = "") -> Iterator[None]:
        """Turn whatever goes wrong with the server into one ModelError that names it and what to run."""
        import httpx
        from ollama import ResponseError

        who = f"Ollama at {self.url}"
        try:
            yield
        except ResponseError as error:
            raise self._refused(model, error.status_code, str(error.error)) from error
        except httpx.HTTPStatusError as error:
            raise self._refused(model, error.response.status_code, error.response.text) from error
        except httpx.ConnectTimeout as error:
            raise ModelError(f"{who} does not answer: {self.start_command}") from error
        except httpx.TimeoutException as error:
            raise ModelError(
                f"{who} kept silent for too long{f' with {model}' if model else ''}: the model may still be loading; "
                "ask again, raise the setting llm_timeout, or choose a smaller model"
            ) from error
        except (httpx.ConnectError, ConnectionRefusedError) as error:
            raise ModelError(f"{who} cannot be reached: {self.start_command}") from error
        except (httpx.HTTPError, OSError) as error:
            raise ModelError(
                f"{who} dropped the connection ({_one_line(error)}): see its log (`ollama serve`), then ask again"
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(
                f"{who} answered what is not Ollama's protocol ({_one_line(error)}): "
                "check OLLAMA_HOST, and update Ollama"
            ) from error

    def _refused(self, model: str, status: int, text: str) -> ModelError:
        who = f"Ollama at {self.url}"
        if status == 404 and model:
            return ModelError(f"{who} does not have the model {model}: run `ollama pull {model}`")
        said = f"HTTP {status}" if status > 0 else "an error"
        reason = _one_line(text)
        return ModelError(
            f"{who} answered {said}{f' ({reason})' if reason else ''}: see its log, test the model with "
            f"`ollama run {model or 'MODEL'}`, or use --llm extractive"
        )


class OllamaModel:
    """A model of an Ollama server. One call is one question: nothing is remembered between calls."""

    def __init__(
        self,
        model: str,
        server: OllamaServer,
        *,
        timeout: float = 120.0,
        most_context: int = 8192,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Ask the server for the model's limits.

        Args:
            model: the model's name on the server, with or without a tag.
            server: where it is.
            timeout: seconds to wait between two tokens; for the first, while the model may load, three times that.
            most_context: most tokens of context to ask for; a smaller window of the model's own wins.
            temperature: the sampling temperature.
            seed: the sampling seed.

        Raises:
            ModelError: the server does not answer or does not have the model.
        """
        shown = server.show(model)
        self.name = f"ollama/{model}"
        self.context_window = min(most_context, _context_length(shown) or most_context)
        self.reply_tokens = reply_budget(self.context_window)
        self._model, self._server = model, server
        self._timeout, self._temperature, self._seed = timeout, temperature, seed
        # Thinking costs minutes on a laptop and is thrown away: it is switched off where the model can think.
        self._thinking = False if "thinking" in (shown.get("capabilities") or ()) else None
        self._llm: Ollama | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r} at {self._server.url})"

    @property
    def llama_index(self) -> "Ollama":
        """The model as LlamaIndex's LLM, for use in other programs."""
        if self._llm is None:
            from llama_index.llms.ollama import Ollama

            self._llm = Ollama(
                model=self._model,
                base_url=self._server.url,
                temperature=self._temperature,
                context_window=self.context_window,
                request_timeout=self._timeout * _LOADING_FACTOR,
                client=self._server.client(first=self._timeout * _LOADING_FACTOR, between=self._timeout),
                thinking=self._thinking,
                additional_kwargs={"seed": self._seed, "num_predict": self.reply_tokens},
            )
        return self._llm

    def chat(
        self,
        system: str,
        user: str,
        *,
        json_schema: Mapping[str, Any] | None = None,
        listener: Listener | None = None,
        first_tokens: bool = False,
    ) -> Reply:
        """The model's reply; see `LanguageModel.chat`.

        Raises:
            ModelError: the prompt does not fit or the server cut it, or the server fails; names the server.
        """
        expected = estimate_tokens(system) + estimate_tokens(user) + _ROLE_TOKENS
        if expected + self.reply_tokens > self.context_window:
            raise ModelError(
                f"the prompt for {self.name} has about {expected} tokens, more than its window of "
                f"{self.context_window} leaves beside the reply: raise the setting llm_context or lower --top-k"
            )
        started = time.perf_counter()
        if first_tokens:
            text, last = self._begun(system, user)
        else:
            text, last = self._whole(system, user, json_schema, listener)
        ms = (time.perf_counter() - started) * 1000
        counted = last.get("prompt_eval_count")
        fewest = fewest_tokens(system) + fewest_tokens(user)
        if counted and counted < fewest:
            raise ModelError(
                f"Ollama at {self._server.url} cut the prompt: it read {counted} tokens of at least {fewest}. "
                "Raise OLLAMA_CONTEXT_LENGTH on the server or lower --top-k"
            )
        return Reply(
            text=without_thinking(text),
            tokens_in=int(counted or expected),
            tokens_out=int(last.get("eval_count") or estimate_tokens(text)),
            ms=ms,
            done_reason=str(last.get("done_reason") or "stop"),
            first=_likeliest(last.get("logprobs") or ()),
        )

    def _whole(
        self, system: str, user: str, json_schema: Mapping[str, Any] | None, listener: Listener | None
    ) -> tuple[str, Mapping[str, Any]]:
        """The reply's text and what the server said with its end."""
        text = ""
        last: Mapping[str, Any] = {}
        with contextlib.closing(self._stream(system, user, json_schema)) as responses:
            for response in responses:
                text += response.delta or ""
                last = response.raw or {}
                if listener is not None and response.delta:
                    listener(text_so_far(text))
        return text, last

    def _begun(self, system: str, user: str) -> tuple[str, Mapping[str, Any]]:
        """The first words of a reply and what the server said with them, which LlamaIndex has no way to ask for."""
        with self._server.faults(self._model):
            response = self.llama_index.client.chat(
                model=self._model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                think=self._thinking,
                options={
                    "temperature": self._temperature,
                    "seed": self._seed,
                    "num_ctx": self.context_window,  # another window would make the server load the model anew
                    "num_predict": BRIEF_TOKENS,
                },
                logprobs=True,
                top_logprobs=_ALTERNATIVES,
            )
            return response.message.content or "", response.model_dump()

    def _stream(
        self, system: str, user: str, json_schema: Mapping[str, Any] | None
    ) -> Generator["ChatResponse", None, None]:
        """The reply piece by piece. What goes wrong in here is the server's; a listener's faults stay outside."""
        from llama_index.core.base.llms.types import ChatMessage, MessageRole

        messages = [
            ChatMessage(role=MessageRole.SYSTEM, content=system),
            ChatMessage(role=MessageRole.USER, content=user),
        ]
        options: dict[str, Any] = {"format": dict(json_schema)} if json_schema is not None else {}
        done = False
        with self._server.faults(self._model):
            for response in self.llama_index.stream_chat(messages, **options):
                done = bool((response.raw or {}).get("done"))
                yield response
            if not done:
                raise ConnectionResetError("the reply has no end")


def _likeliest(logprobs: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, float], ...]:
    """The likeliest first tokens with their probabilities, as the server tells them; an older one tells none."""
    told = logprobs[0].get("top_logprobs") or logprobs[:1] if logprobs else ()
    return tuple((str(one["token"]), math.exp(one["logprob"])) for one in told)


def find_model(wanted: str, available: list[str]) -> str | None:
    """The server's name for a wanted model: the same, or `:latest` added, or the first other tag of it; else None.

    >>> find_model("llama3.2", ["mistral:7b", "llama3.2:3b"])
    'llama3.2:3b'
    """
    if wanted in available or f"{wanted}:latest" in available:
        return wanted
    return next((name for name in sorted(available) if ":" not in wanted and name.startswith(f"{wanted}:")), None)


def _context_length(shown: Mapping[str, Any]) -> int | None:
    info = shown.get("model_info") or {}
    length = info.get(f"{info.get('general.architecture')}.context_length")
    if isinstance(length, int) and length > 0:
        return length
    parameter = re.search(r"^num_ctx\s+(\d+)\s*$", str(shown.get("parameters") or ""), re.MULTILINE)
    return int(parameter[1]) if parameter else None


def _patient_transport(between: float) -> "httpx.HTTPTransport":
    """A transport that waits `between` seconds for each further piece once a response has begun."""
    import httpx

    class Patient(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = super().handle_request(request)  # its head comes with the first token
            request.extensions["timeout"]["read"] = between
            return response

    return Patient(limits=_no_idle_connections())


def _no_idle_connections() -> "httpx.Limits":
    import httpx

    return httpx.Limits(max_keepalive_connections=0)  # questions are minutes apart, and nobody closes a model


def _one_line(error: object) -> str:
    return " ".join(str(error).split())[:200]
