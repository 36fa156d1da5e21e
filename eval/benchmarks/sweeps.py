"""What a sweep costs, beside the sum of its distinct stages and beside every configuration from scratch.

    python -m benchmarks.sweeps stages DATASET [--corpus passages|files] [--questions N]
    python -m benchmarks.sweeps scratch DATASET [--corpus passages|files] [--questions N]
    python -m benchmarks.sweeps commands DATASET [--corpus passages|files] [--questions N]

All run a grid of 2 embeddings x 3 searches x 3 rerankers. `stages` times the whole sweep, statistics included, and
each distinct stage by itself, done with the product's own pieces without anything kept: indexing for each embedding,
the questions' rows for each, both searches for each, all distinct pairs of a question and a candidate for each
reranker, and what is left of each configuration when all of these are given (fusion, hits, scoring). `scratch` times
the sweep, and each configuration as a sweep of its own in an empty folder, with nothing shared or kept. `commands` does
the same as people do: a command line for the grid, and one for each configuration, each with its start and its run in
MLflow.

The models stand in for real ones: BERTs of random weights with MiniLM's tokenizer (`--layers`, `--width`), so small
that everything around them weighs more than it does with models that are any good. `--questions` takes as many, evenly
spread. `stages` and `scratch` run in one process, models loaded and warm; the processor's time counts all threads.
"""

import argparse
import dataclasses
import datetime as dt
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from policy_rag.records.options import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.candidates.collector import CandidateList, collect_candidates
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.reader import read_dataset
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import DEFAULT_MEASURES
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.run import Configuration, hits_needed
from policy_rag_eval.sweep.stages import items_of, narrowed
from policy_rag_eval.sweep.sweep import sweep

SEARCHES = ("vector", "and", "or")
TODAY = dt.date(2026, 1, 1)


def save_embedder(folder: Path, *, seed: int, layers: int, width: int) -> str:
    """A sentence-transformers model of random weights; answers its folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertModel

    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    plain = folder.with_name(f"{folder.name}-bert")
    BertModel(_shape(len(tokenizer), layers, width)).save_pretrained(plain)
    tokenizer.save_pretrained(plain)
    body = Transformer(str(plain), max_seq_length=256)
    SentenceTransformer(modules=[body, Pooling(width), Normalize()]).save(str(folder))
    return str(folder)


def save_reranker(folder: Path, *, seed: int, layers: int, width: int) -> str:
    """A cross-encoder of random weights; answers its folder."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    BertForSequenceClassification(_shape(len(tokenizer), layers, width)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def _tokenizer() -> Any:
    from transformers import AutoTokenizer

    from policy_rag.models.embedder import load_embedder

    return AutoTokenizer.from_pretrained(str(load_embedder().folder), local_files_only=True)


