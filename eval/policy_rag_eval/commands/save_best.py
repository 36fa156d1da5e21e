"""Telling what `--save-best` wrote."""

from collections.abc import Sequence
from pathlib import Path

from policy_rag.cli.output import notice
from policy_rag.settings import SETTINGS_FILE, Settings


def save(settings: Settings, names: Sequence[str], index: Path) -> None:
    """Writes the winner's settings, and says what that means for the index that is there.

    `names` are those that it chose, `index` is the folder of the index that is used.
    """
    from policy_rag_eval.sweep.save_best import index_mismatch, save_settings

    if not names:
        notice("nothing to save: these are the settings as they stand")
        return
    saved = save_settings(Path(SETTINGS_FILE), settings, names)
    told = ", ".join(f"{name} = {value}" for name, value in saved.written.items())
    removed = f"; taken out: {', '.join(saved.removed)}" if saved.removed else ""
    kept = f"; as before: {', '.join(saved.kept)}" if saved.kept else ""
    notice(f"{saved.file} now says {told}{removed}{kept}: ingest and ask use it in this folder")
    for variable in saved.overruled:
        notice(f"the environment variable {variable} wins over {saved.file}: unset it")
    other = index_mismatch(index, settings)
    if other:
        notice(other)
