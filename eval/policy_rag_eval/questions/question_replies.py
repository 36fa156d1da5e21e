"""Reads what an LLM replied when it was asked for questions: JSON, whatever stands around it, checked item by item."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_rag_eval.questions.drafts import Drop, QuestionStyle, Reason
from policy_rag_parsers.llm.json_reply import read_json

_TEXT: Mapping[str, str] = {"type": "string"}


@dataclass(frozen=True, slots=True)
class RepliedItem:
    """A question as an LLM gave it: `quotes` has one text a section; `answer` may be empty."""

    style: QuestionStyle
    question: str
    quotes: tuple[str, ...]
    answer: str


def section_schema(styles: Sequence[QuestionStyle]) -> dict[str, Any]:
    """JSON schema of a reply with questions on one section."""
    item = {"style": {"type": "string", "enum": [str(style) for style in styles]}}
    return _schema({**item, "question": _TEXT, "quote": _TEXT, "answer": _TEXT}, most=len(styles))


def pair_schema() -> dict[str, Any]:
    """JSON schema of a reply with a question on two sections."""
    return _schema({"question": _TEXT, "first_quote": _TEXT, "second_quote": _TEXT, "answer": _TEXT}, most=1)


def _schema(properties: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"questions": {"type": "array", "items": item, "maxItems": most}},
        "required": ["questions"],
        "additionalProperties": False,
    }


def read_reply(
    text: str, styles: Collection[QuestionStyle], *, pair: bool = False
) -> tuple[list[RepliedItem], list[Drop]]:
    """The questions of a reply, and what in it was none.

    Prose and a code fence around the JSON do not matter, and of a reply that was cut the whole questions count. A bare
    list of questions, or one question alone, is taken for what it is meant to be. A style that was not asked for, or
    comes again, makes an item invalid.

    Of a `pair` of sections one style is asked for.

    >>> items, drops = read_reply('[{"style": "factual", "question": "Who?", "quote": "HR"}]', [QuestionStyle.FACTUAL])
    >>> items[0].question, items[0].quotes, drops
    ('Who?', ('HR',), [])
    >>> read_reply('I would rather not.', [QuestionStyle.FACTUAL])[1][0].reason
    <Reason.MALFORMED_REPLY: 'malformed_reply'>
    """
    if not text.strip():
        return [], [Drop(Reason.EMPTY_REPLY, "")]
    found = _questions(text)
    if found is None:
        return [], [Drop(Reason.MALFORMED_REPLY, text)]
    if not found:
        return [], [Drop(Reason.EMPTY_REPLY, text)]
    items: list[RepliedItem] = []
    drops: list[Drop] = []
    open_styles = list(styles)
    for raw in found:
        item = _item(raw, open_styles, pair=pair)
        if item is None:
            drops.append(Drop(Reason.INVALID_ITEM, json.dumps(raw, ensure_ascii=False)[:300]))
        else:
            open_styles.remove(item.style)
            items.append(item)
    return items, drops


def _questions(text: str) -> list[Any] | None:
    """The list of questions in the JSON of a reply; None without any."""
    try:
        value, _ = read_json(text)
    except ValueError:
        return None
    if isinstance(value, dict) and isinstance(value.get("questions"), list):
        return list(value["questions"])
    if isinstance(value, dict) and isinstance(value.get("question"), str):
        return [value]
    if isinstance(value, list) and (not value or any(isinstance(one, dict) for one in value)):
        return value
    return None


def _item(raw: Any, styles: Sequence[QuestionStyle], *, pair: bool) -> RepliedItem | None:
    if not isinstance(raw, dict) or not styles:
        return None
    style = styles[0] if pair else next((style for style in styles if style == raw.get("style")), None)
    names = ("first_quote", "second_quote") if pair else ("quote",)
    question, quotes = raw.get("question"), [raw.get(name, "") for name in names]
    answer = raw.get("answer", "")
    if style is None or not isinstance(question, str) or not question.strip():
        return None
    if not all(isinstance(quote, str) for quote in quotes) or not isinstance(answer, str):
        return None
    return RepliedItem(style, " ".join(question.split()), tuple(str(quote) for quote in quotes), answer.strip())
