"""Filters that an LLM reads out of a question.

It is shown numbered choices and replies with numbers, so that no text of its own becomes a filter. Only values that
share a word with the question are choices: an LLM cannot restrict a search to what the question does not mention. An
edition by its year ("the 2023 policy") is no choice: where the LLM names none, rules read it.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from policy_rag.errors import ModelError
from policy_rag.index.search.terms import terms, words
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.llm.language_model import LanguageModel
from policy_rag.retrieval.filters import written_filter
from policy_rag.retrieval.self_query.named_documents import NamedTitles, named_titles
from policy_rag.retrieval.self_query.named_fields import declared_values
from policy_rag.retrieval.self_query.question_dates import coming_day, past_day
from policy_rag.retrieval.self_query.question_filters import FilterReader, QuestionFilters, SearchCondition
from policy_rag.retrieval.self_query.rule_filters import read_filters_by_rule, title_conditions
from policy_rag.retrieval.title_terms import telling_terms
from policy_rag_parsers.llm.json_reply import read_json
from policy_rag_prompts.data import as_attribute, as_data
from policy_rag_prompts.loader import load_template

_MOST_CHOICES: Final = 40
_MOST_CHARS: Final = 120  # of a value that is shown
_DAY_WORDS: Final = re.compile(
    r"\b(?:\d{4}|last|previous|ago|yesterday|tomorrow|next|letzt\w*|vor|gestern|morgen|nächst\w*)\b", re.IGNORECASE
)

Choice = tuple[str, str]
"""A key and one of its values."""


def llm_filter_reader(model: LanguageModel) -> FilterReader:
    """A reader that asks `model` once a question, where there is something to choose.

    Where the model fails or its reply is not what was asked for, rules read the question, and a notice says so.
    """
    template = load_template("self_query")

    def read(question: str, documents: Sequence[DocumentInfo], day: dt.date) -> QuestionFilters:
        choices = choices_of(question, documents)
        if not choices and not _DAY_WORDS.search(question):
            return QuestionFilters(())
        prompt = template.render(question=as_data(question), choices=choice_lines(choices), day=day.isoformat())
        try:
            reply = model.chat(prompt.system, prompt.user, json_schema=_schema(len(choices)))
            numbers, as_of = read_reply(reply.text, len(choices))
        except (ModelError, ValueError) as error:
            why = f"{model.name} could not read filters out of the question ({error}): rules did"
            return replace(read_filters_by_rule(question, documents, day), notices=(why,))
        chosen = [choices[n - 1] for n in numbers]
        other_day = past_day(question, day) or coming_day(question, day)
        named = named_titles(question, documents)
        if named and _says_more(named, chosen, as_of):
            titles = tuple(value for key, value in chosen if key == "title") or named.titles
            editions, notices = title_conditions(replace(named, titles=titles), documents, day)
            others = _conditions(question, [one for one in chosen if one[0] != "title"], None)
            return QuestionFilters((*editions, *others), notices, other_day)
        return QuestionFilters(_conditions(question, chosen, as_of), other_day=other_day)

    return read


def choices_of(question: str, documents: Sequence[DocumentInfo]) -> tuple[Choice, ...]:
    """What a question could restrict itself to: titles, versions and declared values that share a word with it.

    At most 40, those that share most first, then in order of key and value.
    """
    asked = frozenset(terms(question)) | frozenset(words(question))
    shared: dict[Choice, int] = {}
    telling = telling_terms(documents)
    for document in documents:
        shared["title", document.title] = len(telling[document.doc_key] & asked)
        if document.version:
            shared["version", document.version] = int(document.version.casefold() in question.casefold())
    for key, values in declared_values(documents).items():
        for value in values:
            shared[key, value] = len(frozenset(terms(value) or words(value)) & asked)
    kept = [choice for choice, count in shared.items() if count and len(choice[1]) <= _MOST_CHARS]
    return tuple(sorted(kept, key=lambda choice: (-shared[choice], choice))[:_MOST_CHOICES])


def choice_lines(choices: Sequence[Choice]) -> str:
    """The numbered lines that the LLM is shown, 40 at most."""
    choices = choices[:_MOST_CHOICES]
    lines = [f"{n}. {as_attribute(key)}: {as_attribute(value)}" for n, (key, value) in enumerate(choices, 1)]
    return "\n".join(lines) or "(none)"


def _schema(count: int) -> Mapping[str, Any]:
    number: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": max(count, 1)}
    return {
        "type": "object",
        "properties": {
            "choices": {"type": "array", "items": number, "maxItems": count},
            "as_of": {"type": "string"},
        },
        "required": ["choices", "as_of"],
        "additionalProperties": False,
    }


def read_reply(reply: str, count: int) -> tuple[tuple[int, ...], dt.date | None]:
    """The numbers and the day of a reply; prose around the JSON does not matter.

    The LLM was shown `count` choices.

    Raises:
        ValueError: there is no such JSON in it, or a number or day that cannot be.

    >>> read_reply('Sure: {"choices": [2, 2], "as_of": "2025-05-01"}', 3)
    ((2,), datetime.date(2025, 5, 1))
    """
    try:
        value = read_json(reply)[0]
        numbers, day = value["choices"], value.get("as_of") or ""
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it replied {' '.join(reply.split())[:60]!r}") from error
    if not isinstance(numbers, list) or not all(type(n) is int and 1 <= n <= count for n in numbers):
        raise ValueError(f"it chose {str(numbers)[:60]} of {count} choices")
    return tuple(dict.fromkeys(numbers)), dt.date.fromisoformat(day) if isinstance(day, str) and day else None


def _says_more(named: NamedTitles, chosen: Sequence[Choice], as_of: dt.date | None) -> bool:
    """Whether a question names an edition beside its title, "the 2023 policy", and the LLM neither that nor another."""
    says = named.version is not None or named.year is not None or named.old
    other = any(key == "version" or (key == "title" and value not in named.titles) for key, value in chosen)
    return says and as_of is None and not other


def _conditions(question: str, chosen: Sequence[Choice], as_of: dt.date | None) -> tuple[SearchCondition, ...]:
    """Values of one key are any of them. Title and version belong together; a day must be in the question."""
    values: dict[str, list[str]] = {}
    for key, value in chosen:
        values.setdefault(key, []).append(value)
    conditions = []
    if as_of is not None and _DAY_WORDS.search(question):
        conditions.append(SearchCondition(as_of=as_of))
    edition = [written_filter(key, *values.pop(key)) for key in ("title", "version") if key in values]
    if edition:
        conditions.append(SearchCondition(tuple(edition), any_day=len(edition) > 1))
    conditions += [SearchCondition((written_filter(key, *values[key]),)) for key in sorted(values)]
    return tuple(conditions)
