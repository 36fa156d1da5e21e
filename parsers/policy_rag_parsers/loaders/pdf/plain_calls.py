"""Functions of pdfium that take and give addresses as numbers: these are called for each character and object.

So they are made as cheap as ctypes has them: an address is an argument of type `void *`, for which no object is made,
and a call keeps the interpreter's lock, since pdfium is for one thread at a time in any case.
"""

import ctypes
from typing import Any, Final

from numpy.typing import NDArray

ADDRESS: Final = ctypes.c_void_p
"""The type of an address; 0 is none."""


def plain(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of pdfium with these types of its result and its arguments."""
    number = ctypes.c_size_t if result is ADDRESS else result  # none comes back as 0, and not as None
    return ctypes.PYFUNCTYPE(number, *arguments)(address_of(function))


def address_of(handle: Any) -> int:
    """The address that a handle of pdfium holds."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def into(rows: NDArray[Any], column: int = 0) -> range:
    """The addresses of a column's values in the rows of an array of two dimensions, which must outlive their use."""
    start, step = rows.ctypes.data + rows.itemsize * column, rows.itemsize * rows.shape[1]
    return range(start, start + step * len(rows), step)