def _shape(vocabulary: int, layers: int, width: int) -> Any:
    from transformers import BertConfig

    shape = BertConfig(
        vocab_size=vocabulary,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=max(1, width // 32),
        intermediate_size=4 * width,
        max_position_embeddings=512,
    )
    shape.num_labels = 1
    return shape


def grid(folder: Path, layers: int, width: int) -> tuple[Configuration, ...]:
    """The grid of 2 x 3 x 3 over models made in `folder`."""
    embeddings = [save_embedder(folder / f"embedder-{i}", seed=i, layers=layers, width=width) for i in (1, 2)]
    rerankers = [save_reranker(folder / f"reranker-{i}", seed=i, layers=layers, width=width) for i in (3, 4)]
    values = {"embedding": embeddings, "search": SEARCHES, "reranker": ["none", *rerankers]}
    return configurations(values, {"embedding_backend": "torch", "offline": True})


def some_questions(dataset: Dataset, corpus: Corpus, count: int | None) -> Dataset:
    """The data set with `count` of its scored questions, evenly spread; all of them for None."""
    scored = dataset.for_corpus(corpus).scored
    if count is None or count >= len(scored):
        return dataset
    kept = tuple(scored[len(scored) * i // count] for i in range(count))
    return dataclasses.replace(dataset, questions=kept)


class Clock:
    """Seconds by name, by the wall and by the processor; `processor` tells the latter, by default this process's."""

    def __init__(self, processor: Callable[[], float] = time.process_time) -> None:
        self._processor = processor
        self.wall: dict[str, float] = {}
        self.processor: dict[str, float] = {}

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Adds what happens inside to `name`."""
        wall, processor = time.perf_counter(), self._processor()
        try:
            yield
        finally:
            self.wall[name] = self.wall.get(name, 0.0) + time.perf_counter() - wall
            self.processor[name] = self.processor.get(name, 0.0) + self._processor() - processor

    def rounded(self) -> dict[str, dict[str, float]]:
        """What `--json` would print."""
        return {
            name: {"wall_s": round(self.wall[name], 2), "processor_s": round(self.processor[name], 2)}
            for name in self.wall
        }


def warm_up(made: Sequence[Configuration]) -> None:
    """Imports and first calls, which happen once a process whatever is measured."""
    from policy_rag.models.embedder import load_embedder
    from policy_rag.models.reranker import load_reranker

    load_embedder(str(made[0].settings.index.embedding)).embed(["?"])
    reranker = load_reranker(made[-1].settings.ranking.reranker)
    if reranker is not None:
        reranker.score("?", ["?"])


# --- stages -------------------------------------------------------------------------------------------------------


def measure_stages(dataset: Dataset, corpus: Corpus, made: Sequence[Configuration], folder: Path) -> dict[str, Any]:
    """The whole sweep, and each distinct stage by itself."""
    clock = Clock()
    with clock.timed("sweep"):
        sweep(dataset, corpus, made, folder / "sweep")
    with clock.timed("sweep again, all of it kept"):
        sweep(dataset, corpus, made, folder / "sweep")
    apart = Clock()
    fitted = dataset.for_corpus(corpus)
    depth = hits_needed(fitted, corpus, DEFAULT_MEASURES, made[0].settings.search.top_k)
    pairs: dict[str, dict[tuple[str, str], float]] = {}
    by_embedding: dict[str, list[Configuration]] = {}
    for configuration in made:
        by_embedding.setdefault(str(configuration.settings.index.embedding), []).append(configuration)
    for members in by_embedding.values():
        _stages_of(fitted, corpus, members, folder / "stages", depth, apart, pairs)
    total = {"wall_s": sum(apart.wall.values()), "processor_s": sum(apart.processor.values())}
    whole = {"wall_s": clock.wall["sweep"], "processor_s": clock.processor["sweep"]}
    return {
        "configurations": len(made),
        "questions": len(fitted.scored),
        "pairs": sum(len(scored) for scored in pairs.values()),
        "whole": clock.rounded(),
        "stages": apart.rounded(),
        "sum_of_stages": {name: round(seconds, 2) for name, seconds in total.items()},
        "ratio": {name: round(whole[name] / total[name], 3) for name in total},
    }


def _stages_of(
    dataset: Dataset,
    corpus: Corpus,
    members: Sequence[Configuration],
    folder: Path,
    depth: int,
    clock: Clock,
    pairs: dict[str, dict[tuple[str, str], float]],
) -> None:
    """The stages of the configurations of one embedding; `pairs` are those scored for the one before."""
    from policy_rag.models.reranker import load_reranker

    settings = members[0].settings
    requests = [question.request() for question in dataset.scored]
    with clock.timed("index"):
        assistant, _ = open_corpus(dataset, corpus, settings, folder)
    with assistant:
        embedder = assistant.embedder()
        with clock.timed("questions"):
            rows = embedder.embed_queries([request.question for request in requests])
        row_of = {request.question: rows[i] for i, request in enumerate(requests)}
        shared = _Searched(row_of)
        deep = SearchOptions(search=Search.RRF, candidates=settings.search.candidates, top_k=depth)
        with clock.timed("searches"):
            Searcher(assistant.index, _Rows(row_of), collect=shared).search_many(requests, deep, today=TODAY)
        for configuration in members:
            name = configuration.settings.ranking.reranker
            loaded = load_reranker(name, offline=True)
            reranker = _Scored(loaded, pairs.setdefault(name, {}), clock) if loaded is not None else None
            searcher = Searcher(assistant.index, _Rows(row_of), reranker, collect=shared)
            how = deep.changed({"search": configuration.settings.search.search})
            ask = _asker(searcher, how)
            if reranker is not None:
                ask(requests)  # pairs are scored in a pass of their own: what is left is timed without them
            with clock.timed("fusion, hits, scoring"):
                _asked_and_scored(dataset, corpus, ask)


def _asker(searcher: Searcher, options: SearchOptions) -> Callable[[list[SearchRequest]], Any]:
    return lambda part: searcher.search_many(part, options, today=TODAY)


class _Rows:
    """Questions' rows that are there."""

    def __init__(self, rows: Mapping[str, Any]) -> None:
        self._rows = rows

    def embed_queries(self, texts: Sequence[str]) -> Any:
        import numpy as np

        return np.stack([self._rows[text] for text in texts])


class _Searched:
    """Candidates that are taken when they are first asked for."""

    def __init__(self, rows: Mapping[str, Any]) -> None:
        self._rows = rows
        self._kept: dict[bytes, CandidateList] = {}

    def __call__(
        self, view: Any, requests: Sequence[SearchRequest], queries: Any, options: SearchOptions
    ) -> list[CandidateList]:
        items = items_of(view, requests)
        if any(item not in self._kept for item in items):
            self._kept |= zip(items, collect_candidates(view, requests, queries, options), strict=True)
        return [narrowed(self._kept[item], options.search, view.snapshot.derived) for item in items]


class _Scored:
    """Pairs that are scored when they are first asked for, in common batches."""

    def __init__(self, reranker: Any, scores: dict[tuple[str, str], float], clock: Clock) -> None:
        self._reranker = reranker
        self._scores = scores
        self._clock = clock

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        left = [(q, list(dict.fromkeys(t for t in texts if (q, t) not in self._scores))) for q, texts in questions]
        todo = [(question, texts) for question, texts in left if texts]
        if todo:
            with self._clock.timed("pairs"):
                found = self._reranker.score_many(todo)
            for (question, texts), scores in zip(todo, found, strict=True):
                self._scores |= {(question, text): score for text, score in zip(texts, scores, strict=True)}
        return [[self._scores[question, text] for text in texts] for question, texts in questions]


def _asked_and_scored(dataset: Dataset, corpus: Corpus, search: Callable[[list[SearchRequest]], Any]) -> None:
    """Asks all questions and scores them, with nothing that compares configurations."""
    from policy_rag_eval.measures.measures import score
    from policy_rag_eval.statistics.intervals import bootstrap_intervals

    requests = [question.request() for question in dataset.scored]
    gold = QuestionGold(dataset, corpus)
    ids = [question.question_id for question in dataset.scored]
    labels: list[tuple[str, ...]] = []
    for first in range(0, len(requests), 256):
        for key, result in zip(ids[first : first + 256], search(requests[first : first + 256]), strict=True):
            labels.append(gold.labels(key, result.hits))
    scores = score({key: dataset.qrels[key] for key in ids}, dict(zip(ids, labels, strict=True)))
    bootstrap_intervals(scores.values)


# --- scratch ------------------------------------------------------------------------------------------------------


def measure_scratch(dataset: Dataset, corpus: Corpus, made: Sequence[Configuration], folder: Path) -> dict[str, Any]:
    """The whole sweep, and each configuration measured by itself with nothing shared or kept."""
    clock = Clock()
    with clock.timed("sweep"):
        sweep(dataset, corpus, made, folder / "sweep")
    for i, configuration in enumerate(made):
        with clock.timed("each from scratch"):
            sweep(dataset, corpus, [configuration], folder / str(i))
    return _compared(dataset.for_corpus(corpus), made, clock)


def measure_commands(dataset: Dataset, corpus: Corpus, made: Sequence[Configuration], folder: Path) -> dict[str, Any]:
    """The same by the command line: a process for the grid, and one for each configuration, in empty folders.

    The processor's time is that of the processes.
    """
    asked = _written(dataset.for_corpus(corpus), folder / "dataset")
    clock = Clock(lambda: sum(os.times()[2:4]))
    with clock.timed("sweep"):
        _command(asked, corpus, made, folder / "sweep")
    for i, configuration in enumerate(made):
        with clock.timed("each from scratch"):
            _command(asked, corpus, [configuration], folder / str(i))
    return _compared(dataset.for_corpus(corpus), made, clock)


def _compared(dataset: Dataset, made: Sequence[Configuration], clock: Clock) -> dict[str, Any]:
    times = {
        "wall_s": clock.wall["each from scratch"] / clock.wall["sweep"],
        "processor_s": clock.processor["each from scratch"] / clock.processor["sweep"],
    }
    return {
        "configurations": len(made),
        "questions": len(dataset.scored),
        "whole": clock.rounded(),
        "times_less": {name: round(value, 2) for name, value in times.items()},
    }


def _written(dataset: Dataset, folder: Path) -> Path:
    """A copy of a data set's folder with the scored questions of `dataset` alone."""
    shutil.copytree(dataset.folder, folder)
    kept = {question.question_id for question in dataset.scored}
    questions = (dataset.folder / "queries.jsonl").read_text("utf-8").splitlines()
    (folder / "queries.jsonl").write_text(
        "\n".join(one for one in questions if json.loads(one)["_id"] in kept), "utf-8"
    )
    judged = [
        f"{question_id}\t{gold_id}\t{grade}"
        for question_id in kept
        for gold_id, grade in dataset.qrels[question_id].items()
    ]
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged]), "utf-8")
    return folder


