"""`policy-rag verify`: the index against its own hashes."""

from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json

if TYPE_CHECKING:
    from policy_rag.index.maintenance.checks import IndexProblem
    from policy_rag.index.maintenance.verify import Verification
    from policy_rag.index.store.place import IndexPlace


def verify(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended, and say what cannot.")] = False,
    groups: opt.GroupsOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Check the index against its own hashes. Exit status 1 while something is wrong."""
    with common.open() as assistant:
        found = assistant.verify(repair=repair, groups=groups or ())
    if common.json:
        print_json(found)
    else:
        out = console()
        for problem in found.problems:
            out.print(_line(problem))
        out.print(summary(found, common.index))
    if not found.ok:
        raise typer.Exit(1)


def _line(problem: "IndexProblem") -> str:
    where = f"{problem.doc_id}: " if problem.doc_id else ""
    state = "repaired" if problem.repaired else "wrong"
    return f"{state}: {where}{problem.message}" + (f": {problem.remedy}" if problem.remedy else "")


def summary(found: "Verification", index: "IndexPlace") -> str:
    """The result in one line."""
    spare = f" ({found.spare_vectors} kept for an ingest that was broken off)" if found.spare_vectors else ""
    open_problems = sum(not problem.repaired for problem in found.problems)
    state = "all is well" if found.ok else f"{open_problems} problems"
    return f"{index}: {found.documents} documents and {found.vectors} vectors{spare} checked, {state}"
