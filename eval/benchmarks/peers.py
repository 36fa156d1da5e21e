"""Others' retrievers beside ours, in one sweep with one set of tests.

    python -m benchmarks.peers DATASET [--corpus files|passages] [--questions N] [--index DIR] [--page FILE]
                                       [--lists FILE] [--run NAME=FILE ...]

Ours: keyword, vector and weighted search, and what ships (weighted, with the reader as reranker). LlamaIndex's: a
vector index with its own sentence splitter and the same embedding model, and its BM25 retriever. ranx fuses these two
(reciprocal rank fusion), and comes back as a run file; it also computes ndcg@10 of every list by itself.

`--run` brings in a run file that another tool wrote over the same passages. `--lists` writes what such a tool needs,
and nothing else: passages, questions and the first 50 of the vector index for each (`benchmarks.autorag_steps`).

LlamaIndex's BM25 (`llama-index-retrievers-bm25`) and `ranx` are not installed with the project: what is missing is left
out. Every retriever gives ten hits.
"""

import argparse
import importlib
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from policy_rag_eval import Results, evaluate, load_dataset
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.samples import sample_of
from policy_rag_eval.measures.trec import trec_id, write_run

HITS = 10
CHUNK_TOKENS, OVERLAP = 256, 20
OURS: Mapping[str, Mapping[str, Any]] = {
    "ours, keyword": {"search": "keyword", "reranker": "none"},
    "ours, vector": {"search": "vector", "reranker": "none"},
    "ours, weighted": {"search": "weighted", "reranker": "none"},
    "ours, as shipped": {},
}


def nodes_of(dataset: Dataset, corpus: Corpus) -> list[Any]:
    """What LlamaIndex's retrievers search: its own pieces of the documents, or the gold passages as they are."""
    from llama_index.core import Document
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import TextNode

    from policy_rag_parsers.loaders import load

    if corpus is Corpus.PASSAGES:
        return [TextNode(id_=one.gold_id, text=one.text) for one in dataset.passages if one.text.strip()]
    files = (document.file for document in dataset.documents)
    documents = [Document(text=load(dataset.documents_folder / file).text, metadata={"file": file}) for file in files]
    return list(SentenceSplitter(chunk_size=CHUNK_TOKENS, chunk_overlap=OVERLAP)(documents))


def vector_retriever(nodes: Sequence[Any]) -> Any:
    """LlamaIndex's vector index over the embedding model that ours use."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding

    from policy_rag.models.factory import load_embedder
    from policy_rag.records.choices import Backend

    model = load_embedder(backend=Backend.ONNX, or_torch=True, offline=True)

    class Same(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return list(model.embed([text])[0].tolist())

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [row.tolist() for row in model.embed(texts)]

        def _get_query_embedding(self, query: str) -> list[float]:
            return list(model.embed_queries([query])[0].tolist())

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

    return VectorStoreIndex(list(nodes), embed_model=Same(embed_batch_size=256)).as_retriever(similarity_top_k=HITS)


def write_lists(dataset: Dataset, file: Path) -> None:
    """Passages, questions, and the vector index's first 50 passages for each question with their scores, as JSON.

    Ids are as they stand in run files.
    """
    retriever = vector_retriever(nodes_of(dataset, Corpus.PASSAGES))
    retriever.similarity_top_k = 50
    made = {
        "passages": {trec_id(one.gold_id): one.text for one in dataset.passages if one.text.strip()},
        "questions": {trec_id(one.question_id): one.text for one in dataset.scored},
        "vector": {
            trec_id(one.question_id): [
                (trec_id(hit.node.node_id), float(hit.score)) for hit in retriever.retrieve(one.text)
            ]
            for one in dataset.scored
        },
    }
    file.write_text(json.dumps(made), encoding="utf-8")


def keyword_retriever(nodes: Sequence[Any]) -> Any | None:
    """LlamaIndex's BM25; None where it is not installed."""
    module = _installed("llama_index.retrievers.bm25")
    return module and module.BM25Retriever.from_defaults(nodes=list(nodes), similarity_top_k=HITS)


def as_passages(retriever: Any) -> Any:
    """A retriever over gold passages, whose nodes are called by their labels."""
    return lambda question: [one.node.node_id for one in retriever.retrieve(question)]


