"""What every store of an index keeps: one ingest is one transaction, and costs what changed."""

import datetime as dt
import threading
from dataclasses import replace

import pytest

from policy_rag.errors import IndexingError
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.document_rows import read_blocks, read_edges, read_passages, read_sections, read_text
from policy_rag.index.store.store import Index
from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.records import BlockKind

in_rows = pytest.mark.parametrize("index_home", ["folder", "postgres"], indirect=True)
"""What rows alone hold is the same whatever searches the vectors."""
LEAVE = [("1", "Scope", "All employees have leave."), ("2", "Amount", "Thirty days a year.")]
TRAVEL = [("1", "Scope", "Trips by train."), ("2", "Limits", "A hotel costs 120 euros at most.")]


@pytest.fixture
def index(index_home):
    with Index(index_home, create=True) as made:
        yield made


def texts(index):
    with index.snapshot() as snapshot:
        keys = snapshot.derived.passages[:, 0].tolist()
        rows = read_passages(snapshot.db, keys)
        return {(rows[key].doc_key, rows[key].text): key for key in keys}


@in_rows
def test_what_was_written_is_read_back(index, document, manifest, embedder):
    leave = document("leave.md", LEAVE, title="Leave Policy")
    update = index.update([leave], manifest, embedder)
    assert (update.added, update.updated, update.unchanged, update.embedded) == (1, 0, 0, 2)
    with index.reading() as db:
        (info,) = index.documents()
        assert (info.doc_id, info.title, info.sections) == ("leave.md", "Leave Policy", 2)
        assert read_text(db, info.doc_key) == leave.source.text
        assert read_sections(db, info.doc_key) == leave.sections
    assert index.manifest == manifest


@in_rows
def test_blocks_are_read_by_the_characters_they_share_and_edges_by_what_they_lead_to(
    index, document, manifest, embedder
):
    sections = [("1", "Leave", "Paid are: 25 days."), ("2", "Sick", "Except as section 1 says."), ("3", "To", "See section 1.\n\n[^1]: Not in May.")]  # fmt: skip
    made = document("a.md", sections)
    index.update([made], manifest, embedder)
    with index.reading() as db:
        key = index.documents()[0].doc_key
        assert read_blocks(db, key) == made.blocks
        first, *_, note = made.blocks
        assert read_blocks(db, key, first.end - 1, first.end) == (first,)
        assert read_blocks(db, key, kind=BlockKind.NOTE) == (note,)
        assert read_edges(db, key) == made.edges
        assert [e.section_id for e in read_edges(db, key, target="1")] == ["2", "3"]
        assert read_edges(db, key, target="2") == ()
    for better in (replace(made, blocks=made.blocks[1:]), replace(made, edges=made.edges[1:])):
        assert better.content_hash != made.content_hash, "a better parser is an update"


@in_rows
def test_the_embedder_sees_the_path_and_equal_texts_once(index, document, manifest, embedder):
    twice = [("1", "Note", "Same words."), ("2", "Other", "Other words.")]
    index.update([document("a", twice, title="T"), document("b", twice, title="T")], manifest, embedder)
    assert sorted(embedder.embedded) == ["1 Note\nSame words.", "2 Other\nOther words."]


def test_a_change_embeds_only_what_changed_and_keeps_the_other_keys(index, document, manifest, embedder):
    index.update([document("leave.md", LEAVE), document("travel.md", TRAVEL)], manifest, embedder)
    before = texts(index)
    embedder.embedded.clear()
    changed = [LEAVE[0], ("2", "Amount", "Thirty-one days a year.")]
    update = index.update([document("leave.md", changed), document("travel.md", TRAVEL)], manifest, embedder)
    assert (update.updated, update.unchanged) == (1, 1)
    assert embedder.embedded == ["2 Amount\nThirty-one days a year."]
    after = texts(index)
    kept = set(before) & set(after)
    assert len(kept) == 3
    assert all(before[text] == after[text] for text in kept)
    (new,) = set(after) - set(before)
    assert after[new] > max(before.values()), "a key is never used again"


def test_a_moved_document_is_not_embedded_again(index, document, manifest, embedder):
    index.update([document("old/leave.md", LEAVE, title="Leave")], manifest, embedder)
    embedder.embedded.clear()
    moved = document("new/leave.md", LEAVE, title="Leave")
    update = index.update([moved], manifest, embedder, moved={"old/leave.md": moved})
    assert (update.added, update.unchanged, update.embedded) == (0, 1, 0)
    assert [d.doc_id for d in index.documents()] == ["new/leave.md"]


