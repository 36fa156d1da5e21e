"""How the command line ends: where its streams go, and what its exit status tells."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from policy_rag.cli import run

IMPORT = """
import sys
from policy_rag.cli import main

class Interrupting:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
main(["--help"])
"""


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "leave.md"
    made.write_text("# Leave – how much\n\n## 1. Amount\n\nThirty days.\n", encoding="utf-8")
    return str(made)


@pytest.mark.parametrize(
    ("closed", "arguments", "status"), [(">&-", [], 0), (">&-", ["--json"], 0), ("2>&-", ["--nonsense"], 2)]
)
def test_a_stream_that_is_closed_takes_what_is_printed(file, closed, arguments, status):
    call = shlex.join([sys.executable, "-m", "policy_rag", "sections", file, *arguments])
    done = subprocess.run(["sh", "-c", f"{call} {closed}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


def test_ctrl_c_while_modules_are_imported_is_told_in_a_line():
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr.startswith("error: interrupted; ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["sections"], ["sections", "--json"], ["sections", "--help"], ["--version"]])
def test_output_that_nobody_reads_ends_as_the_signal_for_it_does(file, arguments, monkeypatch, capsys):
    unread, written = os.pipe()
    os.close(unread)
    with os.fdopen(written, "w", encoding="utf-8") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        status = run([*arguments, *([file] if "sections" in arguments else [])])
        with Path(os.devnull).open("wb") as nothing:  # what is still in its buffer
            os.dup2(nothing.fileno(), written)
    assert (status, capsys.readouterr().err) == (141, "")


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_a_character_that_the_output_cannot_hold_is_told_with_what_to_set(file, arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert run(["sections", file, *arguments]) == 1
    said = capsys.readouterr().err
    assert "ascii, as the output is encoded, has no '–'" in said
    assert "PYTHONIOENCODING=utf-8" in said
