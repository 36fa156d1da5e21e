"""Many calls of an LLM at once: each is kept before the next begins, so that none is made twice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.llm.language_model import Reply
from policy_rag.llm.reply_cache import CachedModel
from policy_rag_eval.parallel import map_parallel
from policy_rag_prompts.loader import Prompt, Template

_MAX_FAILURES = 3  # calls in a row, after which the server is taken to be gone


@dataclass(frozen=True, slots=True)
class Call:
    """One question to an LLM: what the prompt was made from, what is sent, and the JSON schema of the reply."""

    template: Template
    prompt: Prompt
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallResult:
    """What became of a call: its reply, or why there is none; `kept` when it was answered in an earlier run."""

    reply: Reply | None
    error: str = ""
    kept: bool = False


@dataclass(frozen=True)
class LLMCaller:
    """Asks one model under fixed settings.

    Attributes:
        model: the LLM, whose replies are kept.
        settings: all that changes its replies, as JSON values.
        concurrency: calls that run at once.
    """

    model: CachedModel
    settings: Mapping[str, Any]
    concurrency: int = 1

    def cached(self, call: Call) -> Reply | None:
        """The reply of an earlier run."""
        return self.model.cached(call.prompt.system, call.prompt.user, json_schema=call.schema)

    def call(self, call: Call) -> CallResult:
        """One call. A failure is a result, not an error."""
        reply = self.cached(call)
        if reply is not None:
            return CallResult(reply, kept=True)
        try:
            return CallResult(self.model.chat(call.prompt.system, call.prompt.user, json_schema=call.schema))
        except ModelError as error:
            return CallResult(None, str(error))

    def call_all(
        self, calls: Sequence[Call], *, progress: Callable[[int, int], None] | None = None
    ) -> list[CallResult]:
        """The outcomes of many calls, in their order.

        `progress` is told how many are done, and of how many.

        Raises:
            ModelError: several calls in a row failed; what was answered is kept.
        """
        failures = 0

        def check(result: CallResult) -> None:
            nonlocal failures
            failures = failures + 1 if result.reply is None else 0
            if failures >= _MAX_FAILURES:
                raise ModelError(
                    f"{result.error}. {_MAX_FAILURES} calls in a row failed; those answered are kept: "
                    "run the same command again to go on"
                )

        return map_parallel(self.call, calls, workers=self.concurrency, progress=progress, check=check)