def fused(results: Results, names: Sequence[str], file: Path) -> Path | None:
    """Two lists of each question fused by ranx, as a run file; None where ranx is not installed."""
    ranx = _installed("ranx")
    if ranx is None:
        return None
    by_name = {one.name: one for one in results.sweep.evaluations}
    runs = []
    for name in names:
        rankings = by_name[name].rankings
        runs.append(
            ranx.Run({q: {label: 1 / (i + 1) for i, label in enumerate(of)} for q, of in rankings.items() if of})
        )
    together = ranx.fuse(runs=runs, method="rrf").to_dict()
    write_run(file, {q: sorted(of, key=lambda label: -of[label])[:HITS] for q, of in together.items()}, "ranx")
    return file


def by_ranx(results: Results) -> dict[str, float]:
    """ndcg@10 of every list as ranx computes it, over all scored questions."""
    ranx = _installed("ranx")
    if ranx is None:
        return {}
    scored = {q.question_id: dict(results.dataset.qrels[q.question_id]) for q in results.dataset.scored}
    qrels = ranx.Qrels(scored)
    found = {}
    for one in results.sweep.evaluations:
        lists = {question: _by_rank(one.rankings.get(question, ())) for question in scored}
        run = ranx.Run({q: of or {"nothing": 1.0} for q, of in lists.items()})
        found[one.name] = float(ranx.evaluate(qrels, run, "ndcg@10"))
    return found


def _by_rank(labels: Sequence[str]) -> dict[str, float]:
    return {label: 1 / (place + 1) for place, label in enumerate(labels)}


def _installed(name: str) -> Any | None:
    """A module that the project does without; None where it is not there."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def measure(
    dataset: Dataset, corpus: Corpus, index: Path, page: Path | None, runs: Mapping[str, Path]
) -> dict[str, Any]:
    """All of them in one sweep, run files of others among them."""
    nodes = nodes_of(dataset, corpus)
    made = {"LlamaIndex, vector": vector_retriever(nodes), "LlamaIndex, BM25": keyword_retriever(nodes)}
    peers = {name: one for name, one in made.items() if one is not None}
    if corpus is Corpus.PASSAGES:
        peers = {name: as_passages(one) for name, one in peers.items()}
    options: dict[str, Any] = {"settings": {"offline": True}, "index": index, "corpus": str(corpus)}
    results = evaluate(dataset, {**OURS, **peers}, **options)
    with tempfile.TemporaryDirectory() as folder:
        run = fused(results, list(peers), Path(folder) / "ranx.run") if len(peers) == 2 else None
        others = {**({} if run is None else {"ranx, both fused": run}), **runs}
        if others:
            results = evaluate(dataset, {**OURS, **peers, **others}, **options)
    if page is not None:
        results.write(page)
    other = by_ranx(results)
    return {
        "headline": results.headline,
        "questions": results.sweep.questions,
        "verdicts": [str(one) for one in results.verdicts],
        "retrievers": [
            {**row, "ms": _took(results, row["configuration"]), "ndcg@10 by ranx": other.get(row["configuration"])}
            for row in results.table()
        ],
    }


def _took(results: Results, name: str) -> float | None:
    one = next(each for each in results.sweep.evaluations if each.name == name)
    return round(one.latencies_ms["total"].median, 1) if "total" in one.latencies_ms else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and writes JSON."""
    parser = argparse.ArgumentParser(description="Others' retrievers beside ours.")
    parser.add_argument("dataset")
    parser.add_argument("--corpus", type=Corpus, choices=list(Corpus), default=Corpus.FILES)
    parser.add_argument("--questions", type=int, default=0)
    parser.add_argument("--index", type=Path, default=Path(".policy_rag"))
    parser.add_argument("--page", type=Path)
    parser.add_argument("--lists", type=Path)
    parser.add_argument("--run", action="append", default=[], metavar="NAME=FILE")
    chosen = parser.parse_args(arguments)
    dataset = sample_of(load_dataset(chosen.dataset), chosen.questions)
    if chosen.lists is not None:
        write_lists(dataset, chosen.lists)
        return
    runs = {name: Path(file) for name, _, file in (one.rpartition("=") for one in chosen.run)}
    found = measure(dataset, chosen.corpus, chosen.index, chosen.page, runs)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
