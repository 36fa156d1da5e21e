"""Functions of pdfium that take and give addresses as numbers: these are called for each character and object."""

import ctypes
from typing import Any, Final

from numpy.typing import NDArray

ADDRESS: Final = ctypes.c_size_t
"""The type of an address; 0 is none."""


def plain(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of pdfium with these types of its result and its arguments."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def address_of(handle: Any) -> int:
    """The address that a handle of pdfium holds."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def into(rows: NDArray[Any], column: int = 0) -> range:
    """The addresses of a column's values in the rows of an array of two dimensions, which must outlive their use."""
    start, step = rows.ctypes.data + rows.itemsize * column, rows.itemsize * rows.shape[1]
    return range(start, start + step * len(rows), step)
