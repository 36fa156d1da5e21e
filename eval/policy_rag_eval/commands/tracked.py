"""Telling what was kept in MLflow."""

from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.cli.output import notice

if TYPE_CHECKING:
    from policy_rag_eval.tracking import Kept


LOCAL_UI = "http://127.0.0.1:5000"
"""Where `policy-rag ui` shows what is kept beside an index, unless it is given another port."""


def tell_kept(kept: "Kept", index: Path) -> None:
    """Says where figures are, and how to look at them; they are shown already, so a store that fails costs nothing."""
    for told in kept.notices:
        notice(told)
    if kept.run_id is not None:
        page = f"#/experiments/{kept.experiment_id}/runs/{kept.run_id}"
        if kept.store is not None and kept.store.is_server:
            notice(f"kept in MLflow as run {kept.run_id}: {kept.store.shown.rstrip('/')}/{page}")
            return
        here = f" --index {index}" if index != Path(".policy_rag") else ""
        notice(f"kept in MLflow as run {kept.run_id}: `policy-rag ui{here}` shows it at {LOCAL_UI}/{page}")
