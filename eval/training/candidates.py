"""What the product's own first stage finds: hard negatives to train on, and the lists that a reranker orders.

    python -m training.candidates DATASET OUT --corpus passages|files [--depth N] [--index DIR]

A line a question: `{id, text, doc_id, gold, hits: [{doc_id, key, text, score, start, end, file}]}`. `key` is the
label of a gold passage with `--corpus passages`, else the place `file:start-end`.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from policy_rag.assistant import PolicyAssistant
from policy_rag.settings import load_settings
from policy_rag.whole_files import written_whole
from policy_rag_eval.data.corpora import open_corpus, units_by_document
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset

_AT_ONCE = 128


def candidate_rows(dataset: Dataset, corpus: Corpus, index: Path, *, depth: int) -> Iterator[dict[str, Any]]:
    """A row a question, in the data set's order; scores are the product's own and compare within a question."""
    settings = load_settings({"candidates": depth, "top_k": depth, "reranker": "none", "offline": True})
    chosen = dataset.for_corpus(corpus)
    assistant, _ = open_corpus(chosen, corpus, settings, index)
    units = units_by_document(chosen) if corpus is Corpus.PASSAGES else {}
    labels = {(doc_id, one.section_id): one.passage.gold_id for doc_id, ours in units.items() for one in ours}
    with assistant:
        yield from _rows(chosen, assistant, labels)


def _rows(dataset: Dataset, assistant: PolicyAssistant, labels: dict[tuple[str, str], str]) -> Iterator[dict[str, Any]]:
    questions = dataset.questions
    for first in range(0, len(questions), _AT_ONCE):
        block = questions[first : first + _AT_ONCE]
        results = assistant.search_many([question.request() for question in block])
        for question, result in zip(block, results, strict=True):
            hits = [
                {
                    "doc_id": hit.doc_id,
                    "key": labels.get((hit.doc_id, hit.section_id), f"{hit.file}:{hit.start}-{hit.end}"),
                    "title": " > ".join(hit.path),
                    "text": hit.text,
                    "score": hit.score,
                    "file": hit.file,
                    "start": hit.start,
                    "end": hit.end,
                }
                for hit in result.hits
            ]
            gold = sorted(dataset.qrels.get(question.question_id, {}))
            yield {
                "id": question.question_id,
                "text": question.text,
                "doc_id": question.doc_id,
                "answerable": question.answerable,
                "kind": question.kind,
                "answers": list(question.answers),
                "gold": gold,
                "hits": hits,
            }


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes one data set's candidates."""
    parser = argparse.ArgumentParser(description="First-stage candidates of a data set's questions.")
    parser.add_argument("dataset", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corpus", type=Corpus, default=Corpus.FILES)
    parser.add_argument("--depth", type=int, default=50)
    parser.add_argument("--index", type=Path, default=Path(".reader"))
    chosen = parser.parse_args(arguments)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    rows = candidate_rows(read_dataset(chosen.dataset), chosen.corpus, chosen.index, depth=chosen.depth)
    with written_whole(chosen.out) as beside, beside.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
