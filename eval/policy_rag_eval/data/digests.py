"""What names contents: of files, and of the code that gave a result."""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path


def digest_of(paths: Sequence[Path], root: Path) -> str:
    """sha256 over the names (relative to `root`) and contents of files, in the order of `paths`."""
    total = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(root).as_posix()}\0{content}\n".encode())
    return total.hexdigest()


@cache
def code_digest(*modules: str) -> str:
    """sha256 over Python sources: after a change to them a result is computed again. Read once in a process.

    Modules are named; packages count with all that is under them.
    """
    total = hashlib.sha256()
    for name in modules:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(name)
        path = Path(spec.origin)
        files = sorted(path.parent.rglob("*.py")) if spec.submodule_search_locations else [path]
        total.update(digest_of(files, path.parent).encode())
    return total.hexdigest()
