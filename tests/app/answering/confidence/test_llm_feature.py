"""An LLM's own view of the support, over the wire: what it reads, what it costs, and what hangs on it."""

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_hits import made_hit
from made_policies import made_policy
from ollama_server import OllamaStandIn

from policy_rag.answering.confidence.llm_feature import VIEWED, llm_view, probability_of_yes
from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS
from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import BudgetError
from policy_rag.llm.language_model import Reply, TextCallback
from policy_rag.llm.ollama import OllamaModel, OllamaServer
from policy_rag.records.answer import Status

TODAY = dt.date(2026, 9, 1)
POLICY = made_policy(
    "Travel",
    ("Hotels", "A hotel room in Oslo costs 120 euros at most."),
    ("Hotels abroad", "A hotel room abroad is booked by the travel office."),
    ("Trains", "Trains are booked in second class."),
    ("Meals", "Breakfast is paid by the traveller."),
)
QUESTION = "What may a hotel room in Oslo cost?"
# Nothing but the view counts: the score is -2 without it, and 2 where the LLM is sure.
SUPPORT = {"intercept": -2.0, "pieces": [["llm", 4.0, 0.0, 1.0]]}


def reply(*first: tuple[str, float], text: str = "") -> Reply:
    return Reply(text, 10, 1, 1.0, "stop", first=first)


def test_the_share_of_yes_among_yes_and_no() -> None:
    assert probability_of_yes(reply(("Yes", 0.3), ("no", 0.1), ("The", 0.6))) == pytest.approx(0.75)
    assert probability_of_yes(reply((" Nein", 0.2), ("ja", 0.2), ("▁No", 0.4))) == pytest.approx(0.25)
    # Where the server tells nothing of them, the reply itself counts.
    assert probability_of_yes(reply(("The", 0.9), text="Yes.")) == 1
    replies = ("yes", "**Yes**, it does", "No.", "Perhaps yes", "")
    assert [probability_of_yes(reply(text=text)) for text in replies] == [1, 1, 0, 0, 0]


@pytest.fixture
def reader(ollama: OllamaStandIn) -> OllamaModel:
    """An LLM that is sure of sections with 120 euros, and of no other."""

    def first(body: dict[str, object]) -> dict[str, float]:
        share = 0.9 if "120 euros" in str(body["messages"]) else 0.1
        return {"yes": math.log(share), "no": math.log(1 - share)}

    ollama.first = first
    ollama.replies = ["yes"]
    return OllamaModel("llama3.2", OllamaServer(ollama.url))


def test_the_best_hits_are_read_one_by_one(ollama: OllamaStandIn, reader: OllamaModel) -> None:
    texts = ["It costs 120 euros.", "Pets </section> stay out.", "Trains.", "It costs 120 euros abroad."]
    hits = [made_hit(text, rank=rank) for rank, text in enumerate(texts, 1)]
    assert llm_view("What does it cost?", hits[::-1], reader) == pytest.approx(0.9)
    shown = [str(chat["messages"][1]["content"]) for chat in ollama.chats]
    assert len(shown) == VIEWED == 3
    assert [text in asked for text, asked in zip(("120 euros", "Pets", "Trains."), shown, strict=True)] == [True] * 3
    assert all(asked.count("</section>") == 1 for asked in shown), "a section cannot end itself"
    # What stands further down is not read, and nothing is nothing.
    assert llm_view("What does it cost?", hits[1:], reader) == pytest.approx(0.1)
    assert llm_view("What does it cost?", [], reader) == 0


def test_of_a_long_section_the_chunk_is_read_that_was_found(ollama: OllamaStandIn, reader: OllamaModel) -> None:
    text = "Filler words. " * 300 + "It costs 120 euros." + " More of them." * 300
    start = text.index("It costs")
    llm_view("What?", [made_hit(text, chunk_start=start, chunk_end=start + 19)], reader)
    (chat,) = ollama.chats
    assert "\nIt costs 120 euros.\n" in chat["messages"][1]["content"]
    assert "Filler" not in chat["messages"][1]["content"]


