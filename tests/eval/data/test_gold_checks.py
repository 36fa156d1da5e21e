"""Gold places hold what the data set says they hold."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.data.gold_checks import check_places, holds
from policy_rag_eval.errors import DatasetError


def texts(dataset: Dataset) -> dict[str, str]:
    return {d.file: (dataset.documents_folder / d.file).read_text(encoding="utf-8") for d in dataset.documents}


def with_first(dataset: Dataset, **changes: object) -> Dataset:
    first = dataclasses.replace(dataset.passages[0], **changes)
    return dataclasses.replace(dataset, passages=(first, *dataset.passages[1:]))


def test_places_that_hold_their_passages_pass(folder: Path) -> None:
    dataset = read_dataset(folder)
    assert check_places(dataset, texts(dataset)) == ()


def test_a_place_that_holds_something_else_is_refused_and_the_right_one_is_told(folder: Path) -> None:
    dataset = read_dataset(folder)
    right = dataset.passages[0].start
    with pytest.raises(DatasetError, match=f"'holiday'.*leave.md 0-10, but there stands '# Leave.*stands at {right}-"):
        check_places(with_first(dataset, start=0, end=10), texts(dataset))
    with pytest.raises(DatasetError, match="stands nowhere"):
        check_places(with_first(dataset, text="Dogs sleep in baskets under every second desk."), texts(dataset))


def test_a_word_that_a_document_has_no_more_is_told(folder: Path) -> None:
    """Ten words, of which one may differ: it may be the answer."""
    file = folder / "documents" / "leave.md"
    passage = "Breaches are told to the Compliance Officer within five days."
    file.write_text(passage.replace("five", "ten"))
    dataset = read_dataset(folder)
    only = dataclasses.replace(dataset.passages[0], text=passage, start=0, end=len(passage) - 1)
    (note,) = check_places(dataclasses.replace(dataset, passages=(only,)), texts(dataset))
    assert note.startswith("1 gold places hold their passage but for some words, for example holiday without 'five'")


def test_a_place_that_begins_long_before_its_passage_is_refused(folder: Path) -> None:
    file = folder / "documents" / "leave.md"
    file.write_text("".join(f"- Line {number} of other matters.\n" for number in range(9)) + file.read_text())
    dataset = read_dataset(folder)
    shift = texts(dataset)["leave.md"].index("# Leave")
    moved = tuple(
        dataclasses.replace(p, start=p.start + shift, end=p.end + shift) if p.file == "leave.md" and p.placed else p
        for p in dataset.passages
    )
    dataset = dataclasses.replace(dataset, passages=moved)
    assert check_places(dataset, texts(dataset)) == ()
    # Nine lines of 18 letters and digits stand before: 162 of them, more than a heading has.
    with pytest.raises(DatasetError, match=r"'holiday'.* 5-.*there stands 'e 0 of other matters"):
        check_places(with_first(dataset, start=5), texts(dataset))
    # A heading and a number may.
    assert check_places(with_first(dataset, start=shift), texts(dataset)) == ()


def test_a_passage_that_stands_elsewhere_word_for_word_is_not_taken_for_a_cleaned_one(folder: Path) -> None:
    words = " ".join(f"word{number}" for number in range(40))
    (folder / "documents" / "leave.md").write_text(f"{words} and the rest of it")
    dataset = read_dataset(folder)
    only = dataclasses.replace(dataset, passages=dataset.passages[:1])
    held = with_first(only, text=words, start=0, end=len(words))
    check_places(held, texts(dataset))
    # 38 of 40 words are at the place: enough for a cleaned passage, but this one stands three words before.
    with pytest.raises(DatasetError, match=f"it stands at 0-{len(words)}"):
        check_places(with_first(only, text=words, start=12, end=len(words)), texts(dataset))
    cleaned = words.replace("word7 ", "w7 ")
    check_places(with_first(only, text=cleaned, start=0, end=len(words)), texts(dataset))


@pytest.mark.parametrize(
    ("before", "counted", "hint"),
    [
        ("Größe: ", lambda text: text.encode(), "counts bytes"),
        ("a\nb\n", lambda text: text.replace("\n", "\r\n"), "two"),
    ],
)
def test_the_usual_ways_of_miscounting_are_named(
    folder: Path, before: str, counted: Callable[[str], str | bytes], hint: str
) -> None:
    quote = "Employees have thirty days."
    (folder / "documents" / "leave.md").write_text(before + quote + " More of it follows here.", encoding="utf-8")
    dataset = read_dataset(folder)
    only = dataclasses.replace(dataset, passages=dataset.passages[:1])
    start = len(counted(before))
    with pytest.raises(DatasetError, match=hint):
        check_places(with_first(only, text=quote, start=start, end=start + len(quote)), texts(dataset))


def test_places_that_go_on_long_after_their_passage_are_told(folder: Path) -> None:
    dataset = read_dataset(folder)
    (told,) = check_places(with_first(dataset, text="Leave", start=0), texts(dataset))
    assert told.startswith("1 gold places hold more than 3 times their passage, for example holiday")


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
