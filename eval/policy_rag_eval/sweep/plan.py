"""What a sweep would do: which stages it runs, which it finds done, and about how long that takes.

Nothing of the sweep is done for it but a sample: of each stage a few inputs are computed and timed. Where an index is
there, they are its own, and what they gave is kept. Where it is not, the sample is of a small index of a few documents,
made in a temporary folder and thrown away.
"""

import dataclasses
import shutil
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.settings import ALL_SETTINGS, Settings
from policy_rag_eval.data.corpora import DONE
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.sweep.retrieval import Finder
from policy_rag_eval.sweep.run import Configuration, hits_needed

SAMPLED = 8  # questions that are asked for an estimate
_PAIRS = 16  # pairs that are scored for one
_PASSAGES = 64  # passages that a small index holds
_DOCUMENTS = 3


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a sweep.

    Attributes:
        name: `index` (read, cut, embed), `questions` (embed), `search` (take candidates), `rerank` (score pairs) or
            `ask` (fuse, look up hits, count).
        what: for which model or index, in words.
        unit: what is counted.
        todo: how many are left to compute; an estimate where `about`.
        done: how many are kept.
        about: whether `todo` is an estimate.
        seconds: about how long that takes here.
    """

    name: str
    what: str
    unit: str
    todo: int
    done: int
    about: bool
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
    """What `policy_rag_eval.sweep.sweep.sweep` would do with the same arguments.

    Raises:
        DatasetError: the data set cannot be scored on this corpus.
        PolicyRagError: what opening an index raises.
    """
    fitted = dataset.for_corpus(corpus)
    depth = max(hits_needed(fitted, corpus, measures, one.settings.search.top_k) for one in configurations)
    settings = [configuration.settings for configuration in configurations]
    skipped: dict[str, str] = {}
    stages: list[Stage] = []
    done: list[str] = []
    with Finder(fitted, corpus, index, depth, settings) as finder:
        groups: dict[Any, list[Configuration]] = {}
        for configuration in configurations:
            try:
                finder.reranker(configuration.settings)
                groups.setdefault(finder.key(configuration.settings), []).append(configuration)
            except ModelError as error:
                skipped[configuration.name] = str(error)
        for key, members in groups.items():
            if (key.folder / DONE).is_file():
                opened = finder.open(members[0].settings)
                kept = [one.name for one in members if finder.is_kept(one.settings, opened)]
                done += kept
                left = [one for one in members if one.name not in kept]
                stages += _Estimate(finder, left).stages() if left else ()
            else:
                stages += _without_index(finder, members)
    return Plan(len(configurations) - len(skipped), tuple(done), tuple(_shared(stages)), skipped)


def _shared(stages: Iterable[Stage]) -> list[Stage]:
    """A stage that two indexes share (questions by one model) is listed once."""
    return list({(stage.name, stage.what): stage for stage in reversed(list(stages))}.values())[::-1]


class _Counting:
    """A reranker that scores nothing and takes down what it was asked."""

    def __init__(self) -> None:
        self.pairs: dict[str, dict[str, None]] = {}

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        for question, texts in questions:
            self.pairs.setdefault(question, {}).update(dict.fromkeys(texts))
        return [[0.0] * len(texts) for _, texts in questions]


class _Estimate:
    """What configurations over one index that is there still have to compute."""

    def __init__(self, finder: Finder, members: Sequence[Configuration]) -> None:
        self._finder = finder
        self._members = members
        self._opened = finder.open(members[0].settings)
        self._asked = [finder.requests[i] for i in finder.sample[:: max(1, len(finder.sample) // SAMPLED)]]
        self.search_seconds = 0.0
        self.ask_seconds: dict[str, float] = {}
        self.pair_seconds: dict[str, float] = {}
        self.pairs: dict[str, _Counting] = {}

    def stages(self) -> list[Stage]:
        """The stages after indexing."""
        finder, settings = self._finder, self._members[0].settings
        asked, every = len(self._asked), len(finder.requests)
        texts = list(dict.fromkeys(request.question for request in finder.requests))
        questions = finder.questions(self._opened.assistant.embedder(), settings)
        left = len(questions.missing(texts))
        questions.prepare([request.question for request in self._asked])
        each = sum(questions.ms[request.question] for request in self._asked) / 1000 / asked
        self._ask()
        share = min(1.0, self._opened.searches.computed / asked)
        missing, corpus = round(share * every), self._corpus()
        asking = sum(self.ask_seconds.values()) * every
        return [
            Stage("questions", questions_of(settings), "questions", left, len(texts) - left, False, left * each),
            Stage(
                "search",
                corpus,
                "questions",
                missing,
                every - missing,
                0 < share < 1,
                missing * self.search_seconds,
            ),
            *self._rerank_stages(),
            Stage("ask", f"each question of {corpus}", "configurations", len(self._members), 0, False, asking),
        ]

    def _corpus(self) -> str:
        return index_of(self._finder, self._members[0].settings)

    def _ask(self) -> None:
        """Asks the sample under each configuration twice: what it takes when everything is there, and before."""
        from policy_rag.assistant import PolicyAssistant

        for configuration in self._members:
            settings = configuration.settings.changed({"expand": (), "top_k": self._finder.depth})
            counting = self.pairs.setdefault(configuration.settings.ranking.reranker, _Counting())
            assistant = PolicyAssistant(
                self._opened.assistant.index,
                settings,
                today=self._opened.assistant.today(),
                searcher=self._searcher(settings, counting),
            )
            spent = []
            for _ in range(2):
                started = time.perf_counter()
                assistant.search_many(self._asked)
                spent.append((time.perf_counter() - started) / len(self._asked))
            self.ask_seconds[configuration.name] = min(spent)
            self.search_seconds = max(self.search_seconds, spent[0] - min(spent))

    def _searcher(self, settings: Settings, counting: _Counting) -> Any:
        from policy_rag.retrieval.searcher import Searcher

        def make(index: Any, embedder: Any, reranker: Any, **others: Any) -> Searcher:
            questions = self._finder.questions(embedder, settings)
            return Searcher(
                index, questions, counting if reranker is not None else None, collect=self._opened.searches, **others
            )

        return make

    def _rerank_stages(self) -> list[Stage]:
        stages = []
        by_name = {one.settings.ranking.reranker: one.settings for one in self._members}
        for name, counting in self.pairs.items():
            loaded = self._finder.reranker(by_name[name])
            if loaded is None:
                continue
            reranker = self._finder.kept_reranker(loaded, by_name[name])
            missing = {question: reranker.missing(question, [*texts]) for question, texts in counting.pairs.items()}
            pairs = sum(map(len, counting.pairs.values()))
            left = sum(map(len, missing.values()))
            each = self._timed(reranker, missing)
            share = len(self._finder.requests) / len(self._asked)
            todo, done = round(left * share), round((pairs - left) * share)
            stages.append(Stage("rerank", name, "pairs", todo, done, True, todo * each))
        return stages

    def _timed(self, reranker: Any, missing: Mapping[str, Sequence[str]]) -> float:
        """Seconds a pair, by the pairs of one question that are not scored yet."""
        question, texts = max(missing.items(), key=lambda item: len(item[1]), default=("", ()))
        if not texts:
            return 0.0
        reranker.score_many([(question, texts[:_PAIRS])])
        return float(reranker.ms[question]) / 1000 / len(texts[:_PAIRS])


def _without_index(finder: Finder, members: Sequence[Configuration]) -> list[Stage]:
    """The stages of configurations whose index is not there, estimated from a small one."""
    dataset, corpus = finder.dataset, finder.corpus
    with tempfile.TemporaryDirectory() as place:
        small, share = _small(dataset, corpus, Path(place) / "corpus")
        settings = [configuration.settings for configuration in members]
        with Finder(small, corpus, Path(place), finder.depth, settings) as probe:
            # The sample's questions are asked of the small index: without filters, for it lacks their documents.
            probe.requests = [dataclasses.replace(r, where=(), groups=(), as_of=None) for r in finder.requests]
            started = time.perf_counter()
            opened = probe.open(members[0].settings)
            taken = time.perf_counter() - started
            with opened.assistant.index.snapshot() as snapshot:
                texts, passages = len(snapshot.derived.chunks), len(snapshot.derived.passages)
            stages = [dataclasses.replace(stage, done=0) for stage in _Estimate(probe, members).stages()]
    count = round(texts * share)
    made = [Stage("index", index_of(finder, members[0].settings), "texts", count, 0, True, taken * share)]
    for stage in stages:
        if stage.name == "rerank":
            most = min(round(passages * share), 2 * max(one.settings.search.candidates for one in members))
            pairs = most * len(finder.requests)
            each = stage.seconds / stage.todo if stage.todo else 0.0
            made.append(dataclasses.replace(stage, todo=pairs, seconds=each * pairs))
        else:
            made.append(stage)
    return made


def _small(dataset: Dataset, corpus: Corpus, folder: Path) -> tuple[Dataset, float]:
    """A data set of a few documents or passages, and how many times more the whole holds."""
    if corpus is Corpus.PASSAGES:
        with_text = [passage for passage in dataset.passages if passage.text.strip()]
        step = max(1, len(with_text) // _PASSAGES)
        kept = tuple(dataclasses.replace(passage, doc_id=None, file=None) for passage in with_text[::step])
        characters = sum(len(passage.text) for passage in with_text)
        small = dataclasses.replace(dataset, passages=kept, documents=())
        return small, characters / sum(len(passage.text) for passage in kept)
    documents = folder / "documents"
    files = {document.file: dataset.documents_folder / document.file for document in dataset.documents}
    sizes = {file: path.stat().st_size for file, path in files.items() if path.is_file()}
    by_size = sorted(sizes, key=lambda file: sizes[file])
    chosen = by_size[max(0, (len(by_size) - _DOCUMENTS) // 2) :][:_DOCUMENTS]  # those of middling size
    for file in chosen:
        (documents / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(files[file], documents / file)
    small = dataclasses.replace(
        dataset,
        folder=folder,
        documents=tuple(document for document in dataset.documents if document.file in chosen),
        passages=tuple(passage for passage in dataset.passages if passage.file in chosen),
    )
    return small, sum(sizes.values()) / max(1, sum(sizes[file] for file in chosen))


def questions_of(settings: Settings) -> str:
    """The model that embeds questions, in words."""
    return settings.index.embedding or "the default embedding"


def index_of(finder: Finder, settings: Settings) -> str:
    """An index in words: its embedding, and what else of it is not the default."""
    from policy_rag_eval.data.corpora import shaping

    names = [name for name in (*shaping(finder.corpus), "bm25_k1", "bm25_b") if name != "embedding"]
    told = [f"{name}={settings.value(name)}" for name in names if settings.value(name) != ALL_SETTINGS[name].default]
    return " ".join([questions_of(settings), *told])
