"""Replies that must be JSON of a form: asked for as such, read leniently, checked strictly."""

import re
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict

from policy_rag.llm.metering import Calls
from policy_rag_parsers.llm.json_reply import read_json
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

_MOST_CHARS = 500
_MOST_PASSAGE_CHARS = 2000
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class JsonForm(BaseModel):
    """What a reply must be; unknown keys are passed over, since small models add some."""

    model_config = ConfigDict(extra="ignore", frozen=True)


AForm = TypeVar("AForm", bound=JsonForm)


def _line(text: str, most: int = _MOST_CHARS) -> str:
    line = " ".join(as_data(text).split()).strip("\"' ")
    if not any(char.isalnum() for char in line) or len(line) > most:
        raise ValueError(f"write 1 to {most} characters")
    return line


def _passage(text: str) -> str:
    return _line(text, _MOST_PASSAGE_CHARS)


Line = Annotated[str, AfterValidator(_line)]
Passage = Annotated[str, AfterValidator(_passage)]


def ask_for(calls: Calls, template: str, form: type[AForm], **variables: str) -> AForm | None:
    """What the model replies to a template, as a form; None where the reply is none.

    Prose and code fences around the JSON are passed over, as small models write them.

    Args:
        calls: who is asked.
        template: its name.
        form: what the reply must be.
        **variables: for the template; text of others must already be data (`as_data`).

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails.
    """
    reply = calls.ask(load_template(template), variables, json_schema=form.model_json_schema())
    try:
        return form.model_validate(read_json(reply.text)[0])
    except ValueError:  # pydantic's own error is one too
        return None


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text as they are written.

    >>> sorted(numbers_in("4.2(b) within 30 days"))
    ['30', '4.2']
    """
    return frozenset(_NUMBER.findall(text))
