"""`verify`: what it notices, what it mends, what it says it cannot."""

import json
import sqlite3
import zlib

import numpy as np
import pytest

from policy_rag.cli import run
from policy_rag.errors import IndexingError
from policy_rag.index.maintenance.checks import IndexCheck
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store import snapshot_files as derived
from policy_rag.index.store.document_rows import write_vectors
from policy_rag.index.store.store import Index
from policy_rag_parsers.document_metadata.declarations import Declaration

LEAVE = [("1", "Scope", "All employees have leave."), ("2", "Amount", "Thirty days a year.")]
TRAVEL = [("1", "Scope", "Trips by train."), ("2", "Limits", "A hotel costs 120 euros at most.")]
TOO_LONG = np.full(64, 2.0, dtype=np.float32).tobytes()


@pytest.fixture
def filled(index, document, manifest, embedder):
    secret = document("secret.md", [("1", "Codename", "Zanzibar.")], declaration=Declaration(access=("board",)))
    index.update([document("leave.md", LEAVE), document("travel.md", TRAVEL), secret], manifest, embedder)
    embedder.embedded.clear()
    return index


def change(index, *statements):
    """Changes rows behind the index's back, as a broken disk or a curious person would."""
    db = sqlite3.connect(index.folder / "index.sqlite3", isolation_level=None)
    for statement in statements:
        db.execute(*statement) if isinstance(statement, tuple) else db.execute(statement)
    db.close()


def kinds(found):
    return [(problem.check, problem.doc_id, problem.repaired) for problem in found.problems]


def test_an_empty_and_a_whole_index_have_no_problem(index, request):
    assert verify(index).ok
    found = verify(request.getfixturevalue("filled"))
    assert (found.ok, found.documents, found.vectors, found.spare_vectors, found.problems) == (True, 3, 5, 0, ())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE documents SET text = replace(text, 'Thirty', 'Forty') WHERE doc_id = 'leave.md'",
        "UPDATE documents SET access = '[\"board\"]' WHERE doc_id = 'leave.md'",
        "UPDATE sections SET title = 'Else' WHERE title = 'Amount'",
        "UPDATE passages SET start = start + 1 WHERE passage_key = 2",
        'UPDATE chunks SET "end" = "end" - 1 WHERE passage_key = 2',
        "DELETE FROM chunks WHERE passage_key = 2",
    ],
)
def test_a_changed_row_is_noticed_and_its_document_taken_in_anew(filled, document, manifest, embedder, statement):
    change(filled, statement)
    found = verify(filled)
    assert (IndexCheck.DOCUMENT, "leave.md", False) in kinds(found)
    assert not found.ok
    assert "policy-rag ingest PATH" in found.problems[0].remedy
    repaired = verify(filled, repair=True, embedder=lambda _: embedder)
    assert not repaired.ok, "what the rows said before is known to nobody"
    filled.update([document("leave.md", LEAVE), document("travel.md", TRAVEL)], manifest, embedder)
    assert verify(filled).ok
    with filled.reading() as db:
        assert db.execute("SELECT count(*) FROM documents WHERE text LIKE '%Thirty%'").fetchone()[0] == 1


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM vectors WHERE rowid = 2", "1 vectors are missing"),
        ("UPDATE vectors SET vector = zeroblob(8) WHERE rowid = 1", "1 vectors are of another dimension"),
        ("UPDATE vectors SET vector = zeroblob(256)", "5 vectors are changed since it was written"),
        (("UPDATE vectors SET vector = ?, crc = ? WHERE rowid = 1", (TOO_LONG, zlib.crc32(TOO_LONG))), "1 vectors are not of length 1"),
    ],
)  # fmt: skip
def test_vectors_are_embedded_again_from_the_stored_text(filled, embedder, statement, message):
    with filled.snapshot() as snapshot:
        before = snapshot.vectors.vectors(np.arange(5))
    change(filled, statement)
    found = verify(filled)
    assert message in [problem.message for problem in found.problems]
    assert not verify(filled, repair=True).ok, "there is no model"
    mended = verify(filled, repair=True, embedder=lambda _: embedder)
    assert mended.ok
    assert all(problem.repaired and not problem.remedy for problem in mended.problems)
    assert len(embedder.embedded) == int(message.split()[0])
    with Index(filled.folder) as again, again.snapshot() as snapshot:
        assert np.allclose(snapshot.vectors.vectors(np.arange(5)), before, atol=1e-6)


def test_missing_vectors_are_an_error_that_names_the_repair_and_never_wrong_hits(filled):
    change(filled, "DELETE FROM vectors")
    derived.remove_others(filled.folder, -1)
    with Index(filled.folder) as again, pytest.raises(IndexingError, match="verify --repair"), again.snapshot():
        pass


