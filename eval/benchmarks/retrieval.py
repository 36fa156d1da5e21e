"""What searching costs, as ratios between ours and the plain route in one run.

    python -m benchmarks.retrieval embed DATASET [--every N] [--recall] [--vectors FILE.npy]
    python -m benchmarks.retrieval batch DATASET [--backend NAME] [--every N] [--vectors FILE.npy]
    python -m benchmarks.retrieval hybrid DATASET [--sections N] [--vectors FILE.npy]

`embed` compares passages a second with LlamaIndex's `HuggingFaceEmbedding` as it comes (batches of 10, in the data
set's order); with `--recall` it also embeds all passages and questions by each and gives the vector search's
recall@10. `batch` asks all questions in one call, and one by one through LlamaIndex's `QueryFusionRetriever` over the
same vectors and the same BM25 weights. `hybrid` compares one search with the sum of its bare parts: embedding the
question, a flat FAISS search, and bm25s' `get_scores` over words with its best 50. Contenders take turns in small
steps, so that other work on the machine meets all alike; times are given by the wall and by the processor.
`--vectors` (a row a passage that holds text, in the order of `corpus.jsonl`) spares embedding where it is not measured.
"""

import argparse
import datetime as dt
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.index import document_of, manifest_of
from policy_rag.index.store.store import Index
from policy_rag.models.factory import load_embedder
from policy_rag.records.choices import Backend
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.measures.measures import Measure, score

_TODAY = dt.date(2026, 1, 1)
_CANDIDATES = 50


@dataclass(slots=True)
class ContenderTime:
    """Seconds of a contender, by the wall and by the processor (all threads)."""

    wall: float = 0.0
    processor: float = 0.0
    steps: list[float] = field(default_factory=list)

    def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Calls and counts."""
        before = time.perf_counter(), time.process_time()
        result = call(*arguments)
        taken = time.perf_counter() - before[0]
        self.wall += taken
        self.processor += time.process_time() - before[1]
        self.steps.append(taken)
        return result


def times(clocks: Mapping[str, ContenderTime], base: str) -> dict[str, Any]:
    """Seconds of each, and how many times faster than `base` it is."""
    return {
        name: {
            "wall_s": round(clock.wall, 3),
            "processor_s": round(clock.processor, 3),
            "times_faster_wall": round(clocks[base].wall / clock.wall, 2),
            "times_faster_processor": round(clocks[base].processor / clock.processor, 2),
        }
        for name, clock in clocks.items()
    }


def passages_of(dataset: Dataset) -> list[str]:
    """The passages that hold text, in the data set's order."""
    return [passage.text for passage in dataset.passages if passage.text.strip()]


# --- embed --------------------------------------------------------------------------------------------------------


def measure_embedding(dataset: Dataset, every: int, *, recall: bool, vectors: Path | None) -> dict[str, Any]:
    """Passages a second, by LlamaIndex as it comes and by each backend."""
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding

    texts = passages_of(dataset)
    backends = {str(backend): load_embedder(backend=backend) for backend in Backend}
    plain = HuggingFaceEmbedding(str(load_embedder().folder))
    base = "HuggingFaceEmbedding"
    calls: dict[str, Callable[[list[str]], Any]] = {base: plain.get_text_embedding_batch}
    calls |= {name: embedder.embed for name, embedder in backends.items()}
    clocks = {name: ContenderTime() for name in calls}
    for call in calls.values():
        call(texts[:20])
    sample = texts[::every]
    # Blocks as large as the index embeds at once, since sorting by length works within them.
    for i in range(0, len(sample), 512):
        for name, call in calls.items():
            clocks[name].run(call, sample[i : i + 512])
    found: dict[str, Any] = {"passages": len(sample), "threads": _threads(), "speed": times(clocks, base)}
    if recall:
        found["recall@10"] = {
            name: vector_recall(
                dataset,
                np.load(vectors) if vectors and name == Backend.TORCH else embedder.embed(texts),
                embedder.embed_queries([question.text for question in dataset.scored]),
            )
            for name, embedder in backends.items()
        }
    return found


