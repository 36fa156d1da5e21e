"""What a question takes: milliseconds when it is asked alone, and the tokens and the money of an LLM."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, Unpack

import numpy as np

from policy_rag.llm.language_model import LanguageModel, ModelWrapper, Reply, ReplyOptions
from policy_rag.llm.metering import price_of
from policy_rag.models.reader import Reader
from policy_rag.models.remembered_rows import rows_set_aside
from policy_rag.settings import Settings
from policy_rag_eval.sweep.evaluation import Latency

ALONE = 20
"""Questions that are asked each by itself, to be timed."""

Asked = TypeVar("Asked")


@dataclass(frozen=True, slots=True)
class AnsweringCost:
    """What the LLM of a configuration was asked and replied, over all that it was asked for.

    Attributes:
        tokens_in: of the prompts.
        tokens_out: of the replies.
        cost: by the setting `prices`, in its currency; None where no price is known.
    """

    tokens_in: int
    tokens_out: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class QuestionUsage:
    """What a question takes.

    Attributes:
        latency: of a question that is asked alone; None where nothing was timed.
        tokens: of the prompts and replies of a question, on average; None where no LLM is asked.
        cost: of 1,000 questions, in the currency of `prices`; None where no price is known.
    """

    latency: Latency | None = None
    tokens: float | None = None
    cost: float | None = None

    @classmethod
    def of(cls, spent: AnsweringCost | None, questions: int, latency: Latency | None) -> "QuestionUsage":
        """Of what was spent on so many questions.

        >>> QuestionUsage.of(AnsweringCost(300, 100, 0.5), 4, None)
        QuestionUsage(latency=None, tokens=100.0, cost=125.0)
        """
        if spent is None or not questions:
            return cls(latency)
        cost = None if spent.cost is None else 1000 * spent.cost / questions
        return cls(latency, (spent.tokens_in + spent.tokens_out) / questions, cost)

    def as_json(self) -> Mapping[str, float | None]:
        """What `--json` prints."""
        median, p95 = self.latency or (None, None)
        return {"ms_median": median, "ms_p95": p95, "tokens": self.tokens, "cost_of_1000": self.cost}


NO_USAGE = QuestionUsage()
"""Where nothing was timed and nobody asked."""


class MeteredModel(ModelWrapper):
    """A model whose tokens are counted, those of replies that were known already too; for many threads.

    Attributes:
        tokens_in: of the prompts so far.
        tokens_out: of the replies so far.
        sooner_ms: by how much replies that were known came sooner than when they were written.
    """

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model)
        self._lock = threading.Lock()
        self.tokens_in = self.tokens_out = 0
        self.sooner_ms = 0.0

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """The model's reply; see `LanguageModel.chat`."""
        begun = time.perf_counter()
        reply = self._model.chat(system, user, **how)
        waited = (time.perf_counter() - begun) * 1000
        with self._lock:
            self.tokens_in += reply.tokens_in
            self.tokens_out += reply.tokens_out
            self.sooner_ms += max(0.0, reply.ms - waited)
        return reply

    def spent(self, settings: Settings) -> AnsweringCost:
        """What was counted, with its price."""
        price = price_of(settings.llm.llm, settings.llm.prices, url=settings.llm.llm_url)
        price = price or price_of(self.name, settings.llm.prices, url=settings.llm.llm_url)
        cost = None if price is None else price.of(self.tokens_in, self.tokens_out)
        return AnsweringCost(self.tokens_in, self.tokens_out, cost)


def asked_alone(
    ask: Callable[[Asked], object], all_of_them: Sequence[Asked], model: MeteredModel | None = None
) -> Latency | None:
    """The milliseconds of a question that is asked alone, with the models loaded and nothing computed before.

    Args:
        ask: asks one; the first is asked twice, and counts once.
        all_of_them: evenly spread ones of these are asked, `ALONE` at most.
        model: the LLM that `ask` asks, whose known replies count as long as they took.
    """
    count = min(ALONE, len(all_of_them))
    sample = [all_of_them[len(all_of_them) * i // count] for i in range(count)]
    if not sample:
        return None
    counted = (model.tokens_in, model.tokens_out) if model else (0, 0)
    ask(sample[0])  # loading the models is no part of what a question takes
    if model:
        model.tokens_in, model.tokens_out = counted
    took = []
    for one in sample:
        before = model.sooner_ms if model else 0.0
        with _nothing_computed():
            begun = time.perf_counter()
            ask(one)
            waited = (time.perf_counter() - begun) * 1000
        took.append(waited + (model.sooner_ms - before if model else 0.0))
    median, p95 = np.quantile(took, (0.5, 0.95)).tolist()
    return Latency(median, p95)


@contextmanager
def _nothing_computed() -> Iterator[None]:
    """Inside, models know nothing that they computed before: another configuration may have asked for the same."""
    with rows_set_aside(), Reader.load().set_aside():
        yield
