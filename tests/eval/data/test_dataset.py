"""Data sets: what is read, what is refused and how the message says so, BEIR folders, the built-in one."""

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_rag_eval.data.dataset import Corpus, builtin_datasets, find_dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import DatasetError

Change = Callable[[list[dict[str, Any]]], object]
BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"


def rewrite(path: Path, change: Change) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_everything_in_it_is_read(folder: Path) -> None:
    dataset = read_dataset(folder)
    assert dataset.name == "small"
    assert [(d.doc_id, d.file) for d in dataset.documents] == [("leave", "leave.md"), ("travel", "travel.md")]
    assert dataset.qrels["q4"] == {"hotel": 1, "train": 1}
    holiday, nowhere = dataset.passages[0], dataset.passages[4]
    assert (holiday.doc_id, holiday.file, holiday.placed) == ("leave", "leave.md", True)
    assert (nowhere.doc_id, nowhere.placed) == ("travel", False)
    assert [q.question_id for q in dataset.scored] == ["q1", "q2", "q3", "q4", "q5"]
    assert dataset.questions[0].kind == "factual"


def test_a_question_is_asked_with_its_filters_groups_and_day(folder: Path) -> None:
    def ask_more(rows: list[dict[str, object]]) -> None:
        rows[1] |= {"where": "language=en", "as": ["hr", "board"], "as_of": "2025-03-01", "answers": ["third day"]}

    rewrite(folder / "queries.jsonl", ask_more)
    question = read_dataset(folder).questions[1]
    request = question.request()
    assert request.where == ("doc_id=leave", "language=en")
    assert request.groups == ("hr", "board")
    assert request.as_of == dt.date(2025, 3, 1)
    assert question.answers == ("third day",)


def test_answers_that_no_gold_passage_holds_are_noted(folder: Path) -> None:
    def answer(rows: list[dict[str, object]]) -> None:
        rows[0]["answers"] = ["Thirty days", "six weeks"]
        rows[1]["answers"] = "the third day"

    rewrite(folder / "queries.jsonl", answer)
    (note,) = read_dataset(folder).notes
    assert note == '"answers" that stand in no gold passage, give those as "reference": q1'


def test_gold_without_a_place_is_dropped_for_files_and_kept_for_passages(folder: Path) -> None:
    dataset = read_dataset(folder)
    files = dataset.for_corpus(Corpus.FILES)
    assert [q.question_id for q in files.scored] == ["q1", "q2", "q3", "q4"]
    assert "q5" not in files.qrels
    assert [q.question_id for q in files.questions][-1] == "q6"  # unanswerable ones are not lost
    assert len(dataset.for_corpus(Corpus.PASSAGES).scored) == 5


def test_the_digest_follows_every_file_and_nothing_else(folder: Path) -> None:
    before = read_dataset(folder).digest
    assert read_dataset(folder).digest == before
    (folder / "README.md").write_text("not part of it")
    assert read_dataset(folder).digest == before
    for name in ("documents/leave.md", "documents.json", "queries.jsonl", "qrels.tsv", "corpus.jsonl"):
        path = folder / name
        path.write_text(path.read_text() + "\n")
        after = read_dataset(folder).digest
        assert after != before, name
        before = after


def beir(folder: Path) -> Path:
    folder.mkdir()
    passages = [
        {"_id": "d1", "title": "Wind", "text": "Lift and drag.", "metadata": {}},
        {"_id": "d2", "title": "", "text": "Heat."},
    ]
    questions = [
        {"_id": "1", "text": "What is lift?", "metadata": {"url": "x"}},
        {"_id": "2", "text": "Of another split?"},
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, passages)))
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, questions)))
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n1\tgone\t1\n")
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n2\td2\t1\n")
    return folder


def test_a_beir_folder_as_it_comes(tmp_path: Path) -> None:
    dataset = read_dataset(beir(tmp_path / "cranfield"))
    assert dataset.documents == ()
    assert [q.question_id for q in dataset.questions] == ["1"]
    assert dataset.qrels == {"1": {"d1": 2, "gone": 1}}
    assert dataset.passages[0].title == "Wind"
    assert len(dataset.notes) == 1
    assert "gone" in dataset.notes[0]
    with pytest.raises(DatasetError, match="--corpus passages"):
        dataset.for_corpus(Corpus.FILES)


