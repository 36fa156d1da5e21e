"""Files beside documents that look as if they said who may read them, and are not the `policies.yaml` that does."""

import difflib
import re
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import Final

from policy_rag_parsers.errors import DeclarationError, LoadError
from policy_rag_parsers.loaders import SUFFIXES
from policy_rag_parsers.loaders.access_keys import entries, means_access
from policy_rag_parsers.loaders.encoding import decode
from policy_rag_parsers.loaders.regular_files import read_regular

_ALIKE: Final = 0.8
_DATA: Final = (".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".conf", ".properties")
_ENDINGS: Final = frozenset({"", "yaml", "yml", "yamal", "ymal", "yalm", "json", "toml", "yaml.txt", "yml.txt"})
_YAML: Final = re.compile(r"ya?ml\b")
_LONGEST: Final = 1_000_000  # bytes of another file of data that are looked into


def require_no_stray(folder: Path, names: Collection[str], right: str) -> None:
    """Refuses a folder in which a file looks like a `policies.yaml` and is none, by its name or by what it says.

    The folder holds `names`; `right` is the name that is read.

    Raises:
        DeclarationError: naming the file.
    """
    documents = [name for name in names if Path(name).suffix.lower() in SUFFIXES and not name.startswith("~$")]
    for name in sorted(names):
        if name == right:
            continue
        path = folder / name
        if _is_called_alike(name, right, there=right in names) and not (
            path.is_dir() or _is_same(path, folder / right)
        ):
            raise DeclarationError(f"{path}: rename it to {right}; under this name it would not be read")
        if name.lower().endswith(_DATA) and _speaks_of_access(path, documents):
            raise DeclarationError(
                f"{path}: it says who may read a document beside it, and is not read: say so in {right}, or move it"
            )


def _is_called_alike(name: str, right: str, *, there: bool) -> bool:
    """Whether a name is the right one but for case, letters that look alike, a misspelling or its ending.

    Where the right one is `there`, another behind its ending makes a copy that was put aside.
    """
    shown = unicodedata.normalize("NFKC", name).casefold().strip().lstrip("._ ")
    shown = "".join(char for char in shown if unicodedata.category(char) != "Cf")
    begins, _, ending = shown.partition(".")
    stem = "".join(char for char in begins if char.isalpha())
    if (
        stem not in {"policy", "polices"}
        and difflib.SequenceMatcher(None, stem, right.partition(".")[0]).ratio() < _ALIKE
    ):
        return False
    return ending in _ENDINGS or (not there and _YAML.match(ending) is not None)


def _is_same(path: Path, right: Path) -> bool:
    """Whether the file system does not tell the two names apart."""
    try:
        return path.samefile(right)
    except OSError:
        return False


def _speaks_of_access(path: Path, documents: Collection[str]) -> bool:
    """Whether a file of data has a key for access, and names a document beside it or is named after one."""
    try:
        text = decode(read_regular(path, most=_LONGEST))
    except LoadError:
        return False
    if not any(means_access(key) for line in text.splitlines() for key, _ in entries(line[:1000])):
        return False
    stem = path.name.partition(".")[0]
    return any(name in text or stem == Path(name).stem for name in documents)
