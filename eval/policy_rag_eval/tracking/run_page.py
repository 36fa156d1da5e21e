"""The decision page of a run in MLflow: an artifact of the run, and its headline as the run's description."""

import tempfile
from dataclasses import replace
from pathlib import Path

from policy_rag.errors import UsageError
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.tracking.stores import Store, near_run, open_client, wrapped
from policy_rag_eval.tracking.writer import PARENT, Kept

PAGE = "decision.html"
DESCRIPTION = "mlflow.note.content"


def keep_page(kept: Kept, headline: str, page: str) -> Kept:
    """Writes a page into the run that was kept; a store that fails is told, and costs nothing else.

    The page is HTML; its headline becomes the run's description.

    Returns:
        The same, with a notice more where the page could not be written.
    """
    if kept.run_id is None or kept.store is None:
        return kept
    try:
        with wrapped(kept.store), tempfile.TemporaryDirectory() as folder:
            client = open_client(kept.store)
            file = Path(folder) / PAGE
            file.write_text(page, encoding="utf-8")
            client.log_artifact(kept.run_id, str(file))
            client.set_tag(kept.run_id, DESCRIPTION, headline)
    except TrackingError as error:
        return replace(kept, notices=(*kept.notices, str(error)))
    return kept


def kept_page(store: Store, name: str | None = None) -> tuple[str, str, str]:
    """The page of a run by the run's id or name, the newest of that name; without a name the newest of all.

    Returns:
        The run's id, its name, and the page as HTML.

    Raises:
        UsageError: there is no run of that name with a page.
        TrackingError: the store cannot be read.
    """
    with wrapped(store), tempfile.TemporaryDirectory() as folder:
        client = open_client(store)
        experiments = [one.experiment_id for one in client.search_experiments()]
        order = ["attributes.start_time DESC"]
        names = []
        for run in client.search_runs(experiments, "", max_results=1000, order_by=order):
            parent = run.data.tags.get(PARENT)
            if name is None and parent is not None:
                continue
            if name is not None and name not in (run.info.run_id, run.info.run_name):
                names.append(str(run.info.run_name))
                continue
            home = next(
                (
                    run_id
                    for run_id in (run.info.run_id, parent)
                    if run_id and any(one.path == PAGE for one in client.list_artifacts(run_id))
                ),
                None,
            )
            if home is not None:
                file = Path(client.download_artifacts(home, PAGE, folder))
                return home, str(run.info.run_name), file.read_text(encoding="utf-8")
    if name is None:
        raise UsageError(f"{store.shown} holds no evaluation with a page yet: run `policy-rag eval retrieval DATASET`")
    raise UsageError(f"there is no run {name} with a page in {store.shown}: {near_run(name, names)}")
