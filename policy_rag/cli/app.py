"""Puts the commands together: those of this package, then those of others through an entry-point group."""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import cast

import typer
from typer.main import get_command

from policy_rag.cli import ask, changes, chat, doctor, documents, ingest, search, sections, show, verify

GROUP = "policy_rag.commands"


def build() -> Callable[..., object]:
    """The command `policy-rag` with all sub-commands that are installed, to be called with `args`."""
    app = typer.Typer(
        help="Answers questions about your policies, with citations that can be checked.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for module in (ingest, sections, search, ask, chat, show, documents, changes, verify, doctor):
        module.register(app)
    for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name):
        found = entry.load()
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=entry.name)
        else:
            app.command(entry.name)(found)
    return cast("Callable[..., object]", get_command(app))


def _version(asked: bool) -> None:
    if asked:
        from policy_rag import __version__

        typer.echo(__version__)
        raise typer.Exit


def _root(
    _: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True, callback=_version),
) -> None:
    """Answers questions about your policies, with citations that can be checked."""
