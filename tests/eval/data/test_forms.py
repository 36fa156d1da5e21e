"""Others' data sets read as they are: each form in a small example, and what is said of one that does not fit."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from small_dataset import LEAVE, TRAVEL

from policy_rag_eval import load_dataset
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import DatasetError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")

HOLIDAY = "Employees have thirty days of paid holiday a year."
HOTEL = "A hotel room costs 120 euros at most."


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder with documents, for a file beside them."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "leave.md").write_text(LEAVE)
    (tmp_path / "documents" / "travel.md").write_text(TRAVEL)
    return tmp_path


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def gold_of(dataset: Dataset, question: str) -> list[str]:
    passages = {one.gold_id: one for one in dataset.passages}
    return [passages[name].text for name in dataset.qrels.get(question, {})]


def test_squad_in_its_own_form_and_flat(tmp_path: Path) -> None:
    answers = [{"text": "thirty days", "answer_start": 15}, {"text": "thirty days", "answer_start": 15}]
    paragraph = {
        "context": HOLIDAY,
        "qas": [
            {"id": "a", "question": "How many days?", "answers": answers, "is_impossible": False},
            {"id": "b", "question": "Is there a canteen?", "answers": [], "is_impossible": True},
        ],
    }
    article = {"title": "Annual_leave", "paragraphs": [paragraph, {"context": HOTEL, "qas": []}]}
    read = load_dataset(written(tmp_path / "squad.json", {"version": "v2.0", "data": [article]}))
    assert (read.name, [one.text for one in read.questions]) == ("squad", ["How many days?", "Is there a canteen?"])
    assert read.questions[0].answers == ("thirty days",)
    assert [one.question_id for one in read.unanswerable] == ["b"]
    assert gold_of(read, "a") == [HOLIDAY]
    assert read.passages[0].title == "Annual leave"
    assert len(read.for_corpus(Corpus.PASSAGES).scored) == 1
    flat = {"id": "a", "title": "Leave", "context": HOLIDAY, "question": "How many days?",
            "answers": {"text": ["thirty days"], "answer_start": [15]}}  # fmt: skip
    (tmp_path / "flat.jsonl").write_text(json.dumps(flat) + "\n" + json.dumps({**flat, "id": "c"}) + "\n")
    same = load_dataset(tmp_path / "flat.jsonl")
    assert (len(same.passages), gold_of(same, "c")) == (1, [HOLIDAY])
    with pytest.raises(DatasetError, match="has no documents/ to search"):
        same.for_corpus(Corpus.FILES)


@pytest.mark.parametrize("names", [("user_input", "reference", "reference_contexts"),
                                   ("question", "ground_truth", "ground_truth_contexts")])  # fmt: skip
def test_ragas_with_its_contexts_found_in_the_documents(beside: Path, names: tuple[str, str, str]) -> None:
    asked, reference, contexts = names
    rows = [
        {asked: "What may a room cost?", reference: "120 euros.", contexts: [HOTEL]},
        {asked: "How long is a lunch break?", reference: "An hour.", contexts: ["Lunch is an hour."]},
        {asked: "What does leave begin with?", reference: "Annual leave.", contexts: ["leave"]},
    ]
    read = read_dataset(written(beside / "ragas.json", rows))
    assert {one.file for one in read.documents} == {"leave.md", "travel.md"}
    hotel, lunch, twice = read.passages
    assert (hotel.file, TRAVEL[slice(hotel.start, hotel.end)]) == ("travel.md", HOTEL)
    assert (lunch.placed, twice.placed) == (False, False), "it stands nowhere, and in one document twice"
    assert read.reference(read.questions[0]) == "120 euros."
    assert [one.question_id for one in read.for_corpus(Corpus.FILES).scored] == ["q1"]


def test_a_record_of_mlflows_has_question_expectations_and_where_it_is_answered(beside: Path) -> None:
    record = {
        "inputs": {"question": "What may a room cost?", "where": ["doc_id=travel.md"]},
        "expectations": {"expected_response": "120 euros.", "accepted_answers": ["120 euros"],
                         "expected_retrieved_context": [{"content": HOTEL, "doc_uri": "travel.md"}]},
        "tags": {"question_id": "room", "type": "factual"},
    }  # fmt: skip
    read = read_dataset(written(beside / "records.json", [record, {"inputs": {"query": "Is there a canteen?"},
                                                                     "expectations": {"answerable": False}}]))  # fmt: skip
    first, second = read.questions
    assert (first.question_id, first.kind, first.where, first.answers) == (
        "room", "factual", ("doc_id=travel.md",), ("120 euros",),
    )  # fmt: skip
    assert gold_of(read, "room") == [HOTEL]
    assert (second.text, second.answerable) == ("Is there a canteen?", False)


def test_csv_with_quote_and_file(beside: Path) -> None:
    path = beside / "own.csv"
    path.write_text(
        "id;question;quote;file;answer\n"
        f"days;How many days?;{HOLIDAY};leave.md;thirty days\n"
        "days;How many days?;A doctor's note is needed;leave.md;\n"
        "none;Is there a canteen?;;;\n"
    )
    read = read_dataset(path)
    assert [one.question_id for one in read.questions] == ["days", "none"]
    assert gold_of(read, "days") == [HOLIDAY, "A doctor's note is needed"]
    assert [LEAVE[slice(one.start, one.end)] for one in read.passages] == [one.text for one in read.passages]
    assert read.questions[0].answers == ("thirty days",)
    before = read.digest
    (beside / "documents" / "leave.md").write_text(LEAVE + "\nMore.\n")
    assert read_dataset(path).digest != before


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (
            ",How many days?,thirty days,leave.md,\n,Sick?,third day,leave.md,\nq1,Room?,120 euros,travel.md,\n",
            {"q1a": (True, (), ["thirty days"]), "q2": (True, (), ["third day"]), "q1": (True, (), ["120 euros"])},
        ),
        (
            "q2,Sick?,third day,leave.md,\n,Room?,120 euros,travel.md,\nq2,Sick?,sickness.,leave.md,\n",
            {"q2": (True, (), ["third day", "sickness."]), "q2a": (True, (), ["120 euros"])},
        ),
        (
            "x,Days?,thirty days,leave.md,thirty\nx, Days? ,third day,leave.md,third\nx,Days?,,,thirty\n",
            {"x": (True, ("thirty", "third"), ["thirty days", "third day"])},
        ),
        ("x,Days?,,,\nx,Days?,thirty days,leave.md,\n", {"x": (True, (), ["thirty days"])}),
        (" ,Canteen?,  ,leave.md,\n", {"q1": (False, (), [])}),
        (",Days?,thirty days,leave.md,\n,Days?,third day,leave.md,\n", {"q1": (True, (), ["thirty days", "third day"])}),
        (",Days?,thirty days,leave.md,\n,,,,\n, , ,,\n", {"q1": (True, (), ["thirty days"])}),
    ],
    ids=["given later", "given before", "answers of all rows", "first row without a quote", "blanks are no quote",
         "the same words", "rows without a text"],
)  # fmt: skip
def test_rows_of_an_id_are_one_question_and_no_other_gets_that_id(
    beside: Path, rows: str, found: dict[str, tuple[bool, tuple[str, ...], list[str]]]
) -> None:
    (beside / "own.csv").write_text(f"id,question,quote,file,answer\n{rows}")
    read = read_dataset(beside / "own.csv")
    asked = {one.question_id: (one.answerable, one.answers, gold_of(read, one.question_id)) for one in read.questions}
    assert asked == found


def test_a_spreadsheet_may_call_its_columns_in_capitals_and_say_which_place_is_meant(beside: Path) -> None:
    doubled = f"{LEAVE}\n## 9. Once more\n\n{HOLIDAY}\n"
    (beside / "documents" / "leave.md").write_text(doubled)
    second = doubled.rindex(HOLIDAY)
    place = f"{second},{second + len(HOLIDAY)}"
    (beside / "own.csv").write_text(f"Question, Quote,FILE,Start,End\nDays?,{HOLIDAY},leave.md,{place}\n")
    (gold,) = read_dataset(beside / "own.csv").passages
    assert (gold.start, gold.end) == (second, second + len(HOLIDAY))
    # The same question on another day is another one.
    days = "question,quote,file,as_of\nSick?,third day,leave.md,2025-01-01\nSick?,third day,leave.md,2026-01-01\n"
    (beside / "own.csv").write_text(days)
    assert len(read_dataset(beside / "own.csv").questions) == 2


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;"])
def test_a_first_line_may_say_what_parts_the_cells(beside: Path, first: str) -> None:
    rows = f"question;quote;file\nHow many days, or weeks, or months?;{HOLIDAY};leave.md\n"
    (beside / "q.csv").write_bytes(f"{first}\r\n{rows}".encode())
    assert gold_of(load_dataset(beside / "q.csv"), "q1") == [HOLIDAY]
    (beside / "q.csv").write_text(f"{first}\n{rows}How long?;{HOLIDAY};lost.md\n")
    with pytest.raises(DatasetError, match=r"q\.csv, line 4: there is no file 'lost\.md'"):
        load_dataset(beside / "q.csv")


def test_a_folder_with_a_file_of_questions_alone_names_it(beside: Path) -> None:
    (beside / "q.csv").write_text("question,quote,file\n")
    with pytest.raises(DatasetError, match=r"where q\.csv holds the questions, name it: .*/q\.csv"):
        load_dataset(beside)


def test_a_document_that_cannot_be_read_is_no_matter_unless_gold_lies_in_it(beside: Path) -> None:
    (beside / "documents" / "scan.docx").write_text("no Word document")
    rows = [{"user_input": "What may a room cost?", "reference": "120 euros.", "reference_contexts": [HOTEL]}]
    (gold,) = read_dataset(written(beside / "ragas.json", rows)).passages
    assert gold.file == "travel.md"
    (beside / "own.csv").write_text("question,quote,file\nWho?,Nobody.,scan.docx\n")
    with pytest.raises(DatasetError, match=r"scan\.docx: is not a Word document"):
        read_dataset(beside / "own.csv")


def test_questions_whose_gold_has_no_place_are_named(beside: Path) -> None:
    rows = [
        {"user_input": text, "reference": "", "reference_contexts": [context]}
        for text, context in (("Room?", HOTEL), ("Lunch?", "Lunch is an hour."))
    ]
    fitted = read_dataset(written(beside / "ragas.json", rows)).for_corpus(Corpus.FILES)
    assert fitted.notes == ("left out, as their gold has no place in a document: q2",)
    assert fitted.for_corpus(Corpus.FILES).notes == fitted.notes


def test_a_question_that_is_asked_twice_is_told(beside: Path) -> None:
    rows = "x,Days?,thirty days,leave.md,\ny, days?,third day,leave.md,\nz,Days?,third day,leave.md,2025-01-01\n"
    (beside / "own.csv").write_text(f"id,question,quote,file,as_of\n{rows}")
    assert read_dataset(beside / "own.csv").notes == ("the same is asked more than once, and counts each time: y",)


def test_a_long_context_in_a_cell_is_read(tmp_path: Path) -> None:
    rows = [("user_input", "reference", "reference_contexts"), ("How?", "So.", "word " * 40_000)]
    with (tmp_path / "ragas.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    assert len(read_dataset(tmp_path / "ragas.csv").passages[0].text) == 200_000


def test_gold_without_an_id_gets_none_that_other_gold_has(tmp_path: Path) -> None:
    gold = [{"content": HOLIDAY}, {"content": HOTEL, "gold_id": "p1"}]
    record = {"inputs": {"question": "How much?"}, "expectations": {"expected_retrieved_context": gold}}
    read = read_dataset(written(tmp_path / "x.json", [record]))
    assert [(one.gold_id, one.text) for one in read.passages] == [("p1a", HOLIDAY), ("p1", HOTEL)]


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        (f"['{HOLIDAY}', \"{HOTEL}\"]", [HOLIDAY, HOTEL]),
        (json.dumps([HOLIDAY, HOTEL]), [HOLIDAY, HOTEL]),
        (r"['Under \d, one\'s leave.']", [r"Under \d, one's leave."]),
        ("[1] Leave is long.", ["[1] Leave is long."]),
        ("{'a', 'b'}", ["{'a', 'b'}"]),
        ("[" * 20_000, ["[" * 20_000]),
    ],
    ids=["Python", "JSON", "no escape", "text", "set", "deep"],
)
@pytest.mark.filterwarnings("error::SyntaxWarning")
def test_contexts_in_a_cell_are_a_list_as_json_or_python_writes_it(tmp_path: Path, cell: str, texts: list[str]) -> None:
    with (tmp_path / "ragas.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("user_input", "reference", "reference_contexts"), ("How long?", "Long.", cell)])
    assert [one.text for one in read_dataset(tmp_path / "ragas.csv").passages] == texts


def test_a_null_is_nothing_and_answers_may_be_plain_texts(beside: Path) -> None:
    asked = [{"question": "Days?", "quote": HOLIDAY, "file": "leave.md", "id": None},
             {"question": "Canteen?", "quote": None, "file": None, "id": None}]  # fmt: skip
    read = read_dataset(written(beside / "own.json", asked))
    assert [(one.question_id, one.answerable) for one in read.questions] == [("q1", True), ("q2", False)]
    flat = {"id": 0, "context": HOLIDAY, "question": "Days?", "answers": ["thirty days"]}
    assert read_dataset(written(beside / "flat.json", [flat])).questions[0].answers == ("thirty days",)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.csv", "id,question,quote,file\nx,Who?,,\nx,When?,,\n", "x.csv, line 3: a row above has the id 'x' and another"),
        ("x.jsonl", '{"inputs": {"question": "a"}}\n{}', "x.jsonl, line 2: inputs and expectations must be objects"),
        ("x.jsonl", '{"inputs": {"question": "a"}, "tags": ["b"]}', "x.jsonl, line 1: inputs and expectations must be"),
        ("x.jsonl", '{"inputs": {"question": "a"}, "expectations": {"expected_retrieved_context": [{"content": "b", "grade": "c"}]}}', "x.jsonl, line 1: a grade must be a whole number, not 'c'"),
        ("x.jsonl", '{"inputs": {"question": "a"}, "expectations": {"expected_retrieved_context": 3}}', "x.jsonl, line 1: it is no row as MLflow has them"),
        ("x.jsonl", '{"context": "a", "question": "b", "answers": []}\n{"question": "b"}', 'x.jsonl, line 2: "context" must be a text'),
        ("x.json", '[{"paragraphs": [{"context": "a", "qas": ["b"]}]}]', "x.json, entry 1: it is no row as SQuAD has"),
        ("x.json", '[{"question": "a", "quote": 3, "file": "b"}]', 'x.json, entry 1: "quote" must be a text'),
        ("x.json", "{", "x.json is not JSON: line 1"),
        ("x.json", "[]", "x.json holds no questions"),
        ("x.json", '[{"a": 1}]', "x.json is in no form that is known, its rows have a: give a folder with corpus.jsonl"),
        ("x.json", '{"data": 3}', "x.json must hold a list of objects"),
        ("x.jsonl", '{"inputs": 3}', "x.jsonl, line 1: inputs and expectations must be objects"),
        ("x.jsonl", '{"inputs": {"a": "b"}}', "x.jsonl, line 1: inputs has no question"),
        ("x.csv", "question,quote,file\nWho?,Nobody says this.,leave.md\n", "x.csv, line 2: its text stands nowhere"),
        ("x.csv", "question,quote,file\nWho?,Nobody says this.,leave.md\nWhy?,Nor this.,leave.md\nHow?,x,gone.md\n", '"start": null, "end": null (2 more have a fault)'),
        ("x.csv", "question,quote,file\nWho?,Nobody.,gone.md\n", "x.csv, line 2: there is no file 'gone.md' among the documents: name one as it is called in documents/"),
        ("x.csv", "question,quote,file\nWho?,Nobody.,Leave.md\n", "'Leave.md' among the documents: did you mean leave.md?"),
        ("x.csv", "question,quote,file,answer\nWho?,,leave.md,HR\n", "x.csv, line 2: it has an answer, yet the documents"),
        ("x.csv", "question,quote,file,quote\nWho?,Nobody.,leave.md,\n", "x.csv has two columns 'quote'"),
        ("x.json", '{"question": ["a"], "contexts": [["b"]]}', "x.json must hold a list of objects: give a folder with"),
        ("x.csv", "question,quote,file\n,Nobody.,leave.md\n", 'x.csv, line 2: "question" must be a text'),
        ("x.csv", "name\nWho?\n", "x.csv is in no form that is known, its rows have name"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_in_a_line(beside: Path, name: str, content: str, said: str) -> None:
    (beside / name).write_text(content)
    with pytest.raises(DatasetError) as caught:
        read_dataset(beside / name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
