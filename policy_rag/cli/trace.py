"""The steps of an answer as people read them."""

from collections.abc import Mapping, Sequence
from typing import Any

from policy_rag.cli.output import console


def print_trace(steps: Sequence[Mapping[str, Any]]) -> None:
    """A table: a row a step, with all that the trace knows of it; figures with two decimals, lists a line an entry."""
    from rich.table import Column, Table
    from rich.text import Text

    table = Table(Column("step", no_wrap=True), "what", box=None, header_style="bold")
    for step in steps:
        lines = [line for key, value in step.items() if key != "step" for line in _lines(key, value)]
        table.add_row(Text(str(step.get("step", "")), style="cyan"), Text("\n".join(lines)))
    console().print(table)


def _lines(key: str, value: Any) -> list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [f"{key}: {_short(value)}"] if not _is_list_of_records(value) else [f"{key}:", *(map(_entry, value))]
    return [f"{key}: {_short(value)}"]


def _is_list_of_records(value: Sequence[Any]) -> bool:
    return bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _entry(record: Mapping[str, Any]) -> str:
    return "  - " + ", ".join(f"{key} {_short(value)}" for key, value in record.items())


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_short(entry) for entry in value) or "none"
    return "none" if value is None else str(value)
