"""What a sweep would do, in numbers: what is done already, what is left to compute, and about how long that takes."""

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.records.options import Backend, Search
from policy_rag.settings import Settings
from policy_rag_eval.data.corpora import DONE
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.sweep.evaluation import Configuration, hits_needed
from policy_rag_eval.sweep.runner import SweepRunner

_SAMPLED = 8  # texts that an embedding model is timed by
_PAIRS_TIMED = 4
_CHARACTERS = 600  # of each


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
class SweepPlan:
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
    deep: bool = True,
) -> SweepPlan:
    """What `policy_rag_eval.sweep.sweep.sweep` would do with the same arguments; nothing of it is done.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        configurations: at least one.
        index: the folder under which evaluations keep their indexes.
        measures: what would be computed.
        deep: whether a sweep is planned; else answers, of which no retrieval is kept.

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
            if deep and indexed and runner.is_kept(one.settings):
                done.append(one.name)
            else:
                left.append(one)
        stages = (*_embedding(runner, left), *_reranking(runner, left))
    return SweepPlan(len(configurations) - len(skipped), tuple(done), stages, skipped)


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
            embedder = load_embedder(
                name,
                offline=one.settings.run.offline,
                backend=one.settings.index.embedding_backend or Backend.ONNX,
                cache=one.settings.run.model_cache,
                or_torch=one.settings.index.embedding_backend is None,
            )
            models[name] = embedder, _seconds(embedder.embed, _sample(texts)) / _CHARACTERS
            missing = runner.models.embedder(embedder, one.settings).missing(questions)
            seconds = models[name][1] * sum(map(len, missing))
            to_embed.append(Stage("questions", name, "questions", len(missing), seconds))
        folder = runner.corpus_key(one.settings).folder
        if folder not in folders and not (folder / DONE).is_file():
            unit = "documents" if runner.corpus is Corpus.FILES else "passages"
            seconds = models[name][1] * sum(map(len, texts))
            indexes.append(Stage("index", f"{name}, {_cutting(one.settings)}", unit, len(texts), seconds))
        folders.add(folder)
    return [*indexes, *(stage for stage in to_embed if stage.todo)]


def _reranking(runner: SweepRunner, left: Sequence[Configuration]) -> list[Stage]:
    """The pairs of each reranker and way of cutting that are read at most; each reranker is timed once."""
    question, texts = runner.requests[0].question, _sample(_corpus_texts(runner.dataset, runner.corpus))
    pairs: dict[tuple[str, Path], tuple[Any, str, int]] = {}
    for one in left:
        reranker = runner.reranker(one.settings)
        if reranker is not None:
            key = one.settings.ranking.reranker, runner.corpus_key(one.settings).folder
            most = _candidates(one.settings, reranker) * len(runner.requests)
            pairs[key] = reranker, _cutting(one.settings), max(most, pairs[key][2] if key in pairs else 0)
    each: dict[str, float] = {}
    stages = []
    for (name, _), (reranker, cutting, todo) in pairs.items():
        if name not in each:
            each[name] = _seconds(partial(_score, reranker, question), texts[:_PAIRS_TIMED])
        stages.append(Stage("rerank", f"{name}, {cutting}", "pairs at most", todo, todo * each[name]))
    return stages


def _candidates(settings: Settings, reranker: Any) -> int:
    """How many candidates of a question a reranker reads at most: one search brings its own, two bring both."""
    one_list = settings.search.search in {Search.VECTOR, Search.KEYWORD, Search.AND}
    brought = settings.search.candidates * (1 if one_list else 2)
    return brought if reranker.depth is None else min(brought, reranker.depth)


def _cutting(settings: Settings) -> str:
    """The chunker with the sizes that were chosen."""
    chosen = {"tokens": settings.index.chunk_tokens, "overlap": settings.parsing.chunk_overlap}
    sizes = "".join(f" {name} {value}" for name, value in chosen.items() if value is not None)
    return f"{settings.parsing.chunker or 'section'}{sizes}"


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
