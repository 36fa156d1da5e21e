"""A model of any OpenAI-compatible server (vLLM, llama.cpp, ...). See https://platform.openai.com/docs/api-reference/chat."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, Unpack

from policy_rag.errors import ModelError, UnansweredError
from policy_rag.llm.language_model import BRIEF_TOKENS, ReplyOptions, TextCallback
from policy_rag.llm.limits import Limits, count, likelihood, parsed, text_of
from policy_rag.llm.server import CallOptions, Completion, Server, ServerModel, StatusError, one_line
from policy_rag.llm.streaming import text_so_far, without_begun

_ALTERNATIVES = 5  # for a first token; more are not given everywhere
_LATER = {408, 409, 425, 429}  # statuses that say "later"; every other one from 400 to 499 says "never"


_REFUSALS = {400, 422, 500, 501}
"""Statuses with which servers refuse what they do not know; llama-cpp-python says 500."""

_T = TypeVar("_T")


class OpenAIServer(Server):
    """An OpenAI-compatible server at `url`, which usually ends in `/v1`. The key is sent, and never shown.

    Args:
        url: its address with its path.
        api_key: the key, where the server wants one.
        timeout: seconds of silence that are waited for, for messages.
        limits: see `Server`.
    """

    def __init__(self, url: str, *, api_key: str | None, timeout: float, limits: Limits | None = None) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else None
        super().__init__(url, headers=headers, limits=limits)
        self._key, self._timeout = api_key, timeout

    @property
    def who(self) -> str:
        """See `Server`."""
        return f"the server at {self.shown}"

    def without_key(self, text: str) -> str:
        """What a server says, which may say the key back: replies and errors go to traces."""
        return text.replace(self._key, "***") if self._key else text

    def text_so_far(self, text: str) -> str:
        """What may be shown of a reply that is still being written; see `text_so_far`."""
        return text_so_far(self.without_key(without_begun(text, self._key or "")))

    def refusal(self, model: str, status: int, message: str) -> ModelError:
        """See `Server`."""
        who = self.who
        if status in {401, 403} and not self._key:
            return ModelError(
                f"{who} wants a key: set OPENAI_API_KEY, and POLICY_RAG_LLM_URL to its address if a file gives that"
            )
        if status in {401, 403}:
            return ModelError(f"{who} refuses the key: set OPENAI_API_KEY to one that it accepts")
        if status == 404:
            return ModelError(f"{who} does not have the model {model}: see {self.shown}/models")
        kind = ModelError if 400 <= status < 500 and status not in _LATER else UnansweredError
        answered = f"HTTP {status}" if status else "an error"
        return kind(f"{who} answered {answered}{self._reason(message)}: see its log, then ask again")

    def fault(self, model: str, error: Exception) -> ModelError:  # noqa: ARG002 - see `Server`
        """See `Server`."""
        import httpx

        who = self.who
        if isinstance(error, httpx.TimeoutException):
            return UnansweredError(f"{who} kept silent for {self._timeout:g} s: raise the setting llm_timeout")
        if isinstance(error, httpx.HTTPError | OSError):
            return UnansweredError(f"{who} cannot be reached or dropped the connection: check llm_url and start it")
        return UnansweredError(
            f"{who} answered what is not the OpenAI protocol{self._reason(str(error))}: check llm_url"
        )

    def _reason(self, text: str) -> str:
        line = one_line(self.without_key(text))
        return f" ({line})" if line else ""


class OpenAIModel(ServerModel):
    """A model of an OpenAI-compatible server, which is asked at the first call.

    Args:
        model: the model's name on the server.
        url: the server's address with its path, usually ending in `/v1`.
        api_key: the key, where the server wants one.
        limits: what one call may take.
        **options: how it is called; `context` is the model's window, which such a server has no common way to tell.
    """

    def __init__(
        self,
        model: str,
        url: str,
        *,
        api_key: str | None = None,
        limits: Limits | None = None,
        **options: Unpack[CallOptions],
    ) -> None:
        self._openai = OpenAIServer(url, api_key=api_key, timeout=options.get("timeout", 120.0), limits=limits)
        super().__init__(f"openai/{model}", self._openai, **options)
        self._accepted: dict[str, int] = {}

    @property
    def _enlarge(self) -> str:
        return "Give the model a larger context there or lower --top-k"

    def _complete(self, messages: list[dict[str, str]], how: ReplyOptions) -> Completion:
        body = self._body(messages, self.reply_tokens)
        variants: dict[str, Sequence[dict[str, Any]]] = {}
        if (schema := how.get("json_schema")) is not None:
            variants["response_format"] = response_formats(schema)
        if (on_partial := how.get("on_partial")) is None:
            return self._ask(body, variants, self._whole)
        body["stream"] = True
        variants["stream_options"] = ({"stream_options": {"include_usage": True}}, {})
        return self._ask(body, variants, lambda asked: self._in_pieces(asked, on_partial))

    def _brief(self, messages: list[dict[str, str]]) -> Completion:
        asked = {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        return self._ask(self._body(messages, BRIEF_TOKENS), {"logprobs": (asked, {})}, self._whole)

    def _body(self, messages: list[dict[str, str]], reply_tokens: int) -> dict[str, Any]:
        options = {"temperature": self._temperature, "seed": self._seed, "max_tokens": reply_tokens}
        return {"model": self._model, "messages": messages, **options}

    def _ask(
        self,
        body: Mapping[str, Any],
        variants: Mapping[str, Sequence[Mapping[str, Any]]],
        call: Callable[[dict[str, Any]], _T],
    ) -> _T:
        """What `call` gives of the body with the first variant of each argument that is not refused, now or before."""
        tried = {name: self._accepted.get(name, 0) for name in variants}
        while True:
            asked = dict(body)
            for name, choices in variants.items():
                asked |= choices[tried[name]]
            try:
                return call(asked)
            except ModelError as error:
                left = (name for name, choices in variants.items() if tried[name] < len(choices) - 1)
                refused = next((name for name in left if _refuses(error, name)), None)
                if refused is None:
                    raise
                tried[refused] += 1
                # Another thread may know more by now.
                self._accepted[refused] = max(self._accepted.get(refused, 0), tried[refused])

    def _whole(self, body: Mapping[str, Any]) -> Completion:
        with self._server.faults(self._model):
            response = self._server.request("/chat/completions", body, silence=self._timeout)
            choice = response["choices"][0]
            return Completion(
                self._openai.without_key(text_of(choice["message"].get("content"))),
                *_counted(response),
                str(choice.get("finish_reason") or "stop"),
                _likeliest(choice),
            )

    def _in_pieces(self, body: Mapping[str, Any], on_partial: TextCallback) -> Completion:
        text = ""
        end: dict[str, Any] = {}
        with contextlib.closing(self._streamed(self._pieces(body, end))) as texts:
            for text in texts:
                on_partial(self._openai.text_so_far(text))
        with self._server.faults(self._model):
            return Completion(self._openai.without_key(text), *_counted(end), end.get("finish_reason", "length"))

    def _pieces(self, body: Mapping[str, Any], end: dict[str, Any]) -> Iterator[tuple[str, bool]]:
        """Pieces of the reply; `usage` and `finish_reason` are put into `end`."""
        begun = False
        for line in self._server.lines("/chat/completions", body, first=self._timeout, between=self._timeout):
            field, _, value = line.partition(":")
            if field != "data":
                continue
            if value.strip() == "[DONE]":
                break  # whatever it may send behind the end
            begun = True
            event = parsed(value)
            if "error" in event:
                raise self._server.refusal(self._model, 0, str(event["error"]["message"]))
            if event.get("usage"):
                end["usage"] = event["usage"]
            for choice in event["choices"][:1]:
                if choice.get("finish_reason"):
                    end["finish_reason"] = str(choice["finish_reason"])
                yield text_of(choice["delta"].get("content")), "finish_reason" in end
        if not begun:
            raise ValueError("no reply in pieces")


def response_formats(schema: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """How a server is asked for a reply that is JSON of a schema, in the order to try.

    A strict schema (OpenAI, vLLM, llama.cpp), JSON by a schema (llama-cpp-python), and nothing: what is replied is
    read and mended all the same.

    >>> [form.get("response_format", {}).get("type") for form in response_formats({"type": "object"})]
    ['json_schema', 'json_object', None]
    """
    named = {"name": "reply", "strict": True, "schema": dict(schema)}
    return (
        {"response_format": {"type": "json_schema", "json_schema": named}},
        {"response_format": {"type": "json_object", "schema": dict(schema)}},
        {},
    )


def _refuses(error: ModelError, argument: str) -> bool:
    """Whether the server says that it does not know an argument."""
    cause = error.__cause__
    return isinstance(cause, StatusError) and cause.status in _REFUSALS and argument in cause.body


def _counted(response: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Tokens of the prompt and of the reply, where the server says."""
    usage = response.get("usage") or {}
    return count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))


def _likeliest(choice: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """The likeliest first tokens with their probabilities, where the server gives them."""
    tokens = (choice.get("logprobs") or {}).get("content")
    alternatives = tokens[0]["top_logprobs"] if tokens else ()
    return tuple((text_of(one["token"]), likelihood(one["logprob"])) for one in alternatives)
