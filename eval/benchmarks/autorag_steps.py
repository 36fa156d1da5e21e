"""AutoRAG's retrieval steps over the passages of a data set, as TREC run files.

    python -m benchmarks.peers DATASET --corpus passages --lists LISTS.json    # here
    python autorag_steps.py LISTS.json FOLDER                                  # where AutoRAG is installed
    python -m benchmarks.peers DATASET --corpus passages --run "AutoRAG, BM25=FOLDER/bm25.run" ...

AutoRAG pins other versions than ours of what we share, so it has an environment of its own; this file imports nothing
of this project. Its steps: BM25 with its Porter tokenizer, and its two fusions (reciprocal ranks; the convex sum with
equal weights) of that list with the vector list in `LISTS.json`, 50 of each.
"""

# pyright: reportMissingImports=false

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HITS, FUSED_FROM = 10, 50


def keyword_lists(passages: Mapping[str, str], questions: Mapping[str, str]) -> tuple[list[Any], list[Any]]:
    """Names of passages, best first, and their scores, for each question, by AutoRAG's BM25 step."""
    from autorag.nodes.lexicalretrieval import bm25
    from rank_bm25 import BM25Okapi

    tokenizer = bm25.select_bm25_tokenizer("porter_stemmer")
    held = {"tokens": tokenizer(list(passages.values())), "passage_id": list(passages)}
    engine = BM25Okapi(held["tokens"])
    found = [asyncio.run(bm25.bm25_pure([text], FUSED_FROM, tokenizer, engine, held)) for text in questions.values()]
    return [names for names, _ in found], [scores for _, scores in found]


def write(file: Path, questions: Mapping[str, str], lists: list[Any]) -> None:
    """The first ten of each list, as a TREC run."""
    lines = [
        f"{question} Q0 {name} {rank} {1 / rank:.6f} {file.stem}"
        for question, names in zip(questions, lists, strict=True)
        for rank, name in enumerate(names[:HITS], 1)
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(lists: Path, folder: Path) -> None:
    """Runs the steps and writes `bm25.run`, `rrf.run` and `cc.run` to the folder."""
    from autorag.nodes.hybridretrieval.hybrid_cc import hybrid_cc
    from autorag.nodes.hybridretrieval.hybrid_rrf import hybrid_rrf

    given = json.loads(lists.read_text(encoding="utf-8"))
    questions, vector = given["questions"], given["vector"]
    names, scores = keyword_lists(given["passages"], questions)
    near = [[name for name, _ in vector[question]] for question in questions]
    nearness = [[score for _, score in vector[question]] for question in questions]
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "bm25.run", questions, names)
    write(folder / "rrf.run", questions, hybrid_rrf((near, names), (nearness, scores), HITS)[0])
    write(folder / "cc.run", questions, hybrid_cc((near, names), (nearness, scores), HITS, 0.5)[0])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