FAULTS = {
    "an answerable question without gold": (
        "queries.jsonl",
        lambda rows: rows.append({"_id": "q7", "text": "And?"}),
        "no gold for answerable questions.*q7",
    ),
    "gold for an unanswerable question": (
        "queries.jsonl",
        lambda rows: rows[0].update(answerable=False),
        "said to be unanswerable.*q1",
    ),
    "a question id twice": ("queries.jsonl", lambda rows: rows.append(dict(rows[0])), "'q1' comes twice"),
    "a blank question": ("queries.jsonl", lambda rows: rows[2].update(text="  "), r"line 3.*\"text\""),
    "a day that is none": ("queries.jsonl", lambda rows: rows[3].update(as_of="May"), r"line 4.*2024-05-31.*'May'"),
    "a document that is not there": (
        "queries.jsonl",
        lambda rows: rows[1].update(doc_id="x"),
        "line 2.*no document 'x'",
    ),
    "a truth that is a text": ("queries.jsonl", lambda rows: rows[5].update(answerable="no"), "line 6.*true or false"),
    "filters that are no texts": ("queries.jsonl", lambda rows: rows[0].update(where=[1]), r"line 1.*\"where\""),
    "a question that is missing": ("queries.jsonl", lambda rows: rows.pop(0), "not in queries.jsonl: q1"),
    "a passage that is missing": ("corpus.jsonl", lambda rows: rows.pop(0), "not in corpus.jsonl: holiday"),
    "a file that is not there": ("corpus.jsonl", lambda rows: rows[0].update(file="x.md"), "line 1.*no file 'x.md'"),
    "a place back to front": ("corpus.jsonl", lambda rows: rows[1].update(start=90, end=80), "line 2.*start < end.*90"),
    "half a place": ("corpus.jsonl", lambda rows: rows[1].update(end=None), "line 2: a place is"),
    "a place that is no number": ("corpus.jsonl", lambda rows: rows[1].update(start=True), "line 2: a place is"),
    "no passages": ("corpus.jsonl", lambda rows: rows.clear(), "holds no passages"),
    "no questions": ("queries.jsonl", lambda rows: rows.clear(), "holds no questions"),
}


@pytest.mark.parametrize(("name", "change", "message"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_with_its_place(folder: Path, name: str, change: Change, message: str) -> None:
    rewrite(folder / name, change)
    with pytest.raises(DatasetError, match=message) as caught:
        read_dataset(folder)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("queries.jsonl", '{"_id": "q1"\n', "line 1 is not JSON"),
        ("queries.jsonl", "[]\n", "line 1 is not a JSON object"),
        ("documents.json", "{", "not JSON: line 1"),
        ("documents.json", '{"doc_id": "x"}', "list of objects"),
        ("documents.json", '[{"doc_id": "x", "file": "gone.md"}]', "there is no file .*gone.md"),
        ("documents.json", '[{"doc_id": "x", "file": "../queries.jsonl"}]', "lies outside"),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1 holiday 1\n", "line 2.*three columns"),
        ("qrels.tsv", "q1\tholiday\tyes\n", "line 1.*whole number"),
        ("qrels.tsv", "q1\tholiday\t1\nq2\tsick\t1\nq1\tholiday\t0\n", "line 3: q1 and holiday .* in line 1"),
    ],
)
def test_a_file_that_is_malformed_is_named(folder: Path, name: str, text: str, message: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(DatasetError, match=message):
        read_dataset(folder)


@pytest.mark.parametrize("name", ["queries.jsonl", "qrels.tsv", "corpus.jsonl", "documents.json"])
def test_a_file_that_is_missing_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(DatasetError, match=name):
        read_dataset(folder)


def test_a_file_that_is_not_utf8_is_named(folder: Path) -> None:
    (folder / "queries.jsonl").write_bytes(b'{"_id": "q1", "text": "caf\xe9"}\n')
    with pytest.raises(DatasetError, match="UTF-8"):
        read_dataset(folder)


def test_a_judgement_that_comes_twice_with_the_same_score_is_one(folder: Path) -> None:
    before = read_dataset(folder).qrels
    with (folder / "qrels.tsv").open("a") as file:
        file.write("q1\tholiday\t1\n")
    assert read_dataset(folder).qrels == before


def test_a_line_separator_inside_a_text_does_not_end_the_line(folder: Path) -> None:
    with (folder / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"_id": "q7", "text": "One\u2028two?", "answerable": false}\r\n')
    assert read_dataset(folder).questions[-1].text == "One\u2028two?"


def test_the_sample_company_is_found_by_name_and_an_unknown_name_is_answered_with_it() -> None:
    assert "brannholt" in builtin_datasets()
    dataset = read_dataset("brannholt")
    assert len(dataset.for_corpus(Corpus.FILES).scored) == len(dataset.for_corpus(Corpus.PASSAGES).scored) > 100
    with pytest.raises(DatasetError, match="brannholt"):
        find_dataset("nobody")


@pytest.mark.benchmark_data
@pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="../shared/benchmarks is absent")
@pytest.mark.parametrize(
    ("name", "passages", "questions", "placed"), [("obliqa", 13_732, 2_788, 2_675), ("policyqa", 574, 2_420, 2_420)]
)
def test_the_benchmarks_are_read_as_their_description_counts_them(
    name: str, passages: int, questions: int, placed: int
) -> None:
    dataset = read_dataset(BENCHMARKS / name)
    assert len(dataset.passages) == passages
    assert len(dataset.scored) == questions
    assert len(dataset.for_corpus(Corpus.FILES).scored) == placed
