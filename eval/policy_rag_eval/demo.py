"""`make demo`: the sample company's policies, taken in and asked, with the commands that anyone can run."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from policy_rag.cli import run
from policy_rag_eval.data.dataset import find_dataset

SAMPLE = "brannholt"
INDEX = Path(".demo")
DAY = "2026-09-01"  # the sample company's today

QUESTIONS = (
    "How many days of annual leave do I get, and can I carry some over into next year?",
    "What does 4.2(b) of the expenses and travel policy say?",
    "Who has to approve an AI system before it is used on personal data?",
    "Wie viele Stunden darf ich am Tag höchstens arbeiten?",
    "Can I bring my dog to the office?",
)


def main() -> int:
    """Runs the demo; answers the exit status of the first command that fails, else 0."""
    documents = find_dataset(SAMPLE) / "documents"
    status = _run(["ingest", str(_relative(documents)), "--index", str(INDEX)])
    for question in QUESTIONS:
        status = status or _run(["ask", question, "--index", str(INDEX), "--as-of", DAY])
    return status


def _run(arguments: Sequence[str]) -> int:
    sys.stdout.write(f"\n$ policy-rag {shlex.join(arguments)}\n")
    sys.stdout.flush()
    return run(arguments)


def _relative(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


if __name__ == "__main__":
    sys.exit(main())
