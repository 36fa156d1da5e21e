"""The benchmark of answers on small data sets: what it counts."""

import json
from pathlib import Path

import pytest
from small_dataset import WordHashes, jsonl, small_dataset

from benchmarks.answers import (
    begins_with,
    drawn,
    main,
    measure_foreign,
    measure_gold,
    measure_sizes,
    measure_spans,
    measure_withheld,
)
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import DatasetError


@pytest.mark.parametrize(
    ("answer", "accepted", "held"),
    [
        ("We collect your name. [1]", ["your name and address"], True),  # two of four words
        ("We collect your name. [1]", ["name, postal address and phone"], False),
        ("no no", ["no no no no no"], False),  # a word counts as often as it is there
        ("x " * 200 + "name", ["name"], False),  # behind the first 400 characters
        ("anything", ["...", ""], False),
        ("Name", ["telephone number", "NAME"], True),
    ],
)
def test_an_answer_begins_with_enough_of_an_accepted_one(answer: str, accepted: list[str], held: bool) -> None:
    assert begins_with(answer, accepted) is held


def test_questions_are_drawn_by_seed_and_none_twice(folder: Path) -> None:
    questions = read_dataset(folder).questions
    assert drawn(questions, 3, 1) == drawn(questions, 3, 1)
    assert len(set(drawn(questions, 0, 2))) == len(questions)
    assert {drawn(questions, 1, seed)[0].question_id for seed in range(20)} > {"q1"}


def test_withheld_documents_are_not_searched(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    found = measure_withheld(read_dataset(folder), tmp_path / "cache", 0, 0)["small"]
    assert found["questions"] == 5
    assert found["auc"] > 0.7  # what answers them is gone
    assert 0 <= found["auc_of_largest_cosine"] <= 1


def test_own_questions_against_those_of_another(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    other = small_dataset(tmp_path / "other")
    queries = [{"_id": f"q{i}", "text": f"Quantum chromodynamics lattice {i}?"} for i in range(1, 6)]
    jsonl(other / "queries.jsonl", queries)
    found = measure_foreign(read_dataset(folder), read_dataset(other), tmp_path / "cache", 0, 0)
    assert set(found) == {"small", "other"}
    assert found["small"]["auc"] == 0.8  # one of five is answered by a passage that is in no file
    assert found["other"]["auc"] <= 0.2  # there its own questions are of something else


def test_spans_and_gold_are_counted(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0]["answers"] = ["thirty days of paid holiday"]
    rows[1]["answers"] = ["nothing of the kind whatsoever"]
    jsonl(folder / "queries.jsonl", rows)
    data = read_dataset(folder)
    spans = measure_spans(data, tmp_path / "cache", 0, 0)["small"]
    assert (spans["questions"], spans["first_400_hold_half"], spans["empty"]) == (2, 0.5, 0)
    gold = measure_gold(data, tmp_path / "cache", 0, 0)["small"]
    assert (gold["answerable"], gold["unanswerable"]) == (5, 1)
    assert gold["quotations"] == gold["verbatim"] > 0
    assert gold["half_of_gold_quoted"] <= 1 - gold["answerable_refused"]
    assert gold["whole_gold_in_first_three"] <= gold["half_of_gold_quoted"]
    assert gold["answerable_claimed"] <= 1 - gold["answerable_refused"]


def test_refusals_are_counted_over_parts_of_the_documents(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    data = read_dataset(folder)
    sizes = measure_sizes(data, tmp_path / "cache", 0, 0)
    documents = len(data.documents)
    assert [row["documents"] for row in sizes] == [1, documents]
    assert [row["indexes"] for row in sizes] == [documents, 1]
    # Each question has its gold in one document, so that every part counts all of them between its indexes.
    whole = measure_gold(data, tmp_path / "gold", 0, 0)["small"]
    assert [row["answerable"] for row in sizes][-1] == len(data.scored)
    assert sizes[-1]["answerable_refused"] == whole["answerable_refused"]
    assert sizes[-1]["unanswerable_refused"] == whole["unanswerable_refused"]
    assert sizes[0]["sections"] < sizes[-1]["sections"]


def test_the_command_prints_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["altered", str(folder)])
    said = json.loads(capsys.readouterr().out)
    assert said["small"]["false"] == {"made": 0, "removed": 0, "share": None, "kinds": {}}  # all passages are short


def test_a_data_set_without_documents_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "documents.json").unlink()
    corpus = [{"_id": "a", "text": "Some words."}]
    jsonl(folder / "corpus.jsonl", corpus)
    jsonl(folder / "queries.jsonl", [{"_id": "q1", "text": "Some?"}])
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="documents"):
        measure_withheld(read_dataset(folder), tmp_path, 0, 0)
