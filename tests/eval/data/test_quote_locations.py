"""Gold without a place is found by its words, and the page that says so is true."""

import re
from pathlib import Path

import pytest
from small_dataset import LEAVE, jsonl

from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.data.quote_locations import Locator
from policy_rag_eval.errors import DatasetError

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "own-data-set.md"
HOLIDAY = "Employees have thirty days of paid holiday a year."


def found(folder: Path, passage: str) -> str:
    start, end = Locator(folder / "documents").find("leave.md", passage, "here")
    return LEAVE[start:end]


@pytest.mark.parametrize(
    ("passage", "place"),
    [
        (HOLIDAY, HOLIDAY),
        ("  Employees have\nthirty   days ", "Employees have thirty days"),
        ("1. Annual leave Employees have", "1. Annual leave\n\nEmployees have"),
        ("a doctor’s NOTE is needed", "A doctor's note is needed"),
    ],
)
def test_a_passage_is_found_where_it_stands_once(folder: Path, passage: str, place: str) -> None:
    assert found(folder, passage) == place


def test_what_is_said_of_a_passage_that_has_no_one_place(folder: Path) -> None:
    # "# Leave" is written otherwise: words that stand there as they are quoted go before those that are near.
    with pytest.raises(DatasetError, match=r"here: its text stands more than once in leave.md \(22-27, 92-97\): say"):
        found(folder, "leave")
    with pytest.raises(DatasetError, match=r"stands more than once in leave.md \(\d+-\d+, \d+-\d+, \d+-\d+ and else"):
        found(folder, "e")
    with pytest.raises(DatasetError, match=r"here: its text stands nowhere in leave.md: quote"):
        found(folder, "Pets may come")
    with pytest.raises(DatasetError, match=r"cannot be read: .*gone.md"):
        Locator(folder / "documents").find("gone.md", "leave", "here")


def test_gold_with_words_and_a_file_gets_its_place(folder: Path) -> None:
    whole = read_dataset(folder)
    lines = [
        {"_id": passage.gold_id, "text": passage.text, **({"file": passage.file} if passage.file else {})}
        for passage in whole.passages
    ]
    jsonl(folder / "corpus.jsonl", lines)
    dataset = read_dataset(folder)
    assert [(p.start, p.end) for p in dataset.passages] == [(p.start, p.end) for p in whole.passages]
    assert dataset.passages[0].start == LEAVE.index(HOLIDAY)
    # Said to be unknown, a place is not looked for.
    jsonl(folder / "corpus.jsonl", [lines[0] | {"start": None, "end": None}, *lines[1:]])
    assert [p.placed for p in read_dataset(folder).passages] == [False, True, True, True, False]
    jsonl(folder / "corpus.jsonl", [lines[0] | {"text": "leave"}, *lines[1:]])
    with pytest.raises(DatasetError, match=r"corpus.jsonl, line 1: .*more than once in leave.md"):
        read_dataset(folder)


def test_the_example_of_the_page_is_a_data_set(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    files = re.findall(r"^`([\w./-]+)`[^\n]*\n\n```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == [
        "documents/leave.md",
        "documents.json",
        "queries.jsonl",
        "corpus.jsonl",
        "qrels.tsv",
    ]
    (tmp_path / "documents").mkdir()
    for name, text in files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    dataset = read_dataset(tmp_path).for_corpus(Corpus.FILES)
    assert [question.question_id for question in dataset.scored] == ["q1", "q2"]
    assert len(dataset.unanswerable) == 1
    leave = (tmp_path / "documents" / "leave.md").read_text(encoding="utf-8")
    assert [leave[p.start : p.end] for p in dataset.passages] == [p.text for p in dataset.passages]
    # Every field that is read is told, and no other.
    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", page, re.MULTILINE))))
    assert told == {"_id", "text", "answerable", "answers", "type", "doc_id", "where", "as", "as_of"} | {
        "file", "start", "end", "title",
    }  # fmt: skip
