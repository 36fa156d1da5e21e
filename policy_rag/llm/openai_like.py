"""A model of any OpenAI-compatible server (vLLM, llama.cpp, ...) behind LlamaIndex's `OpenAILike`."""

import contextlib
import math
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from policy_rag.errors import ModelError
from policy_rag.llm.addresses import is_loopback, without_password
from policy_rag.llm.protocol import (
    BRIEF_TOKENS,
    Listener,
    Reply,
    estimate_tokens,
    fewest_tokens,
    reply_budget,
    without_thinking,
)
from policy_rag.llm.streaming import text_so_far, without_begun
from policy_rag_parsers.llm.response_format import ReplyForms

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse
    from llama_index.llms.openai_like import OpenAILike

_ROLE_TOKENS = 32
_ALTERNATIVES = 5  # for a first token; more are not told everywhere
_NO_KEY = "none"  # the client insists on a key, servers on this machine do not


@dataclass(frozen=True, slots=True)
class _Received:
    """A whole reply as the server sent it; tokens are None where it does not count them."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    reason: str
    first: tuple[tuple[str, float], ...] = ()


class OpenAIModel:
    """A model of an OpenAI-compatible server. The key is sent, and never shown."""

    def __init__(
        self,
        model: str,
        url: str,
        *,
        api_key: str | None = None,
        timeout: float = 120.0,
        context: int = 8192,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Describe the model; the server is asked at the first call.

        Args:
            model: the model's name on the server.
            url: the server's address with its path, usually ending in `/v1`.
            api_key: the key, where the server wants one.
            timeout: seconds to wait for the reply; for each piece of it where somebody listens.
            context: tokens of the model's window: such a server has no common way to tell.
            temperature: the sampling temperature.
            seed: the sampling seed.
        """
        self.name = f"openai/{model}"
        self.context_window = context
        self.reply_tokens = reply_budget(context)
        self._model, self._url, self._key = model, url.rstrip("/"), api_key
        self._shown = without_password(self._url)
        self._timeout, self._temperature, self._seed = timeout, temperature, seed
        self._forms = ReplyForms()
        self._tells_first = True
        self._llm: OpenAILike | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r} at {self._shown})"

    @property
    def llama_index(self) -> "OpenAILike":
        """The model as LlamaIndex's LLM, for use in other programs."""
        if self._llm is None:
            import httpx
            from llama_index.llms.openai_like import OpenAILike

            self._llm = OpenAILike(
                model=self._model,
                api_base=self._url,
                api_key=self._key or _NO_KEY,
                is_chat_model=True,
                context_window=self.context_window,
                max_tokens=self.reply_tokens,
                temperature=self._temperature,
                timeout=self._timeout,
                max_retries=0,
                http_client=httpx.Client(**self._http()),  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
                additional_kwargs={"seed": self._seed},
            )
        return self._llm

    def _http(self) -> dict[str, Any]:
        import httpx

        # A proxy of the environment must not stand between us and a server on this machine.
        trust = not is_loopback(urlsplit(self._url).hostname or "")
        limits = httpx.Limits(max_keepalive_connections=0)  # questions are minutes apart, and nobody closes a model
        return {"timeout": self._timeout, "trust_env": trust, "limits": limits}

    def chat(
        self,
        system: str,
        user: str,
        *,
        json_schema: Mapping[str, Any] | None = None,
        listener: Listener | None = None,
        first_tokens: bool = False,
    ) -> Reply:
        """The model's reply; see `LanguageModel.chat`. It is asked for in pieces where somebody listens.

        Raises:
            ModelError: the prompt does not fit or the server cut it, or the server fails; names the server.
        """
        from llama_index.core.base.llms.types import ChatMessage, MessageRole

        expected = estimate_tokens(system) + estimate_tokens(user) + _ROLE_TOKENS
        if expected + self.reply_tokens > self.context_window:
            raise ModelError(
                f"the prompt for {self.name} has about {expected} tokens, more than its window of "
                f"{self.context_window} leaves beside the reply: raise the setting llm_context or lower --top-k"
            )
        messages = [
            ChatMessage(role=MessageRole.SYSTEM, content=system),
            ChatMessage(role=MessageRole.USER, content=user),
        ]

        def received_with(options: Mapping[str, Any]) -> _Received:
            return self._in_pieces(messages, options, listener) if listener else self._whole(messages, options)

        started = time.perf_counter()
        received = self._begun(messages) if first_tokens else self._forms.ask(json_schema, received_with)
        ms = (time.perf_counter() - started) * 1000
        counted, fewest = received.tokens_in, fewest_tokens(system) + fewest_tokens(user)
        if counted and counted < fewest:
            raise ModelError(
                f"the server at {self._shown} cut the prompt: it read {counted} tokens of at least {fewest}. "
                "Give the model a larger context there or lower --top-k"
            )
        return Reply(
            text=without_thinking(self._without_key(received.text)),
            tokens_in=int(counted or expected),
            tokens_out=estimate_tokens(received.text) if received.tokens_out is None else received.tokens_out,
            ms=ms,
            done_reason=received.reason,
            first=received.first,
        )

    def _whole(self, messages: "Sequence[ChatMessage]", options: Mapping[str, Any]) -> _Received:
        with self._faults():
            response = self.llama_index.chat(messages, **options)
            raw: Any = response.raw
            reason = str(raw.choices[0].finish_reason or "stop")
            return _Received(response.message.content or "", *_counted(raw.usage), reason)

    def _begun(self, messages: "Sequence[ChatMessage]") -> _Received:
        """The first words of a reply, with the likeliest first tokens where the server tells them."""
        import openai

        brief = self.llama_index.model_copy(update={"max_tokens": BRIEF_TOKENS})
        telling = brief.model_copy(update={"logprobs": True, "top_logprobs": _ALTERNATIVES})
        with self._faults():
            try:
                response = (telling if self._tells_first else brief).chat(messages)
            except openai.APIStatusError as error:
                if not self._tells_first or "logprob" not in error.message:
                    raise
                self._tells_first = False
                response = brief.chat(messages)
            raw: Any = response.raw
            reason = str(raw.choices[0].finish_reason or "stop")
            return _Received(response.message.content or "", *_counted(raw.usage), reason, _likeliest(raw.choices[0]))

    def _in_pieces(
        self, messages: "Sequence[ChatMessage]", options: Mapping[str, Any], listener: Listener
    ) -> _Received:
        text, reason = "", ""
        counted: tuple[int | None, int | None] = (None, None)
        with contextlib.closing(self._stream(messages, options)) as responses:
            for response in responses:
                raw: Any = response.raw
                reason = next((str(choice.finish_reason) for choice in raw.choices if choice.finish_reason), reason)
                counted = _counted(raw.usage) if raw.usage else counted
                text += response.delta or ""
                if response.delta:
                    listener(text_so_far(self._without_key(without_begun(text, self._key or ""))))
        return _Received(text, *counted, reason)

    def _stream(
        self, messages: "Sequence[ChatMessage]", options: Mapping[str, Any]
    ) -> Generator["ChatResponse", None, None]:
        """The reply piece by piece. What goes wrong in here is the server's; a listener's faults stay outside."""
        begun = ended = False
        with self._faults():
            for response in self._responses(messages, options):
                raw: Any = response.raw
                begun, ended = True, ended or any(choice.finish_reason for choice in raw.choices)
                yield response
            if not begun:
                raise ValueError("no reply in pieces")
            if not ended:
                raise ConnectionResetError("the reply has no end")

    def _responses(self, messages: "Sequence[ChatMessage]", options: Mapping[str, Any]) -> "Iterator[ChatResponse]":
        import openai

        try:
            yield from self.llama_index.stream_chat(messages, stream_options={"include_usage": True}, **options)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            if "stream_options" not in error.message:  # an older server, which does not count what it streams
                raise
            yield from self.llama_index.stream_chat(messages, **options)

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        import httpx
        import openai

        who = f"the server at {self._shown}"
        try:
            yield
        except (openai.APITimeoutError, httpx.TimeoutException) as error:
            raise ModelError(f"{who} kept silent for {self._timeout:g} s: raise the setting llm_timeout") from error
        except (openai.APIConnectionError, httpx.HTTPError, OSError) as error:
            raise ModelError(
                f"{who} cannot be reached or dropped the connection: check llm_url and start it"
            ) from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise ModelError(f"{who} refuses the key: set OPENAI_API_KEY to one that it accepts") from error
        except openai.NotFoundError as error:
            raise ModelError(f"{who} does not have the model {self._model}: see {self._shown}/models") from error
        except openai.APIStatusError as error:
            raise ModelError(
                f"{who} answered HTTP {error.status_code}{self._reason(error.message)}: see its log, then ask again"
            ) from error
        except openai.APIError as error:  # told in the midst of a reply
            raise ModelError(
                f"{who} answered an error{self._reason(error.message)}: see its log, then ask again"
            ) from error
        except (openai.OpenAIError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise ModelError(
                f"{who} answered what is not the OpenAI protocol{self._reason(str(error))}: check llm_url"
            ) from error

    def _reason(self, text: str) -> str:
        line = self._without_key(" ".join(text.split()))
        return f" ({line[:200]})" if line else ""

    def _without_key(self, text: str) -> str:
        """What a server says, which may say the key back: replies and errors go to traces."""
        return text.replace(self._key, "***") if self._key else text


def _counted(usage: Any) -> tuple[int | None, int | None]:
    """Tokens of the prompt and of the reply, where the server says."""
    return (int(usage.prompt_tokens), int(usage.completion_tokens)) if usage else (None, None)


def _likeliest(choice: Any) -> tuple[tuple[str, float], ...]:
    """The likeliest first tokens with their probabilities, where the server tells them."""
    told = choice.logprobs.content if choice.logprobs else None
    return tuple((one.token, math.exp(one.logprob)) for one in told[0].top_logprobs) if told else ()
