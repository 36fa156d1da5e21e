"""Calls of an LLM that are never made twice: each reply is on disk before the next call begins."""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.llm.protocol import LanguageModel, Reply
from policy_rag_prompts.loader import Prompt, Template

_ATTEMPTS = 2
_MOST_FAILURES = 3  # calls in a row, after which the server is taken to be gone


@dataclass(frozen=True, slots=True)
class Call:
    """One question to an LLM.

    Attributes:
        template: what the prompt was made from.
        prompt: what is sent.
        schema: of the reply.
    """

    template: Template
    prompt: Prompt
    schema: Mapping[str, Any]

    def key(self, model: str, settings: Mapping[str, Any]) -> str:
        """sha256 over the content, the template, the model and its settings, 64 hexadecimal digits."""
        content = hashlib.sha256(
            f"{self.prompt.system}\0{self.prompt.user}".encode("utf-8", "surrogatepass")
        ).hexdigest()
        parts = {
            "content": content,
            "template": self.template.sha256,
            "schema": self.schema,
            "model": model,
            "settings": dict(settings),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class CallCache:
    """Replies in a folder, a file each, written beside and renamed into place. Safe for many threads and processes.

    Args:
        folder: made when the first reply is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key; None where there is none, or its file is damaged."""
        try:
            kept = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            first = tuple((token, probability) for token, probability in kept.pop("first", ()))
            return Reply(**kept, first=first)
        except (OSError, ValueError, TypeError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Keeps a reply.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.folder / f"{key}.{os.getpid()}-{threading.get_ident()}.part"
        with beside.open("w", encoding="utf-8") as file:
            json.dump(asdict(reply), file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.folder / f"{key}.json")


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
        model: the LLM.
        settings: all that changes its replies, as JSON values.
        cache: where replies are kept.
        concurrency: calls that are under way at once.
    """

    model: LanguageModel
    settings: Mapping[str, Any]
    cache: CallCache
    concurrency: int = 1

    def kept(self, call: Call) -> Reply | None:
        """The reply of an earlier run."""
        return self.cache.get(call.key(self.model.name, self.settings))

    def ask(self, call: Call) -> Outcome:
        """One call; it is tried once more where the server fails. A failure is an outcome, not an error."""
        reply = self.kept(call)
        if reply is not None:
            return Outcome(reply, kept=True)
        problem = ""
        for _ in range(_ATTEMPTS):
            try:
                reply = self.model.chat(call.prompt.system, call.prompt.user, json_schema=call.schema)
            except ModelError as error:
                problem = str(error)
                continue
            self.cache.put(call.key(self.model.name, self.settings), reply)
            return Outcome(reply)
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
