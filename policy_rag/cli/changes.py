"""`policy-rag changes`: two versions of a policy, clause by clause."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json
from policy_rag.errors import MissingError, UsageError
from policy_rag.index.store.schema import DATABASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from policy_rag.index.maintenance.compared_texts import ComparedText
    from policy_rag.index.maintenance.version_diff import Clause, ClauseChange, VersionDiff

_STYLES = {"same": ("", "", "dim"), "removed": ("[-", "-]", "red"), "added": ("{+", "+}", "green")}


def changes(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The old version: a document's id, file or title, or any file.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new version, such as a draft.")],
    groups: opt.GroupsOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Show what changed between two versions.

    What was added, removed, renumbered, moved and changed, clause by clause.

    A name that is no document of the index is a file: a draft is compared with what is in force.
    """
    from policy_rag.index.maintenance.compared_texts import as_json, differences

    documents = _sides(old, new, tuple(groups or ()), common)
    found = differences(documents[0], documents[1])
    if common.json:
        print_json(as_json(found, *documents))
        return
    out = console()
    for change in found.changes:
        out.print(_headline(change), style="bold")
        if change.words:
            out.print(_words(change))
    out.print(summary(found, documents))


def _sides(old: str, new: str, groups: tuple[str, ...], common: opt.CommonOptions) -> "tuple[ComparedText, ...]":
    """Both versions, each a document of the index, else a file; two files need no index."""
    from policy_rag.index.maintenance.compared_texts import text_of_file

    profile = common.settings().parsing.profile
    place = common.index
    nowhere = isinstance(place, Path) and not (place / DATABASE).is_file()
    if nowhere and Path(old).is_file() and Path(new).is_file():
        return text_of_file(Path(old), profile), text_of_file(Path(new), profile)

    def side(name: str) -> "ComparedText":
        try:
            return assistant.compared(name, groups)
        except UsageError as error:
            if Path(name).is_file():
                return text_of_file(Path(name), profile)
            if isinstance(error, MissingError):
                raise MissingError(f"{name!r} is no file, and {error}") from error
            raise

    with common.open() as assistant:
        return side(old), side(new)


def summary(found: "VersionDiff", documents: "Sequence[ComparedText]") -> str:
    """The counts in one line."""
    from policy_rag.index.maintenance.compared_texts import counts

    old, new = (f"{d.doc_id}{f' v{d.version}' if d.version else ''}" for d in documents)
    return f"{old} -> {new}: " + ", ".join(f"{count} {kind}" for kind, count in counts(found).items() if count)


def _headline(change: "ClauseChange") -> str:
    kinds = " and ".join(kind.value for kind in change.kinds)
    places = [_name(clause) for clause in (change.old, change.new) if clause is not None]
    return f"{kinds}: {' -> '.join(dict.fromkeys(places))}"


def _name(clause: "Clause") -> str:
    return " ".join(part for part in (clause.number, clause.title) if part) or clause.section_id


def _words(change: "ClauseChange") -> "Text":
    from rich.text import Text

    from policy_rag.index.maintenance.version_diff import shortened

    line = Text("  ")
    for run in shortened(change.words, "..."):
        before, after, style = _STYLES[run.edit.value]
        line.append(f"{before}{run.text}{after} ", style=style)
    return line
