"""Pages of the reference that are made from the code: commands and settings."""

from typing import cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


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
    text = get_docs_for_click(obj=command, ctx=typer.Context(command), name="policy-rag", title="Commands")
    return text.replace("\b\n", "")


def _settings() -> str:
    from policy_rag.settings import ALL_SETTINGS

    rows = [
        f"| `{one.name}` | {_cell(one.default)} | {one.affects} | {one.description} |" for one in ALL_SETTINGS.values()
    ]
    return "\n".join(
        [
            "# Settings",
            "",
            "In `policy_rag.toml` as a variable `POLICY_RAG_NAME`, or as an option; the later wins. An",
            "unknown name is an error. `policy-rag doctor` shows those in force and where each comes from.",
            "",
            "| setting | default | affects | what it says |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _cell(value: object) -> str:
    return "" if value is None or value == () else f"`{value}`"
