"""`policy-rag conflicts`: where documents in force contradict each other."""

from policy_rag.answering.presentation.readable import readable_line
from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json
from policy_rag.records.conflict import Conflict
from policy_rag.records.locations import place


def conflicts(
    where: opt.WhereOption = None,
    groups: opt.GroupsOption = None,
    as_of: opt.AsOfOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """List statements of two documents that contradict each other.

    They differ in a figure, or one permits what the other forbids, on the same matter.
    """
    with common.open() as assistant:
        found = assistant.conflicts(where=where or (), groups=groups or (), as_of=as_of)
    if common.json:
        for one in found:
            print_json(one, one_line=True)
        return
    for one in found:
        print_conflict(one)
    many = "1 conflict" if len(found) == 1 else f"{len(found)} conflicts"
    console().print(f"{many}: read both places, a difference may be meant" if found else "no conflict was found")


def print_conflict(found: Conflict) -> None:
    """A conflict as people read it: what it is, then both statements with their places."""
    out = console()
    out.print(f"{found.kind.value}: {found.reason}", style="bold")
    for citation in found.citations:
        out.print(f"  [{citation.n}] {place(citation)}", style="cyan")
        out.print(f'      "{readable_line(citation.quote, citation.file)}"')
    out.print()
