"""Files that are written where a user names them, or whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from policy_rag_eval.errors import PolicyRagError


def write_file(path: Path, text: str, hint: str = "give another place") -> None:
    """Writes a text in UTF-8, its folder too.

    `hint` is what to do where it cannot be written.

    Raises:
        PolicyRagError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise PolicyRagError(f"{path} cannot be written ({error.strerror}): {hint}") from error


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A file beside `path` to write, renamed to it at the end: that is there with all that it says, or as it was.

    Raises:
        OSError: what writing or renaming raises; nothing of it is then left beside.
    """
    beside = path.with_name(f".{path.name}.writing")
    try:
        yield beside
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
