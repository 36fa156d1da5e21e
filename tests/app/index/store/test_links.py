"""Links between documents follow every change of either end, and cost nothing where none changed."""

import pytest

from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store import links
from policy_rag.index.store.links import read_links, read_links_to, read_pointing
from policy_rag_parsers.document_metadata.declarations import Declaration
from tests.app.index.maintenance.test_verify import change

LEAVE = [("1", "Days", "Thirty days, see section 2 of the Travel Policy."), ("2", "Trips", "As section 1 says.")]
TRAVEL = [("1", "Scope", "Trips."), ("2", "Limits", "Three days.")]


@pytest.fixture
def ingest(index, document, manifest, embedder):
    def write(remove=(), **files):
        made = [document(f"{name}.md", sections, title=f"{name.title()} Policy") for name, sections in files.items()]
        index.update(made, manifest, embedder, remove=remove)

    return write


@pytest.fixture
def linked(index):
    """The links of all documents, by their names."""

    def found():
        with index.reading() as db:
            ids = dict(db.execute("SELECT doc_key, doc_id FROM documents").fetchall())
            return [
                (ids[one.doc_key], one.section_id, ids[one.target_key], one.target, one.kind.value)
                for key in ids
                for one in read_links(db, key)
            ]

    return found


LEAVE_TO_TRAVEL = ("leave.md", "1", "travel.md", "2", "refers")


def test_a_link_is_there_once_both_ends_are(ingest, linked):
    ingest(leave=LEAVE)
    assert linked() == []
    ingest(travel=TRAVEL)
    assert linked() == [LEAVE_TO_TRAVEL]


def test_a_link_follows_what_it_points_to(ingest, linked):
    ingest(leave=LEAVE, travel=TRAVEL)
    ingest(travel=TRAVEL[:1])
    assert linked() == [("leave.md", "1", "travel.md", None, "refers")]
    ingest(travel=[("2", "Limits", "Four days.")])
    assert linked() == [LEAVE_TO_TRAVEL]
    ingest(leave=[("1", "Days", "Thirty days.")])
    assert linked() == []


def test_a_removed_document_takes_its_links_with_it(ingest, linked, index):
    ingest(leave=LEAVE, travel=TRAVEL)
    ingest(remove=["travel.md"])
    assert linked() == []
    with index.reading() as db:
        assert db.execute("SELECT count(*) FROM links").fetchone() == (0,)


def test_only_what_changed_is_read_again(ingest, linked, monkeypatch):
    ingest(leave=LEAVE, travel=TRAVEL, gifts=[("1", "Tea", "See the Travel Policy.")])
    read = []
    monkeypatch.setattr(links, "find_links", lambda *a: read.append(a[-1]) or ())
    ingest(coffee=[("1", "Cups", "Coffee is free.")])
    assert read == []
    ingest(leave=[*LEAVE, ("3", "End", "The end.")])
    assert read == ["leave.md"]


def test_what_a_document_declares_to_supersede_is_a_link_of_the_whole(index, document, manifest, embedder, linked):
    old = document("old.md", TRAVEL, title="Old Policy")
    new = document("new.md", TRAVEL, title="New Policy", declaration=Declaration(supersedes=("old.md",)))
    index.update([old, new], manifest, embedder)
    assert linked() == [("new.md", None, "old.md", None, "supersedes")]


def test_a_mention_that_leads_to_a_visible_document_leads_nowhere_in_its_own(ingest, index):
    ingest(leave=[("1", "Days", "See the Travel Policy, section 2."), ("2", "Trips", "All.")], travel=TRAVEL)
    with index.reading() as db:
        keys = {doc_id: key for key, doc_id in db.execute("SELECT doc_key, doc_id FROM documents")}
        leave, travel = keys["leave.md"], keys["travel.md"]
        assert [one.target_key for one in read_pointing(db, leave, {leave, travel})] == [travel]
        assert [one.doc_key for one in read_links_to(db, travel)] == [leave]
        assert [one.target_key for one in read_pointing(db, leave, {leave})] == [leave]


def test_a_link_that_was_changed_behind_the_index_s_back_is_noticed_and_made_again(ingest, linked, index):
    ingest(leave=LEAVE, travel=TRAVEL)
    assert verify(index).ok
    change(index, "UPDATE links SET target = '1'")
    (problem,) = verify(index).problems
    assert (problem.doc_id, problem.message) == ("leave.md", "its links to other documents differ from their hash")
    assert verify(index, repair=True).ok
    assert linked() == [LEAVE_TO_TRAVEL]
