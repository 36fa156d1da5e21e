"""What a LlamaIndex vector store must do, and the faults that those on FAISS are known for."""

import copy
import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core import Document, StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import (
    ExactMatchFilter,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from pickled import pickled, unpickled

from policy_rag.errors import IndexingError, UsageError
from policy_rag.integrations.llama_index.vector_store import PolicyVectorStore

Op, Cond = FilterOperator, FilterCondition
DIMENSION = 8


def vector(*places):
    """A one in each place, of length 1."""
    made = np.zeros(DIMENSION)
    made[list(places)] = 1
    return (made / np.linalg.norm(made)).tolist()


def node(node_id, embedding, ref_doc="doc", text=None, **metadata):
    made = TextNode(id_=node_id, text=text or f"text of {node_id}", embedding=embedding, metadata=metadata)
    made.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=ref_doc)
    return made


@pytest.fixture
def nodes():
    return [
        node("a", vector(0), "d1", department="HR", year=2023, groups=["all"], note=""),
        node("b", vector(0, 1), "d1", department="HR", year=2024, groups=["board", "hr"]),
        node("c", vector(1), "d2", department="Finance", year=2025, groups=[], score=0.5),
        node("d", vector(2), "d3", department="IT and more", groups=["hr"]),
    ]


@pytest.fixture
def store(nodes):
    made = PolicyVectorStore()
    assert made.add(nodes) == ["a", "b", "c", "d"]
    return made


def ids(store, where=None, *, at=(0,), k=10, **fields):
    return store.query(VectorStoreQuery(vector(*at), similarity_top_k=k, filters=where, **fields)).ids


def one(key, value, operator=Op.EQ):
    return MetadataFilters(filters=[MetadataFilter(key=key, value=value, operator=operator)])


class Embedding(MockEmbedding):
    """Texts that begin alike are near each other."""

    def __init__(self):
        super().__init__(embed_dim=DIMENSION)

    def _of(self, text):
        return vector(sum(map(ord, text.split()[0])) % DIMENSION)

    def _get_text_embedding(self, text):
        return self._of(text)

    def _get_query_embedding(self, query):
        return self._of(query)

    async def _aget_query_embedding(self, query):
        return self._of(query)


# --- adding, replacing, deleting --------------------------------------------------------------------------------------


def test_the_nearest_come_first_with_their_cosine_and_their_node(store):
    found = store.query(VectorStoreQuery([5.0] + [0.0] * 7, similarity_top_k=2))
    assert found.ids == ["a", "b"]
    assert found.similarities == pytest.approx([1, 2**-0.5])
    assert found.nodes[0].text == "text of a"
    assert found.nodes[0].metadata["department"] == "HR"
    assert found.nodes[0].ref_doc_id == "d1"


def test_more_than_there_are_are_not_made_up(store):
    assert len(ids(store, k=100)) == 4
    assert ids(store, k=0) == []
    empty = PolicyVectorStore()
    assert ids(empty) == empty.add([]) == empty.get_nodes() == []


def test_of_equal_ids_in_one_call_the_last_stays(store):
    assert store.add([node("x", vector(6)), node("x", vector(7))]) == ["x", "x"]
    assert ids(store, at=(7,), k=1) == ["x"]
    assert store.size == 5


def test_deleting_nodes_by_id_and_filter(store):
    store.delete_nodes(["a", "c", "never there"], one("department", "HR"))
    assert sorted(ids(store)) == ["b", "c", "d"]
    store.delete_nodes(filters=one("department", "HR"))
    assert sorted(ids(store)) == ["c", "d"]
    store.delete_nodes([])
    assert store.size == 2
    with pytest.raises(UsageError, match=r"clear\(\)"):
        store.delete_nodes()


def test_the_nodes_by_id_and_filter(store):
    assert [n.node_id for n in store.get_nodes()] == ["a", "b", "c", "d"]
    assert [n.node_id for n in store.get_nodes(["c", "a", "no", "c"])] == ["c", "a"]
    assert [n.node_id for n in store.get_nodes(filters=one("year", 2024, Op.GTE))] == ["b", "c"]
    assert [n.node_id for n in store.get_nodes(["a", "c"], one("year", 2024, Op.GTE))] == ["c"]


def test_what_is_cleared_is_gone_but_for_the_numbers_that_were_used(store):
    store.clear()
    assert (ids(store), store.size, store.client) == ([], 0, None)
    store.add([TextNode(id_="other dimension", text="t", embedding=[1.0, 0.0])])
    assert store._nodes.keys() == {4}


