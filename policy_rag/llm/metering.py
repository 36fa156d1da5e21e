"""LLM calls, each traced with its words, tokens, time and cost, and none above the budget; what they would cost.

Tokens cost what a table says that the user gives; a model on one's own machine costs nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack
from urllib.parse import urlsplit

from policy_rag.errors import BudgetError, SettingsError
from policy_rag.llm.addresses import is_loopback
from policy_rag.llm.language_model import BRIEF_TOKENS, LanguageModel, ModelWrapper, Reply, ReplyOptions, prompt_tokens
from policy_rag.tracing import Trace
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_prompts.loader import Prompt, Template

_MILLION = 1_000_000
_SECTION = re.compile(r"<section n=\"1\" from=\"[^\"]*\">\n(.*?)\n</section>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever currency the table is in.

    >>> Price(2.0, 8.0).of(1_000, 500)
    0.006
    """

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What a call of so many tokens costs."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _MILLION


FREE = Price(0.0, 0.0)


def price_of(name: str, table: Mapping[str, tuple[float, float]], *, url: str | None = None) -> Price | None:
    """The price of a model.

    Args:
        name: as it is asked for in settings (`ollama/llama3.2`, `openai/NAME`).
        table: name to what a million tokens of the prompt and of the reply cost.
        url: where an OpenAI-compatible server is.

    Returns:
        What the table says; nothing to pay for Ollama's models and for a server on this machine; else None: unknown.

    >>> price_of("openai/m", {"openai/m": (2.0, 8.0)})
    Price(tokens_in=2.0, tokens_out=8.0)
    >>> price_of("openai/m", {}, url="http://127.0.0.1:8000/v1")
    Price(tokens_in=0.0, tokens_out=0.0)
    """
    if name in table:
        return Price(*table[name])
    if name.startswith("ollama/") or (url and is_loopback(urlsplit(url).hostname or "")):
        return FREE
    return None


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may take at most; None: no limit. `cost` is in the currency of the price table."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


NO_LIMIT = Budget()


@dataclass(frozen=True, slots=True)
class Spent:
    """What some calls took. `cost` is None where a price is not known."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0

    def plus(self, tokens_in: int, tokens_out: int, price: Price | None) -> "Spent":
        """The same with one call more."""
        cost = None if price is None or self.cost is None else self.cost + price.of(tokens_in, tokens_out)
        return Spent(self.calls + 1, self.tokens_in + tokens_in, self.tokens_out + tokens_out, cost)


class Calls(ModelWrapper):
    """A language model whose calls are traced and counted. One for each question; for one thread.

    It can be used wherever a `LanguageModel` can.

    Args:
        model: who replies.
        trace: where each call is kept, as a span `llm`.
        budget: what they may take together. Before a call its most is counted: its prompt by our own count, and a
            reply as long as the model may write. So a question is stopped before it exceeds the budget.
        price: of the model; None where it is not known.

    Raises:
        SettingsError: the budget limits the cost, and the price is not known.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        trace: Trace | None = None,
        budget: Budget = NO_LIMIT,
        price: Price | None = FREE,
    ) -> None:
        super().__init__(model)
        if budget.cost is not None and price is None:
            raise SettingsError(
                f"budget_cost={budget.cost:g} needs the price of {model.name}: "
                f'add "{model.name}" = [INPUT, OUTPUT] under [prices] in policy_rag.toml, for a million tokens each'
            )
        self.trace = Trace() if trace is None else trace
        self.spent = Spent()
        self._budget, self._price = budget, price

    @classmethod
    def of(cls, model: LanguageModel, trace: Trace | None = None) -> "Calls":
        """The model itself where its calls are traced already, else with its calls traced from now on."""
        return model if isinstance(model, Calls) else cls(model, trace=trace)

    def ask(
        self,
        template: Template,
        variables: Mapping[str, str],
        *,
        sections: Sequence[str] = (),
        left_out: Sequence[str] = (),
        **how: Unpack[ReplyOptions],
    ) -> Reply:
        """The model's reply to a template.

        Args:
            template: the prompt with gaps.
            variables: what fills them; all must already be data (`as_data`).
            sections: names of the sections that it is given.
            left_out: names of those that did not fit.
            **how: what is wanted of the reply.

        Raises:
            BudgetError: the call could exceed the budget; it is not made.
            ModelError: the model fails.
        """
        facts: dict[str, Any] = {"template": template.label}
        if sections or left_out:
            facts |= {"sections": list(sections), "left_out": list(left_out)}
        return self._call(template.render(**variables), facts, {"variables": dict(variables)}, how)

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """The model's reply to a prompt of no template; see `LanguageModel.chat` and `ask`."""
        return self._call(Prompt(system, user), {}, {"system": system, "user": user}, how)

    def _call(self, prompt: Prompt, facts: dict[str, Any], texts: dict[str, Any], how: ReplyOptions) -> Reply:
        self._check(prompt, BRIEF_TOKENS if how.get("first_tokens") else self.reply_tokens)
        with self.trace.span("llm") as span:
            span.attributes |= {"model": self.name, "window": self.context_window, **facts}
            span.texts |= texts
            span.details["messages"] = [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ]
            reply = self._model.chat(prompt.system, prompt.user, **how)
            before = self.spent.cost
            self.spent = self.spent.plus(reply.tokens_in, reply.tokens_out, self._price)
            span.texts["reply"] = reply.text
            span.attributes |= {
                "tokens_in": reply.tokens_in,
                "tokens_out": reply.tokens_out,
                "done_reason": reply.done_reason,
                **({"first": [list(one) for one in reply.first]} if reply.first else {}),
                "cost": None if before is None or self.spent.cost is None else self.spent.cost - before,
            }
        return reply

    def _check(self, prompt: Prompt, longest_reply: int) -> None:
        """Refuses a call that could exceed the budget."""
        tokens_in = prompt_tokens(prompt.system, prompt.user)
        after = self.spent.plus(tokens_in, longest_reply, self._price)
        wanted = (
            ("budget_calls", after.calls, self._budget.calls),
            ("budget_tokens", after.tokens_in + after.tokens_out, self._budget.tokens),
            ("budget_cost", after.cost, self._budget.cost),
        )
        for name, needed, most in wanted:
            if most is not None and (needed is None or needed > most):
                raise BudgetError(
                    f"the next LLM call could bring this question to {needed:g}, above {name}={most:g}; "
                    f"{self.spent.calls} calls were made: raise {name}, or ask with --llm extractive"
                )


class EstimatingModel(ModelWrapper):
    """Takes the place of a model for `--dry-run`: its tokens are our estimate of a prompt, and the most of a reply.

    Where it is given numbered sections it replies with a sentence of the first, cited, and where it is asked yes or no
    it says yes, so that what follows an answer is counted too; to anything else it replies nothing, which gives way to
    rules.

    Args:
        model: whose name and window it has.
    """

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """What stands for a reply; nobody is asked."""
        tokens_in = prompt_tokens(system, user)
        if how.get("first_tokens"):
            return Reply("yes", tokens_in, BRIEF_TOKENS, 0.0, "estimated")
        section = _SECTION.search(user) if how.get("json_schema") is None else None
        text = f"{_longest_sentence(section[1])} [1]" if section else ""
        return Reply(text, tokens_in, self.reply_tokens, 0.0, "estimated")


def _longest_sentence(text: str) -> str:
    """The longest sentence on one line: a heading bears no statement."""
    sentences = [" ".join(text[start:end].split()) for start, end in sentence_spans(text, 0, len(text))]
    return max(sentences, key=len, default="").rstrip(".")
