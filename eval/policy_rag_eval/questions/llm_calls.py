"""Many calls of an LLM at once: each is kept before the next begins, so that none is made twice."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.llm.protocol import Reply
from policy_rag.llm.reply_cache import CachedModel
from policy_rag_prompts.loader import Prompt, Template

_ATTEMPTS = 2
_MOST_FAILURES = 3  # calls in a row, after which the server is taken to be gone


@dataclass(frozen=True, slots=True)
class Call:
    """One question to an LLM: what the prompt was made from, what is sent, and the JSON schema of the reply."""

    template: Template
    prompt: Prompt
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call: its reply, or why there is none; `kept` when it was answered in an earlier run."""

    reply: Reply | None
    error: str = ""
    kept: bool = False


@dataclass(frozen=True)
class Asker:
    """Asks one model under fixed settings.

    Attributes:
        model: the LLM, whose replies are kept.
        settings: all that changes its replies, as JSON values.
        concurrency: calls that are under way at once.
    """

    model: CachedModel
    settings: Mapping[str, Any]
    concurrency: int = 1

    def kept(self, call: Call) -> Reply | None:
        """The reply of an earlier run."""
        return self.model.cached(call.prompt.system, call.prompt.user, json_schema=call.schema)

    def ask(self, call: Call) -> Outcome:
        """One call; it is tried once more where the server fails. A failure is an outcome, not an error."""
        reply = self.kept(call)
        if reply is not None:
            return Outcome(reply, kept=True)
        problem = ""
        for _ in range(_ATTEMPTS):
            try:
                return Outcome(self.model.chat(call.prompt.system, call.prompt.user, json_schema=call.schema))
            except ModelError as error:
                problem = str(error)
        return Outcome(None, problem)

    def ask_all(self, calls: Sequence[Call], *, progress: Callable[[int], None] | None = None) -> list[Outcome]:
        """The outcomes of many calls, in their order.

        Args:
            calls: what to ask.
            progress: told 1 after each.

        Raises:
            ModelError: several calls in a row failed; what was answered is kept.
        """
        outcomes: list[Outcome | None] = [None] * len(calls)
        failures = 0
        waiting: dict[Future[Outcome], int] = {}
        following = iter(range(len(calls)))
        pool = ThreadPoolExecutor(self.concurrency)
        try:
            while True:
                # No more are handed over than run at once, so that nothing is sent after a stop.
                for place in following:
                    waiting[pool.submit(self.ask, calls[place])] = place
                    if len(waiting) >= self.concurrency:
                        break
                if not waiting:
                    break
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda one: waiting[one]):
                    outcome = future.result()
                    outcomes[waiting.pop(future)] = outcome
                    failures = failures + 1 if outcome.reply is None else 0
                    if progress:
                        progress(1)
                    if failures >= _MOST_FAILURES:
                        raise ModelError(
                            f"{outcome.error}. {_MOST_FAILURES} calls in a row failed; those answered are kept: "
                            "run the same command again to go on"
                        )
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return [outcome for outcome in outcomes if outcome is not None]
