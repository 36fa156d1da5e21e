"""The data set as an input of runs, so that MLflow shows which runs used which."""

import json
from collections.abc import Callable

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.tracking.evaluation_datasets import SOURCE, keep_questions
from policy_rag_eval.tracking.run_record import RunPlace


def dataset_input(dataset: Dataset, context: str, *, texts: bool) -> Callable[[RunPlace], None]:
    """What notes on a run, and on others of its experiment, that it used a data set.

    Its questions are kept as an evaluation dataset, once, where their words may be.

    `context` is for what it was used, `texts` whether words of questions may be kept.
    """
    kept: dict[tuple[str, str], str | None] = {}

    def note(place: RunPlace) -> None:
        from mlflow.entities import Dataset as LoggedDataset
        from mlflow.entities import DatasetInput, InputTag

        where = (place.store.uri, place.experiment_id)
        if texts and where not in kept:
            kept[where] = keep_questions(place.client, place.experiment_id, dataset)
        dataset_id = kept.get(where)
        source = {"dataset_id": dataset_id} if dataset_id else {"uri": str(dataset.folder)}
        counts = {
            "documents": len(dataset.documents),
            "questions": len(dataset.questions),
            "scored": len(dataset.scored),
            "gold_passages": len(dataset.passages),
        }
        logged = LoggedDataset(
            name=dataset.label,
            digest=dataset.digest[:32],
            source_type=SOURCE if dataset_id else "local",
            source=json.dumps(source),
            profile=json.dumps(counts),
        )
        place.client.log_inputs(place.run_id, [DatasetInput(logged, [InputTag("mlflow.data.context", context)])])

    return note
