"""TREC files: what is in them, and that ir_measures' own command line reads the same figures from them."""

import subprocess
import sys
from pathlib import Path

import pytest

from policy_rag_eval.errors import PolicyRagError
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, score
from policy_rag_eval.measures.trec import QRELS_FILE, run_file, trec_id, write_qrels, write_run

NATIVE = {
    "hit_rate@5": "Success@5",
    "mrr@10": "RR@10",
    "precision@5": "P@5",
    "recall@10": "R@10",
    "ap@10": "AP@10",
    "ndcg@10": "nDCG@10",
}

QRELS = {
    "q 1": {"1|7.1.3.Guidance on risk": 1, "b": 1},
    "q2": {"c": 2, "d": 1, "e\u00a0f": 1},
    "nothing found": {"a": 1},
    "q4": {"z": 1},
}
RUN = {
    "q 1": ("x", "1|7.1.3.Guidance on risk", "x", "y", "b"),
    "q2": ("d", "e\u00a0f", "file name.md:10-20", "c"),
    "nothing found": (),
    "q4": (*(f"n{i}" for i in range(10)), "z"),  # rank 11: beyond every cut-off
}


def test_the_lines(tmp_path: Path) -> None:
    write_qrels(tmp_path / QRELS_FILE, {"q 1": {"a b": 1, "c": 2}})
    write_run(tmp_path / "x.run", {"q 1": ["c", "a b", "c"]}, "my run")
    assert (tmp_path / QRELS_FILE).read_text() == "q%201 0 a%20b 1\nq%201 0 c 2\n"
    assert (tmp_path / "x.run").read_text() == "q%201 Q0 c 1 2 my%20run\nq%201 Q0 a%20b 2 1 my%20run\n"


def test_every_blank_that_a_reader_splits_at_is_written_otherwise() -> None:
    for blank in (" ", "\t", "\u00a0", "\u2003", "\u2028", "\x1c", "\x85"):
        assert len(trec_id(f"a{blank}b").split()) == 1
        assert trec_id(f"a{blank}b") != "ab"
    assert trec_id("§4.2(b)") == "§4.2(b)"


def test_a_configuration_s_name_becomes_a_plain_file_name() -> None:
    assert run_file("a/../b c") == "a_.._b_c.run"
    assert "/" not in run_file("../../etc/passwd")


def test_ir_measures_command_line_reads_the_same_figures(tmp_path: Path) -> None:
    write_qrels(tmp_path / QRELS_FILE, QRELS)
    write_run(tmp_path / "r.run", RUN, "r")
    command = [sys.executable, "-W", "ignore", "-m", "ir_measures", str(tmp_path / QRELS_FILE), str(tmp_path / "r.run")]
    done = subprocess.run([*command, *NATIVE.values()], capture_output=True, text=True, check=True)
    theirs = dict(line.split("\t") for line in done.stdout.splitlines())
    ours = score(QRELS, RUN)
    # By hand: questions 1 and 2 have a hit among their first five, of four questions.
    assert theirs["Success@5"] == "0.5000"
    for measure in DEFAULT_MEASURES:
        assert f"{ours.mean(measure):.4f}" == theirs[NATIVE[str(measure)]], measure


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PolicyRagError, match="--trec-out"):
        write_run(tmp_path / "file" / "x.run", {}, "x")