def vector_recall(dataset: Dataset, rows: NDArray[np.float32], queries: NDArray[np.float32]) -> float:
    """recall@10 of the bare vector search over passages; passages with one id count as one."""
    ids = [passage.gold_id for passage in dataset.passages if passage.text.strip()]
    found = {
        question.question_id: [ids[row] for row in np.argsort(-(rows @ query), kind="stable")[:50].tolist()]
        for question, query in zip(dataset.scored, queries, strict=True)
    }
    recall = Measure.parse("recall@10")
    return score({question_id: dataset.qrels[question_id] for question_id in found}, found, [recall]).mean(recall)


def _threads() -> int:
    import torch

    return torch.get_num_threads()


# --- batch --------------------------------------------------------------------------------------------------------


def measure_batch(dataset: Dataset, backend: Backend, every: int, vectors: Path | None) -> dict[str, Any]:
    """All questions in one call against one by one through LlamaIndex's fusion, over the same indexes."""
    from llama_index.core.schema import QueryBundle

    texts = passages_of(dataset)
    questions = [question.text for question in dataset.scored][::every]
    embedder = load_embedder(backend=backend)
    rows = np.load(vectors) if vectors else embedder.embed(texts)
    clocks = {"QueryFusionRetriever": ContenderTime(), "batch": ContenderTime()}
    with tempfile.TemporaryDirectory() as folder, _index(Path(folder), texts, rows) as index:
        fusion = _plain_fusion(index, texts, rows)
        fusion.retrieve(QueryBundle(questions[0]))
        searcher = Searcher(index, embedder)
        options = SearchOptions(top_k=10)
        searcher.search_many([SearchRequest("warm")], options, today=_TODAY)
        for question in questions:
            clocks["QueryFusionRetriever"].run(fusion.retrieve, QueryBundle(question))
        requests = [SearchRequest(question) for question in questions]
        clocks["batch"].run(lambda: searcher.search_many(requests, options, today=_TODAY))
    return {
        "passages": len(texts),
        "questions": len(questions),
        "backend": str(backend),
        "threads": _threads(),
        "speed": times(clocks, "QueryFusionRetriever"),
    }


def _index(folder: Path, texts: Sequence[str], rows: NDArray[np.float32]) -> Index:
    """An index of these passages with given vectors, a hundred a document."""
    documents = [document_of(f"policy {i // 100}", texts[i : i + 100]) for i in range(0, len(texts), 100)]
    by_text = dict(zip(texts, rows, strict=True))

    class Given:
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.stack([by_text[text] for text in texts])

    index = Index(folder, create=True)
    index.update(documents, manifest_of(rows.shape[1]), Given())
    return index


