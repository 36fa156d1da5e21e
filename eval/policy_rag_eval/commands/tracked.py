"""Telling what was kept in MLflow, and writing pictures where they are asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.cli.output import notice
from policy_rag.errors import PolicyRagError

if TYPE_CHECKING:
    from policy_rag_eval.tracking import Kept


def tell_kept(kept: "Kept", index: Path) -> None:
    """Says where figures are, and how to look at them; they are shown already, so a store that fails costs nothing."""
    for told in kept.notices:
        notice(told)
    if kept.run_id is not None:
        here = f" --index {index}" if index != Path(".policy_rag") else ""
        notice(f"kept in MLflow as run {kept.run_id}: `policy-rag ui{here}` shows it")


def write_picture(file: Path, image: bytes) -> None:
    """Writes a picture where a user asked for it, its folder too.

    Raises:
        PolicyRagError: it cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(image)
    except OSError as error:
        raise PolicyRagError(f"{file} cannot be written ({error}): give another place") from error
