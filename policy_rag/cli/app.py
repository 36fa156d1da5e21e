"""Puts the commands together: those of this package, then those of others through an entry-point group."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

import typer
from typer.main import get_command

from policy_rag.cli.options import with_options

GROUP = "policy_rag.commands"
_OWN = (
    "ingest", "sections", "search", "ask", "check", "conflicts", "chat", "show", "documents", "remove", "changes",
    "verify", "copy", "migrate", "serve", "worker", "keys", "mcp", "doctor",
)  # fmt: skip
MODULES = {name: name for name in _OWN} | {"remove": "documents"}
"""The commands of this package, each a function of its name in a module beside this one."""


def build(command: str | None = None) -> Callable[..., object]:
    """The program `policy-rag`, to be called with `args`.

    Args:
        command: the one that is called; where it is known, no other is imported.
    """
    app = typer.Typer(
        help="Answers questions about your policies, with citations that can be checked.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    others = {} if command in MODULES else {entry.name: entry for entry in entry_points(group=GROUP)}
    names = [*MODULES, *sorted(others)]
    wanted = [command] if command in names else names
    for name in filter(None, wanted):
        if name in MODULES:
            found = getattr(import_module(f"policy_rag.cli.{MODULES[name]}"), name)
        else:
            found = others[name].load()
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name)(with_options(found) if name in MODULES else found)
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
