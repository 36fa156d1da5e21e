"""Question sets as MLflow's evaluation datasets: they are seen there, and `mlflow.genai.evaluate` and we read them."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag_eval.data.dataset import Dataset, GoldPassage, Question
from policy_rag_eval.data.dataset_reader import read_dataset, records_dataset, records_text
from policy_rag_eval.data.expectations import CONTEXT, QUESTION_ID, expectations
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.tracking.stores import open_client, reading_store, wrapped
from policy_rag_eval.tracking.writer import DIGEST
from policy_rag_parsers.text.near_names import did_you_mean

if TYPE_CHECKING:
    from mlflow import MlflowClient

SOURCE = "mlflow_evaluation_dataset"
IN_MLFLOW = "mlflow:"
"""Begins the name of an evaluation dataset that is read from MLflow's store."""
FOLDER = "dataset.folder"
"""Tag of an evaluation dataset: the folder of the data set, where its documents lie."""


def read_named(name: str | Path, index: Path) -> Dataset:
    """A data set as `read_dataset` reads it, or `mlflow:NAME`, an evaluation dataset.

    That is read from the store that `MLFLOW_TRACKING_URI` names, else from the one beside the index. Its documents are
    those of the data set that was kept, where that still lies where it lay; else its gold passages alone are searched.

    Raises:
        DatasetError: there is none, or it does not fit together.
        UsageError: nothing is kept beside the index.
        TrackingError: the store cannot be read.
    """
    if not str(name).startswith(IN_MLFLOW):
        return read_dataset(name)
    wanted, (store, _) = str(name).removeprefix(IN_MLFLOW), reading_store(index)
    client = open_client(store)
    with wrapped(store):
        found = _named(client, wanted)
        if found is None:
            there = sorted(str(one.name) for one in client.search_datasets())
            hint = did_you_mean(wanted, there, otherwise=f"there are {', '.join(there) or 'none'}")
            raise DatasetError(f"the MLflow store {store.shown} holds no evaluation dataset {wanted!r}: {hint}")
        rows = _rows(client, str(found.dataset_id))
    folder = (found.tags or {}).get(FOLDER)
    return records_dataset(rows, wanted, Path(folder) if folder and Path(folder).is_dir() else None)


def records(dataset: Dataset) -> list[dict[str, Any]]:
    """A record a question: `inputs` as `PolicyAssistant.ask` takes them, and `expectations`.

    The answer that is expected is the gold passages' text; where they stand is the context that is expected. MLflow
    keeps one record of those with equal inputs: questions that ask the same have their id among them.
    """
    passages: dict[str, list[GoldPassage]] = {}
    for passage in dataset.passages:
        passages.setdefault(passage.gold_id, []).append(passage)
    given = [_inputs(question) for question in dataset.questions]
    asked = Counter(map(_as_key, given))
    return [
        {
            "inputs": {**inputs, QUESTION_ID: question.question_id} if asked[_as_key(inputs)] > 1 else inputs,
            "expectations": _expected(dataset, question, passages),
            "tags": _tags(question),
        }
        for question, inputs in zip(dataset.questions, given, strict=True)
    ]


def _as_key(inputs: Mapping[str, Any]) -> str:
    return json.dumps(inputs, sort_keys=True)


def _inputs(question: Question) -> dict[str, Any]:
    where = list(question.request().where)
    given = {
        "where": where,
        "groups": list(question.groups),
        "as_of": question.as_of.isoformat() if question.as_of else None,
    }
    return {"question": question.text, **{name: value for name, value in given.items() if value}}


def _expected(dataset: Dataset, question: Question, passages: Mapping[str, Sequence[GoldPassage]]) -> dict[str, Any]:
    known = expectations(dataset.reference(question), question.answers, question.answerable)
    gold = [
        {"content": passage.text, "doc_uri": passage.file, "gold_id": gold_id, "grade": grade, **_place(passage)}
        for gold_id, grade in dataset.qrels.get(question.question_id, {}).items()
        for passage in passages.get(gold_id, ())
    ]
    return {**known, CONTEXT: gold} if gold else known


