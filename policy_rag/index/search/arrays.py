"""Arrays in files, read in one thread at a time."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

# NumPy reads a file's head with `ast.literal_eval`. In CPython 3.11 threads that do so at once can end in "SystemError:
# AST constructor recursion depth mismatch" (python/cpython#106905).
_READING = threading.Lock()


def load_array(file: Path, *, mapped: bool = True) -> NDArray[Any]:
    """The array of an `.npy` file.

    Args:
        file: which holds no Python objects.
        mapped: whether it is mapped into memory rather than read.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such file.
    """
    with _READING:
        found = np.load(file, mmap_mode="r" if mapped else None, allow_pickle=False)
    # A plain array over the map: slicing a memmap, or reading an item, makes a new memmap each time.
    return np.asarray(found)
