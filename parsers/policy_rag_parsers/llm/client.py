"""One call of an LLM: streamed, bounded in time and length, kept the moment it is answered.

Each call runs in a thread of its own, so that a server that falls silent is given up after the timeout whatever its
client would do; the thread ends by itself when the client does. An answer that still comes is kept all the same.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from policy_rag_parsers.errors import MetadataError
from policy_rag_parsers.llm.reply_cache import Answer
from policy_rag_parsers.llm.response_format import ReplyForms
from policy_rag_prompts.loader import Prompt

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.llms import LLM
    from ollama import Client

# Tokens of no language are longer than this on average: what goes on beyond is a model that does not stop.
_CHARS_A_TOKEN = 12
# Statuses that say "later"; every other one from 400 to 499 says "never".
_LATER = {408, 409, 425, 429}
_OPENAI = {"OpenAILike", "openai_llm"}


class UnansweredError(Exception):
    """A call had no answer: dropped, refused, timed out, or the server failed. Asking again may help."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An LLM with how it is called.

    Attributes:
        llm: any LLM of LlamaIndex.
        timeout: most seconds of one call.
        max_tokens: most tokens of a reply.
        forms: how a server of OpenAI's protocol is told the schema.
    """

    llm: "LLM"
    timeout: float
    max_tokens: int
    forms: ReplyForms = field(default_factory=ReplyForms)

    def ask(
        self, prompt: Prompt, schema: Mapping[str, Any], keep: Callable[[Answer], None], stop: threading.Event
    ) -> Answer:
        """The answer to one prompt; `keep` is called with it, in the thread of the call, before this returns.

        Raises:
            UnansweredError: there is none.
            MetadataError: the server says that it never will, or `keep` failed.
        """
        done = threading.Event()
        abandoned = threading.Event()
        box: list[Answer | BaseException] = []

        def run() -> None:
            try:
                answer = self._stream(prompt, schema, lambda: abandoned.is_set() or stop.is_set())
                keep(answer)
                box.append(answer)
            except BaseException as error:  # noqa: BLE001 - handed to the caller, who raises it
                box.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True, name="metadata-call").start()
        if not done.wait(self.timeout):
            abandoned.set()
            raise UnansweredError(f"no answer within {self.timeout:g} s")
        result = box[0]
        if isinstance(result, Answer):
            return result
        raise _sorted_out(result, str(getattr(self.llm, "api_key", None) or "")) from result

    def _stream(self, prompt: Prompt, schema: Mapping[str, Any], is_over: Callable[[], bool]) -> Answer:
        from llama_index.core.base.llms.types import ChatMessage, MessageRole

        messages = [
            ChatMessage(role=MessageRole.SYSTEM, content=prompt.system),
            ChatMessage(role=MessageRole.USER, content=prompt.user),
        ]
        if self.llm.class_name() in _OPENAI:
            return self.forms.ask(schema, lambda options: self._whole(messages, options))
        options = {"format": dict(schema)} if self.llm.class_name() == "Ollama_llm" else {}
        started = time.perf_counter()
        text, raw, cut = "", None, False
        try:
            pieces = self.llm.stream_chat(messages, **options)
        except NotImplementedError:
            return self._whole(messages, options)
        for piece in pieces:
            text += piece.delta or ""
            raw = piece.raw
            if is_over():
                raise UnansweredError("given up")
            if len(text) > _CHARS_A_TOKEN * self.max_tokens:
                cut = True
                break
        if not cut and _field(raw, "done") is False:
            raise UnansweredError("the reply has no end")
        return _answer(text, raw, started, cut=cut)

    def _whole(self, messages: "list[ChatMessage]", options: Mapping[str, Any]) -> Answer:
        """The reply at once: over OpenAI's protocol only that says how many tokens of the prompt were read."""
        started = time.perf_counter()
        response = self.llm.chat(messages, **options)
        return _answer(response.message.content or "", response.raw, started, cut=False)


def bounded(llm: "LLM", *, max_tokens: int, timeout: float) -> "LLM":
    """The LLM with a bound on its replies, where its kind of server takes one; the one given is left as it is."""
    kind = llm.class_name()
    if kind == "Ollama_llm":
        more = {**getattr(llm, "additional_kwargs", {}), "num_predict": max_tokens}
        copy = llm.model_copy(update={"additional_kwargs": more, "request_timeout": timeout})
        if getattr(copy, "_client", None) is None:
            copy._client = _ollama_client(copy, timeout)  # type: ignore[attr-defined]  # noqa: SLF001 - as its __init__
        return copy
    if "max_tokens" in type(llm).model_fields:
        return llm.model_copy(update={"max_tokens": max_tokens})
    return llm


def _ollama_client(llm: Any, timeout: float) -> "Client":
    """Ollama's client as LlamaIndex makes it, but without connections that stay open when nobody closes it."""
    import httpx
    from ollama import Client

    limits = httpx.Limits(max_keepalive_connections=0)
    return Client(host=llm.base_url, timeout=timeout, headers=llm.headers or {}, limits=limits)


def _answer(text: str, raw: Any, started: float, *, cut: bool) -> Answer:
    usage, choices = getattr(raw, "usage", None), getattr(raw, "choices", None)  # of OpenAI's protocol
    counted = _field(raw, "prompt_eval_count") or getattr(usage, "prompt_tokens", None)
    reason = _field(raw, "done_reason") or (getattr(choices[0], "finish_reason", None) if choices else None)
    seconds = time.perf_counter() - started
    return Answer(text, counted if isinstance(counted, int) else None, cut or reason == "length", seconds)


def _field(raw: Any, name: str) -> Any:
    return raw.get(name) if isinstance(raw, Mapping) else None


def _sorted_out(error: BaseException, key: str) -> Exception:
    """What an error of some LLM's client means for us; a server may say back the key that it was given."""
    if isinstance(error, UnansweredError | MetadataError):
        return error
    said = f"{type(error).__name__}: {error}"
    reason = " ".join((said.replace(key, "***") if key else said).split())[:200]
    status = getattr(error, "status_code", None)
    if isinstance(status, int) and 400 <= status < 500 and status not in _LATER:
        return MetadataError(f"the LLM's server refuses ({reason}): check that it has the model, then run again")
    return UnansweredError(reason)