def _place(passage: GoldPassage) -> dict[str, Any]:
    place = {"title": passage.title, "doc_id": passage.doc_id, "start": passage.start, "end": passage.end}
    known = {name: value for name, value in place.items() if value not in (None, "")}
    # Without a word of its place it would be looked for, and may stand in its file twice.
    return known if passage.placed or passage.file is None else {**known, "start": None, "end": None}


def _tags(question: Question) -> dict[str, str]:
    return {QUESTION_ID: question.question_id, **({"type": question.kind} if question.kind else {})}


def keep_questions(client: "MlflowClient", experiment_id: str, dataset: Dataset) -> str | None:
    """The id of the evaluation dataset that holds these questions, made where there is none.

    It has the data set's name, a part's with how many of the questions, and belongs to every experiment that it was
    used in. Where questions or gold have changed, another one is made, with the beginning of a digest in its name: what
    older runs used stays.

    Returns:
        None where the store keeps no evaluation datasets, as one in files does.
    """
    rows = records(dataset)
    tags = {DIGEST: hashlib.sha256(records_text(rows).encode()).hexdigest()}
    if dataset.documents:
        tags[FOLDER] = str(dataset.folder.resolve())
    return _where_it_can(lambda: _kept(client, experiment_id, dataset.label, tags, rows))


def send_questions(here: "MlflowClient", there: "MlflowClient", dataset_id: str, experiment_id: str) -> str | None:
    """Copies an evaluation dataset to another store; its id there, or None where that keeps none.

    `experiment_id` is of the experiment there that uses it.
    """
    known = here.get_dataset(dataset_id)
    rows, tags = _rows(here, dataset_id), known.tags or {}
    kept = {name: str(tags[name]) for name in (DIGEST, FOLDER) if name in tags}
    wanted = known.name.removesuffix(f" {kept[DIGEST][:8]}")
    return _where_it_can(lambda: _kept(there, experiment_id, wanted, kept, rows))


def _named(client: "MlflowClient", name: str) -> Any:
    """The evaluation dataset of a name, or None."""
    quote = "'" if '"' in name else '"'
    found = client.search_datasets(filter_string=f"name = {quote}{name}{quote}", max_results=1)
    return found[0] if found else None


def _rows(client: "MlflowClient", dataset_id: str) -> list[dict[str, Any]]:
    """The records of an evaluation dataset, those of a store that is not the process's own too."""
    from mlflow.tracking._tracking_service.utils import _get_store

    store = _get_store(client.tracking_uri)  # type: ignore[no-untyped-call]
    found, _ = store._load_dataset_records(dataset_id, max_results=None)  # noqa: SLF001
    return [{"inputs": row.inputs, "expectations": row.expectations, "tags": row.tags} for row in found]


def _where_it_can(keep: Callable[[], str]) -> str | None:
    from mlflow.exceptions import MlflowException

    try:
        return keep()
    except NotImplementedError:
        return None
    except MlflowException as error:
        if error.error_code in {"FEATURE_DISABLED", "NOT_IMPLEMENTED", "ENDPOINT_NOT_FOUND"}:
            return None
        raise


def _kept(
    client: "MlflowClient",
    experiment_id: str,
    wanted: str,
    tags: Mapping[str, str],
    rows: Sequence[Mapping[str, Any]],
) -> str:
    """The id of the dataset of that name with that digest, else with the digest in its name, filled where it is new."""
    from mlflow.tracking._tracking_service.utils import _get_store

    dataset_id, own = "", tags[DIGEST]
    for name in (wanted, f"{wanted} {own[:8]}"):
        found = _named(client, name)
        known = found or client.create_dataset(name, [experiment_id])
        dataset_id, digest = str(known.dataset_id), (known.tags or {}).get(DIGEST)
        if digest not in {None, own}:
            continue
        if digest is None:  # new, or broken off
            # MLflow's own call writes to the process's default store, whichever the client is of.
            store = _get_store(client.tracking_uri)  # type: ignore[no-untyped-call]
            store.upsert_dataset_records(dataset_id=known.dataset_id, records=[dict(row) for row in rows])
            client.set_dataset_tags(known.dataset_id, dict(tags))
        if found:
            client.add_dataset_to_experiments(known.dataset_id, [experiment_id])
        break
    return dataset_id