def _plain_fusion(index: Index, texts: Sequence[str], rows: NDArray[np.float32]) -> Any:
    """LlamaIndex's reciprocal rank fusion of its vector retriever and of our BM25 weights."""
    import faiss
    from llama_index.core import StorageContext, VectorStoreIndex
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.llms.mock import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.faiss import FaissVectorStore

    from policy_rag.index.search.bm25_index import best_rows
    from policy_rag.retrieval.candidates.collector import keyword_scores

    nodes = [TextNode(text=t, id_=str(i), embedding=rows[i].tolist()) for i, t in enumerate(texts)]
    with index.snapshot() as snapshot:
        scores_of = partial(keyword_scores, snapshot, pair_weight=0.25)
    store = FaissVectorStore(faiss_index=faiss.IndexFlatIP(rows.shape[1]))
    vector_index = VectorStoreIndex(
        nodes,
        storage_context=StorageContext.from_defaults(vector_store=store),
        embed_model=HuggingFaceEmbedding(str(load_embedder().folder)),
    )

    class Keywords(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            scores, _ = scores_of(query_bundle.query_str)
            best = best_rows(scores, _CANDIDATES)
            return [NodeWithScore(node=nodes[row], score=float(scores[row])) for row in best.tolist()]

    return QueryFusionRetriever(
        [vector_index.as_retriever(similarity_top_k=_CANDIDATES), Keywords()],
        llm=MockLLM(),
        mode=FUSION_MODES.RECIPROCAL_RANK,
        similarity_top_k=10,
        num_queries=1,
        use_async=False,
    )


# --- hybrid -------------------------------------------------------------------------------------------------------


def measure_hybrid(dataset: Dataset, sections: int, vectors: Path | None) -> dict[str, Any]:
    """One search on `sections` sections, copies of the data set's, against the sum of its bare parts."""
    import faiss
    from bm25s import BM25

    from policy_rag.index.search.terms import terms

    embedder = load_embedder()
    texts = passages_of(dataset)
    rows = np.asarray(np.load(vectors) if vectors else embedder.embed(texts), dtype=np.float32)
    copies = -(-sections // len(texts))
    many = [f"{text} ({i})" for i in range(copies) for text in texts][:sections]
    chance = np.random.default_rng(0)
    spread = np.tile(rows, (copies, 1))[:sections]
    spread += chance.normal(scale=0.01, size=spread.shape).astype(np.float32)
    spread /= np.linalg.norm(spread, axis=1, keepdims=True)
    flat = faiss.IndexFlatIP(spread.shape[1])
    flat.add(spread)
    bare = BM25(method="lucene", k1=0.6, b=0.75)
    bare.index([terms(text) for text in many], show_progress=False)
    questions = list(dict.fromkeys(question.text for question in dataset.scored))[:120]
    clocks = {name: ContenderTime() for name in ("encode", "faiss", "bm25", "search")}
    with tempfile.TemporaryDirectory() as folder, _index(Path(folder), many, spread) as index:
        searcher = Searcher(index, embedder)

        def search(question: str) -> Any:
            return searcher.search_many([SearchRequest(question)], SearchOptions(), today=_TODAY)

        for i, question in enumerate(questions):
            counted = clocks if i >= 20 else {name: ContenderTime() for name in clocks}
            query = counted["encode"].run(embedder.embed, [question])
            counted["faiss"].run(flat.search, query, _CANDIDATES)
            counted["bm25"].run(_bare_keywords, bare, terms(question))
            counted["search"].run(search, question)
    parts = [clocks[name] for name in ("encode", "faiss", "bm25")]
    sums = np.sum([clock.steps for clock in parts], axis=0)
    return {
        "sections": len(many),
        "threads": _threads(),
        "median_ms": {name: round(1000 * float(np.median(clock.steps)), 2) for name, clock in clocks.items()},
        "ratio_of_medians": round(float(np.median(clocks["search"].steps) / np.median(sums)), 3),
        "ratio_processor": round(clocks["search"].processor / sum(clock.processor for clock in parts), 3),
    }


def _bare_keywords(bare: Any, words: list[str]) -> NDArray[np.int64]:
    scores = bare.get_scores(words)
    best = np.argpartition(-scores, _CANDIDATES)[:_CANDIDATES]
    return best[np.argsort(-scores[best], kind="stable")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one comparison and writes it as JSON."""
    parser = argparse.ArgumentParser(description="What searching costs, beside the plain route.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("embed", "batch", "hybrid"):
        command = commands.add_parser(name)
        command.add_argument("dataset")
        command.add_argument("--vectors", type=Path)
        command.add_argument("--every", type=int, default=1, help="take every Nth passage or question")
    commands.choices["embed"].add_argument("--recall", action="store_true")
    commands.choices["batch"].add_argument("--backend", type=Backend, default=Backend.TORCH)
    commands.choices["hybrid"].add_argument("--sections", type=int, default=100_000)
    chosen = parser.parse_args(arguments)
    dataset = read_dataset(chosen.dataset)
    match chosen.command:
        case "embed":
            found = measure_embedding(dataset, chosen.every, recall=chosen.recall, vectors=chosen.vectors)
        case "batch":
            found = measure_batch(dataset, chosen.backend, chosen.every, chosen.vectors)
        case _:
            found = measure_hybrid(dataset, chosen.sections, chosen.vectors)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
