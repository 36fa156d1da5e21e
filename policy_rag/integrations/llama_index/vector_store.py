"""A LlamaIndex vector store on FAISS that can delete, replace and filter.

Searches are exact: a flat index, and filters that are applied before the search. Persisted as one SQLite file, written
beside and renamed into place; nothing is pickled.
"""

import json
import sqlite3
import threading
import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss as _untyped_faiss
import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.indices.query.embedding_utils import get_top_k_mmr_embeddings
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import (
    DEFAULT_PERSIST_FNAME,
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import metadata_dict_to_node, node_to_metadata_dict
from numpy.typing import NDArray

from policy_rag.errors import IndexingError, UsageError
from policy_rag.integrations.llama_index.embedding_adapter import unit_rows
from policy_rag.integrations.llama_index.metadata_filters import matches

FORMAT = 1
DEFAULT_NAMESPACE = "default"
_REF_DOC_KEYS = ("doc_id", "document_id", "ref_doc_id")
_MOST_FOR_MMR = 2000
_MASKS = 32  # filters whose result is kept until something changes
_TABLES = """
CREATE TABLE store (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE nodes (id INTEGER PRIMARY KEY, node TEXT NOT NULL, vector BLOB NOT NULL);
"""

faiss: Any = _untyped_faiss  # its stubs lack selectors and writers


@dataclass(frozen=True, slots=True)
class _Entry:
    """A node: as LlamaIndex writes it down, its id, its document's, and the metadata that filters see."""

    row: dict[str, Any]
    node_id: str
    ref_doc_id: str
    metadata: dict[str, Any]

    @classmethod
    def of(cls, row: dict[str, Any]) -> "_Entry":
        content = json.loads(row["_node_content"])
        ref_doc_id = row["ref_doc_id"]
        # A key of the node's own wins over LlamaIndex's names of the document's id.
        return cls(row, content["id_"], ref_doc_id, dict.fromkeys(_REF_DOC_KEYS, ref_doc_id) | content["metadata"])


class PolicyVectorStore(BasePydanticVectorStore):
    """Cosine similarity over FAISS; safe for many threads."""

    stores_text: bool = True
    is_embedding_query: bool = True

    _lock: Any = PrivateAttr(default_factory=threading.RLock)
    _flat: Any = PrivateAttr(default=None)
    _next: int = PrivateAttr(default=0)
    _nodes: dict[int, _Entry] = PrivateAttr(default_factory=dict)
    _ids: dict[str, int] = PrivateAttr(default_factory=dict)
    _of_document: dict[str, set[int]] = PrivateAttr(default_factory=dict)
    _masks: dict[str, NDArray[np.int64]] = PrivateAttr(default_factory=dict)

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex knows the class."""
        return "PolicyVectorStore"

    @property
    def client(self) -> Any:
        """The FAISS index; None while the store is empty and new."""
        return self._flat

    # Not __len__: LlamaIndex takes a store that is false for none, and would put its own in place of an empty one.
    @property
    def size(self) -> int:
        """How many nodes it holds."""
        return len(self._nodes)

    # --- what it holds --------------------------------------------------------------------------------------------

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:  # noqa: ARG002 - LlamaIndex's signature
        """Adds nodes, each in place of the one of the same id; of equal ids in one call the last stays.

        Returns:
            The nodes' ids, in order.

        Raises:
            UsageError: a node without an embedding, or of another dimension; nothing is then added.
        """
        last = {node.node_id: node for node in nodes}
        if last:
            matrix = unit_rows(_embeddings(list(last.values())))
            with self._lock:
                self._require_dimension(matrix.shape[1])
                self._remove([self._ids[node_id] for node_id in last if node_id in self._ids])
                ids = np.arange(self._next, self._next + len(matrix), dtype=np.int64)
                self._next += len(matrix)
                self._flat.add_with_ids(matrix, ids)
                for number, node in zip(ids.tolist(), last.values(), strict=True):
                    self._take(number, node_to_metadata_dict(node, remove_text=False, flat_metadata=False))
        return [node.node_id for node in nodes]

    def _take(self, number: int, row: dict[str, Any]) -> None:
        entry = _Entry.of(row)
        self._nodes[number] = entry
        self._ids[entry.node_id] = number
        self._of_document.setdefault(entry.ref_doc_id, set()).add(number)
        self._masks.clear()

    def _remove(self, numbers: Sequence[int]) -> None:
        if not numbers:
            return
        self._flat.remove_ids(np.array(numbers, dtype=np.int64))
        for number in numbers:
            entry = self._nodes.pop(number)
            self._ids.pop(entry.node_id)
            of_document = self._of_document[entry.ref_doc_id]
            of_document.discard(number)
            if not of_document:
                del self._of_document[entry.ref_doc_id]
        self._masks.clear()

    def _require_dimension(self, dimension: int) -> None:
        if self._flat is None:
            self._flat = faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
        elif self._flat.d != dimension:
            raise UsageError(
                f"the vectors have {dimension} dimensions, those in the store {self._flat.d}: use the same embedding "
                f"model, or clear() the store first"
            )

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:  # noqa: ARG002 - LlamaIndex's signature
        """Deletes all nodes of a document; nothing happens where there is none."""
        with self._lock:
            self._remove(sorted(self._of_document.get(ref_doc_id, ())))

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,  # noqa: ARG002 - LlamaIndex's signature
    ) -> None:
        """Deletes the nodes that have one of the ids and pass the filters, where these are given.

        Raises:
            UsageError: neither is given.
        """
        if node_ids is None and filters is None:
            raise UsageError("name the nodes to delete by id or filter, or clear() the store")
        with self._lock:
            self._remove(self._selected(node_ids=node_ids, filters=filters).tolist())

    def clear(self) -> None:
        """Deletes everything; ids are still never used again."""
        with self._lock:
            self._flat = None
            self._nodes.clear()
            self._ids.clear()
            self._of_document.clear()
            self._masks.clear()

    def get_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        """The nodes of these ids that pass the filters, without embeddings; in the ids' order, or as added."""
        with self._lock:
            numbers = self._selected(node_ids=node_ids, filters=filters)
            if node_ids is not None:
                wanted = set(numbers.tolist())
                asked = [self._ids[node_id] for node_id in dict.fromkeys(node_ids) if node_id in self._ids]
                return [self._node(number) for number in asked if number in wanted]
            return [self._node(int(number)) for number in numbers]

    def _node(self, number: int) -> BaseNode:
        return metadata_dict_to_node(self._nodes[number].row)

    def _selected(
        self,
        *,
        node_ids: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        filters: MetadataFilters | None = None,
    ) -> NDArray[np.int64]:
        """The numbers that pass, rising."""
        numbers = self._passing(filters)
        for asked in (
            None if node_ids is None else {self._ids[i] for i in node_ids if i in self._ids},
            None if doc_ids is None else {n for i in doc_ids for n in self._of_document.get(i, ())},
        ):
            if asked is not None:
                numbers = np.intersect1d(numbers, np.fromiter(asked, dtype=np.int64, count=len(asked)))
        return numbers

    def _passing(self, filters: MetadataFilters | None) -> NDArray[np.int64]:
        key = filters.model_dump_json() if filters is not None else ""
        found = self._masks.get(key)
        if found is None:
            passing = [number for number, entry in self._nodes.items() if matches(entry.metadata, filters)]
            found = np.sort(np.array(passing, dtype=np.int64))
            if len(self._masks) >= _MASKS:
                self._masks.pop(next(iter(self._masks)))
            self._masks[key] = found
        return found

    # --- search ---------------------------------------------------------------------------------------------------

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """The nearest nodes that pass, best first, equal ones as they were added; fewer where there are fewer.

        Raises:
            UsageError: no query vector, one of another dimension, or a mode other than `default` and `mmr`.
        """
        if query.mode not in {VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR}:
            raise UsageError(f"the mode {query.mode} is not supported: use default or mmr")
        if query.query_embedding is None:
            raise UsageError("the query has no vector: embed it first")
        with self._lock:
            if not self._nodes or query.similarity_top_k < 1:
                return VectorStoreQueryResult(nodes=[], similarities=[], ids=[])
            vector = unit_rows(np.array([query.query_embedding], dtype=np.float32))
            self._require_dimension(vector.shape[1])
            # An empty list restricts nothing: it is what an index gives that keeps no nodes of its own.
            node_ids, doc_ids = query.node_ids or None, query.doc_ids or None
            numbers = self._selected(node_ids=node_ids, doc_ids=doc_ids, filters=query.filters)
            if query.mode is VectorStoreQueryMode.MMR:
                found = self._diverse(vector, numbers, query, kwargs)
            else:
                found = self._nearest(vector, numbers, query.similarity_top_k)
            nodes = [self._node(number) for _, number in found]
        return VectorStoreQueryResult(
            nodes=nodes, similarities=[score for score, _ in found], ids=[node.node_id for node in nodes]
        )

    def _nearest(self, vector: NDArray[np.float32], numbers: NDArray[np.int64], n: int) -> list[tuple[float, int]]:
        n = min(n, len(numbers))
        if not n:
            return []
        if len(numbers) == len(self._nodes):
            scores, ids = self._flat.search(vector, n)
        else:
            selector = faiss.IDSelectorBitmap(_allowed_bits(numbers, self._next))
            scores, ids = self._flat.search(vector, n, params=faiss.SearchParameters(sel=selector))
        found = [(float(score), int(number)) for score, number in zip(scores[0], ids[0], strict=True) if number >= 0]
        return sorted(found, key=lambda pair: (-pair[0], pair[1]))

    def _diverse(
        self, vector: NDArray[np.float32], numbers: NDArray[np.int64], query: VectorStoreQuery, kwargs: dict[str, Any]
    ) -> list[tuple[float, int]]:
        """Maximal marginal relevance, as LlamaIndex defines it, over the 2,000 nearest."""
        near = [number for _, number in self._nearest(vector, numbers, _MOST_FOR_MMR)]
        vectors = self._flat.reconstruct_batch(np.array(near, dtype=np.int64)).tolist() if near else []
        threshold = query.mmr_threshold if query.mmr_threshold is not None else kwargs.get("mmr_threshold")
        scores, ids = get_top_k_mmr_embeddings(
            vector[0].tolist(),
            vectors,
            similarity_top_k=query.similarity_top_k,
            embedding_ids=near,
            mmr_threshold=threshold,
        )
        return list(zip(scores, ids, strict=True))

    # --- on disk --------------------------------------------------------------------------------------------------

    def persist(self, persist_path: str, fs: Any = None) -> None:
        """Writes everything into one SQLite file, beside and renamed into place.

        Raises:
            UsageError: a file system other than the local one.
            IndexingError: it cannot be written; what was there before is unchanged.
        """
        _require_local(fs)
        path = Path(persist_path)
        beside = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock, closing(sqlite3.connect(beside)) as db, db:
                db.executescript(_TABLES)
                db.executemany("INSERT INTO store VALUES (?, ?)", [("format", FORMAT), ("next", self._next)])
                db.executemany("INSERT INTO nodes VALUES (?, ?, ?)", self._rows())
            beside.replace(path)
        except (sqlite3.Error, OSError) as error:
            beside.unlink(missing_ok=True)
            raise IndexingError(f"{path} could not be written ({error}): choose another place") from error

    @classmethod
    def from_persist_path(cls, persist_path: str, fs: Any = None, **kwargs: Any) -> "PolicyVectorStore":
        """Reads what `persist` wrote; `kwargs` are those of the class.

        Raises:
            IndexingError: there is no such file, or it cannot be read.
        """
        _require_local(fs)
        path = Path(persist_path)
        if not path.is_file():
            raise IndexingError(f"there is no vector store at {path}: persist() one first")
        store = cls(**kwargs)
        try:
            with closing(sqlite3.connect(path)) as db:
                said = dict(db.execute("SELECT key, value FROM store").fetchall())
                if said.get("format") != FORMAT:
                    raise IndexingError(
                        f"the vector store at {path} has format {said.get('format')}, this version reads {FORMAT}: "
                        f"make it anew"
                    )
                rows = db.execute("SELECT id, node, vector FROM nodes ORDER BY id").fetchall()
            store._fill(said, rows)
        except (sqlite3.Error, ValueError, KeyError, RuntimeError) as error:
            raise IndexingError(f"the vector store at {path} is damaged ({error}): make it anew") from error
        return store

    @classmethod
    def from_persist_dir(
        cls, persist_dir: str, namespace: str = DEFAULT_NAMESPACE, fs: Any = None, **kwargs: Any
    ) -> "PolicyVectorStore":
        """Reads what a `StorageContext` persisted into a folder."""
        return cls.from_persist_path(str(Path(persist_dir) / f"{namespace}__{DEFAULT_PERSIST_FNAME}"), fs, **kwargs)

    def _rows(self) -> list[tuple[int, str, bytes]]:
        """Number, node and vector of all that it holds."""
        if not self._nodes:
            return []
        numbers = np.fromiter(self._nodes, dtype=np.int64, count=len(self._nodes))
        vectors = self._flat.reconstruct_batch(numbers)
        return [
            (int(n), json.dumps(self._nodes[int(n)].row, ensure_ascii=False), v.tobytes())
            for n, v in zip(numbers, vectors, strict=True)
        ]

    # LlamaIndex's own leaves out what cannot be pickled, which is the lock, FAISS's index and so all nodes.
    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"fields": dict(self.__dict__), "said": {"next": self._next}, "rows": self._rows()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["fields"])  # type: ignore[misc]
        self._fill(state["said"], state["rows"])

    def __copy__(self) -> "PolicyVectorStore":
        copied = type(self).__new__(type(self))
        copied.__setstate__(self.__getstate__())
        return copied

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> "PolicyVectorStore":
        return self.__copy__()

    def _fill(self, said: dict[str, Any], rows: Sequence[tuple[int, str, bytes]]) -> None:
        self._next = int(said["next"])
        if rows:
            matrix = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
            numbers = np.array([row[0] for row in rows], dtype=np.int64)
            self._require_dimension(matrix.shape[1])
            self._flat.add_with_ids(np.ascontiguousarray(matrix), numbers)
        for number, node, _ in rows:
            self._take(number, json.loads(node))


def _allowed_bits(numbers: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    """A bit for each number below `size`, lowest bit first, set where it is allowed."""
    mask = np.zeros(size, dtype=np.bool_)
    mask[numbers] = True
    return np.packbits(mask, bitorder="little")


def _embeddings(nodes: Sequence[BaseNode]) -> NDArray[np.float32]:
    vectors = [node.embedding for node in nodes]
    if any(vector is None for vector in vectors):
        raise UsageError("a node has no embedding: embed the nodes before they are added")
    if len({len(vector) for vector in vectors if vector is not None}) > 1:
        raise UsageError("the nodes' vectors have different dimensions: embed them with one model")
    return np.array(vectors, dtype=np.float32)


def _require_local(fs: Any) -> None:
    if fs is not None and "file" not in np.atleast_1d(getattr(fs, "protocol", "")).tolist():
        raise UsageError("a vector store is persisted on the local disk only: leave fs out, and copy the file")
