"""Tasks answered by several threads at once: from the cache, else by a call, again where the reply cannot be used.

What was answered is in the cache before the thread goes on; what was not is tried again while the server lives. When it
does not, for longer than `patience`, the run ends early and the tasks that are left fail with that reason.
"""

import queue
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from policy_rag_parsers.llm.client import Caller, UnansweredError
from policy_rag_parsers.llm.reply_cache import Answer, CallKey, ReplyCache
from policy_rag_parsers.llm.tokens import fewest_tokens
from policy_rag_parsers.metadata.llm_tasks import Task
from policy_rag_parsers.metadata.reply_validation import InvalidReplyError, Value, read_reply
from policy_rag_parsers.metadata.schemas import SCHEMAS
from policy_rag_prompts.loader import Prompt, Template

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0
# So often a prompt may go unanswered while others are answered: then it is the prompt.
_STRIKES = 3


@dataclass(slots=True)
class Result:
    """What became of a task.

    Attributes:
        task: which.
        value: the answer; None where there is no usable one.
        reason: why not, on one line.
        calls: requests sent.
        unanswered: of these, without an answer.
        asked_again: replies that could not be used.
        repaired: whether the reply was repaired.
        seconds: in calls.
    """

    task: Task
    value: Value | None = None
    reason: str = ""
    calls: int = 0
    unanswered: int = 0
    asked_again: int = 0
    repaired: bool = False
    seconds: float = 0.0


class Asking:
    """Tasks of one run over one LLM and one cache."""

    def __init__(self, caller: Caller, cache: ReplyCache, *, attempts: int, patience: float, again: Template) -> None:
        """At most `attempts` replies a task, by the template `again` from the second; `patience` seconds of silence."""
        self._caller = caller
        self._cache = cache
        self._attempts = attempts
        self._patience = patience
        self._again = again
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._answers = 0
        self._silent_calls = 0
        self._gone = ""

    def known(self, task: Task) -> Result | None:
        """The result that the cache alone gives; None where a call is due."""
        result = Result(task)
        for number in range(1, self._attempts + 1):
            key, prompt = task.attempt(number, self._again)
            answer = self._cache.get(key, number)
            if answer is None:
                return None
            if self._read(result, prompt, answer):
                break
        return result

    def run(self, tasks: Sequence[Task], *, concurrency: int) -> Generator[Result, None, None]:
        """The results as they come, of `concurrency` threads. Leaving it early stops the threads after their call.

        Raises:
            MetadataError: the server refuses, or the cache cannot be written.
        """
        waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
        for task in tasks:
            waiting.put(task)
        ready: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
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

    def _work(self, waiting: "queue.SimpleQueue[Task]", ready: "queue.SimpleQueue[Result | BaseException]") -> None:
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

    def _resolve(self, task: Task) -> Result:
        result = Result(task)
        for number in range(1, self._attempts + 1):
            key, prompt = task.attempt(number, self._again)
            answer = self._cache.get(key, number)
            if answer is None:
                answer = self._ask(result, key, number, prompt)
            if answer is None or self._read(result, prompt, answer):
                break
        return result

    def _read(self, result: Result, prompt: Prompt, answer: Answer) -> bool:
        """Read an answer into the result; whether nothing more is to be asked."""
        fewest = fewest_tokens(prompt.system) + fewest_tokens(prompt.user)
        if answer.tokens_in and answer.tokens_in < fewest:
            result.reason = (
                f"the server cut the prompt: it read {answer.tokens_in} tokens of at least {fewest}; "
                "give the model a larger context there, or set a smaller one here"
            )
            return True
        task = result.task
        try:
            reading = read_reply(task.kind, answer.text, task.text, language=task.language)
        except InvalidReplyError as error:
            result.asked_again += 1
            result.reason = str(error)
            return False
        result.value, result.repaired, result.reason = reading.value, reading.repaired, ""
        return True

    def _ask(self, result: Result, key: CallKey, number: int, prompt: Prompt) -> Answer | None:
        """The answer of the server, asked until it answers; None, with the reason, where it does not."""
        pause = _FIRST_PAUSE
        strikes = 0
        silent_since: float | None = None
        while True:
            if self._gone:
                result.reason = self._gone
                return None
            others = self._answers
            started = time.monotonic()
            result.calls += 1
            try:
                answer = self._caller.ask(
                    prompt, SCHEMAS[result.task.kind], self._keeper(result, key, number), self._stop
                )
            except UnansweredError as error:
                result.unanswered += 1
                result.seconds += time.monotonic() - started
                silent_since = silent_since or started
                strikes += self._answers > others
                result.reason = f"no answer ({error})"
                if strikes >= _STRIKES or self._is_out_of_patience(silent_since, str(error)):
                    return None
                self._stop.wait(pause)
                if self._stop.is_set():
                    return None
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            with self._lock:
                self._answers += 1
                self._silent_calls = 0
            result.seconds += answer.seconds
            return answer

    def _keeper(self, result: Result, key: CallKey, number: int) -> Callable[[Answer], None]:
        return lambda answer: self._cache.put(key, number, result.task.kind.value, answer)

    def _is_out_of_patience(self, since: float, reason: str) -> bool:
        """Whether a call has gone unanswered for too long; when two in a row have, the server is gone."""
        if time.monotonic() - since < self._patience:
            return False
        with self._lock:
            self._silent_calls += 1
            if self._silent_calls > 1:
                self._gone = f"the LLM's server does not answer ({reason}): start it and run again"
        return True
