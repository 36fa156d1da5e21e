"""Ollama: where its server is, what it has, and a model of it. See https://docs.ollama.com/api."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from policy_rag.errors import ModelError, UnansweredError
from policy_rag.llm.language_model import BRIEF_TOKENS, ReplyOptions, read_billions
from policy_rag.llm.limits import Limits, count, likelihood, parsed, text_of
from policy_rag.llm.server import CallOptions, Completion, Server, ServerModel, one_line
from policy_rag.llm.streaming import text_so_far

DEFAULT_OLLAMA_MODEL = "llama3.2"
_LOADING_FACTOR = 3.0  # loading a model takes longer than any pause between two tokens
_ALTERNATIVES = 10  # for a first token


class OllamaServer(Server):
    """An Ollama server at `url`: its version, its models, and what each is.

    Args:
        url: its address.
        timeout: seconds for each of these small questions.
        limits: see `Server`.
    """

    def __init__(self, url: str, *, timeout: float = 10.0, limits: Limits | None = None) -> None:
        super().__init__(url, limits=limits)
        self._timeout = timeout

    @property
    def who(self) -> str:
        """See `Server`."""
        return f"Ollama at {self.shown}"

    @property
    def start_command(self) -> str:
        """What starts the server when it is this machine's, else what points to another."""
        if self.is_local:
            return "start it with `ollama serve`, or set OLLAMA_HOST to where it runs"
        return "start it there, or set OLLAMA_HOST to where it runs"

    def version(self) -> str:
        """The server's version.

        Raises:
            ModelError: nothing that speaks Ollama's protocol answers there.
        """
        with self.faults():
            return str(self.tell("GET", "/api/version", timeout=self._timeout)["version"])

    def models(self) -> list[str]:
        """Names of the models that the server has, with their tags (`llama3.2:latest`), in its order.

        Raises:
            ModelError: it does not answer, or answers nonsense.
        """
        with self.faults():
            listed = self.tell("GET", "/api/tags", timeout=self._timeout)["models"]
            return [str(model.get("model") or model["name"]) for model in listed]

    def show(self, model: str) -> dict[str, Any]:
        """What the server says of one model.

        Raises:
            ModelError: it does not have the model, does not answer, or answers nonsense.
        """
        with self.faults(model):
            return dict(self.tell("POST", "/api/show", {"model": model}, timeout=self._timeout))

    def refusal(self, model: str, status: int, message: str) -> ModelError:
        """See `Server`."""
        if status == 404 and model:
            return ModelError(f"{self.who} does not have the model {model}: run `ollama pull {model}`")
        answered = f"HTTP {status}" if status else "an error"
        reason = one_line(message)
        return UnansweredError(
            f"{self.who} answered {answered}{f' ({reason})' if reason else ''}: see its log, test the "
            f"model with `ollama run {model or 'MODEL'}`, or use --llm extractive"
        )

    def fault(self, model: str, error: Exception) -> ModelError:
        """See `Server`."""
        import httpx

        who = self.who
        if isinstance(error, httpx.ConnectTimeout):
            return UnansweredError(f"{who} does not answer: {self.start_command}")
        if isinstance(error, httpx.TimeoutException):
            return UnansweredError(
                f"{who} kept silent for too long{f' with {model}' if model else ''}: the model may still be loading; "
                "ask again, raise the setting llm_timeout, or choose a smaller model"
            )
        if isinstance(error, httpx.ConnectError):
            return UnansweredError(f"{who} cannot be reached: {self.start_command}")
        if isinstance(error, httpx.HTTPError | OSError):
            return UnansweredError(
                f"{who} dropped the connection ({one_line(error)}): see its log (`ollama serve`), then ask again"
            )
        return UnansweredError(
            f"{who} answered what is not Ollama's protocol ({one_line(error)}): check OLLAMA_HOST, and update Ollama"
        )


