"""LLM calls: what is traced of each, what it costs, and the budget that none exceeds."""

from typing import Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.errors import BudgetError, ModelError, SettingsError
from policy_rag.llm.language_model import Reply, ReplyOptions
from policy_rag.llm.metering import FREE, Budget, Calls, EstimatingModel, Price, price_of
from policy_rag.tracing import Trace
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.loader import load_template, parse_template

TEMPLATE = parse_template(
    "---\nname: t\nversion: 3\nvariables: day\n---\n[system]\nBe brief.\n[user]\nIs it {{day}}?", "t"
)


class Scripted:
    name = "openai/m"
    context_window = 1000
    reply_tokens = 50
    billions = None

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: list[tuple[str, str]] = []
        self.fails = fails

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        self.asked.append((system, user))
        if self.fails:
            raise ModelError("the server is gone: start it")
        return Reply("Yes.", 100, 10, 5.0, "stop")


def test_a_call_is_traced_with_its_words_tokens_and_cost() -> None:
    trace = Trace()
    calls = Calls(Scripted(), trace=trace, price=Price(2.0, 8.0))
    reply = calls.ask(TEMPLATE, {"day": "Monday"}, sections=["a.md 1"], left_out=["a.md 2"])
    assert reply.text == "Yes."
    (step,) = trace.as_records()
    assert step["ms"] >= 0
    assert {name: value for name, value in step.items() if name != "ms"} == {
        "step": "llm",
        "model": "openai/m",
        "window": 1000,
        "template": f"t 3 {TEMPLATE.sha256[:12]}",
        "sections": ["a.md 1"],
        "left_out": ["a.md 2"],
        "variables": {"day": "Monday"},
        "reply": "Yes.",
        "tokens_in": 100,
        "tokens_out": 10,
        "done_reason": "stop",
        "cost": pytest.approx((100 * 2 + 10 * 8) / 1_000_000),
    }


def test_a_prompt_without_a_template_is_traced_too_and_without_texts_no_word_is_kept() -> None:
    calls = Calls(Scripted())
    calls.ask(TEMPLATE, {"day": "Monday"}, sections=["a.md 1"])
    calls.chat("secret system", "secret user")
    _, step = calls.trace.as_records()
    assert (step["system"], step["user"], step["cost"]) == ("secret system", "secret user", 0)
    kept = repr(calls.trace.as_records(texts=False))
    assert "tokens_in" in kept
    assert "a.md 1" in kept
    for word in ("Monday", "Yes.", "secret", "variables"):
        assert word not in kept


def test_a_call_that_fails_is_traced_and_its_message_is_a_text() -> None:
    calls = Calls(Scripted(fails=True))
    with pytest.raises(ModelError):
        calls.ask(TEMPLATE, {"day": "Monday"})
    (step,) = calls.trace.as_records()
    assert step["error"] == "ModelError: the server is gone: start it"
    assert calls.trace.as_records(texts=False)[0]["error"] == "ModelError"


MOST_TOKENS = estimate_tokens("Be brief.") + estimate_tokens("Is it Monday?") + 32 + Scripted.reply_tokens


@pytest.mark.parametrize(
    ("budget", "made"),
    [
        (Budget(), 3),
        (Budget(calls=2), 2),
        (Budget(calls=0), 0),
        (Budget(tokens=MOST_TOKENS), 1),  # the first call took 110, so that a second could exceed it
        (Budget(tokens=MOST_TOKENS - 1), 0),
        (Budget(tokens=2 * 110 + MOST_TOKENS), 3),
        (Budget(cost=0.0), 0),
        (Budget(cost=1.0), 3),
    ],
)
def test_no_call_is_made_that_could_exceed_the_budget(budget: Budget, made: int) -> None:
    model = Scripted()
    calls = Calls(model, budget=budget, price=Price(2.0, 8.0))
    for _ in range(made):
        calls.ask(TEMPLATE, {"day": "Monday"})
    if made < 3:
        with pytest.raises(BudgetError, match=r"budget_\w+=[\d.]+; \d calls were made: raise budget_"):
            calls.ask(TEMPLATE, {"day": "Monday"})
    assert len(model.asked) == made
    assert (calls.spent.calls, calls.spent.tokens_in, calls.spent.tokens_out) == (made, 100 * made, 10 * made)


@given(st.integers(0, 500), st.integers(1, 6))
def test_what_is_spent_is_never_above_the_budget(most: int, wanted: int) -> None:
    calls = Calls(Scripted(), budget=Budget(tokens=most))
    for _ in range(wanted):
        try:
            calls.ask(TEMPLATE, {"day": "Monday"})
        except BudgetError:
            break
    spent = calls.spent.tokens_in + calls.spent.tokens_out
    assert spent <= most + 110 - MOST_TOKENS or not spent or MOST_TOKENS < 110


def test_a_budget_of_cost_needs_a_price() -> None:
    with pytest.raises(SettingsError, match=r'"openai/m" = \[INPUT, OUTPUT\] under \[prices\]'):
        Calls(Scripted(), budget=Budget(cost=1.0), price=None)
    calls = Calls(Scripted(), price=None)
    calls.chat("a", "b")
    assert calls.trace.as_records()[0]["cost"] is None
    assert calls.spent.cost is None


def test_calls_of_a_model_are_traced_once() -> None:
    calls = Calls(Scripted())
    assert Calls.of(calls) is calls
    assert (calls.name, calls.context_window, calls.reply_tokens) == ("openai/m", 1000, 50)


@pytest.mark.parametrize(
    ("name", "url", "price"),
    [
        ("ollama/llama3.2", None, FREE),
        ("openai/m", "http://localhost:8000/v1", FREE),
        ("openai/m", "https://llm.example/v1", None),
        ("openai/dear", "https://llm.example/v1", Price(1.0, 2.0)),
        ("ollama/rented", None, Price(0.5, 0.5)),
    ],
)
def test_local_models_cost_nothing_and_unknown_ones_are_unknown(
    name: str, url: str | None, price: Price | None
) -> None:
    assert price_of(name, {"openai/dear": (1.0, 2.0), "ollama/rented": (0.5, 0.5)}, url=url) == price


def test_the_stand_in_for_estimates_asks_nobody_and_quotes_the_first_section() -> None:
    model = Scripted()
    estimating = EstimatingModel(model)
    template = load_template("answer")
    prompt = template.render(
        question="Leave?", refusal="NO", sections='<section n="1" from="a > b">\n1 Leave\nLeave is 25 days.\n</section>'
    )
    reply = estimating.chat(prompt.system, prompt.user)
    assert reply.text == "Leave is 25 days [1]"
    assert (reply.tokens_out, reply.ms) == (50, 0)
    assert reply.tokens_in >= estimate_tokens(prompt.system) + estimate_tokens(prompt.user)
    assert estimating.chat("a", "b", json_schema={}).text == ""
    assert model.asked == []


def test_steps_come_in_the_order_in_which_they_began_with_their_labels() -> None:
    trace = Trace()
    with trace.span("outer"), trace.within(part=1):
        with trace.span("inner") as inner:
            inner.texts["word"] = "x"
        trace.add("added", begin_ns=trace.now_ns(), ms=0.0, hits=2)
    with trace.span("after"):
        pass
    records = trace.as_records()
    assert [step["step"] for step in records] == ["outer", "inner", "added", "after"]
    assert [step.get("part") for step in records] == [None, 1, 1, None]
    assert "word" not in trace.as_records(texts=False)[1]
