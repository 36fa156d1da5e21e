"""Run and judgement files in TREC's format, so that anyone can check the figures with trec_eval or ir_measures.

The columns are those of https://github.com/usnistgov/trec_eval. A column may hold no blanks: in ids they are written as
in URLs. trec_eval leaves questions without hits out of its means unless it is called with `-c`; ir_measures
counts them 0, as we do.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from policy_rag_eval.errors import PolicyRagError
from policy_rag_eval.measures.measures import falling_scores
from policy_rag_eval.output_files import write_file

QRELS_FILE = "qrels.trec"
_HINT = "give another folder with --trec-out"


def trec_id(text: str) -> str:
    """An id without blanks.

    >>> trec_id("1|7.1.3.Guidance on risk")
    '1|7.1.3.Guidance%20on%20risk'
    """
    return "".join(_escaped(c) if c.isspace() or c in "\x1c\x1d\x1e\x1f" else c for c in text)


def _escaped(blank: str) -> str:
    return "".join(f"%{byte:02X}" for byte in blank.encode())


def run_file(name: str) -> str:
    """The file of a configuration: its name with everything but letters, digits, `.`, `_`, `=`, `+` and `-` as `_`.

    >>> run_file("search=or reranker=BAAI/bge-reranker-base")
    'search=or_reranker=BAAI_bge-reranker-base.run'
    """
    return re.sub(r"[^\w.=+-]+", "_", name) + ".run"


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Writes `question 0 label grade` lines, in the order given.

    Raises:
        PolicyRagError: the file cannot be written.
    """
    lines = [
        f"{trec_id(question)} 0 {trec_id(label)} {grade}\n"
        for question, grades in qrels.items()
        for label, grade in grades.items()
    ]
    write_file(path, "".join(lines), _HINT)


def write_run(path: Path, rankings: Mapping[str, Sequence[str]], name: str) -> None:
    """Writes `question Q0 label rank score name` lines: ranks from 1, scores strictly falling, repeats left out.

    Raises:
        PolicyRagError: the file cannot be written.
    """
    lines = [
        f"{trec_id(question)} Q0 {trec_id(label)} {rank} {score:.0f} {trec_id(name)}\n"
        for question, labels in rankings.items()
        for rank, (label, score) in enumerate(falling_scores(labels).items(), start=1)
    ]
    write_file(path, "".join(lines), _HINT)


def read_run(path: Path) -> dict[str, tuple[str, ...]]:
    """Reads `question Q0 label rank score name` lines: each question's labels, the highest score first.

    Equal scores keep the order of the lines. Ids are as they stand there, blanks written as in URLs; the mark that some
    editors begin a file with belongs to none.

    Raises:
        PolicyRagError: the file cannot be read, or a line is not of that form.
    """
    found: dict[str, list[tuple[float, str]]] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyRagError(f"{path} cannot be read as a run file ({error}): give another one") from error
    for number, line in enumerate(lines, start=1):
        columns = line.split()
        if not columns:
            continue
        try:
            question, _, label, _, score, *_ = columns
            found.setdefault(question, []).append((float(score), label))
        except ValueError as error:
            raise PolicyRagError(
                f"{path}, line {number}: write `question Q0 label rank score name`, six columns"
            ) from error
    return {
        question: tuple(dict.fromkeys(label for _, label in sorted(rows, key=lambda row: -row[0])))
        for question, rows in found.items()
    }