class OllamaModel(ServerModel):
    """A model of an Ollama server.

    Args:
        model: the model's name on the server, with or without a tag.
        server: where it is; it is asked for the model's limits.
        **options: how it is called. For the first token, while the model may load, it is waited three times as long; a
            smaller window of the model's own wins over `context`.

    Raises:
        ModelError: the server does not answer or does not have the model.
    """

    def __init__(self, model: str, server: OllamaServer, **options: Unpack[CallOptions]) -> None:
        shown, context = server.show(model), options.get("context", 8192)
        with server.faults(model):
            options["context"] = min(context, _context_length(shown) or context)
            # Thinking costs minutes on a laptop and is thrown away: it is switched off where the model can think.
            self._thinks = "thinking" in (shown.get("capabilities") or ())
            billions = read_billions(str((shown.get("details") or {}).get("parameter_size") or ""))
        super().__init__(f"ollama/{model}", server, billions=billions, **options)

    @property
    def _enlarge(self) -> str:
        return "Raise OLLAMA_CONTEXT_LENGTH on the server or lower --top-k"

    def _complete(self, messages: list[dict[str, str]], how: ReplyOptions) -> Completion:
        body, on_partial = self._body(messages, self.reply_tokens, stream=True), how.get("on_partial")
        if (schema := how.get("json_schema")) is not None:
            body["format"] = dict(schema)
        text = ""
        last: dict[str, Any] = {}
        with contextlib.closing(self._streamed(self._pieces(body, last))) as texts:
            for text in texts:
                if on_partial is not None:
                    on_partial(text_so_far(text))
        with self._server.faults(self._model):
            return _completion(text, last)

    def _pieces(self, body: Mapping[str, Any], last: dict[str, Any]) -> Iterator[tuple[str, bool]]:
        """Pieces of the reply; what the server says with its end is put into `last`."""
        for line in self._server.lines("/api/chat", body, first=self._timeout * _LOADING_FACTOR, between=self._timeout):
            response = parsed(line)
            if "error" in response:
                raise self._server.refusal(self._model, 0, str(response["error"]))
            if response.get("done"):
                last.update(response)
            yield text_of(response["message"].get("content")), bool(response.get("done"))
            if last:
                return  # whatever it may send behind the end

    def _brief(self, messages: list[dict[str, str]]) -> Completion:
        body = self._body(messages, BRIEF_TOKENS, stream=False) | {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        with self._server.faults(self._model):
            response = self._server.request("/api/chat", body, silence=self._timeout * _LOADING_FACTOR)
            return _completion(text_of(response["message"].get("content")), response)

    def _body(self, messages: list[dict[str, str]], reply_tokens: int, *, stream: bool) -> dict[str, Any]:
        options = {
            "temperature": self._temperature,
            "seed": self._seed,
            "num_ctx": self.context_window,  # another window would make the server load the model anew
            "num_predict": reply_tokens,
        }
        thinking = {"think": False} if self._thinks else {}
        return {"model": self._model, "messages": messages, "stream": stream, "options": options, **thinking}


def _completion(text: str, last: Mapping[str, Any]) -> Completion:
    return Completion(
        text=text,
        tokens_in=count(last.get("prompt_eval_count")),
        tokens_out=count(last.get("eval_count")) or None,
        done_reason=str(last.get("done_reason") or ("stop" if last else "length")),
        first=_likeliest(last.get("logprobs") or ()),
    )


def _likeliest(logprobs: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, float], ...]:
    """The likeliest first tokens with their probabilities, where the server gives them; an older one does not."""
    alternatives = logprobs[0].get("top_logprobs") or logprobs[:1] if logprobs else ()
    return tuple((text_of(one["token"]), likelihood(one["logprob"])) for one in alternatives)


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
    length = count(info.get(f"{info.get('general.architecture')}.context_length"))
    if length:
        return length
    parameter = re.search(r"^num_ctx\s+(\d{1,9})\s*$", str(shown.get("parameters") or ""), re.MULTILINE)
    return int(parameter[1]) or None if parameter else None
