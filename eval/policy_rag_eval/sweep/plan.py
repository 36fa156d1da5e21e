"""What a sweep would do: what is done, what is left to compute, about how long that takes, and what LLMs are asked."""

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.llm.reply_cache import CachedModel
from policy_rag.records.choices import Backend, Search
from policy_rag.settings import Settings
from policy_rag_eval.data.corpora import DONE, check_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.judges.evaluation_models import answering_model, counting_model
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.sweep.evaluation import Configuration, hits_needed
from policy_rag_eval.sweep.peers import check_names, check_peers
from policy_rag_eval.sweep.runner import SweepRunner
from policy_rag_eval.sweep.search_calls import ASKING, NOTHING, Spending, asks_llm, search_spending, total_spending

_SAMPLED = 8  # texts that an embedding model is timed by
_PAIRS_TIMED = 4
_CHARACTERS = 600  # of each


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a sweep, with what is left to compute.

    Attributes:
        name: `index` (read, cut, embed), `questions` (embed), `rerank` (score pairs) or `beside` (ask somebody else's
            retriever).
        what: which model, index or retriever.
        unit: what is counted.
        todo: how many there are; of pairs the most that there can be.
        seconds: about how long that takes here, by a sample that was timed; None where nothing was.
    """

    name: str
    what: str
    unit: str
    todo: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a sweep would do.

    Attributes:
        configurations: how many can be run, others' retrievers among them.
        done: names of those whose results are read back.
        stages: in the order in which they come.
        skipped: configurations whose model is not there, with the reason.
        notes: what a reader of the figures should know of the documents and the gold.
        searching: name of a configuration that asks an LLM while it searches, to what it would ask by itself.
        asked: the same of all of them, which ask nothing twice.
    """

    configurations: int
    done: tuple[str, ...]
    stages: tuple[Stage, ...]
    skipped: Mapping[str, str]
    notes: tuple[str, ...] = ()
    searching: Mapping[str, Spending] = field(default_factory=dict)
    asked: Spending = NOTHING

    @property
    def seconds(self) -> float:
        """About how long all of it takes that was timed."""
        return sum(stage.seconds or 0.0 for stage in self.stages)

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "configurations": self.configurations,
            "done": list(self.done),
            "stages": [dataclasses.asdict(stage) for stage in self.stages],
            "seconds": self.seconds,
            "skipped": dict(self.skipped),
            "notes": list(self.notes),
            "llm": {
                **self.asked.as_json(),
                "configurations": {name: one.as_json() for name, one in self.searching.items()},
            },
        }


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run would take.

    Attributes:
        asked: for what LLMs would be asked, such as `judging`, to how much.
        here: what this machine would compute, with seconds, and what LLMs would be asked while searching; None where
            nothing is searched.
    """

    asked: Mapping[str, Spending]
    here: SweepPlan | None = None

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        here = self.here
        every = {**({"searching": here.asked} if here else {}), **self.asked}
        stages = [dataclasses.asdict(stage) for stage in here.stages] if here else []
        return {
            "calls": {name: one.calls for name, one in every.items()},
            "tokens_at_most": {name: one.tokens for name, one in every.items()},
            "cost_at_most": {name: one.cost for name, one in every.items()},
            **({"stages": stages, "seconds": here.seconds} if here else {}),
        }


def plan(
    dataset: Dataset,
    corpus: Corpus,
    configurations: Sequence[Configuration],
    index: Path,
    *,
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    peers: Mapping[str, object] | None = None,
    against: str | None = None,
    deep: bool = True,
) -> SweepPlan:
    """What `policy_rag_eval.sweep.sweep.sweep` would do with the same arguments; nothing of it is done.

    Documents that are not indexed yet are read, and what a run would refuse is refused.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        configurations: at least one.
        index: the folder under which evaluations keep their indexes.
        measures: what would be computed.
        peers: others' retrievers, or ways of answering, by name; they are not asked.
        against: the name of a baseline.
        deep: whether a sweep is planned; else answers, of which no retrieval is kept.

    Raises:
        DatasetError: the data set cannot be scored on this corpus, or `open_corpus` would refuse it.
        UsageError: two configurations have one name, or there is no such baseline.
        PolicyRagError: what opening an index raises.
    """
    check_names([*(one.name for one in configurations), *(peers or {})], against=against)
    fitted = dataset.for_corpus(corpus)
    check_peers(peers or {}, fitted)
    depth = max(hits_needed(fitted, corpus, measures, one.settings.search.top_k) for one in configurations)
    skipped: dict[str, str] = {}
    done: list[str] = []
    left: list[Configuration] = []
    counting = _CountingModels()
    with SweepRunner(fitted, corpus, index, depth, measures=measures) as runner:
        for one in configurations:
            try:
                runner.reranker(one.settings)
                counting.of(one.settings)
                indexed = (runner.corpus_key(one.settings).folder / DONE).is_file()
            except ModelError as error:
                skipped[one.name] = str(error)
                continue
            if deep and indexed and runner.is_kept(one.settings):
                done.append(one.name)
            else:
                left.append(one)
        notes: tuple[str, ...] = ()
        if left and corpus is Corpus.FILES:
            notes = check_corpus(fitted, left[0].settings, runner.corpus_key(left[0].settings).folder)
        stages = [*_embedding(runner, left), *_reranking(runner, left), *_asking(runner, peers or {})]
        questions = runner.questions if deep else fitted.questions
    able = len(configurations) - len(skipped) + len(peers or {})
    searching, asked = _searching(left, counting, fitted, questions)
    return SweepPlan(able, tuple(done), tuple(stages), skipped, notes, searching, asked)


class _CountingModels:
    """The LLMs that search, each once, as models that only count."""

    def __init__(self) -> None:
        self._made: dict[str, CachedModel | None] = {}

    def of(self, settings: Settings) -> CachedModel | None:
        """The one of these settings; None where none is asked.

        Raises:
            ModelError: it is not there.
        """
        if not asks_llm(settings):
            return None
        key = settings.llm.model_dump_json()
        if key not in self._made:
            self._made[key] = answering_model(settings, None)[0]
        return self._made[key]


def _searching(
    left: Sequence[Configuration], counting: _CountingModels, dataset: Dataset, questions: Sequence[Question]
) -> tuple[dict[str, Spending], Spending]:
    """What each configuration asks of an LLM by itself, and what all of them ask, which ask nothing twice."""
    requests = [question.request() for question in questions]
    titles = [document.title for document in dataset.documents]
    alike: dict[tuple[CachedModel, str], Spending] = {}
    found: dict[str, Spending] = {}
    added: list[Spending] = []
    for one in left:
        model = counting.of(one.settings)
        if model is not None:
            key = model, one.settings.query.model_dump_json(include=set(ASKING))
            if key not in alike:
                alike[key] = search_spending(counting_model(model), one.settings, requests, titles)
                added.append(search_spending(model, one.settings, requests, titles))
            found[one.name] = alike[key]
    return found, total_spending(added)


def _asking(runner: SweepRunner, peers: Mapping[str, object]) -> list[Stage]:
    """Others' retrievers: a run file is read, how long one that is asked takes is not known."""
    count = len(runner.questions)
    return [
        Stage("beside", name, "questions", count, 0.0 if isinstance(peer, Path) else None)
        for name, peer in peers.items()
    ]


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
