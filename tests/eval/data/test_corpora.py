"""A data set as an index: what is indexed, when it is made anew, and when it is found again."""

import dataclasses
import datetime as dt
import json
from pathlib import Path

import pytest
from small_dataset import WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import IndexingError
from policy_rag.records.search import SearchRequest
from policy_rag.settings import load_settings
from policy_rag_eval.data.corpora import corpus_folder, open_corpus, units_by_document
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import DatasetError


def opened(dataset: Dataset, corpus: Corpus, index: Path, **changes: object) -> tuple[PolicyAssistant, tuple[str, ...]]:
    return open_corpus(dataset.for_corpus(corpus), corpus, load_settings(changes), index)


def test_each_passage_that_holds_text_is_a_hit_of_its_own(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    assistant, _ = opened(dataset, Corpus.PASSAGES, tmp_path)
    with assistant:
        (result,) = assistant.search_many([SearchRequest("pets fridays holiday room")], top_k=20)
    by_id = {hit.section_id: hit for hit in result.hits}
    assert set(by_id) == {"holiday", "sick", "train", "hotel", "nowhere"}
    for passage in dataset.passages:
        assert by_id[passage.gold_id].text == passage.text
    assert by_id["nowhere"].doc_id == "travel"
    assert by_id["nowhere"].file == "travel.md"


def test_the_documents_own_declarations_filter_their_passages(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    (folder / "documents" / "policies.yaml").write_text("travel.md: {access: [board], region: north}\n")
    assistant, _ = opened(read_dataset(folder), Corpus.PASSAGES, tmp_path)
    with assistant:
        closed, opened_, filtered = assistant.search_many(
            [
                SearchRequest("train"),
                SearchRequest("train", groups=("board",)),
                SearchRequest("train", where=("region=north",), groups=("board",)),
            ],
            top_k=20,
        )
    assert {hit.doc_id for hit in closed.hits} == {"leave"}
    assert {hit.doc_id for hit in opened_.hits} == {"leave", "travel"}
    assert {hit.doc_id for hit in filtered.hits} == {"travel"}


def test_documents_have_the_data_sets_ids(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    assistant, notes = opened(dataset, Corpus.FILES, tmp_path)
    with assistant:
        assert [(d.doc_id, d.file) for d in assistant.documents()] == [("leave", "leave.md"), ("travel", "travel.md")]
    assert notes == ()


def test_a_second_opening_embeds_nothing(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    for corpus in Corpus:
        opened(dataset, corpus, tmp_path)[0].close()
        before = model.embedded
        opened(dataset, corpus, tmp_path)[0].close()
        assert model.embedded == before > 0


def test_gold_whose_text_was_changed_is_checked_again_without_embedding(
    dataset: Dataset, tmp_path: Path, model: WordHashes
) -> None:
    opened(dataset, Corpus.FILES, tmp_path)[0].close()
    before = model.embedded
    first = dataclasses.replace(dataset.passages[0], text="Nobody ever wrote this down anywhere.")
    wrong = dataclasses.replace(dataset, passages=(first, *dataset.passages[1:]))
    with pytest.raises(DatasetError, match=r"'holiday'.*stands nowhere"):
        opened(wrong, Corpus.FILES, tmp_path)
    opened(dataset, Corpus.FILES, tmp_path)[0].close()
    assert model.embedded == before


def test_what_is_noted_of_gold_is_noted_at_every_opening(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    long = dataclasses.replace(dataset.passages[0], text="Leave", start=0)
    dataset = dataclasses.replace(dataset, passages=(long, *dataset.passages[1:]))
    for _ in range(2):
        assistant, (note,) = opened(dataset, Corpus.FILES, tmp_path)
        assistant.close()
        assert "1 gold places hold more than 3 times" in note


def test_the_folder_follows_what_shapes_the_index_and_nothing_else(
    dataset: Dataset, tmp_path: Path, model: WordHashes
) -> None:
    def named(changed: Dataset = dataset, corpus: Corpus = Corpus.FILES, **settings: object) -> Path:
        return corpus_folder(changed, corpus, load_settings(settings), tmp_path)

    first = named()
    assert named(search="keyword", top_k=3, reranker="x") == first
    assert named(dataclasses.replace(dataset, questions=dataset.questions[:1])) == first
    others = [named(chunk_tokens=50), named(embedding="x"), named(hit_chars=500), named(corpus=Corpus.PASSAGES)]
    passages = named(corpus=Corpus.PASSAGES)
    assert named(corpus=Corpus.PASSAGES, hit_chars=500) == passages
    shorter = dataclasses.replace(dataset, passages=dataset.passages[1:])
    others.append(named(shorter))
    assert len({first, *others}) == len(others) + 1
    assert named(embedding="all-MiniLM-L6-v2", chunker="section", chunk_tokens=model.max_tokens) == first
    model.fingerprint = "other weights under the same name"
    assert named() not in {first, *others}
    model.fingerprint = WordHashes.fingerprint
    (dataset.documents_folder / "leave.md").write_text("# Leave\n")
    assert named() != first


def test_a_break_while_indexing_is_made_up_for(
    dataset: Dataset, tmp_path: Path, model: WordHashes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(model, "embed", broken)
        with pytest.raises(KeyboardInterrupt):
            opened(dataset, Corpus.FILES, tmp_path)
    assistant, _ = opened(dataset, Corpus.FILES, tmp_path)
    with assistant:
        assert len(assistant.documents()) == 2


def test_a_full_disk_at_the_end_of_indexing_costs_no_embedding(
    dataset: Dataset, tmp_path: Path, model: WordHashes, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_text

    def full(self: Path, text: str, **_: object) -> int:
        if self.suffix == ".writing":
            write(self, text[:3])
            raise OSError(28, "No space left on device")
        return write(self, text)

    with monkeypatch.context() as context:
        context.setattr(Path, "write_text", full)
        with pytest.raises(IndexingError, match="what was embedded is kept"):
            opened(dataset, Corpus.FILES, tmp_path)
    before = model.embedded
    assistant, _ = opened(dataset, Corpus.FILES, tmp_path)
    with assistant:
        assert len(assistant.documents()) == 2
    assert model.embedded == before


def test_gold_in_a_file_that_cannot_be_read_is_an_error_with_the_reason(
    folder: Path, tmp_path: Path, model: WordHashes
) -> None:
    (folder / "documents" / "travel.md").write_bytes(b"")
    with pytest.raises(DatasetError, match=r"travel\.md, which could not be read: .+"):
        opened(read_dataset(folder), Corpus.FILES, tmp_path)


def test_a_document_without_gold_that_cannot_be_read_is_noted_each_time(
    folder: Path, tmp_path: Path, model: WordHashes
) -> None:
    (folder / "documents" / "scan.pdf").write_bytes(b"no pdf")
    rows = json.loads((folder / "documents.json").read_text())
    (folder / "documents.json").write_text(json.dumps([*rows, {"doc_id": "scan", "file": "scan.pdf", "title": "S"}]))
    for _ in range(2):
        assistant, notes = opened(read_dataset(folder), Corpus.FILES, tmp_path)
        assistant.close()
        assert len(notes) == 1
        assert notes[0].startswith("scan.pdf could not be read")


def test_wrong_places_are_found_before_anything_is_scored(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    dataset = read_dataset(folder)
    moved = dataclasses.replace(dataset.passages[0], start=0, end=6)
    wrong = dataclasses.replace(dataset, passages=(moved, *dataset.passages[1:]))
    for _ in range(2):  # the second time too: nothing counts as done that was not checked
        with pytest.raises(DatasetError, match="'holiday' is said to be at leave"):
            opened(wrong, Corpus.FILES, tmp_path)


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ({}, 'gold that its groups may not read: mend its "as": q3 (travel.md)'),
        ({"groups": ("hr",)}, 'gold that its groups may not read: mend its "as": q3 (travel.md)'),
        ({"groups": ("board",), "doc_id": "leave"}, "gold that its filter leaves out: mend its doc_id or where: q3 (travel.md)"),
        ({"groups": ("board",), "where": ("region=south",)}, "gold that its filter leaves out: mend its doc_id or where: q3 (travel.md)"),
        ({"groups": ("board",), "as_of": dt.date(2025, 12, 31)}, "gold that is not in force on its as_of: q3 (travel.md)"),
        ({"groups": ("board",), "where": ("region=north",), "as_of": dt.date(2026, 1, 1)}, None),
    ],
)  # fmt: skip
def test_gold_that_its_question_cannot_find_is_noted(
    asked: dict[str, object], note: str | None, folder: Path, tmp_path: Path, model: WordHashes
) -> None:
    declared = "travel.md: {access: [board], region: north, effective_from: 2026-01-01}\n"
    (folder / "documents" / "policies.yaml").write_text(declared)
    dataset = read_dataset(folder)
    third = dataclasses.replace(dataset.questions[2], **{"where": (), **asked})  # type: ignore[arg-type]
    for _ in range(2):
        assistant, notes = opened(dataset.part([third, *dataset.unanswerable], "another"), Corpus.FILES, tmp_path)
        assistant.close()
        assert notes == ((note,) if note else ())


def test_gold_that_is_not_in_force_today_is_noted(folder: Path, tmp_path: Path, model: WordHashes) -> None:
    (folder / "documents" / "policies.yaml").write_text("leave.md: {effective_to: 2020-12-31}\n")
    assistant, notes = opened(
        read_dataset(folder).part(read_dataset(folder).questions[:1], "one"), Corpus.FILES, tmp_path
    )
    assistant.close()
    assert notes == ('gold that is not in force today: give "as_of": q1 (leave.md)',)


def test_passages_that_share_an_id_are_units_of_their_own_with_one_label(dataset: Dataset, tmp_path: Path) -> None:
    holiday = dataset.passages[0]
    second = dataclasses.replace(holiday, text="Another text under the same number.")
    clash = dataclasses.replace(holiday, gold_id="holiday~2")
    blank = dataclasses.replace(holiday, gold_id="blank", text=" \n")
    made = dataclasses.replace(dataset, passages=(holiday, second, clash, blank, *dataset.passages[1:]))
    units = units_by_document(made)["leave"]
    assert [unit.section_id for unit in units] == ["holiday", "holiday~2", "holiday~2~2", "sick"]
    assert [unit.passage.gold_id for unit in units] == ["holiday", "holiday", "holiday~2", "sick"]


def test_a_title_helps_to_find_its_passage_and_is_not_in_its_text(
    dataset: Dataset, tmp_path: Path, model: WordHashes
) -> None:
    titled = dataclasses.replace(dataset.passages[0], title="Zebra", doc_id=None, file=None)
    made = dataclasses.replace(dataset, documents=(), passages=(*dataset.passages[1:], titled))
    assistant, _ = open_corpus(made, Corpus.PASSAGES, load_settings({"reranker": "none"}), tmp_path)
    with assistant:
        (result,) = assistant.search_many([SearchRequest("zebra")])
    assert result.hits[0].section_id == "holiday"
    assert "Zebra" not in result.hits[0].text
    assert result.hits[0].doc_id == "small"
