"""Refuses a Python file above 600 lines: one concept a file."""

import subprocess
import sys
from pathlib import Path

LIMIT = 600


def too_long(root: Path) -> list[str]:
    """The tracked Python files above the limit, with their lengths."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=root, capture_output=True, text=True, check=True)
    lengths = {
        name: len((root / name).read_text(encoding="utf-8").splitlines())
        for name in listed.stdout.splitlines()
        if (root / name).is_file()
    }
    return [f"{name}: {length} lines, the limit is {LIMIT}" for name, length in lengths.items() if length > LIMIT]


if __name__ == "__main__":
    found = too_long(Path(__file__).resolve().parents[2])
    sys.stderr.writelines(line + "\n" for line in found)
    sys.exit(1 if found else 0)
