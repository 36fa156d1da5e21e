"""Answered calls on disk: each is committed before the next one is sent, so that stopping loses none."""

from pathlib import Path


class ReplyCache:
    """Replies by what was asked: the hash of the text, of the template, the model and its settings.

    Use it as a context manager, or call `close`. Several threads may share one.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the SQLite file at `path`; its folder must be there.

        Raises:
            MetadataError: the file is no cache, or cannot be written.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError
