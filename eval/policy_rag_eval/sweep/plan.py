"""What a sweep would do, in numbers: what is done already, what is left to compute, and about how long that takes."""

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag_eval.data.corpora import DONE
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.sweep.evaluation import Configuration, hits_needed
from policy_rag_eval.sweep.runner import SweepRunner

_SAMPLED = 8  # texts that a model is timed by
_CHARACTERS = 1000  # of each


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a sweep, with what is left to compute.

    Attributes:
        name: `index` (read, cut, embed), `questions` (embed) or `rerank` (score pairs).
        what: which model or index.
        unit: what is counted.
        todo: how many there are; of pairs the most that there can be.
        seconds: about how long that takes here, by a sample that was timed.
    """

    name: str
    what: str
    unit: str
    todo: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sweep would do.

    Attributes:
        configurations: how many can be run.
        done: names of those whose results are read back.
        stages: in the order in which they come.
        skipped: configurations whose model is not there, with the reason.
    """

    configurations: int
    done: tuple[str, ...]
    stages: tuple[Stage, ...]
    skipped: Mapping[str, str]

    @property
    def seconds(self) -> float:
        """About how long all of it takes."""
        return sum(stage.seconds for stage in self.stages)

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "configurations": self.configurations,
            "done": list(self.done),
            "stages": [dataclasses.asdict(stage) for stage in self.stages],
            "seconds": self.seconds,
            "skipped": dict(self.skipped),
        }


def plan(
    dataset: Dataset,
    corpus: Corpus,
    configurations: Sequence[Configuration],
    index: Path,
    *,
    measures: Sequence[Measure] = DEFAULT_MEASURES,
) -> Plan:
    """What `policy_rag_eval.sweep.sweep.sweep` would do with the same arguments; nothing of it is done.

    Raises:
        DatasetError: the data set cannot be scored on this corpus.
        PolicyRagError: what opening an index raises.
    """
    fitted = dataset.for_corpus(corpus)
    depth = max(hits_needed(fitted, corpus, measures, one.settings.search.top_k) for one in configurations)
    skipped: dict[str, str] = {}
    done: list[str] = []
    left: list[Configuration] = []
    with SweepRunner(fitted, corpus, index, depth) as runner:
        for one in configurations:
            try:
                runner.reranker(one.settings)
                indexed = (runner.corpus_key(one.settings).folder / DONE).is_file()
            except ModelError as error:
                skipped[one.name] = str(error)
                continue
            if indexed and runner.is_kept(one.settings):
                done.append(one.name)
            else:
                left.append(one)
        stages = (*_embedding(runner, left), *_reranking(runner, left))
    return Plan(len(configurations) - len(skipped), tuple(done), stages, skipped)


def _embedding(runner: SweepRunner, left: Sequence[Configuration]) -> list[Stage]:
    """The indexes that are to be made, and the questions that each model is to embed."""
    from policy_rag.models.embedder import DEFAULT_EMBEDDING
    from policy_rag.models.factory import load_embedder

    texts = _corpus_texts(runner.dataset, runner.corpus)
    questions = list(dict.fromkeys(request.question for request in runner.requests))
    folders: set[Path] = set()
    models: dict[str, tuple[Any, float]] = {}
    indexes: list[Stage] = []
    to_embed: list[Stage] = []
    for one in left:
        name = one.settings.index.embedding or DEFAULT_EMBEDDING
        if name not in models:
            embedder = load_embedder(name, offline=one.settings.run.offline)
            models[name] = embedder, _seconds(embedder.embed, _sample(texts)) / _CHARACTERS
            missing = runner.cached_embedder(embedder, one.settings).missing(questions)
            seconds = models[name][1] * sum(map(len, missing))
            to_embed.append(Stage("questions", name, "questions", len(missing), seconds))
        folder = runner.corpus_key(one.settings).folder
        if folder not in folders and not (folder / DONE).is_file():
            unit = "documents" if runner.corpus is Corpus.FILES else "passages"
            seconds = models[name][1] * sum(map(len, texts))
            indexes.append(Stage("index", f"{name} {folder.name}", unit, len(texts), seconds))
        folders.add(folder)
    return [*indexes, *(stage for stage in to_embed if stage.todo)]


def _reranking(runner: SweepRunner, left: Sequence[Configuration]) -> list[Stage]:
    """The pairs of each reranker and index: each search brings its candidates for each question, both at most twice."""
    question, texts = runner.requests[0].question, _sample(_corpus_texts(runner.dataset, runner.corpus))
    pairs: dict[tuple[str, Path], tuple[Any, int]] = {}
    for one in left:
        reranker = runner.reranker(one.settings)
        if reranker is not None:
            key = one.settings.ranking.reranker, runner.corpus_key(one.settings).folder
            most = 2 * one.settings.search.candidates * len(runner.requests)
            pairs[key] = reranker, max(most, pairs.get(key, (reranker, 0))[1])
    stages = []
    for (name, folder), (reranker, todo) in pairs.items():
        each = _seconds(partial(_score, reranker, question), texts)
        stages.append(Stage("rerank", f"{name} {folder.name}", "pairs at most", todo, todo * each))
    return stages


def _score(reranker: Any, question: str, texts: Sequence[str]) -> object:
    return reranker.score_many([(question, texts)])


def _corpus_texts(dataset: Dataset, corpus: Corpus) -> list[str]:
    """What is indexed, as far as a size can be told without a parser: of files the bytes stand for characters."""
    if corpus is Corpus.PASSAGES:
        return [passage.text for passage in dataset.passages if passage.text.strip()]
    files = (dataset.documents_folder / document.file for document in dataset.documents)
    return [file.read_bytes().decode("latin-1") for file in files if file.is_file()]


def _sample(texts: Sequence[str]) -> list[str]:
    return [text[:_CHARACTERS] for text in texts[:: max(1, len(texts) // _SAMPLED)]][:_SAMPLED]


def _seconds(call: Callable[[Sequence[str]], object], texts: Sequence[str]) -> float:
    """Seconds a text, once the model is loaded."""
    call(texts[:1])
    started = time.perf_counter()
    call(texts)
    return (time.perf_counter() - started) / len(texts)
