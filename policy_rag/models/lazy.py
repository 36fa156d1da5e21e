"""Models that are described at once and loaded late: copies and pickles carry the description alone."""

from typing import Any


class LoadedLate:
    """A model whose loaded parts `_unload` sets to what they are before the first use.

    So it can be sent to another process, which loads it for itself, and be a part of what others copy and pickle.
    """

    def _unload(self) -> None:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        blank = object.__new__(type(self))
        blank._unload()
        return {name: value for name, value in vars(self).items() if name not in vars(blank)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._unload()
