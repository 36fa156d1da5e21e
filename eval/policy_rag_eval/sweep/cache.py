"""What a sweep computed, kept in files by a digest of all that went in, so that nothing is computed twice.

Everything lies under the evaluations' folder and may be deleted at any time: it is then computed again. A file is
written beside and renamed, so that it is there whole or not at all; one that cannot be read counts as missing.
"""

import hashlib
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.whole_files import written_whole
from policy_rag_eval.errors import SweepCacheError

FOLDER = "cache"


def digest(*parts: Any) -> str:
    """32 hexadecimal digits that name values which JSON can write; equal values have equal names.

    >>> digest("a", {"x": 1, "y": 2}) == digest("a", {"y": 2, "x": 1})
    True
    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    written = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.blake2b(written.encode(), digest_size=16).hexdigest()


def read_cached(folder: Path, key: str) -> Any:
    """What `write_json` wrote under a key, or None."""
    try:
        return json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def write_json(folder: Path, key: str, value: Any) -> None:
    """Keeps a value under a key.

    Raises:
        SweepCacheError: the disk is full or cannot be written.
    """
    _write(folder / f"{key}.json", lambda path: path.write_text(json.dumps(value), encoding="utf-8"))


class ModelOutputs:
    """What one model computed: a row of numbers an input, with the milliseconds that it took.

    Args:
        folder: of this model and of how it runs; read whole when this is made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: dict[str, NDArray[Any]] = {}
        self._ms: dict[str, float] = {}
        for file in sorted(folder.glob("*.npz")):
            try:
                with file.open("rb") as opened, np.load(opened, allow_pickle=False) as held:
                    self._remember(held["keys"].tolist(), held["rows"], float(held["ms"]))
            except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
                continue

    def __contains__(self, key: str) -> bool:
        return key in self._rows

    def __getitem__(self, key: str) -> NDArray[Any]:
        """The row of an input.

        Raises:
            KeyError: it is not kept.
        """
        return self._rows[key]

    def ms(self, key: str) -> float:
        """Milliseconds that an input took; 0 where it is not kept."""
        return self._ms.get(key, 0.0)

    def add(self, keys: Sequence[str], rows: NDArray[Any], ms: float) -> None:
        """Keeps rows that were computed together.

        Args:
            keys: of the inputs, see `digest`.
            rows: a row a key.
            ms: milliseconds that each took.

        Raises:
            SweepCacheError: the disk is full or cannot be written.
        """

        def save(path: Path) -> None:
            with path.open("wb") as file:
                np.savez(file, keys=np.array(keys), rows=rows, ms=np.float64(ms))

        _write(self._folder / f"{digest(*keys)}.npz", save)
        self._remember(keys, rows, ms)

    def _remember(self, keys: Sequence[str], rows: NDArray[Any], ms: float) -> None:
        self._rows |= zip(keys, rows, strict=True)
        self._ms |= dict.fromkeys(keys, ms)


def _write(path: Path, save: Any) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as beside:
            save(beside)
    except OSError as error:
        raise SweepCacheError(
            f"what the sweep computed cannot be kept in {path.parent} ({error}): what was there stays; free some disk "
            "space or choose another folder with --index, then run this again: it goes on where it stopped"
        ) from error
