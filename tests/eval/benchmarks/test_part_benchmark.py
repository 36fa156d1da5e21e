"""A part of a data set: documents by size, and the questions that lie in them alone."""

from pathlib import Path

from benchmarks.part import part_of, write_part
from policy_rag_eval.data.dataset_reader import read_dataset


def test_questions_stay_whose_gold_all_stays(folder: Path, tmp_path: Path) -> None:
    dataset = read_dataset(folder)
    files, kept = part_of(dataset, 2)
    assert 0 < len(files) < len(dataset.documents)
    file_of = {passage.gold_id: passage.file for passage in dataset.passages}
    for question in dataset.questions:
        inside = all(file_of[label] in files for label in dataset.qrels.get(question.question_id, {}))
        assert (question.question_id in kept) == inside
    assert write_part(dataset, 2, tmp_path / "part") == (len(files), len(kept))
    again = read_dataset(tmp_path / "part")
    assert {document.file for document in again.documents} == files
    assert {question.question_id for question in again.questions} == kept


def test_every_document_is_all_of_it(folder: Path) -> None:
    dataset = read_dataset(folder)
    files, kept = part_of(dataset, 1)
    assert len(files) == len(dataset.documents)
    nowhere = {passage.gold_id for passage in dataset.passages if passage.file is None}
    lost = {q.question_id for q in dataset.questions if nowhere & dataset.qrels.get(q.question_id, {}).keys()}
    assert lost  # gold without a place lies in no document
    assert kept == {q.question_id for q in dataset.questions} - lost
