"""Question sets as MLflow's evaluation datasets: there they are seen, and `mlflow.genai.evaluate` takes them."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from policy_rag_eval.data.dataset import Dataset, Question
from policy_rag_eval.data.expectations import expectations
from policy_rag_eval.tracking.writer import DIGEST

if TYPE_CHECKING:
    from mlflow import MlflowClient

SOURCE = "mlflow_evaluation_dataset"


def records(dataset: Dataset) -> list[dict[str, Any]]:
    """A record a question: `inputs` as `PolicyAssistant.ask` takes them, and `expectations`.

    The answer that is expected is the gold passages' text.
    """
    return [
        {"inputs": _inputs(question), "expectations": _expected(dataset, question), "tags": _tags(question)}
        for question in dataset.questions
    ]


def _inputs(question: Question) -> dict[str, Any]:
    where = list(question.request().where)
    given = {
        "where": where,
        "groups": list(question.groups),
        "as_of": question.as_of.isoformat() if question.as_of else None,
    }
    return {"question": question.text, **{name: value for name, value in given.items() if value}}


def _expected(dataset: Dataset, question: Question) -> dict[str, Any]:
    return expectations(dataset.reference(question), question.answers, question.answerable)


def _tags(question: Question) -> dict[str, str]:
    return {"question_id": question.question_id, **({"type": question.kind} if question.kind else {})}


def keep_questions(client: "MlflowClient", uri: str, experiment_id: str, dataset: Dataset) -> str | None:
    """The id of the evaluation dataset that holds these questions, made where there is none.

    It has the data set's name and belongs to every experiment that it was used in. Where the data set's files have
    changed, another one is made, with the beginning of their digest in its name: what older runs used stays.

    Args:
        client: of the store.
        uri: of the store.
        experiment_id: the experiment that uses it.
        dataset: with questions.

    Returns:
        None where the store keeps no evaluation datasets, as one in files does.
    """
    return _where_it_can(lambda: _kept(client, uri, experiment_id, dataset.name, dataset.digest, records(dataset)))


def send_questions(stores: "tuple[StoreHandle, StoreHandle]", dataset_id: str, experiment_id: str) -> str | None:
    """Copies an evaluation dataset to another store; its id there, or None where that keeps none.

    Args:
        stores: from where and to where.
        dataset_id: the one here.
        experiment_id: the experiment there that uses it.
    """
    from mlflow.tracking._tracking_service.utils import _get_store

    here, there = stores
    known = here.client.get_dataset(dataset_id)
    rows, _ = _get_store(here.uri)._load_dataset_records(dataset_id, max_results=None)  # type: ignore[no-untyped-call] # noqa: SLF001
    own = [{"inputs": row.inputs, "expectations": row.expectations, "tags": row.tags} for row in rows]
    digest = str((known.tags or {})[DIGEST])
    return _where_it_can(
        lambda: _kept(there.client, there.uri, experiment_id, known.name.removesuffix(f" {digest[:8]}"), digest, own)
    )


class StoreHandle(NamedTuple):
    """A store as it is spoken to."""

    client: "MlflowClient"
    uri: str


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
    client: "MlflowClient", uri: str, experiment_id: str, wanted: str, own: str, rows: Sequence[Mapping[str, Any]]
) -> str:
    """The id of the dataset of that name with that digest, else with the digest in its name, filled where it is new."""
    from mlflow.tracking._tracking_service.utils import _get_store

    dataset_id = ""
    for name in (wanted, f"{wanted} {own[:8]}"):
        quote = "'" if '"' in name else '"'
        found = client.search_datasets(filter_string=f"name = {quote}{name}{quote}", max_results=1)
        known = found[0] if found else client.create_dataset(name, [experiment_id])
        dataset_id, digest = str(known.dataset_id), (known.tags or {}).get(DIGEST)
        if digest not in {None, own}:
            continue
        if digest is None:  # new, or broken off
            # MLflow's own call writes to the process's default store, whichever the client is of.
            store = _get_store(uri)  # type: ignore[no-untyped-call]
            store.upsert_dataset_records(dataset_id=known.dataset_id, records=[dict(row) for row in rows])
            client.set_dataset_tags(known.dataset_id, {DIGEST: own})
        if found:
            client.add_dataset_to_experiments(known.dataset_id, [experiment_id])
        break
    return dataset_id
