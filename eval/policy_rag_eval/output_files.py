"""Files that are written where a user names them."""

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
