"""Gold places hold what the data set says they hold."""

import dataclasses
from pathlib import Path

import pytest

from policy_rag_eval.datasets import Dataset
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.places import check_places, holds
from policy_rag_eval.reading import read_dataset


def texts(dataset: Dataset) -> dict[str, str]:
    return {d.file: (dataset.documents_folder / d.file).read_text(encoding="utf-8") for d in dataset.documents}


def with_first(dataset: Dataset, **changes: object) -> Dataset:
    first = dataclasses.replace(dataset.passages[0], **changes)
    return dataclasses.replace(dataset, passages=(first, *dataset.passages[1:]))


def test_places_that_hold_their_passages_pass(folder: Path) -> None:
    dataset = read_dataset(folder)
    check_places(dataset, texts(dataset))


def test_a_place_that_holds_something_else_is_refused_and_the_right_one_is_told(folder: Path) -> None:
    dataset = read_dataset(folder)
    right = dataset.passages[0].start
    with pytest.raises(DatasetError, match=f"'holiday'.*leave.md 0-10.*it stands at {right}"):
        check_places(with_first(dataset, start=0, end=10), texts(dataset))
    with pytest.raises(DatasetError, match="stands nowhere"):
        check_places(with_first(dataset, text="Dogs sleep in baskets under every second desk."), texts(dataset))


def test_a_place_beyond_the_file_and_a_file_without_text_are_refused(folder: Path) -> None:
    dataset = read_dataset(folder)
    with pytest.raises(DatasetError, match="the file ends at character"):
        check_places(with_first(dataset, end=100_000), texts(dataset))
    with pytest.raises(DatasetError, match=r"leave\.md, which could not be read"):
        check_places(dataset, {})


@pytest.mark.parametrize(
    ("place", "passage", "held"),
    [
        ("(a) Keep   receipts\nfor seven years.", "Keep receipts for seven years", True),
        ("**Keep** receipts", "keep RECEIPTS", True),
        ("one two three four five six seven eight", "one two three four five six seven nine", False),
        ("a b c d e f g h i j k l m n o p q r s t", "a b c d e f g h i X k l m n o p q r s t", True),
        ("anything", "", True),
        ("Keep receipts for", "Keep receipts for seven years", False),
    ],
)
def test_what_counts_as_holding(place: str, passage: str, held: bool) -> None:
    assert holds(place, passage) is held
