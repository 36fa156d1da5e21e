"""The notebooks run from the top, and the outputs that are kept are theirs."""

import ast
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from policy_rag_eval.notebooks import execute, main, without_run_marks

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def texts(notebook):
    """What a reader sees of the outputs, cell by cell, without what differs from run to run."""
    seen = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            seen.append(output.get("text") or data.get("text/html") or data.get("text/plain") or "")
    return seen


DECIMAL = re.compile(r"\d+\.\d+")


def assert_same(seen, kept):
    """The same words and whole numbers; decimals to what rounding on another processor moves."""
    assert [DECIMAL.sub("#", one) for one in seen] == [DECIMAL.sub("#", one) for one in kept]
    for one, other in zip(seen, kept, strict=True):
        decimals = [[float(number) for number in DECIMAL.findall(text)] for text in (one, other)]
        assert decimals[0] == pytest.approx(decimals[1], abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_notebook_runs_and_gives_the_outputs_that_are_kept(path, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # its databases wait for no disk either
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    (tmp_path / "eval").symlink_to(ROOT / "eval")
    kept = nbformat.read(path, as_version=4)
    assert any(cell.get("outputs") for cell in kept.cells), "run `make notebooks`"
    again = without_run_marks(execute(tmp_path / "notebooks" / path.name, folder=tmp_path / "notebooks"))
    assert_same(texts(again), texts(kept))


PUBLIC = {"policy_rag", "policy_rag_eval", "policy_rag.integrations.llama_index.document_reader"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_needs_nothing_but_what_is_public(path):
    code = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    imported = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module)
        elif isinstance(node, ast.Import):
            imported |= {one.name for one in node.names}
    assert "policy_rag" in imported
    assert {name for name in imported if name.startswith("policy_rag")} <= PUBLIC


def test_a_kernel_that_is_killed_once_is_started_again(tmp_path):
    code = "from pathlib import Path\nimport os, signal\nif not Path('seen').exists():\n    Path('seen').touch()\n    os.kill(os.getpid(), signal.SIGKILL)\nprint('here')"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, tmp_path / "n.ipynb")
    assert execute(tmp_path / "n.ipynb", folder=tmp_path).cells[0].outputs[0]["text"] == "here\n"


def test_a_folder_and_a_file_are_run_in_place_and_what_is_neither_is_refused(tmp_path, capfd):
    for name in ("a.ipynb", "b.ipynb"):
        cell = nbformat.v4.new_code_cell("from pathlib import Path\nprint(Path.cwd().name)")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / name)
    (tmp_path / "empty").mkdir()
    assert main([str(tmp_path / "a.ipynb"), str(tmp_path / "empty")]) == 2
    assert "empty is no notebook and no folder of some" in capfd.readouterr().err
    assert nbformat.read(tmp_path / "a.ipynb", as_version=4).cells[0].outputs == [], "nothing was run"
    assert main([str(tmp_path / "a.ipynb")]) == 0
    assert nbformat.read(tmp_path / "a.ipynb", as_version=4).cells[0].outputs[0]["text"] == f"{tmp_path.name}\n"
    assert nbformat.read(tmp_path / "b.ipynb", as_version=4).cells[0].outputs == []


def test_notices_on_standard_error_are_not_kept():
    """What a machine says the first time (a model is made ready) or of its own paths is no output of a notebook."""
    streams = [nbformat.v4.new_output("stream", name=name, text="said\n") for name in ("stderr", "stdout")]
    cells = [nbformat.v4.new_markdown_cell("text"), nbformat.v4.new_code_cell("x", outputs=streams)]
    kept = without_run_marks(nbformat.v4.new_notebook(cells=cells))
    assert [one.name for one in kept.cells[1].outputs] == ["stdout"]
