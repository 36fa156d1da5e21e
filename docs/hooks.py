"""Pages of the reference that are made from the code: commands and settings."""

import json
from typing import TYPE_CHECKING, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    import typer.core


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds `reference/cli.md` and `reference/settings.md`."""
    files.append(File.generated(config, "reference/cli.md", content=_commands()))
    files.append(File.generated(config, "reference/settings.md", content=_settings()))
    return files


def _commands() -> str:
    import typer
    from typer.cli import get_docs_for_click

    from policy_rag.cli.app import build

    command = cast("typer.core.TyperGroup", build())
    _say_whole(command)
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="policy-rag", title="Commands")
    return text.replace("\b\n", "")


def _say_whole(group: "typer.core.TyperGroup") -> None:
    """Gives each command its first sentence in the list of commands, which is cut to a line in a terminal."""
    for command in group.commands.values():
        command.short_help = " ".join((command.help or "").split("\n\n")[0].split())
        if hasattr(command, "commands"):
            _say_whole(cast("typer.core.TyperGroup", command))


def _settings() -> str:
    from policy_rag.settings import ALL_SETTINGS, Settings

    defaults = Settings().as_json(tuple(ALL_SETTINGS))
    rows = [
        f"| `{one.name}` | {_cell(defaults[one.name])} | {one.affects} | {one.description} |"
        for one in ALL_SETTINGS.values()
    ]
    return "\n".join(
        [
            "# Settings",
            "",
            "In `policy_rag.toml`, as a variable `POLICY_RAG_NAME`, or as an option; the later wins. An",
            "unknown name is an error. `policy-rag doctor` shows those in force and where each comes from.",
            "",
            "| setting | default | affects | what it says |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _cell(value: object) -> str:
    """A default as TOML and JSON write it; nothing where there is none."""
    return "" if value in (None, (), [], {}) else f"`{json.dumps(value)}`"
