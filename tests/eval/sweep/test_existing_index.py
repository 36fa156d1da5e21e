"""An index as it stands is measured where it lies, with the figures of the configuration that it was made under."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from one_evaluation import evaluated
from small_dataset import TRAVEL, WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import IndexingError, UsageError
from policy_rag.index.store.place import home_of, index_place
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import DEFAULT_MEASURES
from policy_rag_eval.sweep.evaluation import Evaluation, evaluate_peer
from policy_rag_eval.sweep.existing_index import ExistingIndex
from policy_rag_eval.sweep.peers import named_retriever
from policy_rag_eval.workbench import Candidate
from policy_rag_eval.workbench import evaluate as compare

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(params=["folder", "pgvector"])
def place(request: pytest.FixtureRequest, tmp_path: Path, folder: Path, model: WordHashes) -> Iterator[str]:
    """An index of the data set's documents."""
    made = str(tmp_path / "served") if request.param == "folder" else request.getfixturevalue("pgvector_url")
    with PolicyAssistant.open(made, create=True) as assistant:
        assistant.ingest([folder / "documents"])
    return made


def measured(dataset: Dataset, place: str) -> Evaluation:
    fitted = dataset.for_corpus(Corpus.FILES)
    gold = QuestionGold(fitted, Corpus.FILES)
    return evaluate_peer("now", ExistingIndex(place), fitted, Corpus.FILES, DEFAULT_MEASURES, gold=gold)


def test_its_figures_are_those_of_its_configuration(dataset: Dataset, place: str, tmp_path: Path) -> None:
    ours = evaluated(dataset, Corpus.FILES, tmp_path / "sweep")
    theirs = measured(dataset, place)
    assert theirs.rankings == ours.rankings
    assert theirs.scores.values == ours.scores.values
    assert theirs.settings == ours.settings
    assert theirs.tokens == ours.tokens
    assert theirs.notes == ("left out, as their gold has no place in a document: q5",)
    assert theirs.timings_ms == {}


def test_in_python_it_stands_beside_configurations(folder: Path, pgvector_url: str, model: WordHashes) -> None:
    with PolicyAssistant.open(pgvector_url) as assistant:
        assistant.ingest([folder / "documents"])
    candidates: dict[str, Candidate] = {"default": {}, "now": ExistingIndex(pgvector_url)}
    found = compare(folder, candidates, index=pgvector_url)
    assert found.scores("now") == found.scores("default")
    with pytest.raises(IndexingError, match="does not answer"):
        compare(folder, index="postgresql://nobody@127.0.0.1:1/policies")


def test_what_it_lacks_and_what_it_holds_besides_is_told(dataset: Dataset, place: str, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "pets.md").write_text("# Pets\n\nNo pets.\n")
    with PolicyAssistant.open(place) as assistant:
        assistant.ingest([tmp_path / "more"])
        assistant.remove(["leave.md"])
    _, note, lost = measured(dataset, place).notes
    assert "hits of now stand in no file of the data set" in lost
    assert note.endswith(f"lacks 1 of {dataset.name}'s 2 documents, and holds 1 others")
    with PolicyAssistant.open(place) as assistant:
        assistant.remove(["travel.md"])
    with pytest.raises(UsageError, match=r"holds no document of small: run `policy-rag ingest"):
        measured(dataset, place)


def test_documents_are_the_same_in_a_folder_above_theirs(dataset: Dataset, tmp_path: Path, model: WordHashes) -> None:
    (tmp_path / "all" / "hr").mkdir(parents=True)
    (tmp_path / "all" / "hr" / "travel.md").write_text(TRAVEL)
    with PolicyAssistant.open(tmp_path / "served", create=True) as assistant:
        assistant.ingest([tmp_path / "all"])
    found = measured(dataset, str(tmp_path / "served"))
    assert found.rankings["q4"][0] in {"hotel", "train"}
    assert "lacks 1 of small's 2 documents, and holds 0 others" in found.notes[1]


def test_it_is_named_by_folder_or_address(tmp_path: Path) -> None:
    name, folder = named_retriever(f"now={tmp_path}")
    assert (name, isinstance(folder, ExistingIndex) and folder.place) == ("now", tmp_path)
    _, database = named_retriever("now=postgresql://app@db.example/policies?sslmode=require")
    assert isinstance(database, ExistingIndex)
    assert str(database.place) == "postgresql://app@db.example/policies?sslmode=require"
    with pytest.raises(IndexingError, match="write --index postgresql://"):
        named_retriever("now=postgresql:policies")


def test_a_database_is_asked_before_anything_is_measured_and_it_is_said_what_is_kept_where(
    folder: Path, pgvector_url: str, empty_store: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    home = home_of(index_place(pgvector_url))
    home.mkdir(parents=True, exist_ok=True)
    shutil.copy(empty_store, home)
    call = ["eval", "retrieval", str(folder), "--index"]
    missing = pgvector_url.replace("/index_", "/no_")
    assert run([*call, missing]) == 1
    found = capfd.readouterr()
    assert found.out == ""
    assert "does not answer" in found.err
    assert found.err.count("\n") == 1
    with PolicyAssistant.open(pgvector_url) as assistant:
        assistant.ingest([folder / "documents"])
    assert run([*call, pgvector_url, "--beside", f"now={pgvector_url}"]) == 0
    found = capfd.readouterr()
    assert "now" in found.out
    assert "what is measured is kept in files of this machine, in" in found.err


@pytest.mark.parametrize("command", [["report"], ["compare", "a", "b"], ["send"]])
def test_what_was_measured_is_read_without_the_database(command: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", *command, "--index", "postgresql://nobody@127.0.0.1:1/policies"]) != 0
    told = capfd.readouterr().err
    assert "does not answer" not in told
    assert told.count("\n") == 1
