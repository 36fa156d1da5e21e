"""Any LLM of LlamaIndex as a `LanguageModel` of ours."""

import time
from collections.abc import Mapping
from typing import Any, Unpack

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms import LLM

from policy_rag.errors import PolicyRagError, UnansweredError
from policy_rag.llm.language_model import Reply, ReplyOptions, prompt_tokens, read_billions, reply_budget
from policy_rag.llm.openai_compatible import response_formats
from policy_rag_parsers.llm.tokens import estimate_tokens, without_thinking


class LlamaIndexModel:
    """An LLM of LlamaIndex behind our seam.

    LlamaIndex's classes for Ollama and OpenAI-compatible servers are told the JSON schema of a reply; any other is
    asked in words alone. First tokens are not known, and the whole reply comes at once.

    Args:
        llm: the LLM.
        reply_tokens: most tokens of a reply, where its class takes a limit; see `reply_budget` where None.
    """

    def __init__(self, llm: LLM, *, reply_tokens: int | None = None) -> None:
        self.name = str(llm.metadata.model_name)
        self.context_window = llm.metadata.context_window
        self.reply_tokens = reply_tokens or reply_budget(self.context_window)
        self.billions = read_billions(self.name)
        limits = "max_tokens" in type(llm).model_fields
        self._llm = llm.model_copy(update={"max_tokens": self.reply_tokens}) if limits else llm

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """The model's reply; see `LanguageModel.chat`.

        Raises:
            UnansweredError: the LLM's client raised whatever it raises.
        """
        messages = [
            ChatMessage(role=MessageRole.SYSTEM, content=system),
            ChatMessage(role=MessageRole.USER, content=user),
        ]
        started = time.perf_counter()
        try:
            response = self._llm.chat(messages, **self._form(how.get("json_schema")))
        except PolicyRagError:
            raise
        except Exception as error:
            raise UnansweredError(f"{self.name} failed: {self._without_key(error)}") from error
        text = without_thinking(response.message.content or "")
        if (on_partial := how.get("on_partial")) is not None and text:
            on_partial(text)
        ms = (time.perf_counter() - started) * 1000
        return Reply(text, prompt_tokens(system, user), estimate_tokens(text), ms, "stop")

    def _form(self, json_schema: Mapping[str, Any] | None) -> dict[str, Any]:
        kind = self._llm.class_name()
        if json_schema is None or kind not in {"Ollama_llm", "OpenAILike", "openai_llm"}:
            return {}
        return {"format": dict(json_schema)} if kind == "Ollama_llm" else response_formats(json_schema)[0]

    def _without_key(self, error: Exception) -> str:
        """What an error says, on one line; a server may say back the key that it was given."""
        line = " ".join(f"{type(error).__name__}: {error}".split())
        key = str(getattr(self._llm, "api_key", None) or "")
        return (line.replace(key, "***") if key else line)[:200]