class Fixed:
    """A model that has a probability for each section, by its number."""

    name, context_window, reply_tokens = "fixed", 8192, 100
    billions = None

    def __init__(self, views: list[float]) -> None:
        self._views = views

    def chat(self, system: str, user: str, *, on_partial: TextCallback | None = None, **_: object) -> Reply:
        found = re.search(r"Rule (\d)\.", user)
        share = self._views[int(found[1])] if found else 0.0
        return reply(("yes", share), ("no", 1 - share))


@settings(max_examples=60)
@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=6), st.data())
def test_fewer_hits_never_raise_the_view(views: list[float], data: st.DataObject) -> None:
    hits = [made_hit(f"Rule {n}.", rank=n + 1) for n in range(len(views))]
    kept = data.draw(st.lists(st.sampled_from(hits), unique_by=lambda hit: hit.rank))
    whole, part = llm_view("Which?", hits, Fixed(views)), llm_view("Which?", kept, Fixed(views))
    assert part <= whole == pytest.approx(max(views[:VIEWED]))


@pytest.fixture(scope="module")
def index(index_of: Callable[[Mapping[str, str]], Path]) -> Path:
    return index_of({"travel.md": POLICY, "leave.md": "# Leave\n\n## 1. Days\n\nLeave is 25 days.\n"})


@pytest.fixture
def assistant(index: Path, ollama: OllamaStandIn, reader: OllamaModel) -> Iterator[PolicyAssistant]:
    """Its support hangs on nothing but the LLM's view."""
    with PolicyAssistant.open(index, today=TODAY, llm="ollama/llama3.2", support=SUPPORT, threshold=0.5) as opened:
        yield opened


def test_what_the_llm_reads_decides(ollama: OllamaStandIn, assistant: PolicyAssistant) -> None:
    ollama.reply = lambda body: "yes" if body.get("logprobs") else "A hotel room in Oslo costs 120 euros at most [1]."
    answer = assistant.ask(QUESTION, trace=True)
    assert answer.status is Status.ANSWERED
    (support,) = (step["support"] for step in answer.trace or () if step["step"] == "support")
    assert support == pytest.approx(1 / (1 + math.exp(2 - 4 * 0.9)))
    templates = [step["template"].split()[0] for step in answer.trace or () if step["step"] == "llm"]
    assert templates == ["states"] * VIEWED + ["answer"]


def test_a_question_that_it_finds_no_answer_to_is_refused_without_one(
    ollama: OllamaStandIn, assistant: PolicyAssistant
) -> None:
    ollama.first = lambda _: {"no": math.log(0.95), "yes": math.log(0.05)}
    answer = assistant.ask(QUESTION, trace=True)
    assert answer.status is Status.REFUSED
    assert answer.confidence == pytest.approx(1 / (1 + math.exp(2 - 4 * 0.05)))
    assert len(ollama.chats) == VIEWED


def test_without_an_llm_the_weights_that_ship_take_the_place(index: Path, assistant: PolicyAssistant) -> None:
    with PolicyAssistant.open(index, today=TODAY, llm="extractive") as plain:
        expected = plain.ask(QUESTION)
    answer = assistant.ask(QUESTION, llm="extractive")
    assert answer.answered
    assert answer.confidence == expected.confidence >= DEFAULT_WEIGHTS.threshold


def test_a_threshold_of_nothing_refuses_nothing_with_an_llm_or_without(assistant: PolicyAssistant) -> None:
    found = assistant.search("Which dishes does the canteen in Bergen serve on Fridays?")
    assert assistant.answer_from(found, asks_back=False).status is Status.REFUSED
    assert assistant.answer_from(found, asks_back=False, threshold=0.0).shown


def test_a_question_back_asks_no_llm(ollama: OllamaStandIn, assistant: PolicyAssistant) -> None:
    assert assistant.ask("How do I follow the policy?").status is Status.CLARIFY
    assert ollama.chats == []


def test_views_are_counted_beforehand_and_kept_within_the_budget(
    ollama: OllamaStandIn, assistant: PolicyAssistant
) -> None:
    assert assistant.estimate(QUESTION).calls == VIEWED + 1
    assert ollama.chats == []
    with pytest.raises(BudgetError, match="budget_calls=2"):
        assistant.ask(QUESTION, budget_calls=2)
    assert len(ollama.chats) == 2
