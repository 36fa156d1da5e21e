"""What a question takes: asked alone as if nothing had been computed, an LLM's known replies as long as they took."""

from types import SimpleNamespace
from typing import Any, Unpack

import numpy as np
import pytest

from policy_rag.llm.language_model import Reply, ReplyOptions
from policy_rag.models.reader import Reader
from policy_rag.models.remembered_rows import embed_remembered
from policy_rag.settings import load_settings
from policy_rag_eval.sweep import usage
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.sweep.usage import ALONE, AnsweringCost, MeteredModel, QuestionUsage, asked_alone


class Known:
    """Replies at once what took two seconds when it was written."""

    name, context_window, reply_tokens, billions = "ollama/x", 8192, 1024, None

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        return Reply("Yes.", 30, 10, 2000.0, "stop")


class Counted:
    """An embedding model that knows what it was given."""

    fingerprint, dimension = "counted", 2

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed(self, texts: list[str]) -> Any:
        self.given += texts
        return np.ones((len(texts), 2), dtype=np.float32)


def test_a_question_is_timed_with_the_models_loaded_and_at_most_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    now = 0.0

    def ask(one: int) -> None:
        nonlocal now
        now += (one + 1) / 1000 if asked else 200.0  # the first one loads the models
        asked.append(one)

    monkeypatch.setattr(usage, "time", SimpleNamespace(perf_counter=lambda: now))
    latency = asked_alone(ask, range(100))
    assert latency is not None
    assert asked == [0, *range(0, 100, 100 // ALONE)]
    # 1, 6, ... 96 ms: the middle is between 46 and 51, and 95 of 100 are below the last but one and a twentieth of 5.
    assert latency == pytest.approx((48.5, 91.25))
    assert asked_alone(ask, ()) is None


def test_what_was_computed_before_counts_as_not_computed_and_is_known_again_afterwards() -> None:
    model, reader = Counted(), Reader.load()
    before = dict(reader._read)
    embed_remembered(model, ["a"])  # type: ignore[arg-type]
    asked_alone(lambda one: embed_remembered(model, [one]), ["a", "b"])  # type: ignore[arg-type]
    assert model.given == ["a", "a", "b"]  # "a" is known when the models are loaded, and not when it is timed
    assert len(embed_remembered(model, ["a"])) == 1  # type: ignore[arg-type]
    assert model.given == ["a", "a", "b"]
    assert reader._read == before


def test_a_reply_that_was_known_counts_as_long_as_it_took() -> None:
    model = MeteredModel(Known())
    latency = asked_alone(lambda _: model.chat("s", "u"), [1, 2, 3], model)
    assert latency is not None
    assert 2000 <= latency.median < 2100
    assert (model.tokens_in, model.tokens_out) == (90, 30)  # what is asked to load the models does not count
    spent = model.spent(load_settings({"llm": "ollama/x"}))
    assert spent == AnsweringCost(90, 30, 0.0)
    assert QuestionUsage.of(spent, 3, latency) == QuestionUsage(latency, 40.0, 0.0)


def test_what_is_not_known_is_none() -> None:
    assert QuestionUsage.of(None, 4, Latency(1.0, 2.0)).as_json() == {
        "ms_median": 1.0, "ms_p95": 2.0, "tokens": None, "cost_of_1000": None,
    }  # fmt: skip
    assert QuestionUsage.of(AnsweringCost(10, 5, None), 5, None) == QuestionUsage(None, 3.0, None)
