"""A question set that was kept in MLflow is read from there, with its gold, and scored as it was."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_dataset import WordHashes, jsonl

from policy_rag.cli import run
from policy_rag.errors import UsageError
from policy_rag_eval import load_dataset
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.data.samples import sample_of
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.tracking import STORE, local_store
from policy_rag_eval.tracking.evaluation_datasets import keep_questions, read_named, records
from policy_rag_eval.tracking.stores import open_client

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning"),
    pytest.mark.usefixtures("no_reranker"),
]


def kept(dataset: Dataset, index: Path) -> str | None:
    client = open_client(local_store(index))
    found = client.get_experiment_by_name("own")
    return keep_questions(client, found.experiment_id if found else client.create_experiment("own"), dataset)


def names(index: Path) -> list[str]:
    return sorted(one.name for one in open_client(local_store(index)).search_datasets())


def gold(dataset: Dataset) -> dict[str, Any]:
    """Question id to the places and grades of its gold."""
    return {
        question_id: sorted(
            (
                (p.gold_id, p.doc_id, p.file, p.start, p.end, p.text, grades[p.gold_id])
                for p in dataset.passages
                if p.gold_id in grades
            ),
            key=str,
        )
        for question_id, grades in dataset.qrels.items()
    }


def test_it_is_the_data_set_that_was_kept(folder: Path, stored: Path) -> None:
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text().splitlines()]
    jsonl(folder / "corpus.jsonl", [*rows, {**rows[1], "_id": "holiday"}])  # one label that stands in two places
    (folder / "qrels.tsv").write_text((folder / "qrels.tsv").read_text().replace("q4\ttrain\t1", "q4\ttrain\t2"))
    own = read_dataset(folder)
    kept(own, stored)
    read = read_named("mlflow:small", stored)
    key = lambda question: question.question_id  # noqa: E731
    asked, read_again = sorted(own.questions, key=key), sorted(read.questions, key=key)
    for before, after in zip(asked, read_again, strict=True):
        assert (after.text, after.kind, after.answerable) == (before.text, before.kind, before.answerable)
        assert after.request() == before.request()
        assert read.reference(after) == own.reference(before)
    assert gold(read) == gold(own)
    assert {one.file for one in read.documents} == {"leave.md", "travel.md"}
    kept(read, stored)
    assert names(stored) == ["small"], "kept once, read back or not"
    assert load_dataset("mlflow:small", stored) == read


def test_questions_of_the_same_words_are_all_kept_and_asked_as_they_were(folder: Path, stored: Path) -> None:
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    jsonl(folder / "queries.jsonl", [*rows, {**rows[0], "_id": "again"}, {**rows[0], "_id": "hr", "as": ["hr"]}])
    qrels = (folder / "qrels.tsv").read_text()
    (folder / "qrels.tsv").write_text(f"{qrels}again\ttrain\t1\nhr\ttrain\t1\n")
    own = read_dataset(folder)
    twice = {row["tags"]["question_id"] for row in records(own) if "question_id" in row["inputs"]}
    assert twice == {rows[0]["_id"], "again"}, "asked by another group it is another question"
    kept(own, stored)
    read = read_named("mlflow:small", stored)
    assert {one.question_id: one.request() for one in read.questions} == {
        one.question_id: one.request() for one in own.questions
    }
    assert gold(read) == gold(own)
    kept(read, stored)
    assert names(stored) == ["small"]


def test_gold_whose_place_is_not_known_stays_without_one(folder: Path, stored: Path) -> None:
    with (folder / "documents" / "leave.md").open("a") as file:
        file.write("\nAsk us.\n\nAsk us.\n")
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text().splitlines()]
    unplaced = {"_id": "holiday", "text": "Ask us.", "file": "leave.md", "start": None, "end": None}
    jsonl(folder / "corpus.jsonl", [*rows, unplaced])
    own = read_dataset(folder)
    kept(own, stored)
    assert gold(read_named("mlflow:small", stored)) == gold(own)


def test_where_its_documents_are_gone_its_gold_is_searched(folder: Path, stored: Path) -> None:
    own = read_dataset(folder)
    kept(own, stored)
    shutil.rmtree(folder)
    read = read_named("mlflow:small", stored)
    assert read.documents == ()
    assert {question.question_id for question in read.for_corpus(Corpus.PASSAGES).scored} == {
        "q1",
        "q2",
        "q3",
        "q4",
        "q5",
    }
    assert sorted(one.text for one in read.passages) == sorted(one.text for one in own.passages)


def test_a_sample_is_kept_under_a_name_of_its_own(folder: Path, stored: Path) -> None:
    own = read_dataset(folder)
    part = sample_of(own, 2)
    ids = [kept(one, stored) for one in (part, own, part, own)]
    assert names(stored) == ["small", "small, 2 of 6 questions"]
    assert ids[0] == ids[2] != ids[1] == ids[3]
    assert len(read_named("mlflow:small", stored).questions) == 6
    assert {one.text for one in read_named("mlflow:small, 2 of 6 questions", stored).questions} == {
        one.text for one in part.questions
    }


def test_a_store_that_lacks_it_says_what_there_is(
    folder: Path, stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(read_dataset(folder), stored)
    with pytest.raises(DatasetError, match=r"holds no evaluation dataset 'smal': did you mean small\?$"):
        read_named("mlflow:smal", stored)
    with pytest.raises(UsageError, match=r"nothing is kept in .*elsewhere yet: run `policy-rag eval retrieval"):
        read_named("mlflow:small", tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{stored / STORE}")
    assert read_named("mlflow:small", tmp_path / "elsewhere").name == "small"


def test_the_command_scores_it_as_the_folder(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    call = ["--index", str(stored), "--json"]
    assert run(["eval", "retrieval", str(folder), *call]) == 0
    first = json.loads(capfd.readouterr().out)
    embedded = model.embedded
    assert run(["eval", "retrieval", "mlflow:small, 5 of 6 questions", *call]) == 0
    second = json.loads(capfd.readouterr().out)
    assert second["configurations"][0]["measures"] == first["configurations"][0]["measures"]
    assert second["corpus"] == first["corpus"] == "files"
    assert names(stored) == ["small, 5 of 6 questions"]
    assert model.embedded >= embedded
