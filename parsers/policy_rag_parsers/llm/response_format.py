"""How servers of OpenAI's protocol are told that a reply is JSON of a schema; not all know the same way."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

_Reply = TypeVar("_Reply")

_REFUSALS = {400, 422, 500, 501}
"""Statuses with which servers refuse a `response_format`; llama-cpp-python says 500."""


def forms_of(schema: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The arguments to try, in order.

    A strict schema (OpenAI, vLLM, llama.cpp), JSON by a schema (llama-cpp-python), and nothing: what is replied is
    read and mended all the same.

    >>> [form.get("response_format", {}).get("type") for form in forms_of({"type": "object"})]
    ['json_schema', 'json_object', None]
    """
    named = {"name": "reply", "strict": True, "schema": dict(schema)}
    return (
        {"response_format": {"type": "json_schema", "json_schema": named}},
        {"response_format": {"type": "json_object", "schema": dict(schema)}},
        {},
    )


class ReplyForms:
    """The form that a server takes: found by asking, and kept for the calls that follow."""

    def __init__(self) -> None:
        self._first = 0

    def ask(self, schema: Mapping[str, Any] | None, call: Callable[[dict[str, Any]], _Reply]) -> _Reply:
        """What `call` gives with the first form that the server does not refuse; without a schema, with none.

        Raises:
            Exception: whatever `call` raises that says nothing against the form.
        """
        if schema is None:
            return call({})
        forms = forms_of(schema)
        tried = self._first
        while True:
            try:
                return call(forms[tried])
            except Exception as error:
                if tried == len(forms) - 1 or not _is_refusal(error):
                    raise
            tried += 1
            self._first = max(self._first, tried)  # another thread may know more by now


def _is_refusal(error: BaseException) -> bool:
    """Whether an error, or what it was made from, says that the server does not know the form."""
    if getattr(error, "status_code", None) in _REFUSALS and "response_format" in str(error):
        return True
    return error.__cause__ is not None and _is_refusal(error.__cause__)
