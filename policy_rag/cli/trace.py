"""The steps of an answer as people read them."""

from collections.abc import Mapping, Sequence
from typing import Any

from policy_rag.cli.output import console

_SHOWN = 200  # characters of a prompt's variable; `--json` has all of them


def print_trace(steps: Sequence[Mapping[str, Any]], *, totals: bool = True) -> None:
    """A table: a row a step, with all that the trace knows of it; figures with two decimals, lists a line an entry.

    Long variables of prompts are shown by their beginning. Under it stands what all LLM calls took together.
    """
    from rich.table import Column, Table
    from rich.text import Text

    table = Table(Column("step", no_wrap=True), "what", box=None, header_style="bold")
    for step in steps:
        lines = [line for key, value in step.items() if key != "step" for line in _lines(key, value)]
        table.add_row(Text(str(step.get("step", "")), style="cyan"), Text("\n".join(lines)))
    out = console()
    out.print(table)
    if totals:
        out.print(f"  {_totals(steps)}", style="dim")


def _totals(steps: Sequence[Mapping[str, Any]]) -> str:
    calls = [step for step in steps if step.get("step") == "llm" and "tokens_in" in step]
    costs = [call["cost"] for call in calls]
    cost = "not known" if None in costs else f"{sum(costs):.4f}"
    tokens_in, tokens_out = (sum(call[name] for call in calls) for name in ("tokens_in", "tokens_out"))
    return f"LLM calls: {len(calls)}, tokens in: {tokens_in:,}, tokens out: {tokens_out:,}, cost: {cost}"


def _lines(key: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}:", *(f"  {name}: {_beginning(str(text))}" for name, text in value.items())]
    if value and isinstance(value, list | tuple) and all(isinstance(entry, Mapping) for entry in value):
        return [f"{key}:", *("  - " + ", ".join(f"{k} {_short(v)}" for k, v in entry.items()) for entry in value)]
    return [f"{key}: {_short(value)}"]


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ... ({len(text):,} characters)"


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_short(entry) for entry in value) or "none"
    return "none" if value is None else str(value)
