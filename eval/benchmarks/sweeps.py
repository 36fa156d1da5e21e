"""What a sweep costs, beside every configuration from scratch.

    python -m benchmarks.sweeps scratch DATASET [--corpus passages|files] [--questions N]
    python -m benchmarks.sweeps commands DATASET [--corpus passages|files] [--questions N]

Both run a grid of 2 embeddings x 3 searches x 3 rerankers. `scratch` times the sweep, and each configuration as a sweep
of its own in an empty folder, with nothing shared or kept. `commands` does the same as people do: a command line for
the grid, and one for each configuration, each with its start and its run in MLflow.

The models stand in for real ones: BERTs of random weights with MiniLM's tokenizer (`--layers`, `--width`), so small
that everything around them weighs more than it does with models that are any good. `--questions` takes as many, evenly
spread. `scratch` runs in one process, models loaded and warm; the processor's time counts all threads.
"""

import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.sweep.evaluation import Configuration
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.sweep import sweep

SEARCHES = ("vector", "and", "or")


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

    from policy_rag.models.factory import load_embedder

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
    from policy_rag.models.factory import load_embedder, load_reranker

    load_embedder(str(made[0].settings.index.embedding)).embed(["?"])
    reranker = load_reranker(made[-1].settings.ranking.reranker)
    if reranker is not None:
        reranker.score_many([("?", ["?"])])


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
    asked = write_questions(dataset.for_corpus(corpus), folder / "dataset")
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


def write_questions(dataset: Dataset, folder: Path) -> Path:
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
    call = [sys.executable, "-m", "policy_rag", "eval", "retrieval", str(dataset), "--corpus", str(corpus), "--offline"]
    options = [option for one in grid for option in ("--grid", one)]
    subprocess.run([*call, *options, "--set", "embedding_backend=torch"], cwd=folder, check=True, capture_output=True)


MEASURED = {"scratch": measure_scratch, "commands": measure_commands}


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
