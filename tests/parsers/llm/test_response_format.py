"""The form of a schema that a server takes is found once, whichever threads ask."""

from collections.abc import Callable
from typing import Any

import pytest

from policy_rag_parsers.llm.response_format import ReplyForms

SCHEMA = {"type": "object"}


class ServerError(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status_code = status


def knowing(*types: str | None, told: list[str | None]) -> Callable[[dict[str, Any]], str]:
    def call(options: dict[str, Any]) -> str:
        kind = options.get("response_format", {}).get("type")
        told.append(kind)
        if kind not in types:
            raise ServerError(422, f"response_format {kind} is not known")
        return f"by {kind}"

    return call


def test_without_a_schema_nothing_is_told_and_nothing_is_learnt() -> None:
    told: list[str | None] = []
    forms = ReplyForms()
    assert forms.ask(None, knowing(None, told=told)) == "by None"
    assert forms.ask(SCHEMA, knowing("json_schema", told=told)) == "by json_schema"
    assert told == [None, "json_schema"]


def test_a_thread_that_began_earlier_does_not_skip_a_form() -> None:
    forms = ReplyForms()
    told: list[str | None] = []
    inner = knowing("json_object", told=told)

    def outer(options: dict[str, Any]) -> str:
        if options.get("response_format", {}).get("type") == "json_schema":
            assert forms.ask(SCHEMA, inner) == "by json_object"  # another thread learns it meanwhile
        return inner(options)

    assert forms.ask(SCHEMA, outer) == "by json_object"
    assert forms.ask(SCHEMA, inner) == "by json_object"
    assert told == ["json_schema", "json_object", "json_schema", "json_object", "json_object"]


@pytest.mark.parametrize(
    "error", [ServerError(500, "out of memory"), ServerError(401, "response_format"), ValueError("x")]
)
def test_other_errors_are_not_asked_away(error: Exception) -> None:
    def call(_: dict[str, Any]) -> str:
        raise error

    with pytest.raises(type(error), match=str(error)):
        ReplyForms().ask(SCHEMA, call)


def test_a_server_that_refuses_even_without_a_form_is_heard() -> None:
    def call(_: dict[str, Any]) -> str:
        raise ServerError(400, "response_format is all that I say")

    with pytest.raises(ServerError, match="all that I say"):
        ReplyForms().ask(SCHEMA, call)