def test_an_interrupted_embedding_goes_on_where_it_stopped(index, document, manifest, embedder, monkeypatch):
    monkeypatch.setattr("policy_rag.index.store.store._BATCH", 1)
    stop_after = {"calls": 1}
    embed = embedder.embed

    def interrupted(batch, **kwargs):
        if not stop_after["calls"]:
            raise KeyboardInterrupt
        stop_after["calls"] -= 1
        return embed(batch, **kwargs)

    monkeypatch.setattr(embedder, "embed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        index.update([document("leave.md", LEAVE)], manifest, embedder)
    assert index.documents() == ()
    stop_after["calls"] = 9
    assert index.update([document("leave.md", LEAVE)], manifest, embedder).embedded == 1
    assert len(embedder.embedded) == len(set(embedder.embedded)) == 2


@in_rows
def test_another_model_or_chunker_is_refused_with_the_way_out(index, document, manifest, embedder):
    index.update([document("leave.md", LEAVE)], manifest, embedder)
    with pytest.raises(IndexingError, match=r"chunker=section, not sentence.*--index NEW_FOLDER"):
        index.update([], replace(manifest, chunker="sentence"), embedder)
    with pytest.raises(IndexingError, match="other weights of bag-of-words"):
        index.update([], replace(manifest, fingerprint="else"), embedder)


@pytest.mark.parametrize("index_home", ["folder", "postgres", "pgvector", "milvus"], indirect=True)
def test_readers_see_whole_ingests_while_another_writes(index, index_home, document, manifest, embedder):
    def state(amount):
        return [document(f"{name}.md", [("1", "Amount", f"{amount} days.")]) for name in "abcd"]

    index.update(state(1), manifest, embedder)
    seen, failures, done = set(), [], threading.Event()

    def read():
        with Index(index_home) as mine:
            while not done.is_set():
                try:
                    with mine.snapshot() as snapshot:
                        rows = read_passages(snapshot.db, snapshot.derived.passages[:, 0].tolist())
                        seen.add(frozenset(row.text.split()[2] for row in rows.values()))
                        assert len(rows) == 4
                except Exception as error:  # noqa: BLE001 - the thread's failure is the test's
                    failures.append(error)
                    return

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for amount in range(2, 8):
        index.update(state(amount), manifest, embedder)
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert seen, "no reader had a turn"
    assert all(len(amounts) == 1 for amounts in seen), "half of an ingest was seen"


@in_rows
def test_a_successor_ends_what_it_supersedes(index, document, manifest, embedder):
    new = Declaration(effective_from=dt.date(2026, 3, 1), supersedes=("travel-2024.md",))
    old = Declaration(effective_from=dt.date(2024, 1, 1), version="1.0")
    index.update(
        [
            document("p/travel-2024.md", TRAVEL, declaration=old),
            document("p/travel-2026.md", TRAVEL, declaration=new),
            document("q/travel-2024.md", TRAVEL, declaration=old),
        ],
        manifest,
        embedder,
    )
    held = {d.doc_id: [d.in_force(dt.date(2026, 2, 28)), d.in_force(dt.date(2026, 3, 1))] for d in index.documents()}
    assert held == {
        "p/travel-2024.md": [True, False],
        "p/travel-2026.md": [False, True],
        "q/travel-2024.md": [True, True],
    }


def test_an_index_is_opened_again_by_its_place(index, index_home, document, manifest, embedder):
    index.update([document("leave.md", LEAVE)], manifest, embedder)
    with Index(index_home) as again:
        assert [d.doc_id for d in again.documents()] == ["leave.md"]
        assert texts(again) == texts(index)
        assert verify(again).ok


def test_a_row_changed_by_hand_is_noticed(index, document, manifest, embedder):
    index.update([document("leave.md", LEAVE)], manifest, embedder)
    with index.writer() as db, index.truth.changing(db):
        db.execute("UPDATE sections SET title = 'Other' WHERE number = '2'")
    found = verify(index)
    assert [(p.check, p.doc_id) for p in found.problems] == [("document", "leave.md")]


def test_what_is_removed_is_found_no_more(index, document, manifest, embedder):
    index.update([document("leave.md", LEAVE), document("travel.md", TRAVEL)], manifest, embedder)
    assert index.update([], manifest, embedder, remove=["travel.md", "not there"]).removed == 1
    assert {text.split()[0] for _, text in texts(index)} == {"1", "2"}
    assert len(texts(index)) == 2
    with index.reading() as db:
        assert db.execute("SELECT count(*) FROM vectors").fetchone()[0] == 2


def test_a_failed_write_leaves_all_of_the_old(index, document, manifest, embedder, monkeypatch):
    index.update([document("leave.md", LEAVE)], manifest, embedder)

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("policy_rag.index.store.store.next_transaction", fails)
    with pytest.raises(IndexingError, match="holds what it held before"):
        index.update([document("leave.md", TRAVEL), document("new.md", TRAVEL)], manifest, embedder)
    monkeypatch.undo()
    assert [d.doc_id for d in index.documents()] == ["leave.md"]
    assert any("Thirty days" in text for _, text in texts(index))
    assert verify(index).ok


@in_rows
def test_half_of_a_character_cannot_be_stored_and_the_message_says_so(index, document, manifest, embedder):
    with pytest.raises(IndexingError, match=r"U\+D800.*mend the file"):
        index.update([document("a.md", [("1", "A", "half \ud800 of one")])], manifest, embedder)
    assert index.documents() == ()


def test_it_is_closed_once_and_says_so(index):
    index.close()
    with pytest.raises(IndexingError, match="was closed: open it again"):
        index.documents()
