"""The command that repeats an evaluation, as its page tells it."""

import shlex
from typing import Any

import typer

from policy_rag.llm.addresses import without_password

_OF_OUTPUT = frozenset(
    {"csv", "debug", "json", "latex", "report", "save", "save_best", "slices", "trec_out", "workers", "fail_under"}
)
"""Options that change nothing of what is measured."""
_ALWAYS = frozenset({"seed", "trials", "held_out"})
"""Options that are told as they were, given or not: another version may have other defaults."""


def repeat_command(context: typer.Context, **instead: str) -> str:
    """The command that is running, without what only says where its results go.

    `instead` are parameters told with another value than the one given: a name that may come to mean another.
    """
    words, arguments = ["policy-rag", *context.command_path.split()[1:]], []
    for parameter in context.command.params:
        name = str(parameter.name)
        value = instead.get(name, context.params.get(name))
        if value is None or name in _OF_OUTPUT:
            continue
        if parameter.param_type_name == "argument":
            arguments.append(_shown(value))
        elif name in _ALWAYS or _is_given(context, name):
            words += _option(parameter.opts[0], value)
    return shlex.join([*words[:3], *arguments, *words[3:]])


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _option(option: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [option] if value else []
    values = value if isinstance(value, list | tuple) else [value]
    return [word for one in values for word in (option, _shown(one))]


def _shown(value: Any) -> str:
    """A value as it is typed, an address in it without the password."""
    key, mark, rest = str(value).rpartition("=")
    return f"{key}{mark}{without_password(rest) if '://' in rest else rest}"
