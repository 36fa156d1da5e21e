"""Refuses two public classes of one name in the code: a name says which thing is meant."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path


def repeated(root: Path) -> list[str]:
    """Names that several classes have, with the files of these."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=root, capture_output=True, text=True, check=True)
    homes: dict[str, list[str]] = defaultdict(list)
    for name in listed.stdout.splitlines():
        if name.startswith("tests/") or not (root / name).is_file():
            continue
        for node in ast.parse((root / name).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    return [f"class {name} is in {' and in '.join(files)}" for name, files in homes.items() if len(files) > 1]


if __name__ == "__main__":
    found = repeated(Path(__file__).resolve().parents[2])
    sys.stderr.writelines(line + "\n" for line in found)
    sys.exit(1 if found else 0)
