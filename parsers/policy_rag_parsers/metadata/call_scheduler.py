"""Tasks answered by several threads at once: from the cache, else by a call, again where the reply cannot be used.

What has no answer is asked again while the server lives. When it does not, for longer than `patience`, the run ends
early and the tasks that are left fail with that reason.
"""

import queue
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from policy_rag_parsers.errors import PromptSizeError, UnansweredError
from policy_rag_parsers.llm.completion import CachingLLM, LLMReply
from policy_rag_parsers.metadata.llm_tasks import SCHEMAS, MetadataTask
from policy_rag_parsers.metadata.reply_validation import InvalidReplyError, Value, read_reply
from policy_rag_prompts.loader import Prompt, Template

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
_STRIKES = 3  # so often a prompt may go unanswered while others are answered: then it is the prompt


@dataclass(slots=True)
class TaskResult:
    """What became of a task: its value, or on one line why there is none; `unanswered` of its `calls` had no answer."""

    task: MetadataTask
    value: Value | None = None
    reason: str = ""
    calls: int = 0
    unanswered: int = 0
    asked_again: int = 0
    repaired: bool = False
    seconds: float = 0.0


class CallScheduler:
    """Tasks of one run over one LLM.

    Args:
        llm: whose replies are kept.
        attempts: most replies for a task.
        patience: seconds for which a server that does not answer is tried again.
        again: template of the second and later attempts.
    """

    def __init__(self, llm: CachingLLM, *, attempts: int, patience: float, again: Template) -> None:
        self._llm = llm
        self._attempts = attempts
        self._patience = patience
        self._again = again
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._answers = 0
        self._silent_calls = 0
        self._gone = ""

    def cached(self, task: MetadataTask) -> TaskResult | None:
        """The result that the cache alone gives; None where a call is due."""
        result = TaskResult(task)
        for number in range(1, self._attempts + 1):
            prompt = task.attempt(number, self._again)
            reply = self._cached(task, prompt)
            if reply is None:
                return None
            if _read(result, reply):
                break
        return result

    def run(self, tasks: Sequence[MetadataTask], *, concurrency: int) -> Generator[TaskResult, None, None]:
        """The results as they come, of `concurrency` threads. Leaving it early stops the threads after their call.

        Raises:
            ModelError: the server refuses, or the replies cannot be kept.
        """
        waiting: queue.SimpleQueue[MetadataTask] = queue.SimpleQueue()
        for task in tasks:
            waiting.put(task)
        ready: queue.SimpleQueue[TaskResult | BaseException] = queue.SimpleQueue()
        for number in range(min(concurrency, len(tasks))):
            name = f"metadata-{number}"
            threading.Thread(target=self._work, args=(waiting, ready), daemon=True, name=name).start()
        try:
            for _ in tasks:
                result = ready.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            self._stop.set()

    def _work(
        self, waiting: "queue.SimpleQueue[MetadataTask]", ready: "queue.SimpleQueue[TaskResult | BaseException]"
    ) -> None:
        while not self._stop.is_set():
            try:
                task = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                ready.put(self._resolve(task))
            except BaseException as error:  # noqa: BLE001 - raised in the thread that reads the results
                ready.put(error)
                return

    def _resolve(self, task: MetadataTask) -> TaskResult:
        result = TaskResult(task)
        for number in range(1, self._attempts + 1):
            prompt = task.attempt(number, self._again)
            reply = self._cached(task, prompt) or self._ask(result, prompt)
            if reply is None or _read(result, reply):
                break
        return result

    def _cached(self, task: MetadataTask, prompt: Prompt) -> LLMReply | None:
        return self._llm.cached(prompt.system, prompt.user, json_schema=SCHEMAS[task.kind])

    def _ask(self, result: TaskResult, prompt: Prompt) -> LLMReply | None:
        """The reply of the server, asked until it answers; None, with the reason, where it does not."""
        pause = _FIRST_PAUSE
        strikes = 0
        silent_since: float | None = None
        while not self._gone:
            answers_before = self._answers
            started = time.monotonic()
            result.calls += 1
            try:
                reply = self._llm.chat(prompt.system, prompt.user, json_schema=SCHEMAS[result.task.kind])
            except PromptSizeError as error:
                result.reason = str(error)
                return None
            except UnansweredError as error:
                result.unanswered += 1
                result.seconds += time.monotonic() - started
                silent_since = silent_since or started
                strikes += self._answers > answers_before
                result.reason = f"no answer ({error})"
                if strikes >= _STRIKES or self._is_out_of_patience(silent_since, str(error)):
                    return None
                if self._stop.wait(pause):
                    return None
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            with self._lock:
                self._answers += 1
                self._silent_calls = 0
            result.seconds += reply.ms / 1000
            return reply
        result.reason = self._gone
        return None

    def _is_out_of_patience(self, since: float, reason: str) -> bool:
        """Whether a call has gone unanswered for too long; when two in a row have, the server is gone."""
        if time.monotonic() - since < self._patience:
            return False
        with self._lock:
            self._silent_calls += 1
            if self._silent_calls > 1:
                self._gone = f"the LLM's server does not answer ({reason}): start it and run again"
        return True


def _read(result: TaskResult, reply: LLMReply) -> bool:
    """Read a reply into the result; whether it can be used."""
    task = result.task
    try:
        result.value, result.repaired = read_reply(task.kind, reply.text, task.text, language=task.language)
    except InvalidReplyError as error:
        result.asked_again += 1
        result.reason = str(error)
        return False
    result.reason = ""
    return True