def test_what_cannot_be_added_changes_nothing(store):
    with pytest.raises(UsageError, match="no embedding"):
        store.add([node("x", vector(1)), TextNode(id_="y", text="y")])
    with pytest.raises(UsageError, match="3 dimensions, those in the store 8"):
        store.add([TextNode(id_="y", text="y", embedding=[1.0, 0.0, 0.0])])
    with pytest.raises(UsageError, match="different dimensions"):
        store.add([node("x", vector(1)), TextNode(id_="y", text="y", embedding=[1.0])])
    assert store.size == 4
    with pytest.raises(UsageError, match="no vector"):
        store.query(VectorStoreQuery(query_str="words"))
    with pytest.raises(UsageError, match="use default or mmr"):
        ids(store, mode=VectorStoreQueryMode.HYBRID)


# --- filters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "operator", "expected"),
    [
        ("department", "HR", Op.EQ, "ab"),
        ("department", "HR", Op.NE, "cd"),
        ("year", 2023, Op.GT, "bc"),
        ("year", 2024, Op.GTE, "bc"),
        ("year", 2025, Op.LT, "ab"),
        ("year", 2024, Op.LTE, "ab"),
        ("score", 0.25, Op.GT, "c"),
        ("department", ["HR", "Finance"], Op.IN, "abc"),
        ("year", [2023, 2025], Op.IN, "ac"),
        ("department", ["HR"], Op.NIN, "cd"),
        ("year", [2023], Op.NIN, "bcd"),
        ("groups", ["all", "board"], Op.ANY, "ab"),
        ("groups", ["board", "hr"], Op.ALL, "b"),
        ("groups", "hr", Op.CONTAINS, "bd"),
        ("department", "and", Op.TEXT_MATCH, "d"),
        ("department", "AND", Op.TEXT_MATCH, ""),
        ("department", "AND", Op.TEXT_MATCH_INSENSITIVE, "d"),
        ("year", None, Op.IS_EMPTY, "d"),
        ("groups", None, Op.IS_EMPTY, "c"),
        ("note", None, Op.IS_EMPTY, "abcd"),
        ("year", "2023", Op.GT, ""),
        ("year", "2023", Op.TEXT_MATCH, ""),
        ("unknown", "x", Op.EQ, ""),
        ("unknown", "x", Op.NE, "abcd"),
        ("ref_doc_id", "d1", Op.EQ, "ab"),
        ("doc_id", ["d2", "d3"], Op.IN, "cd"),
    ],
)
def test_every_operator(store, key, value, operator, expected):
    assert "".join(sorted(ids(store, one(key, value, operator)))) == expected


@pytest.mark.parametrize(("condition", "expected"), [(Cond.AND, "b"), (Cond.OR, "abc"), (Cond.NOT, "d"), (None, "b")])
def test_every_condition(store, condition, expected):
    both = [
        MetadataFilter(key="department", value="HR"),
        MetadataFilter(key="year", value=2024, operator=Op.GTE),
    ]
    assert "".join(sorted(ids(store, MetadataFilters(filters=both, condition=condition)))) == expected


def test_groups_of_filters_in_one_another_and_none_at_all(store):
    inner = MetadataFilters(
        filters=[ExactMatchFilter(key="department", value="Finance"), MetadataFilter(key="year", value=2023)],
        condition=Cond.OR,
    )
    outer = MetadataFilters(filters=[inner, MetadataFilter(key="year", value=2024, operator=Op.LT)])
    assert ids(store, outer) == ["a"]
    assert sorted(ids(store, MetadataFilters(filters=[]))) == ["a", "b", "c", "d"]


def test_an_operator_of_lists_needs_a_list(store):
    with pytest.raises(UsageError, match="needs a list"):
        ids(store, one("department", "HR", Op.IN))


def test_a_key_of_the_nodes_own_wins_over_the_documents_id():
    made = PolicyVectorStore()
    made.add([node("a", vector(0), "ref", doc_id="travel.md")])
    assert ids(made, one("doc_id", "travel.md")) == ["a"]
    assert ids(made, one("doc_id", "ref")) == []
    assert ids(made, one("ref_doc_id", "ref")) == ["a"]


def test_filters_are_applied_before_the_search():
    """The one node that passes is the farthest of many: cutting first and filtering then would lose it."""
    near = np.array(vector(0)) + np.random.default_rng(1).normal(0, 0.01, (200, DIMENSION))
    made = PolicyVectorStore()
    made.add(
        [*(node(f"n{i}", row, acl="all") for i, row in enumerate(near.tolist())), node("far", vector(5), acl="board")]
    )
    assert ids(made, one("acl", "board"), k=1) == ["far"]
    assert "far" not in ids(made, one("acl", "all"), k=201)


