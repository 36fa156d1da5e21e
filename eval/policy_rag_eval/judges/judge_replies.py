"""An LLM's reply to a judge's question: JSON of one form, or a reason why it cannot be read. Never a guess."""

import json
import re
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from policy_rag.llm.language_model import LanguageModel, prompt_tokens
from policy_rag_parsers.llm.json_reply import json_objects
from policy_rag_parsers.llm.tokens import without_thinking
from policy_rag_prompts.loader import Prompt

_SHOWN = 80
_TAGS = re.compile(r"</?(?:section|question|answer|reference|statements|rules)\b[^>]*>", re.IGNORECASE)


class ReplyForm(BaseModel):
    """Base of the forms of replies: their fields exactly, each of exactly its type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


F = TypeVar("F", bound=ReplyForm)


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """A question to a judge's LLM: prompt, form of the reply, and texts that a reply must not be taken from."""

    prompt: Prompt
    form: type[ReplyForm]
    judged: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of the prompt, as `prompt_tokens` counts them."""
        return prompt_tokens(self.prompt.system, self.prompt.user)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """That a reply cannot be read, and why."""

    reason: str


def ask_judge(ask: JudgeQuestion, model: LanguageModel) -> ReplyForm | Unreadable:
    """What the model replies, read; or why it could not be asked or read.

    Raises:
        ModelError: the server fails.
    """
    room = model.context_window - model.reply_tokens
    if ask.tokens > room:
        return Unreadable(f"the prompt has about {ask.tokens:,} tokens, and {model.name} has room for {room:,}")
    reply = model.chat(ask.prompt.system, ask.prompt.user, json_schema=ask.form.model_json_schema())
    if reply.done_reason == "length":
        return Unreadable("the reply was cut at its most tokens")
    return read(reply.text, ask)


def read(text: str, ask: JudgeQuestion) -> ReplyForm | Unreadable:
    """The one object of the asked form in a reply. Thinking, prose and code fences around it do not matter.

    A reply that repeats the prompt says nothing, and neither does an object that stands in a text under judgement: it
    may have been put there to be copied.
    """
    said = without_thinking(text)
    if _TAGS.search(said) or " ".join(ask.prompt.system.split())[:_SHOWN] in " ".join(said.split()):
        return Unreadable("the reply repeats the prompt")
    fitting: list[ReplyForm] = []
    for value, raw in json_objects(said):
        try:
            form = ask.form.model_validate_json(json.dumps(value))
        except ValidationError:
            continue
        if any(_squeezed(raw) in _squeezed(judged) for judged in ask.judged):
            return Unreadable("the reply is copied from the text under judgement")
        fitting.append(form)
    if len(fitting) == 1:
        return fitting[0]
    shown = " ".join(said.split())[:_SHOWN]
    many = "several replies in one" if fitting else "not the JSON that was asked for"
    return Unreadable(f"the reply is {many}: {shown!r}")


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def numbered_once(numbers: list[int], count: int) -> bool:
    """Whether the numbers are 1 to `count`, each once, in any order.

    >>> numbered_once([2, 1], 2), numbered_once([1, 1], 2), numbered_once([1], 2)
    (True, False, False)
    """
    return sorted(numbers) == list(range(1, count + 1))