def _command(dataset: Path, corpus: Corpus, made: Sequence[Configuration], folder: Path) -> None:
    """`policy-rag eval retrieval` over `made`, in an empty folder."""
    folder.mkdir()
    grid = [
        f"{name}={','.join(dict.fromkeys(str(one.settings.value(name)) for one in made))}"
        for name in ("embedding", "search", "reranker")
    ]
    program = "from policy_rag.cli import main; main()"
    call = [sys.executable, "-c", program, "eval", "retrieval", str(dataset), "--corpus", str(corpus), "--offline"]
    options = [option for one in grid for option in ("--grid", one)]
    subprocess.run([*call, *options, "--set", "embedding_backend=torch"], cwd=folder, check=True, capture_output=True)


MEASURED = {"stages": measure_stages, "scratch": measure_scratch, "commands": measure_commands}


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one comparison and writes it as JSON."""
    parser = argparse.ArgumentParser(description="What a sweep costs.")
    parser.add_argument("command", choices=list(MEASURED))
    parser.add_argument("dataset")
    parser.add_argument("--corpus", type=Corpus, choices=list(Corpus), default=Corpus.PASSAGES)
    parser.add_argument("--questions", type=int)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    chosen = parser.parse_args(arguments)
    dataset = some_questions(read_dataset(chosen.dataset), chosen.corpus, chosen.questions)
    with tempfile.TemporaryDirectory() as place:
        made = grid(Path(place), chosen.layers, chosen.width)
        warm_up(made)
        found = MEASURED[chosen.command](dataset, chosen.corpus, made, Path(place))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