def test_node_and_document_ids_restrict_a_query(store):
    assert ids(store, node_ids=["c", "b", "no"]) == ["b", "c"]
    assert ids(store, doc_ids=["d2", "d3"]) == ["c", "d"]
    assert ids(store, one("department", "HR"), node_ids=["b", "c"]) == ["b"]
    assert ids(store, node_ids=["no"]) == []
    assert len(ids(store, node_ids=[], doc_ids=[])) == 4, "as an index that keeps no nodes asks"


def test_maximal_marginal_relevance_as_the_simple_store_does_it(nodes):
    mine, simple = PolicyVectorStore(), SimpleVectorStore()
    mine.add(nodes)
    simple.add(nodes)
    for threshold in (None, 0.1, 0.5, 0.9):
        query = VectorStoreQuery(
            vector(0, 1), similarity_top_k=3, mode=VectorStoreQueryMode.MMR, mmr_threshold=threshold
        )
        expected = simple.query(query, mmr_threshold=threshold)
        assert mine.query(query).ids == expected.ids


changes = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 9), st.integers(0, 3), st.integers(0, 10_000)),
        st.tuples(st.just("delete"), st.integers(0, 3)),
        st.tuples(st.just("delete_nodes"), st.integers(0, 9)),
        st.tuples(st.just("clear")),
    ),
    max_size=30,
)


@settings(max_examples=60)
@given(changes, st.sampled_from([None, one("parity", 0), one("number", 4, Op.GT)]))
def test_after_any_changes_it_finds_what_the_simple_store_finds(steps, where):
    mine, simple = PolicyVectorStore(), SimpleVectorStore()
    for step in steps:
        for one_store in (mine, simple):
            if step[0] == "add":
                _, name, document, seed = step
                embedding = np.random.default_rng(seed).normal(size=DIMENSION).tolist()
                one_store.add([node(str(name), embedding, f"d{document}", number=name, parity=name % 2)])
            elif step[0] == "delete":
                one_store.delete(f"d{step[1]}")
            elif step[0] == "delete_nodes":
                one_store.delete_nodes([str(step[1])])
            else:
                one_store.clear()
    assert {n.node_id: n.ref_doc_id for n in mine.get_nodes()} == simple.data.text_id_to_ref_doc_id
    assert mine.size == (mine.client.ntotal if mine.client else 0), "a vector was left behind"
    query = VectorStoreQuery(vector(0, 3), similarity_top_k=4, filters=where)
    found, expected = mine.query(query), simple.query(query)
    assert found.similarities == pytest.approx(list(expected.similarities), abs=1e-5)
    # Which of two equals comes first is each store's own rule: what is clearly above the last must be the same.
    last = min(found.similarities, default=0.0) + 1e-5

    def clear(result):
        return {i for i, score in zip(result.ids, result.similarities, strict=True) if score > last}

    assert clear(found) == clear(expected)


# --- through LlamaIndex -----------------------------------------------------------------------------------------------


def documents(**texts):
    return [Document(id_=name, text=text) for name, text in texts.items()]


def index_of(made):
    context = StorageContext.from_defaults(vector_store=PolicyVectorStore())
    return VectorStoreIndex.from_documents(made, storage_context=context, embed_model=Embedding())


def test_an_index_deletes_and_refreshes_documents():
    index = index_of(documents(leave="leave is thirty days", travel="travel by train"))
    store = index.vector_store
    assert store.size == 2
    refreshed = index.refresh_ref_docs(documents(leave="leave is thirty-one days", travel="travel by train", new="new"))
    assert refreshed == [True, False, True]
    texts = sorted(n.text for n in store.get_nodes())
    assert texts == ["leave is thirty-one days", "new", "travel by train"]
    index.delete_ref_doc("travel", delete_from_docstore=True)
    assert sorted(n.ref_doc_id for n in store.get_nodes()) == ["leave", "new"]
    index.update_ref_doc(documents(new="newer words")[0])
    assert sorted(n.text for n in store.get_nodes()) == ["leave is thirty-one days", "newer words"]
    index.delete_nodes([store.get_nodes(filters=one("ref_doc_id", "new"))[0].node_id])
    assert [n.ref_doc_id for n in store.get_nodes()] == ["leave"]


def test_a_retriever_with_filters():
    index = index_of([Document(id_=n, text=f"leave {n}", metadata={"acl": n}) for n in ("all", "board")])
    hits = index.as_retriever(similarity_top_k=5, filters=one("acl", "all")).retrieve("acl: all")
    assert [(hit.node.ref_doc_id, round(hit.score, 5)) for hit in hits] == [("all", 1.0)]


