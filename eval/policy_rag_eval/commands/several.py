"""What people read of several configurations that are compared by one figure."""

from typing import TYPE_CHECKING

from policy_rag.cli.output import console

if TYPE_CHECKING:
    from policy_rag_eval.sweep.several import Several


def show_several(found: "Several") -> None:
    """A row a configuration, best first, then the verdicts."""
    from rich import box
    from rich.table import Table

    out = console()
    out.print(f"\n{len(found.means)} configurations, {found.questions} questions", markup=False)
    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    table.add_column("configuration", overflow="fold")
    table.add_column(found.measure, justify="right", no_wrap=True)
    for name, mean in found.means.items():
        table.add_row(name, f"{mean:.3f}")
    out.print(table)
    for line in found.verdicts:
        out.print(line, markup=False)
