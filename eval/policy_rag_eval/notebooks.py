"""Runs notebooks from the top and keeps their outputs: `python -m policy_rag_eval.notebooks FOLDER|FILE...`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_TIMEOUT_S = 600


def execute(path: Path, *, folder: Path) -> Any:
    """Runs a notebook in a fresh kernel; answers it with its outputs.

    `folder` is the working folder of the kernel.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails; its message holds the traceback.
    """
    from nbclient.exceptions import DeadKernelError

    try:
        return _run(path, folder)
    except DeadKernelError:  # its process was killed, by a machine short of memory say: once that may be chance
        return _run(path, folder)


def _run(path: Path, folder: Path) -> Any:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # One stream output a cell: in how many pieces a kernel sends its text hangs on the machine's pace.
    NotebookClient(
        notebook,
        timeout=_TIMEOUT_S,
        kernel_name="python3",
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return notebook


def without_run_marks(notebook: Any) -> Any:
    """Drops what differs from run to run: times, kernel details, plain twins of HTML, notices on standard error.

    A notice such as that of a model that is made ready comes once on a machine, and is nothing to keep.
    """
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "outputs" in cell:
            cell.outputs = [one for one in cell.outputs if one.get("name") != "stderr"]
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", {}):  # the plain form of an answer holds its milliseconds
                output["data"].pop("text/plain", None)
    return notebook


def main(arguments: Sequence[str]) -> int:
    """Runs the notebooks that are named, or all of the folders that are, in place; 2 where one names none."""
    import nbformat

    found: list[Path] = []
    for named in map(Path, arguments or ("notebooks",)):
        paths = [named] if named.is_file() and named.suffix == ".ipynb" else sorted(named.glob("*.ipynb"))
        if not paths:
            sys.stderr.write(f"error: {named} is no notebook and no folder of some: name a .ipynb file or its folder\n")
            return 2
        found += paths
    for path in found:
        sys.stderr.write(f"{path}\n")
        nbformat.write(without_run_marks(execute(path, folder=path.parent)), path)  # type: ignore[no-untyped-call]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