@pytest.mark.parametrize(
    "name", ["words.data.npy", "pairs.indices.npy", "vectors.faiss", "passages.npy", derived.STAMP]
)
@pytest.mark.parametrize("damage", ["deleted", "truncated", "one byte"])
def test_derived_files_are_made_again(filled, name, damage):
    path = filled.folder / derived.FOLDER / "1" / name
    data = path.read_bytes()
    if damage == "deleted":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(data[: len(data) // 2])
    else:
        middle = len(data) - 2
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    assert kinds(verify(filled)) == [(IndexCheck.DERIVED, None, False)]
    mended = verify(filled, repair=True)
    assert (mended.ok, kinds(mended)) == (True, [(IndexCheck.DERIVED, None, True)])
    with Index(filled.folder) as again, again.snapshot() as snapshot:
        assert len(snapshot.derived.passages) == 5


def test_a_keyword_file_that_points_nowhere_is_an_error_that_names_the_repair(filled):
    path = filled.folder / derived.FOLDER / "1" / "words.indices.npy"
    np.save(path, np.full_like(np.load(path), 1_000_000))
    with Index(filled.folder) as again, again.snapshot() as snapshot, pytest.raises(IndexingError, match="--repair"):
        snapshot.derived.keywords.scores(["leav", "employe"], pair_weight=0.0)


def test_derived_files_that_are_whole_but_say_something_else(filled, document, manifest, embedder, tmp_path):
    """A folder of the same number from another index, with its hashes in order."""
    with Index(tmp_path / "other", create=True) as other:
        other.update([document("else.md", TRAVEL)], manifest, embedder)
        files = {path.name: path.read_bytes() for path in (other.folder / derived.FOLDER / "1").iterdir()}
    place = filled.folder / derived.FOLDER / "1"
    for name, data in files.items():
        (place / name).write_bytes(data)
    with Index(filled.folder) as again, again.snapshot() as snapshot:
        assert len(snapshot.derived.passages) == 5, "another ingest's files are not taken"
    stamp = json.loads((place / derived.STAMP).read_text())
    assert stamp["files"]["passages.npy"][0] > 0
    assert verify(filled).ok, "the reader that missed them has made them again"


def test_rows_and_files_that_differ_with_every_hash_in_order(filled):
    path = filled.folder / derived.FOLDER / "1" / "words.data.npy"
    np.save(path, np.load(path) + 1)
    stamp = path.with_name(derived.STAMP)
    said = json.loads(stamp.read_text())
    said["files"][path.name] = [path.stat().st_size, derived.file_hash(path)]
    stamp.write_text(json.dumps(said))
    found = verify(filled)
    assert [p.message for p in found.problems] == ["keywords differ from what the rows give"]


def test_what_a_broken_write_left_is_named_and_removed(filled):
    (filled.folder / derived.FOLDER / ".writing-abc").mkdir()
    (filled.folder / derived.FOLDER / "9").mkdir()
    assert kinds(verify(filled)) == [(IndexCheck.LEFTOVERS, None, False)] * 2
    assert verify(filled, repair=True).ok
    assert [path.name for path in (filled.folder / derived.FOLDER).iterdir()] == ["2"]


@pytest.mark.parametrize(
    ("left", "names"), [("0", ()), (".writing-0123", ("stamp.json",)), ("17", ("passages.npy", "mean.npy"))]
)
def test_an_ingest_removes_what_one_left_that_was_killed_though_nothing_changed(
    filled, document, manifest, embedder, left, names
):
    (filled.folder / derived.FOLDER / left).mkdir()
    for name in names:
        (filled.folder / derived.FOLDER / left / name).write_bytes(b"x")
    assert not verify(filled).ok
    assert filled.update([document("leave.md", LEAVE)], manifest, embedder).unchanged == 1
    assert verify(filled).ok


def test_rows_that_belong_to_nothing_are_removed(filled):
    change(filled, "PRAGMA foreign_keys = OFF", "DELETE FROM documents WHERE doc_id = 'leave.md'")
    found = verify(filled)
    assert {problem.check for problem in found.problems} == {IndexCheck.ORPHANS, IndexCheck.DERIVED}
    assert verify(filled, repair=True).ok
    with filled.reading() as db:
        assert db.execute("SELECT count(*) FROM chunks").fetchone()[0] == 3


def test_vectors_kept_for_a_broken_ingest_are_no_problem(filled, embedder):
    with filled.writer() as db:
        write_vectors(db, ["of nothing yet"], embedder.embed(["else"]))
    found = verify(filled)
    assert (found.ok, found.spare_vectors) == (True, 1)


def test_a_page_of_garbage_in_the_database_is_told_and_not_papered_over(filled):
    filled.close()
    path = filled.folder / "index.sqlite3"
    data = bytearray(path.read_bytes())
    for page in range(16384 * 2, len(data), 16384):  # the first pages, the schema and the manifest, stay
        data[page : page + 512] = b"\xff" * 512
    path.write_bytes(bytes(data))
    with Index(filled.folder) as again:
        found = verify(again, repair=True)
    assert not found.ok
    assert any("restore the index from a copy" in problem.remedy for problem in found.problems)


def test_a_document_that_the_caller_may_not_read_is_not_named(filled):
    change(filled, "UPDATE documents SET text = text || 'x'")
    hidden = verify(filled, groups=())
    assert [problem.doc_id for problem in hidden.problems] == ["leave.md", None, "travel.md"]
    assert hidden.documents == 2
    assert "secret" not in repr(hidden)
    assert [problem.doc_id for problem in verify(filled, groups=("board",)).problems][1] == "secret.md"


def test_the_command_exits_with_1_until_it_is_repaired(filled, capsys):
    folder = str(filled.folder)
    assert run(["verify", "--index", folder]) == 0
    assert "all is well" in capsys.readouterr().out
    (filled.folder / derived.FOLDER / "1" / "mean.npy").unlink()
    assert run(["verify", "--index", folder, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["problems"][0]["check"], said["problems"][0]["repaired"]) == (False, "derived", False)
    assert run(["verify", "--index", folder, "--repair"]) == 0
    assert "repaired: mean.npy missing, or not as written" in capsys.readouterr().out
    assert run(["verify", "--index", folder]) == 0
