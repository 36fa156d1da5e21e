"""One question from beginning to end: search, question back, plan, answer; every step taken down."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from policy_rag.answering.answerer import Answering, answer_question, ask_back
from policy_rag.answering.planning.executor import Sources, answer_planned
from policy_rag.answering.planning.planner import plan_by_rules, plan_with
from policy_rag.answering.planning.query_plan import Plan
from policy_rag.errors import TraceError
from policy_rag.llm.dry_run_model import EstimatingModel
from policy_rag.llm.factory import ResolvedLLM
from policy_rag.llm.metering import NO_LIMIT, Budget, Calls
from policy_rag.llm.prices import price_of
from policy_rag.records.answer import Answer
from policy_rag.tracing import Steps


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A question that is being answered: its steps so far, its LLM if there is one, and who answers, in a line."""

    steps: Steps
    calls: Calls | None
    notice: str


@dataclass(frozen=True, slots=True)
class Planning:
    """How questions with several parts are taken apart: into how many parts, and the day that they are about."""

    most: int
    day: dt.date


def begin(
    resolved: ResolvedLLM,
    budget: Budget,
    prices: Mapping[str, tuple[float, float]],
    *,
    url: str | None = None,
    dry: bool = False,
) -> UnderWay:
    """What takes down the steps of a question, with its LLM if there is one.

    Args:
        resolved: who answers.
        budget: what the question may take.
        prices: see `policy_rag.llm.prices.price_of`.
        url: where an OpenAI-compatible server is.
        dry: whether a stand-in takes the LLM's place; there is no budget then.

    Raises:
        SettingsError: the budget limits the cost, and the price is not known.
    """
    steps = Steps()
    if resolved.model is None:
        return UnderWay(steps, None, resolved.notice)
    model = EstimatingModel(resolved.model) if dry else resolved.model
    price = price_of(model.name, prices, url=url)
    calls = Calls(model, steps=steps, budget=NO_LIMIT if dry else budget, price=price)
    return UnderWay(steps, calls, resolved.notice)


def answer(
    question: str, sources: Sources, answering: Answering, under_way: UnderWay, planning: Planning | None = None
) -> Answer:
    """The answer to a question.

    Args:
        question: to be understood alone.
        sources: what the asker may see.
        answering: with what it is answered; its model is that of `under_way`. Its `on_text` hears the whole text of
            an answer in the end, whoever wrote it, and nothing of a refusal or of a question back.
        under_way: where steps are taken down.
        planning: how it is taken apart; None: it is answered as a whole.

    Raises:
        BudgetError: an LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    made = _made(question, sources, answering, under_way, planning)
    if answering.on_text is not None and made.answered:
        answering.on_text(made.answer)
    return made


def _made(
    question: str, sources: Sources, answering: Answering, under_way: UnderWay, planning: Planning | None
) -> Answer:
    steps = under_way.steps
    result = sources.search(question)
    if planning is None:
        return answer_question(result, answering, steps=steps)
    asked_back = ask_back(result, answering, steps)
    if asked_back is not None:
        return asked_back
    plan, told = _planned(question, sources, under_way, planning)
    if plan.is_plain:
        made = answer_question(result, answering, steps=steps, asks_back=False)
    else:
        made = answer_planned(question, plan, sources, answering, steps)
    return replace(made, notices=(*told, *made.notices))


def _planned(question: str, sources: Sources, under_way: UnderWay, planning: Planning) -> tuple[Plan, tuple[str, ...]]:
    documents = sources.documents()
    told: tuple[str, ...] = ()
    with under_way.steps.step("plan") as step:
        if under_way.calls is None:
            plan = plan_by_rules(question, documents, most=planning.most, day=planning.day)
        else:
            plan, told = plan_with(under_way.calls, question, documents, most=planning.most, day=planning.day)
        step.facts |= {"by": plan.by, "mended": list(plan.mended)}
        step.texts["parts"] = [
            {"question": part.question, "source": list(part.where) or "all", "method": part.method.value}
            for part in plan.parts
        ]
    return plan, told


def keep(
    under_way: UnderWay, question: str, outcome: Answer | BaseException, *, folder: Path, texts: bool, wanted: bool
) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
    """Keeps the trace of a question in MLflow, where that is wanted.

    Args:
        under_way: its steps.
        question: as it was asked.
        outcome: the answer, or what went wrong.
        folder: the index's; see `policy_rag.answering.presentation.mlflow_tracing`.
        texts: whether words of questions, sections and replies are kept.
        wanted: whether it is kept at all.

    Returns:
        The trace's id and its store, None where nothing is kept; and a line where it could not be kept, for which no
        answer is lost.
    """
    if not wanted:
        return None, ()
    from policy_rag.answering.presentation.mlflow_tracing import keep_trace, store_uri

    try:
        trace_id = keep_trace(under_way.steps, question, outcome, folder=folder, texts=texts)
    except TraceError as error:
        return None, (str(error),)
    return (trace_id, store_uri(folder)), ()