def test_a_pipeline_upserts_and_deletes():
    store = PolicyVectorStore()
    pipeline = IngestionPipeline(
        transformations=[SentenceSplitter(), Embedding()],
        docstore=SimpleDocumentStore(),
        vector_store=store,
        docstore_strategy=DocstoreStrategy.UPSERTS_AND_DELETE,
    )
    pipeline.run(documents=documents(leave="leave is thirty days", travel="travel by train"))
    pipeline.run(documents=documents(leave="leave is thirty days", travel="travel by bus"))
    assert sorted(n.text for n in store.get_nodes()) == ["leave is thirty days", "travel by bus"]
    pipeline.run(documents=documents(leave="leave is thirty days"))
    assert [n.text for n in store.get_nodes()] == ["leave is thirty days"]


def test_a_storage_context_keeps_it(tmp_path):
    place = str(tmp_path)
    index = index_of(documents(leave="leave is thirty days", travel="travel by train"))
    index.storage_context.persist(place)
    store = PolicyVectorStore.from_persist_dir(place)
    context = StorageContext.from_defaults(vector_store=store, persist_dir=place)
    again = load_index_from_storage(context, embed_model=Embedding())
    assert again.as_retriever(similarity_top_k=1).retrieve("travel")[0].text == "travel by train"
    again.delete_ref_doc("travel")
    assert [n.ref_doc_id for n in again.vector_store.get_nodes()] == ["leave"]


# --- on disk ----------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_read_back_and_ids_go_on(store, tmp_path):
    path = str(tmp_path / "a" / "store.sqlite3")
    store.delete("d1")
    store.persist(path)
    again = PolicyVectorStore.from_persist_path(path)
    assert ids(again) == ids(store) == ["c", "d"]
    assert [n.metadata for n in again.get_nodes()] == [n.metadata for n in store.get_nodes()]
    again.add([node("e", vector(0))])
    assert max(again._nodes) == 4
    store.persist(path)
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["store.sqlite3"]


@pytest.mark.parametrize(
    "copied",
    [lambda s: unpickled(pickled(s)), copy.deepcopy, copy.copy, lambda s: s.model_copy()],
    ids=["pickle", "deepcopy", "copy", "model_copy"],
)
def test_a_copy_holds_the_same_and_stands_by_itself(store, copied):
    store.delete("d1")
    again = copied(store)
    assert ids(again) == ids(store) == ["c", "d"]
    assert again.get_nodes() == store.get_nodes()
    again.add([node("e", vector(0))])
    assert ids(again) == ["e", "c", "d"]
    again.clear()
    assert ids(store) == ["c", "d"]


def test_an_empty_store_is_kept_too(tmp_path):
    PolicyVectorStore().persist(str(tmp_path / "s"))
    assert PolicyVectorStore.from_persist_path(str(tmp_path / "s")).size == 0


def test_a_broken_write_leaves_the_old_file(store, tmp_path, monkeypatch):
    path = tmp_path / "store"
    store.persist(str(path))
    before = path.read_bytes()
    store.delete("d1")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("policy_rag.integrations.llama_index.vector_store.Path.replace", full)
    with pytest.raises(IndexingError, match="could not be written"):
        store.persist(str(path))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["store"]


def test_no_file_a_damaged_one_and_another_format_say_so(store, tmp_path):
    with pytest.raises(IndexingError, match="there is no vector store"):
        PolicyVectorStore.from_persist_path(str(tmp_path / "none"))
    (tmp_path / "bad").write_bytes(b"garbage" * 1000)
    with pytest.raises(IndexingError, match="damaged"):
        PolicyVectorStore.from_persist_path(str(tmp_path / "bad"))
    store.persist(str(tmp_path / "old"))
    db = sqlite3.connect(tmp_path / "old")
    with db:
        db.execute("UPDATE store SET value = 0 WHERE key = 'format'")
    db.close()
    with pytest.raises(IndexingError, match="format 0, this version reads 1"):
        PolicyVectorStore.from_persist_path(str(tmp_path / "old"))


def test_a_file_that_also_holds_a_graph_is_read(store, tmp_path):
    store.persist(str(tmp_path / "s"))
    db = sqlite3.connect(tmp_path / "s")
    with db:
        db.execute("INSERT INTO store VALUES ('graph', x'00')")
    db.close()
    assert ids(PolicyVectorStore.from_persist_path(str(tmp_path / "s"))) == ids(store)
